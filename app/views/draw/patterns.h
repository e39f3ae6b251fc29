// Sentences with values in them: "write to {0}" knows "write to element 3 of 'tile'" again and says
// it in another language, the value's own words included.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanescope::app {

class Patterns {
 public:
  /// `english` and `translated` may hold {0} to {9}, in any order. A sentence that several patterns
  /// fit is told by the one with most words of its own.
  void add(const std::string& english, const std::string& translated);
  /// The sentence itself where no pattern fits.
  [[nodiscard]] const std::string& translate(const std::string& sentence) const;
  [[nodiscard]] bool knows(const std::string& sentence) const;

 private:
  struct Piece {
    /// Words, or
    std::string text;
    /// The number of a place for a value
    int value = -1;
  };
  using Pieces = std::vector<Piece>;
  struct Pattern {
    Pieces english, translated;
    /// Letters outside the places
    std::size_t words = 0;
  };
  static Pieces pieces_of(std::string_view text);
  static std::optional<std::vector<std::string>> match(const Pieces& pieces,
                                                       std::string_view sentence);
  [[nodiscard]] std::optional<std::string> told(const std::string& sentence) const;

  /// Most words first
  std::vector<Pattern> patterns_;
  // A frame asks again for what the one before asked for; no text is matched twice.
  mutable std::unordered_map<std::string, std::string> known_;
};

}  // namespace lanescope::app
