// Large pieces of memory as the system gives them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanescope {

/// Anonymous pages, zero until touched, so that what nobody fills costs nothing.
class Pages {
 public:
  Pages() = default;
  explicit Pages(std::uint64_t bytes);
  ~Pages();
  Pages(Pages&& other) noexcept;
  Pages& operator=(Pages&& other) noexcept;

  /// Null where there are none left.
  [[nodiscard]] std::byte* data() const { return data_; }
  /// Zero again.
  void clear() const;
  /// In large pages: for what is touched from one end to the other.
  void large(bool wanted) const;

 private:
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace lanescope
