#include "views/draw/patterns.h"

#include <algorithm>
#include <array>

namespace lanescope::app {
namespace {

constexpr std::size_t kMostKnown = 4096;  // sentences: someone who types all day makes many
constexpr std::size_t kMostValues = 10;

}  // namespace

Patterns::Pieces Patterns::pieces_of(std::string_view text) {
  Pieces pieces;
  std::string words;
  const auto end_words = [&] {
    if (!words.empty()) pieces.push_back({std::exchange(words, {}), -1});
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool place = text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}' &&
                       text[i + 1] >= '0' && text[i + 1] <= '9';
    if (!place) {
      words += text[i];
      continue;
    }
    end_words();
    pieces.push_back({"", text[i + 1] - '0'});
    i += 2;
  }
  end_words();
  return pieces;
}

// Each value ends where the words after it are first found; the last words are those at the end.
std::optional<std::vector<std::string>> Patterns::match(const Pieces& pieces,
                                                        std::string_view sentence) {
  std::vector<std::string> values(kMostValues);
  std::size_t at = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    if (piece.value < 0) {
      if (sentence.compare(at, piece.text.size(), piece.text) != 0) return std::nullopt;
      at += piece.text.size();
      continue;
    }
    std::size_t end = sentence.size();
    if (i + 1 < pieces.size()) {
      const std::string& after = pieces[i + 1].text;
      const bool last = i + 2 == pieces.size();
      if (last && sentence.size() < at + after.size()) return std::nullopt;
      end = last ? sentence.size() - after.size() : sentence.find(after, at + 1);
    }
    if (end == std::string_view::npos || end <= at) return std::nullopt;
    values[static_cast<std::size_t>(piece.value)] = sentence.substr(at, end - at);
    at = end;
  }
  if (at != sentence.size()) return std::nullopt;
  return values;
}

void Patterns::add(const std::string& english, const std::string& translated) {
  Pattern pattern{pieces_of(english), pieces_of(translated), 0};
  for (const Piece& piece : pattern.english) pattern.words += piece.text.size();
  if (pattern.words == 0) return;  // it would fit everything
  const auto place =
      std::upper_bound(patterns_.begin(), patterns_.end(), pattern.words,
                       [](std::size_t words, const Pattern& other) { return words > other.words; });
  patterns_.insert(place, std::move(pattern));
  known_.clear();
}

std::optional<std::string> Patterns::told(const std::string& sentence) const {
  for (const Pattern& pattern : patterns_) {
    if (pattern.words > sentence.size()) continue;
    const auto values = match(pattern.english, sentence);
    if (!values) continue;
    std::string result;
    for (const Piece& piece : pattern.translated) {
      if (piece.value < 0) {
        result += piece.text;
        continue;
      }
      // A value may be a sentence of its own. It is shorter than this one, so there is an end.
      const std::string& value = (*values)[static_cast<std::size_t>(piece.value)];
      result += told(value).value_or(value);
    }
    return result;
  }
  return std::nullopt;
}

const std::string& Patterns::translate(const std::string& sentence) const {
  const auto found = known_.find(sentence);
  if (found != known_.end()) return found->second;
  if (known_.size() >= kMostKnown) known_.clear();
  return known_.emplace(sentence, told(sentence).value_or(sentence)).first->second;
}

bool Patterns::knows(const std::string& sentence) const { return told(sentence).has_value(); }

}  // namespace lanescope::app
