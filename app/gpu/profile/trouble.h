// Why something could not be done, as the GPU's side tells it.
#pragma once

#include <utility>

#include "lanescope/diagnostic.h"

namespace lanescope::gpu {

inline Diagnostic trouble(DiagnosticKind kind, Message message, Message hint = {}) {
  Diagnostic result;
  result.kind = kind;
  result.message = std::move(message), result.hint = std::move(hint);
  return result;
}

/// What this machine cannot do.
inline Diagnostic unsupported(Message message, Message hint = {}) {
  return trouble(DiagnosticKind::unsupported, std::move(message), std::move(hint));
}

}  // namespace lanescope::gpu
