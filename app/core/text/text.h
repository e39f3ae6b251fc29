// Small helpers on texts: numbers as people type them, lines of a source, names of C++.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lanescope/diagnostic.h"
#include "lanescope/types.h"

namespace lanescope::app {

std::string_view trim(std::string_view text);
/// A whole integer, decimal or 0x…, and nothing else around it.
std::optional<long long> parse_integer(std::string_view text);
std::optional<unsigned long long> parse_unsigned(std::string_view text);
std::optional<double> parse_real(std::string_view text);
/// "X", "X,Y" or "X,Y,Z"; zero is taken, negative and larger than 32 bits are not.
std::optional<Dim3> parse_dim3(std::string_view text);
std::string dim3_text(Dim3 value);

bool is_identifier(std::string_view text);
bool is_utf8(std::string_view text);
/// Line `number` (from 1) without its newline; empty if there is none.
std::string line_of(std::string_view text, std::uint32_t number);
/// "a, b and c".
std::string listed(const std::vector<std::string>& items);

/// Whether two characters are the same, or one ASCII letter's two cases.
bool same_letter(char a, char b);
/// Today, UTC: "2026-11-21".
std::string today();

/// A usage error in `file`; give it a position by setting line and column.
Diagnostic usage_error(std::string file, Message message, Message hint = {});
/// The same about a flag or a launch, which no text holds.
Diagnostic launch_error(Message message, Message hint = {});

}  // namespace lanescope::app
