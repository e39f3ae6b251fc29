// What is said about exercises and answers to them, by name: as core/text/messages.h says all else.
#pragma once

#include <span>

#include "core/text/messages.h"

namespace lanescope::app {

namespace say {

#define MESSAGE(id, english) inline constexpr Sentence<places_in(english)> id{#id, english};
#include "core/lab/messages_lab.def"
#undef MESSAGE

}  // namespace say

/// Every sentence about them.
std::span<const MessageFormat> lab_messages();

}  // namespace lanescope::app
