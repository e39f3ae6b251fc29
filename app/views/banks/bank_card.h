// The bank equation of an access over the lanes' table, at two pitches side by side: what Banks and
// Why explain conflicts with.
#pragma once

#include <cstdint>

#include "core/why/bank_equation.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

struct BankCardState {
  /// The pitch beside the access's own; 0: one that tells most
  std::uint64_t other = 0;
  /// Which equation `other` was chosen for
  std::uint64_t serial = 0;
  int access = -1;
};

/// The parameter that pads rows of a tile; null if the kernel has none, or several.
const TunableParameter* padding_parameter(const ViewContext& ctx);
/// Its value now.
long long parameter_value(const ViewContext& ctx, const TunableParameter& parameter);

/// `suggested` is a pitch that is known to help, or 0; `view` is the id of the view it is drawn in. It
/// says nothing of lanes that are in no known array. Asks for SetParameter, HoverLane, SelectLane.
void bank_card(const ViewContext& ctx, const Execution& shown, BankCardState& state,
               std::uint64_t suggested, const char* view, Actions& actions);

/// What its cells and colours mean; a tooltip of the verdicts says it too.
void bank_card_legend(const ViewContext& ctx);
/// Nothing where it alone would be cut off and make the window scroll.
void bank_card_legend_if_whole(const ViewContext& ctx);

/// "pitch 36: no two words wait for one bank", or how many words the fullest bank has to serve.
std::string pitch_text(const BankGrid& grid);

}  // namespace lanescope::app
