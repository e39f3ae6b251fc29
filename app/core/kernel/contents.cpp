#include "core/kernel/contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "core/text/messages.h"
#include "core/text/text.h"

namespace lanescope::app {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

Contents refused(Message wrong, Message hint = {}) {
  Contents result;
  result.wrong = std::move(wrong);
  result.hint = std::move(hint);
  return result;
}

/// NumPy's name of a scalar: "<f4".
std::string numpy_name(ScalarType type) {
  const std::size_t bytes = scalar_bytes(type);
  const char kind = type == ScalarType::boolean                          ? 'b'
                    : type >= ScalarType::f16 && type <= ScalarType::f64 ? 'f'
                    : scalar_name(type).starts_with("unsigned")          ? 'u'
                                                                         : 'i';
  return fmt::format("{}{}{}", bytes == 1 ? '|' : '<', kind, bytes);
}

/// "float32", as astype wants it.
std::string numpy_word(ScalarType type) {
  const std::string name = numpy_name(type);
  if (name[1] == 'b') return "bool";
  const char* word = name[1] == 'f' ? "float" : name[1] == 'u' ? "uint" : "int";
  return fmt::format("{}{}", word, scalar_bytes(type) * 8);
}

/// What stands behind 'key': in the header, which is written as a dictionary of Python.
std::string value_of(const std::string& header, const std::string& key) {
  const std::size_t at = header.find("'" + key + "'");
  const std::size_t colon = at == std::string::npos ? at : header.find(':', at);
  if (colon == std::string::npos) return {};
  const std::string rest(trim(std::string_view(header).substr(colon + 1)));
  if (rest.starts_with('(')) return rest.substr(0, rest.find(')') + 1);
  if (rest.starts_with('[')) return rest.substr(0, rest.rfind(']') + 1);
  return std::string(trim(rest.substr(0, rest.find_first_of(",}"))));
}

std::optional<std::vector<std::uint64_t>> shape_in(const std::string& tuple) {
  std::vector<std::uint64_t> shape;
  for (std::size_t at = 1; at + 1 < tuple.size();) {
    const std::size_t comma = std::min(tuple.find_first_of(",)", at), tuple.size());
    const std::string_view item = trim(std::string_view(tuple).substr(at, comma - at));
    if (!item.empty()) {
      const auto extent = parse_unsigned(item);
      if (!extent) return std::nullopt;
      shape.push_back(*extent);
    }
    at = comma + 1;
  }
  return shape;
}

struct NumpyFile {
  std::string type;
  bool columns_first = false;
  std::vector<std::uint64_t> shape;
  /// Where the values begin
  std::size_t begin = 0;
  Message wrong;
};

NumpyFile read_header(const std::vector<std::byte>& bytes) {
  NumpyFile file;
  const auto at = [&](std::size_t i) { return std::to_integer<std::size_t>(bytes[i]); };
  const std::size_t head = bytes.size() > 6 && at(6) > 1 ? 12 : 10;
  if (bytes.size() < head) return file.wrong = say::npy_header_cut, file;
  std::size_t length = at(8) | at(9) << 8;
  if (head == 12) length |= at(10) << 16 | at(11) << 24;
  if (bytes.size() - head < length) return file.wrong = say::npy_header_cut, file;
  const std::string header(reinterpret_cast<const char*>(bytes.data()) + head, length);
  const std::string type = value_of(header, "descr"), shape = value_of(header, "shape");
  const auto extents = shape_in(shape);
  if (type.size() < 2) return file.wrong = say::npy_header_lacks("descr"), file;
  if (shape.size() < 2 || !extents) return file.wrong = say::npy_header_lacks("shape"), file;
  file.type = type.front() == '\'' ? type.substr(1, type.size() - 2) : type;
  file.columns_first = value_of(header, "fortran_order") == "True";
  file.shape = *extents;
  file.begin = head + length;
  return file;
}

std::optional<std::vector<std::byte>> bytes_of(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  std::vector<std::byte> bytes(std::filesystem::file_size(path, ignored));
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!stream) return std::nullopt;
  return bytes;
}

/// Whether so many bytes are what the buffer wants; sets shape and bytes.
Contents sized(const WantedContents& wanted, std::vector<std::byte> bytes,
               std::vector<std::uint64_t> shape) {
  const std::uint64_t scalar = scalar_bytes(wanted.scalar);
  const std::uint64_t element = scalar * std::max(1u, wanted.components);
  if (bytes.empty() || bytes.size() % element != 0)
    return refused(say::file_no_whole_elements(wanted.path, bytes.size(), wanted.type));
  const std::uint64_t count = bytes.size() / scalar;
  if (wanted.count && *wanted.count != count)
    return refused(say::file_other_size(wanted.path, bytes.size(),
                                        *wanted.count / std::max(1u, wanted.components),
                                        wanted.type, *wanted.count * scalar),
                   say::give_other_count(bytes.size() / element));
  Contents result;
  result.shape = shape.size() == 2 ? std::move(shape) : std::vector{count};
  if (result.shape.front() * result.shape.back() != count) result.shape = {count};
  result.bytes = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return result;
}

}  // namespace

Contents read_contents(const WantedContents& wanted) {
  auto bytes = bytes_of(wanted.path);
  if (!bytes) {
    std::error_code ignored;
    const std::error_code error = std::make_error_code(
        std::filesystem::is_directory(wanted.path, ignored) ? std::errc::is_a_directory
        : std::filesystem::exists(wanted.path, ignored)     ? std::errc::permission_denied
                                                            : std::errc::no_such_file_or_directory);
    return refused(say::file_unreadable(wanted.path, error.message()));
  }
  const std::string_view start(reinterpret_cast<const char*>(bytes->data()),
                               std::min(bytes->size(), kMagic.size()));
  if (start != kMagic) {
    if (wanted.path.ends_with(".npy"))
      return refused(say::npy_damaged(wanted.path, say::npy_header_lacks("NUMPY")));
    return sized(wanted, std::move(*bytes), {});
  }
  const NumpyFile file = read_header(*bytes);
  if (!file.wrong.empty()) return refused(say::npy_damaged(wanted.path, file.wrong));
  if (file.type != numpy_name(wanted.scalar))
    return refused(say::npy_other_type(wanted.path, file.type, wanted.type),
                   say::npy_convert(numpy_word(wanted.scalar)));
  if (file.columns_first && file.shape.size() > 1)
    return refused(say::npy_columns_first(wanted.path), say::npy_make_rows);
  std::uint64_t count = 1;
  for (const std::uint64_t extent : file.shape)
    if (__builtin_mul_overflow(count, extent, &count)) count = ~0ull;
  bytes->erase(bytes->begin(), bytes->begin() + static_cast<std::ptrdiff_t>(file.begin));
  if (count != bytes->size() / scalar_bytes(wanted.scalar))
    return refused(say::npy_damaged(wanted.path, say::npy_header_lacks("shape")));
  return sized(wanted, std::move(*bytes), file.shape);
}

}  // namespace lanescope::app
