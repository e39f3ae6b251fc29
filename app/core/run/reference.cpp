#include "core/run/reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/kernel/elements.h"
#include "core/text/messages.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

constexpr std::uint64_t kBand =
    32;  // rows compared at a time, so that a transpose stays in the cache

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

// Element `col` of row `row` of `out` must be the bits of `in` at `source(row, col)`.
template <class Bits, class Source>
std::optional<Mismatch> compare_bits(const Matrix& in, const Matrix& out, Source source) {
  const auto load = [](const Matrix& matrix, std::uint64_t index) {
    Bits value;
    std::memcpy(&value, matrix.data + index * sizeof(Bits), sizeof(Bits));
    return value;
  };
  WrongElements wrong;
  const auto compare = [&](std::uint64_t row, std::uint64_t col) {
    const std::uint64_t index = row * out.cols + col;
    const Bits expected = load(in, source(row, col)), got = load(out, index);
    if (expected != got || is_nan(out.type, got)) wrong.add(index, expected, got);
  };
  for (std::uint64_t band = 0; band < out.rows; band += kBand) {
    for (std::uint64_t tile = 0; tile < out.cols; tile += kBand) {
      for (std::uint64_t row = band; row < std::min(out.rows, band + kBand); ++row) {
        for (std::uint64_t col = tile; col < std::min(out.cols, tile + kBand); ++col)
          compare(row, col);
      }
    }
  }
  return wrong.first(out.type, out.type);
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

std::vector<double> real_values(const Matrix& matrix) {
  std::vector<double> values(matrix.count());
  for (std::uint64_t i = 0; i < values.size(); ++i)
    values[i] = real_value(matrix.type, matrix.bits(i));
  return values;
}

std::optional<Mismatch> compare_gemm_real(const Matrix& a, const Matrix& b, const Matrix& c,
                                          const std::stop_token& stop) {
  const RealProduct product(real_values(a), real_values(b), a.cols, c.cols, c.type);
  const ScalarType shown = c.type == ScalarType::f16 ? ScalarType::f32 : c.type;
  RealProduct::Row expected;
  WrongElements wrong;
  for (std::uint64_t row = 0; row < c.rows && !stop.stop_requested(); ++row) {
    product.work_out(row, expected);
    for (std::uint64_t col = 0; col < c.cols; ++col) {
      const std::uint64_t index = row * c.cols + col, bits = c.bits(index);
      if (!product.may_be(expected, col, real_value(c.type, bits)))
        wrong.add(index, real_bits(shown, expected.sum[col]), bits);
    }
  }
  return wrong.first(c.type, shown);
}

std::optional<Mismatch> compare_gemm_integer(const Matrix& a, const Matrix& b, const Matrix& c,
                                             const std::stop_token& stop) {
  const std::size_t width = scalar_bytes(c.type);
  const std::uint64_t mask = width == 8 ? ~0ull : (1ull << (8 * width)) - 1;
  WrongElements wrong;
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
      if (got != (sum[col] & mask)) wrong.add(row * c.cols + col, sum[col] & mask, got);
    }
  }
  return wrong.first(c.type, c.type);
}

// The buffers of a reference, as matrices.
struct Operands {
  std::vector<Matrix> inputs;
  Matrix output;
  /// What `inputs` point into
  GlobalMemory fresh;
  /// Why there are none
  Message wrong;
};

const BufferLayout* layout_of(const PreparedLaunch& prepared, const std::string& name) {
  const auto found = std::find_if(prepared.buffers.begin(), prepared.buffers.end(),
                                  [&](const BufferLayout& b) { return b.name == name; });
  return found == prepared.buffers.end() ? nullptr : &*found;
}

