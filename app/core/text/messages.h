// The program's sentences by name: `say::no_such_folder(path)`. What the simulator says is in a
// table of its own.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lanescope/message.h"

namespace lanescope::app {

namespace say {

#define MESSAGE(id, english) inline constexpr Sentence<places_in(english)> id{#id, english};
#include "core/text/messages.def"
#include "core/text/messages_gpu.def"
#undef MESSAGE

/// "a, b and c".
Message listed(const std::vector<std::string>& items);

}  // namespace say

/// Every sentence of the program itself; the simulator's are apart.
std::span<const MessageFormat> program_messages();

}  // namespace lanescope::app
