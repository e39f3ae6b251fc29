// Runs the other side of a comparison beside the session's own work, and keeps its selection in
// step. Used by the session from its own thread; the work is a worker's.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "core/compare/compare.h"
#include "core/picture/picture_worker.h"

namespace lanescope::app {

class Comparer {
 public:
  explicit Comparer(std::function<void()> wake) : worker_(std::move(wake)) {}

  void start(Settings settings);
  bool clear();
  /// A linked side is looked at in the same block, as far as its grid has it.
  void look_at_block(Dim3 block);
  bool link(bool linked);
  bool move(StepMove move);

  /// Takes over what is finished; true if something changed
  bool poll();
  void wait(bool whole);
  /// While linked: looks at what the session looks at. Cheap when nothing moved.
  void follow(const Picture* picture, const Selection& selection);

  [[nodiscard]] const Comparison* comparison() const { return state_ ? &*state_ : nullptr; }

 private:
  struct Followed {
    std::uint64_t serial = 0, other_serial = 0;
    std::uint32_t warp = 0;
    std::size_t step = 0;
    int access = -1;
    bool operator==(const Followed&) const = default;
  };

  std::optional<Comparison> state_;
  std::optional<Followed> followed_;
  PictureWorker worker_;
};

}  // namespace lanescope::app