Operands operands_of(const ReadyLaunch& ready) {
  Operands result;
  const ReferenceSpec& spec = ready.prepared->front_matter.reference;
  std::vector<std::string> names = spec.inputs;
  names.push_back(spec.output);
  for (const std::string& name : names) {
    const BufferLayout* layout = layout_of(*ready.prepared, name);
    const Buffer* buffer = ready.memory.find(name);
    if (!layout || !buffer) {
      result.wrong = say::no_buffer_of_launch(name);
      return result;
    }
    const bool is_output = &name == &names.back();
    BufferSpec spec_now = buffer->spec;
    spec_now.deferred = false;  // every element is wanted here
    if (!is_output && !result.fresh.find(name) && result.fresh.add(spec_now)) {
      result.wrong = say::no_memory_for_result;
      return result;
    }
    const std::byte* data = is_output ? buffer->data : result.fresh.find(name)->data;
    (is_output ? result.output : result.inputs.emplace_back()) = {data, layout->element,
                                                                  layout->rows(), layout->cols()};
  }
  return result;
}

Message misfit(const std::string& kind, const Operands& o) {
  const Matrix& in = o.inputs.front();
  for (const Matrix& input : o.inputs) {
    if (kind == "gemm" ? is_real(input.type) != is_real(o.output.type)
                       : input.type != o.output.type)
      return say::element_types_differ;
  }
  if (kind == "copy" && in.count() != o.output.count()) return say::copy_needs_as_many;
  if (kind == "transpose" && (in.rows != o.output.cols || in.cols != o.output.rows))
    return say::transpose_shape;
  if (kind == "gemm" && (in.cols != o.inputs[1].rows || in.rows != o.output.rows ||
                         o.inputs[1].cols != o.output.cols)) {
    return say::product_shape;
  }
  return {};
}

// The text's one place that writes the output, as far as it is known.
SourcePos store_position(const PreparedLaunch& prepared, const std::string& output) {
  for (const AccessInfo& access : prepared.kernel().accesses) {
    if (access.op == AccessOp::store && access.root == output && access.pos.file == 0)
      return access.pos;
  }
  return {};
}

Diagnostic wrong_result(const ReadyLaunch& ready, const Matrix& out, const Mismatch& mismatch) {
  const std::string& name = ready.prepared->front_matter.reference.output;
  const SourcePos pos = store_position(*ready.prepared, name);
  Diagnostic result;
  result.kind = DiagnosticKind::wrong_result;
  result.file = ready.prepared->settings.file;
  result.line = pos.line;
  result.column = pos.column;
  result.source_line = line_of(ready.prepared->settings.text, pos.line);
  const std::string element = element_text(name, out.rows, out.cols, mismatch.index);
  const std::uint64_t row = mismatch.index / out.cols, col = mismatch.index % out.cols;
  const Message first =
      out.rows > 1 ? say::wrong_element_at(element, row, col, mismatch.got, mismatch.expected)
                   : say::wrong_element(element, mismatch.got, mismatch.expected);
  result.message = with_count(first, mismatch, out.count());
  if (const Buffer* buffer = ready.memory.find(name))
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
  return compare_moved(in, out, [&](std::uint64_t row, std::uint64_t col) {
    return transposed_from(row, col, in.cols);
  });
}

std::optional<Mismatch> compare_gemm(const Matrix& a, const Matrix& b, const Matrix& c,
                                     std::stop_token stop) {
  return is_real(c.type) ? compare_gemm_real(a, b, c, stop) : compare_gemm_integer(a, b, c, stop);
}

CheckOutcome check_result(const ReadyLaunch& ready, std::stop_token stop) {
  const ReferenceSpec& spec = ready.prepared->front_matter.reference;
  CheckOutcome outcome;
  if (spec.kind == "none") return outcome;
  const Operands operands = operands_of(ready);
  Message wrong = operands.wrong;
  if (wrong.empty()) wrong = misfit(spec.kind, operands);
  if (!wrong.empty()) {
    Diagnostic diagnostic =
        usage_error(ready.prepared->settings.file, say::cannot_check(spec.kind, wrong));
    diagnostic.severity = Severity::warning;
    diagnostic.line = ready.prepared->front_matter.reference_pos.line;
    diagnostic.column = ready.prepared->front_matter.reference_pos.column;
    diagnostic.source_line = line_of(ready.prepared->settings.text, diagnostic.line);
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
    outcome.diagnostic = wrong_result(ready, out, *mismatch);
    outcome.check.message = outcome.diagnostic->message;
  }
  return outcome;
}

}  // namespace lanescope::app
