// The thread that tries changes: each candidate is compiled, its whole grid counted and, where that
// is affordable, its result compared, before anybody is told that it helps.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "core/why/advice.h"

namespace lanescope::app {

struct AdviceRequest {
  PicturePtr picture;
  /// Whose access is asked about
  Selection selection;
};

/// Works a request off in the calling thread. `publish` is called with every step forward, the last
/// time with `finished`; not any more once `stop` was asked for.
void advise(const AdviceRequest& request, const Catalog& catalog, const std::stop_token& stop,
            const std::function<void(AdvicePtr)>& publish);

class Adviser {
 public:
  /// `catalog` must outlive it; `wake` is called whenever there is something to take.
  Adviser(const Catalog& catalog, std::function<void()> wake);
  ~Adviser();
  Adviser(const Adviser&) = delete;
  Adviser& operator=(const Adviser&) = delete;

  /// The newest wins
  void submit(AdviceRequest request);
  void cancel();
  /// Since the last call; null for nothing new
  AdvicePtr take();
  /// Until the newest request is worked off or cancelled
  void wait();
  [[nodiscard]] bool busy() const;

 private:
  void loop();

  const Catalog& catalog_;
  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<AdviceRequest> next_;
  std::stop_source stop_;
  AdvicePtr news_;
  bool busy_ = false, quit_ = false;
  /// Last, so that everything it uses outlives it
  std::jthread thread_;
};

}  // namespace lanescope::app
