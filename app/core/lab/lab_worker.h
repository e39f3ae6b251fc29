// Judges the text of a session while it is edited, behind it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/kernel/settings.h"
#include "core/lab/lab.h"
#include "core/lab/verdict.h"
#include "core/tasks/latest.h"

namespace lanescope::app {

struct LabStatus {
  /// Null where there is none
  LabPtr lab;
  /// What the text answers; null: nothing
  const Exercise* exercise = nullptr;
  /// Of the newest text that has been judged, perhaps not at all shapes yet; null before the first of an
  /// exercise
  VerdictPtr verdict;
  /// A newer one is on its way
  bool judging = false;
};

/// Belongs to one thread, which polls it.
class LabWorker {
 public:
  /// `wake` is called whenever there is something to poll.
  explicit LabWorker(std::function<void()> wake);

  void use(LabPtr lab, const Settings& settings);
  /// Judges them if they are an answer; what is older is given up.
  void follow(const Settings& settings);
  /// Takes over what is finished. True if something changed.
  bool poll();
  void wait();
  [[nodiscard]] const LabStatus& status() const { return status_; }

 private:
  struct Request {
    /// Keeps the exercise
    LabPtr lab;
    const Exercise* exercise = nullptr;
    std::string file, text;
    bool operator==(const Request&) const = default;
  };

  LabStatus status_;
  /// What the newest verdict is about, or will be
  Request asked_;
  Latest<Request, VerdictPtr> judge_;
};

}  // namespace lanescope::app
