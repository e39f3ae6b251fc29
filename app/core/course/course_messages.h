// What is said about lessons, by name: as core/text/messages.h says all else.
#pragma once

#include <span>

#include "core/text/messages.h"

namespace lanescope::app {

namespace say {

#define MESSAGE(id, english) inline constexpr Sentence<places_in(english)> id{#id, english};
#include "core/course/messages_course.def"
#undef MESSAGE

}  // namespace say

/// Every sentence about lessons.
std::span<const MessageFormat> course_messages();

}  // namespace lanescope::app
