#include "core/course/course_messages.h"

namespace lanescope::app {

std::span<const MessageFormat> course_messages() {
  static constexpr MessageFormat kAll[] = {
#define MESSAGE(id, english) {#id, english},
#include "core/course/messages_course.def"
#undef MESSAGE
  };
  return kAll;
}

}  // namespace lanescope::app
