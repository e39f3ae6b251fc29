#include "trace/pages.h"

#include <sys/mman.h>

#include <utility>

namespace lanescope {

Pages::Pages(std::uint64_t bytes) : bytes_(bytes) {
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages != MAP_FAILED) data_ = static_cast<std::byte*>(pages);
}

Pages::~Pages() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

Pages::Pages(Pages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Pages& Pages::operator=(Pages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void Pages::clear() const { madvise(data_, bytes_, MADV_DONTNEED); }

void Pages::large(bool wanted) const {
  madvise(data_, bytes_, wanted ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

}  // namespace lanescope
