#include "core/picture/inspect.h"

#include <chrono>

namespace lanescope::app {

Picture inspect_block(ReadyLaunch& ready, const std::stop_token& stop) {
  Picture picture;
  picture.prepared = ready.prepared;
  const auto start = std::chrono::steady_clock::now();
  picture.take(ready.inspect(
      {.blocks = {ready.prepared->settings.inspected_block}, .control = {.stop = stop}}));
  picture.run_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (picture.recorded) picture.tensors = placed_tensors(picture.kernel(), *picture.recorded);
  return picture;
}

}  // namespace lanescope::app
