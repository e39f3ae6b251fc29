#include "core/text/messages.h"

namespace lanescope::app {

std::span<const MessageFormat> program_messages() {
  static constexpr MessageFormat kAll[] = {
#define MESSAGE(id, english) {#id, english},
#include "core/text/messages.def"
#include "core/text/messages_gpu.def"
#undef MESSAGE
  };
  return kAll;
}

Message say::listed(const std::vector<std::string>& items) {
  if (items.empty()) return {};
  std::string first;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) first += (i > 0 ? ", " : "") + items[i];
  return items.size() == 1 ? Message::verbatim(items.front()) : and_last(first, items.back());
}

}  // namespace lanescope::app
