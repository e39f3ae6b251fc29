#include "gpu/launch/result_check.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/kernel/elements.h"
#include "core/run/expected.h"
#include "core/text/messages.h"
#include "lanescope/memory.h"

namespace lanescope::gpu {

namespace say = app::say;

namespace {

/// Runs part(first, last) over [0, count) on every core.
void in_parallel(std::uint64_t count,
                 const std::function<void(std::uint64_t, std::uint64_t)>& part) {
  const std::uint64_t workers = std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1,
                                                          std::max<std::uint64_t>(1, count >> 14));
  std::vector<std::jthread> threads;
  for (std::uint64_t w = 1; w < workers; ++w)
    threads.emplace_back([&, w] { part(count * w / workers, count * (w + 1) / workers); });
  part(0, count / workers);
}

/// Collects what is wrong from several threads.
class Wrong {
 public:
  void add(std::uint64_t index, std::uint64_t expected, std::uint64_t got) {
    const std::lock_guard lock(mutex_);
    elements_.add(index, expected, got);
  }
  [[nodiscard]] std::optional<app::Mismatch> first(ScalarType type, ScalarType expected) const {
    return elements_.first(type, expected);
  }

 private:
  std::mutex mutex_;
  app::WrongElements elements_;
};

std::uint64_t bits_at(const std::byte* data, std::uint64_t index, std::size_t width) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, data + index * width, width);
  return bits;
}

/// Moved values must be the same bits. A NaN that nobody overwrote equals no value of a fill.
class MovedCheck {
 public:
  MovedCheck(const Request& request)
      : in_(request.buffers[static_cast<std::size_t>(request.inputs.front())]),
        out_(request.buffers[static_cast<std::size_t>(request.output)]),
        transposed_(request.reference == "transpose") {}

  [[nodiscard]] Message unfit() const {
    if (in_.element != out_.element) return say::element_types_differ;
    if (transposed_ ? in_.rows != out_.cols || in_.cols != out_.rows : in_.count() != out_.count())
      return say::extents_differ;
    return {};
  }

  static ScalarType shown(ScalarType element) { return element; }
  void compare(const std::byte* data, std::uint64_t first, std::uint64_t last, std::uint64_t base,
               Wrong& wrong) const {
    const std::size_t width = scalar_bytes(out_.element);
    std::uint64_t row = first / out_.cols, col = first % out_.cols;
    for (std::uint64_t i = first; i < last; ++i) {
      const std::uint64_t source = transposed_ ? app::transposed_from(row, col, in_.cols) : i;
      const std::uint64_t expected = filled_bits(in_.element, in_.fill, source);
      const std::uint64_t got = bits_at(data, i - base, width);
      if (got != expected) wrong.add(i, expected, got);
      if (++col == out_.cols) col = 0, ++row;
    }
  }

 private:
  const RequestBuffer& in_;
  const RequestBuffer& out_;
  bool transposed_;
};

std::vector<double> values_of(const RequestBuffer& buffer) {
  std::vector<double> values(buffer.count());
  in_parallel(values.size(), [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i)
      values[i] = app::real_value(buffer.element, filled_bits(buffer.element, buffer.fill, i));
  });
  return values;
}

class ProductCheck {
 public:
  ProductCheck(const Request& request)
      : a_(request.buffers[static_cast<std::size_t>(request.inputs[0])]),
        b_(request.buffers[static_cast<std::size_t>(request.inputs[1])]),
        c_(request.buffers[static_cast<std::size_t>(request.output)]) {}

  [[nodiscard]] Message unfit() const {
    if (a_.element != c_.element || b_.element != c_.element) return say::element_types_differ;
    if (!app::is_real(c_.element)) return say::only_real_products;
    if (a_.cols != b_.rows || a_.rows != c_.rows || b_.cols != c_.cols) return say::product_shape;
    return {};
  }

  /// What is expected of a half is worked out, and shown, in float.
  static ScalarType shown(ScalarType element) {
    return element == ScalarType::f16 ? ScalarType::f32 : element;
  }
  void compare(const std::byte* data, std::uint64_t first, std::uint64_t last, std::uint64_t base,
               Wrong& wrong) {
    std::call_once(filled_, [this] {
      product_.emplace(values_of(a_), values_of(b_), a_.cols, c_.cols, c_.element);
    });
    const std::size_t width = scalar_bytes(c_.element);
    app::RealProduct::Row expected;
    for (std::uint64_t row = first / c_.cols; row * c_.cols < last; ++row) {
      product_->work_out(row, expected);
      for (std::uint64_t i = std::max(first, row * c_.cols);
           i < std::min(last, (row + 1) * c_.cols); ++i) {
        const std::uint64_t got = bits_at(data, i - base, width), col = i % c_.cols;
        if (!product_->may_be(expected, col, app::real_value(c_.element, got)))
          wrong.add(i, app::real_bits(shown(c_.element), expected.sum[col]), got);
      }
    }
  }

 private:
  const RequestBuffer &a_, &b_, &c_;
  std::once_flag filled_;
  std::optional<app::RealProduct> product_;
};

template <class Check>
CheckResult checked(const Request& request, Check check, std::byte* staging, std::uint64_t bytes,
                    const FetchOutput& fetch) {
  CheckResult result;
  result.unfit = check.unfit();
  if (!result.unfit.empty()) return result;
  const RequestBuffer& out = request.buffers[static_cast<std::size_t>(request.output)];
  const std::size_t width = scalar_bytes(out.element);
  const std::uint64_t step = bytes / width;
  Wrong wrong;
  for (std::uint64_t base = 0; base < out.count(); base += step) {
    const std::uint64_t count = std::min(step, out.count() - base);
    if (!fetch(staging, base * width, count * width)) return result;
    in_parallel(count, [&](std::uint64_t first, std::uint64_t last) {
      check.compare(staging, base + first, base + last, base, wrong);
    });
  }
  result.check.checked = true;
  const auto mismatch = wrong.first(out.element, check.shown(out.element));
  result.check.correct = !mismatch;
  if (mismatch)
    result.check.message = app::with_count(
        say::wrong_on_gpu(app::element_text(out.name, out.rows, out.cols, mismatch->index),
                          mismatch->got, mismatch->expected),
        *mismatch, out.count());
  return result;
}

}  // namespace

CheckResult check_output(const Request& request, std::byte* staging, std::uint64_t staging_bytes,
                         const FetchOutput& fetch) {
  const bool known = std::all_of(request.inputs.begin(), request.inputs.end(),
                                 [](int index) { return index >= 0; });
  const std::size_t wanted = request.reference == "gemm" ? 2 : 1;
  if (request.reference == "none") return {};
  CheckResult unfit;
  unfit.unfit = say::buffer_not_there;
  if (!known || request.inputs.size() < wanted || request.output < 0) return unfit;
  if (request.reference == "gemm")
    return checked<ProductCheck&>(request, *std::make_unique<ProductCheck>(request), staging,
                                  staging_bytes, fetch);
  return checked(request, MovedCheck(request), staging, staging_bytes, fetch);
}

}  // namespace lanescope::gpu
