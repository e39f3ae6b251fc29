// Device code of a program's texts, put together where one text uses what another defines.
#pragma once

#include <vector>

#include "lanescope/whole_program.h"

namespace lanescope {

/// Gives each text's device code the functions of the others that it calls. Of variables there is one each in the
/// program: those of others are declarations by the name of shared_variable(), for who knows their addresses.
void link_device_code(std::vector<CompiledText>& texts);

}  // namespace lanescope
