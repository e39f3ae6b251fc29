// Sweeps that are shown while they are counted: cells are published as they come, known ones are not
// counted again.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/sweep/sweep.h"

namespace lanescope::app {

struct SweepRequest {
  std::shared_ptr<const SweepPlan> plan;
  /// The current setting's cell
  std::size_t first = 0;
};

/// Remembers what it has counted. To be used from one thread at a time.
class Sweeper {
 public:
  /// `publish` is called now and then with what is counted so far. Gives the whole sweep; after a
  /// stop, what was counted until then.
  SweepPtr sweep(const SweepRequest& request, const std::stop_token& stop,
                 const std::function<void(SweepPtr)>& publish);

 private:
  /// What each cell is, the text included
  std::vector<std::string> keys_of(const SweepPlan& plan);

  std::vector<std::string> texts_;
  /// By what a cell is
  std::map<std::string, SweepCell> known_;
};

}  // namespace lanescope::app
