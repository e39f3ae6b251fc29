#include "core/run/reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/text/text.h"

namespace lanescope::app {

namespace {

constexpr std::uint64_t kBand =
    32;  // rows compared at a time, so that a transpose stays in the cache

bool is_real(ScalarType type) {
  return type == ScalarType::f16 || type == ScalarType::f32 || type == ScalarType::f64;
}

double half_value(std::uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 0x1f);
  const auto fraction = static_cast<double>(bits & 0x3ff);
  double value = exponent == 0    ? std::ldexp(fraction, -24)
                 : exponent == 31 ? (fraction != 0 ? std::nan("") : HUGE_VAL)
                                  : std::ldexp(1024 + fraction, exponent - 25);
  return (bits >> 15 & 1) != 0 ? -value : value;
}

double real_value(ScalarType type, std::uint64_t bits) {
  if (type == ScalarType::f16) return half_value(bits);
  if (type == ScalarType::f32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return std::bit_cast<double>(bits);
}

// Integers as 64 bits, sign-extended where the type is signed.
std::uint64_t integer_value(ScalarType type, std::uint64_t bits) {
  switch (type) {
  case ScalarType::i8:
    return static_cast<std::uint64_t>(static_cast<std::int8_t>(bits));
  case ScalarType::i16:
    return static_cast<std::uint64_t>(static_cast<std::int16_t>(bits));
  case ScalarType::i32:
    return static_cast<std::uint64_t>(static_cast<std::int32_t>(bits));
  default:
    return bits;
  }
}

bool is_nan(ScalarType type, std::uint64_t bits) {
  return is_real(type) && std::isnan(real_value(type, bits));
}

class Finder {
 public:
  void wrong(std::uint64_t index, std::uint64_t expected, std::uint64_t got) {
    ++count_;
    if (count_ > 1 && index > index_) return;
    index_ = index, expected_ = expected, got_ = got;
  }
  std::optional<Mismatch> result(ScalarType type) const {
    if (count_ == 0) return std::nullopt;
    return Mismatch{index_, count_, format_scalar(type, expected_), format_scalar(type, got_)};
  }

 private:
  std::uint64_t index_ = 0, count_ = 0, expected_ = 0, got_ = 0;
};

// Element `col` of row `row` of `out` must be the bits of `in` at `source(row, col)`.
template <class Bits, class Source>
std::optional<Mismatch> compare_bits(const Matrix& in, const Matrix& out, Source source) {
  const auto load = [](const Matrix& matrix, std::uint64_t index) {
    Bits value;
    std::memcpy(&value, matrix.data + index * sizeof(Bits), sizeof(Bits));
    return value;
  };
  Finder finder;
  const auto compare = [&](std::uint64_t row, std::uint64_t col) {
    const std::uint64_t index = row * out.cols + col;
    const Bits expected = load(in, source(row, col)), got = load(out, index);
    if (expected != got || is_nan(out.type, got)) finder.wrong(index, expected, got);
  };
  for (std::uint64_t band = 0; band < out.rows; band += kBand) {
    for (std::uint64_t tile = 0; tile < out.cols; tile += kBand) {
      for (std::uint64_t row = band; row < std::min(out.rows, band + kBand); ++row) {
        for (std::uint64_t col = tile; col < std::min(out.cols, tile + kBand); ++col)
          compare(row, col);
      }
    }
  }
  return finder.result(out.type);
}

template <class Source>
std::optional<Mismatch> compare_moved(const Matrix& in, const Matrix& out, Source source) {
  switch (scalar_bytes(out.type)) {
  case 1:
    return compare_bits<std::uint8_t>(in, out, source);
  case 2:
    return compare_bits<std::uint16_t>(in, out, source);
  case 4:
    return compare_bits<std::uint32_t>(in, out, source);
  default:
    return compare_bits<std::uint64_t>(in, out, source);
  }
}

std::uint64_t real_bits(ScalarType type, double value) {
  if (type == ScalarType::f64) return std::bit_cast<std::uint64_t>(value);
  if (type == ScalarType::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return 0;
}

std::vector<double> real_values(const Matrix& matrix) {
  std::vector<double> values(matrix.count());
  for (std::uint64_t i = 0; i < values.size(); ++i)
    values[i] = real_value(matrix.type, matrix.bits(i));
  return values;
}

// Each of K products may be rounded once when added (in float at least), and the sum once when
// stored.
double relative_tolerance(ScalarType type, std::uint64_t terms) {
  const double k = static_cast<double>(terms);
  if (type == ScalarType::f64) return 2 * k * 0x1p-53;
  return (k + 2) * 0x1p-24 + (type == ScalarType::f16 ? 0x1p-10 : 0.0);
}

std::optional<Mismatch> compare_gemm_real(const Matrix& a, const Matrix& b, const Matrix& c,
                                          const std::stop_token& stop) {
  const std::vector<double> left = real_values(a), right = real_values(b);
  std::vector<double> sum(c.cols), magnitude(c.cols);
  const double relative = relative_tolerance(c.type, a.cols);
  std::optional<Mismatch> first;
  for (std::uint64_t row = 0; row < c.rows && !stop.stop_requested(); ++row) {
    std::fill(sum.begin(), sum.end(), 0.0);
    std::fill(magnitude.begin(), magnitude.end(), 0.0);
    for (std::uint64_t k = 0; k < a.cols; ++k) {
      const double factor = left[row * a.cols + k];
      const double* other = &right[k * b.cols];
      for (std::uint64_t col = 0; col < c.cols; ++col) {
        sum[col] += factor * other[col];
        magnitude[col] += std::abs(factor * other[col]);
      }
    }
    for (std::uint64_t col = 0; col < c.cols; ++col) {
      const std::uint64_t bits = c.bits(row * c.cols + col);
      const double difference = std::abs(real_value(c.type, bits) - sum[col]);
      if (difference <= relative * magnitude[col]) continue;  // a NaN is not
      const ScalarType shown = c.type == ScalarType::f16 ? ScalarType::f32 : c.type;
      if (!first)
        first = Mismatch{row * c.cols + col, 0, format_scalar(shown, real_bits(shown, sum[col])),
                         format_scalar(c.type, bits)};
      ++first->wrong;
    }
  }
  return first;
}

std::optional<Mismatch> compare_gemm_integer(const Matrix& a, const Matrix& b, const Matrix& c,
                                             const std::stop_token& stop) {
  const std::size_t width = scalar_bytes(c.type);
  const std::uint64_t mask = width == 8 ? ~0ull : (1ull << (8 * width)) - 1;
  Finder finder;
  std::vector<std::uint64_t> sum(c.cols);
  for (std::uint64_t row = 0; row < c.rows && !stop.stop_requested(); ++row) {
    std::fill(sum.begin(), sum.end(), 0);
    for (std::uint64_t k = 0; k < a.cols; ++k) {
      const std::uint64_t factor = integer_value(a.type, a.bits(row * a.cols + k));
      for (std::uint64_t col = 0; col < c.cols; ++col)
        sum[col] += factor * integer_value(b.type, b.bits(k * b.cols + col));
    }
    for (std::uint64_t col = 0; col < c.cols; ++col) {
      const std::uint64_t got = c.bits(row * c.cols + col) & mask;
      if (got != (sum[col] & mask)) finder.wrong(row * c.cols + col, sum[col] & mask, got);
    }
  }
  return finder.result(c.type);
}

// The buffers of a reference, as matrices.
struct Operands {
  std::vector<Matrix> inputs;
  Matrix output;
  /// What `inputs` point into
  GlobalMemory fresh;
  /// Why there are none
  std::string wrong;
};

const BufferLayout* layout_of(const Job& job, const std::string& name) {
  const auto found = std::find_if(job.buffers.begin(), job.buffers.end(),
                                  [&](const BufferLayout& b) { return b.name == name; });
  return found == job.buffers.end() ? nullptr : &*found;
}

Operands operands_of(const Job& job) {
  Operands result;
  const ReferenceSpec& spec = job.front_matter.reference;
  std::vector<std::string> names = spec.inputs;
  names.push_back(spec.output);
  for (const std::string& name : names) {
    const BufferLayout* layout = layout_of(job, name);
    const Buffer* buffer = job.memory.find(name);
    if (!layout || !buffer) {
      result.wrong = name + " is no buffer of this launch";
      return result;
    }
    const bool is_output = &name == &names.back();
    BufferSpec spec_now = buffer->spec;
    spec_now.deferred = false;  // every element is wanted here
    if (!is_output && !result.fresh.find(name) && result.fresh.add(spec_now)) {
      result.wrong = "no memory to work out the expected result";
      return result;
    }
    const std::byte* data = is_output ? buffer->data : result.fresh.find(name)->data;
    (is_output ? result.output : result.inputs.emplace_back()) = {data, layout->element,
                                                                  layout->rows(), layout->cols()};
  }
  return result;
}

std::string misfit(const std::string& kind, const Operands& o) {
  const Matrix& in = o.inputs.front();
  for (const Matrix& input : o.inputs) {
    if (kind == "gemm" ? is_real(input.type) != is_real(o.output.type)
                       : input.type != o.output.type)
      return "their element types differ";
  }
  if (kind == "copy" && in.count() != o.output.count())
    return "a copy has as many elements as its source";
  if (kind == "transpose" && (in.rows != o.output.cols || in.cols != o.output.rows))
    return "a transpose of rows x cols is cols x rows";
  if (kind == "gemm" && (in.cols != o.inputs[1].rows || in.rows != o.output.rows ||
                         o.inputs[1].cols != o.output.cols)) {
    return "a product of M x K and K x N is M x N";
  }
  return "";
}

// The text's one place that writes the output, as far as it is known.
SourcePos store_position(const Job& job, const std::string& output) {
  for (const AccessInfo& access : job.program->info().accesses) {
    if (access.op == AccessOp::store && access.root == output && access.pos.file == 0)
      return access.pos;
  }
  return {};
}

Diagnostic wrong_result(const Job& job, const Matrix& out, const Mismatch& mismatch) {
  const std::string& name = job.front_matter.reference.output;
  const std::string row = std::to_string(mismatch.index / out.cols),
                    col = std::to_string(mismatch.index % out.cols);
  const SourcePos pos = store_position(job, name);
  Diagnostic result;
  result.kind = DiagnosticKind::wrong_result;
  result.file = job.settings.file;
  result.line = pos.line;
  result.column = pos.column;
  result.source_line = line_of(job.settings.text, pos.line);
  result.message =
      "wrong result: " + name +
      (out.rows > 1 ? "[" + row + "][" + col + "] (row " + row + ", column " + col + ")"
                    : "[" + col + "]") +
      " is " + mismatch.got + ", expected " + mismatch.expected;
  if (mismatch.wrong > 1) {
    result.message += "; " + std::to_string(mismatch.wrong) + " of " + std::to_string(out.count()) +
                      " elements are wrong";
  }
  if (const Buffer* buffer = job.memory.find(name))
    result.address = buffer->base + mismatch.index * scalar_bytes(out.type);
  return result;
}

}  // namespace

std::uint64_t Matrix::bits(std::uint64_t index) const {
  const std::size_t width = scalar_bytes(type);
  std::uint64_t value = 0;
  std::memcpy(&value, data + index * width, width);
  return value;
}

std::optional<Mismatch> compare_copy(const Matrix& in, const Matrix& out) {
  return compare_moved(in, out,
                       [&](std::uint64_t row, std::uint64_t col) { return row * out.cols + col; });
}

std::optional<Mismatch> compare_transpose(const Matrix& in, const Matrix& out) {
  return compare_moved(in, out,
                       [&](std::uint64_t row, std::uint64_t col) { return col * in.cols + row; });
}

std::optional<Mismatch> compare_gemm(const Matrix& a, const Matrix& b, const Matrix& c,
                                     std::stop_token stop) {
  return is_real(c.type) ? compare_gemm_real(a, b, c, stop) : compare_gemm_integer(a, b, c, stop);
}

CheckOutcome check_result(const Job& job, std::stop_token stop) {
  const ReferenceSpec& spec = job.front_matter.reference;
  CheckOutcome outcome;
  if (spec.kind == "none") return outcome;
  const Operands operands = operands_of(job);
  std::string wrong = operands.wrong;
  if (wrong.empty()) wrong = misfit(spec.kind, operands);
  if (!wrong.empty()) {
    Diagnostic diagnostic = usage_error(
        job.settings.file, "the result cannot be checked against '" + spec.kind + "': " + wrong);
    diagnostic.severity = Severity::warning;
    diagnostic.line = job.front_matter.reference_pos.line;
    diagnostic.column = job.front_matter.reference_pos.column;
    diagnostic.source_line = line_of(job.settings.text, diagnostic.line);
    outcome.diagnostic = std::move(diagnostic);
    return outcome;
  }
  const Matrix &in = operands.inputs.front(), &out = operands.output;
  const auto mismatch = spec.kind == "copy" ? compare_copy(in, out)
                        : spec.kind == "transpose"
                            ? compare_transpose(in, out)
                            : compare_gemm(in, operands.inputs[1], out, stop);
  if (stop.stop_requested()) return outcome;
  outcome.check.checked = true;
  outcome.check.correct = !mismatch;
  if (mismatch) {
    outcome.diagnostic = wrong_result(job, out, *mismatch);
    outcome.check.message = outcome.diagnostic->message;
  }
  return outcome;
}

}  // namespace lanescope::app
