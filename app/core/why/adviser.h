// Tries changes: each candidate is compiled, its whole grid counted and, where that is affordable,
// its result compared, before anybody is told that it helps.
#pragma once

#include <functional>
#include <stop_token>

#include "core/why/advice.h"

namespace lanescope::app {

struct AdviceRequest {
  PicturePtr picture;
  /// Whose access is asked about
  Selection selection;
};

/// Works a request off in the calling thread. `publish` is called with every step forward, not any
/// more once `stop` was asked for. Gives the last step, `finished` unless stopped.
AdvicePtr advise(const AdviceRequest& request, const Catalog& catalog, const std::stop_token& stop,
                 const std::function<void(AdvicePtr)>& publish);

}  // namespace lanescope::app
