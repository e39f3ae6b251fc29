#include "core/kernel/elements.h"

namespace lanescope::app {

bool is_real(ScalarType type) {
  return type == ScalarType::f16 || type == ScalarType::f32 || type == ScalarType::f64;
}

std::optional<Fill> fill_named(std::string_view name) {
  if (name == "index") return Fill::index;
  if (name == "zero") return Fill::zero;
  if (name == "poison") return Fill::poison;
  if (name == "random") return Fill::random;
  return std::nullopt;
}

}  // namespace lanescope::app
