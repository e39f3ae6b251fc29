// A crash of the compiler is an answer, not the end of the process.
#pragma once

#include <functional>

namespace lanescope {

/// Runs `work` on a thread with a stack for deep templates; false when it crashed. What it was about to
/// destroy is then left behind.
bool survives(const std::function<void()>& work);

}  // namespace lanescope
