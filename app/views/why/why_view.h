// Why: the cause of what an access costs, in words and numbers, and what to do about it.
#pragma once

#include <optional>
#include <string>

#include "core/why/advice.h"
#include "views/banks/bank_card.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

struct WhyState {
  /// A suggestion that was taken, until something else changes.
  struct Applied {
    std::string text;
    GridCost before;
    AdviceGoal goal = AdviceGoal::none;
    /// The settings it was taken in
    Settings from;
    /// What they became
    std::optional<Settings> to;
  };
  std::optional<Applied> applied;
  // The finding about the shown execution, and which that was.
  std::uint64_t serial = 0;
  std::uint32_t warp = 0;
  std::size_t step = 0;
  int access = -1;
  SharedWhy shared;
  BankCardState card;
  GlobalWhy global;
  /// Of the access, in the inspected block
  std::uint64_t executions = 0, conflicting = 0;
  // What advice was asked for last, so that a refusal is not asked again every frame.
  std::uint64_t asked_serial = 0;
  int asked_access = -1;
};
/// Draws a headline, a picture, the sentences, then what helps. Reads the shown execution, the
/// picture's counts and the advice; asks for RequestAdvice, and for what a suggestion changes.
void draw_why(const ViewContext& ctx, WhyState& state, Actions& actions);

// Its parts, a file each.

/// Lanes in the colours of their banks, and how many words each bank has to serve.
void draw_why_shared(const ViewContext& ctx, const Execution& shown, const SharedWhy& why,
                     Actions& actions);
/// Bytes asked for against bytes moved.
void draw_why_global(const ViewContext& ctx, const GlobalWhy& why);
/// Asks for advice about an access once, and offers what is known of it.
void draw_advice(const ViewContext& ctx, WhyState& state, int access, Actions& actions);
/// What came of the suggestion that was taken; gone when anything else changes.
void draw_applied(const ViewContext& ctx, WhyState& state, Actions& actions);

}  // namespace lanescope::app
