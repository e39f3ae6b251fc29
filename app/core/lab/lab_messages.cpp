#include "core/lab/lab_messages.h"

namespace lanescope::app {

std::span<const MessageFormat> lab_messages() {
  static constexpr MessageFormat kAll[] = {
#define MESSAGE(id, english) {#id, english},
#include "core/lab/messages_lab.def"
#undef MESSAGE
  };
  return kAll;
}

}  // namespace lanescope::app
