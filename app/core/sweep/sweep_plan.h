// What a sweep varies: up to three axes of values over one kernel's settings, from texts as people
// type them or as the front matter suggests. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/kernel/catalog.h"
#include "core/kernel/front_matter.h"
#include "core/kernel/settings.h"

namespace lanescope::app {

inline constexpr std::size_t kMostSweepAxes = 3, kMostSweepCells = 4096;

struct SweepAxis {
  enum class Kind { parameter, argument, block };
  Kind kind = Kind::parameter;
  /// Macro or scalar argument; "block"
  std::string name;
  /// A block is written 32x8
  std::vector<std::string> values;
  bool operator==(const SweepAxis&) const = default;
};

struct SweepPlan {
  Settings base;
  /// Rows, columns, tables; the last runs fastest in the list
  std::vector<SweepAxis> axes;
  std::map<std::string, std::string> default_parameters, default_arguments;
  /// The text is the catalog's own, so recorded measurements are of it
  bool bundled = false;

  [[nodiscard]] std::size_t size() const;
  /// Index of a value on each axis.
  [[nodiscard]] std::vector<std::size_t> coordinates(std::size_t cell) const;
  [[nodiscard]] std::size_t index(const std::vector<std::size_t>& coordinates) const;
  [[nodiscard]] Settings settings(std::size_t cell) const;
  /// "BDIMX=32 PAD=1".
  [[nodiscard]] std::string label(std::size_t cell) const;
  /// The cell that is these settings; nullopt if it is none of them.
  [[nodiscard]] std::optional<std::size_t> find(const Settings& settings) const;
  /// Every macro and every scalar argument of a cell, defaults included.
  [[nodiscard]] std::map<std::string, std::string> parameters(std::size_t cell) const;
  [[nodiscard]] std::map<std::string, std::string> arguments(std::size_t cell) const;
  /// The same sweep: equal axes, and bases that differ in nothing but the axes.
  [[nodiscard]] bool same(const SweepPlan& other) const;
};

struct SweepPlanResult {
  std::optional<SweepPlan> plan;
  std::vector<Diagnostic> diagnostics;
};

/// `vary`: "NAME=VALUES" each; none takes what `suggested_axes` gives.
SweepPlanResult plan_sweep(const Settings& base, const Catalog& catalog,
                           const std::vector<std::string>& vary);

/// "1,2,4..16*2,20..30..5": values and ranges A..B, A..B..STEP, A..B*FACTOR. On failure `error`
/// says why.
struct SweepValues {
  std::vector<std::string> values;
  Message error;
};
SweepValues parse_sweep_values(const std::string& text);
/// The shortest text that parses to the values.
std::string sweep_values_text(const std::vector<std::string>& values);

/// As "NAME=VALUES": the block's shape against padding; else the first two tunable parameters; else
/// the scalar arguments. Current values are always among them.
std::vector<std::string> suggested_axes(const Settings& settings, const FrontMatter& front_matter);
/// What may be varied, in the order of the text: parameters, scalar arguments, "block".
std::vector<std::string> sweep_names(const Settings& settings, const FrontMatter& front_matter);
/// Values to begin with for one of them, as text.
std::string suggested_values(const Settings& settings, const FrontMatter& front_matter,
                             const std::string& name);

}  // namespace lanescope::app
