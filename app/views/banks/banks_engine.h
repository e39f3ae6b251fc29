// What the Banks view shows of accesses that no lanes make: products of warpgroups and bulk copies.
#pragma once

#include "views/draw/view_context.h"

namespace lanescope::app {

/// wgmma: a square for each wavefront of its operands, and how many they are.
void draw_product_banks(const ViewContext& ctx);
/// A bulk copy: the lines of shared memory that it fills or reads, which no counter counts.
void draw_copy_banks(const ViewContext& ctx);

}  // namespace lanescope::app
