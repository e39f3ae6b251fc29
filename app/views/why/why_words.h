// The sentences of the Why view: a finding's kind and numbers, said in the current language.
#pragma once

#include <string>
#include <vector>

#include "core/why/advice.h"
#include "core/why/why.h"

namespace lanescope::app {

/// One sentence, and what its terms mean, for hovering; the definition may be null.
struct Sentence {
  std::string text;
  const char* definition = nullptr;
};

std::string why_headline(const SharedWhy& why);
std::string why_headline(const GlobalWhy& why);
std::vector<Sentence> why_sentences(const SharedWhy& why);
std::vector<Sentence> why_sentences(const GlobalWhy& why, AccessOp op);

/// "PAD = 1", "float tile[32][32 + 1]", "block 32 x 8", as a button says it.
std::string change_text(const Change& change);
/// "1 015 808 → 0 conflicts".
std::string effect_text(const GridCost& before, const GridCost& after, AdviceGoal goal);
std::string result_text(ResultState result);
/// "Swizzle<3, 3, 3> for As: chunk ^ (row & 7)"; with the subscripts where they are known.
std::string swizzle_text(const SwizzleAdvice& advice, const std::string& array);
/// "1 024 → 256 wavefronts, 768 → 0 conflicts".
std::string swizzle_effect(const SwizzleAdvice& advice);
/// What becomes of the stride: "the lane stride becomes 33 words; gcd(33, 32) = 1". Empty if there
/// is none.
std::string after_text(const Suggestion& suggestion);

}  // namespace lanescope::app
