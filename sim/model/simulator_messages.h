// The simulator's sentences by name: `say::unknown_parameter(name)`.
#pragma once

#include "lanescope/message.h"

namespace lanescope::say {

#define MESSAGE(id, english) inline constexpr Sentence<places_in(english)> id{#id, english};
#include "model/simulator_messages.def"
#undef MESSAGE

/// "1 byte", "4 bytes".
Message bytes(std::uint64_t n);
/// "1 element", "1024 elements".
Message elements(std::uint64_t n);

}  // namespace lanescope::say
