#include "execute/print.h"

#include <bit>
#include <cstdio>
#include <cstring>

#include "lanescope/trace.h"

namespace lanescope {
namespace {

/// Bytes at any address, 0 where nothing is.
std::uint64_t read_bytes(const Machine& m, const WarpState& w, int lane, std::uint64_t address,
                         unsigned bytes) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) {
    const std::uint64_t at = address + i;
    std::uint64_t byte = 0;
    for (const Region& region : m.regions) {
      const std::uint64_t offset = at - region.base;
      if (offset >= region.size) continue;
      if (region.space == MemorySpace::local)
        byte = w.local[(offset / 4) * kLanes + static_cast<unsigned>(lane)] >> (8 * (offset % 4)) &
               0xff;
      else
        byte = static_cast<std::uint64_t>(region.data[offset]);
    }
    value |= byte << (8 * i);
  }
  return value;
}

std::string read_text(const Machine& m, const WarpState& w, int lane, std::uint64_t address) {
  std::string text;
  for (char c; text.size() < 4096 &&
               (c = static_cast<char>(read_bytes(m, w, lane, address + text.size(), 1))) != '\0';)
    text += c;
  return text;
}

/// Takes packed arguments one after the other, each aligned to its own size, as C's variadic
/// promotion left them.
class Arguments {
 public:
  Arguments(const Machine& m, const WarpState& w, int lane, std::uint64_t address)
      : m_(m), w_(w), lane_(lane), at_(address) {}
  std::uint64_t take(unsigned bytes) {
    at_ = (at_ + bytes - 1) / bytes * bytes;
    const std::uint64_t value = read_bytes(m_, w_, lane_, at_, bytes);
    at_ += bytes;
    return value;
  }

 private:
  const Machine& m_;
  const WarpState& w_;
  int lane_;
  std::uint64_t at_;
};

std::string convert(const std::string& specification, Arguments& arguments, const Machine& m,
                    const WarpState& w, int lane) {
  const char kind = specification.back();
  const bool is_long = specification.find_first_of("lzjt") != std::string::npos;
  std::string flags = specification.substr(0, specification.size() - 1);
  std::erase_if(flags, [](char c) { return std::strchr("lhzjtL", c) != nullptr; });
  char text[512];
  if (std::strchr("eEfFgGaA", kind) != nullptr) {
    std::snprintf(text, sizeof text, (flags + kind).c_str(),
                  std::bit_cast<double>(arguments.take(8)));
  } else if (kind == 's') {
    std::snprintf(text, sizeof text, (flags + "s").c_str(),
                  read_text(m, w, lane, arguments.take(8)).c_str());
  } else if (kind == 'p') {
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(arguments.take(8)));
  } else if (kind == 'c') {
    std::snprintf(text, sizeof text, (flags + "c").c_str(), static_cast<int>(arguments.take(4)));
  } else if (kind == 'd' || kind == 'i') {
    const long long value = is_long ? static_cast<long long>(arguments.take(8))
                                    : static_cast<std::int32_t>(arguments.take(4));
    std::snprintf(text, sizeof text, (flags + "lld").c_str(), value);
  } else {
    const unsigned long long value = arguments.take(is_long ? 8 : 4);
    std::snprintf(text, sizeof text, (flags + "ll" + kind).c_str(), value);
  }
  return text;
}

std::string format_line(const Machine& m, const WarpState& w, int lane,
                        std::uint64_t format_address, std::uint64_t argument_address) {
  const std::string format = read_text(m, w, lane, format_address);
  Arguments arguments(m, w, lane, argument_address);
  std::string out;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    const std::size_t end = format.find_first_of("diouxXeEfFgGaAcsp%", i + 1);
    if (end == std::string::npos) return out + format.substr(i);
    std::string specification = format.substr(i, end - i + 1);
    if (format[end] == '%')
      out += '%';
    else {
      // A star takes its width or precision from the arguments.
      for (std::size_t star; (star = specification.find('*')) != std::string::npos;)
        specification.replace(star, 1,
                              std::to_string(static_cast<std::int32_t>(arguments.take(4)) % 256));
      out +=
          specification.size() < 32 ? convert(specification, arguments, m, w, lane) : specification;
    }
    i = end;
  }
  return out;
}

}  // namespace

void print_lines(Machine& m, const WarpState& w, const std::uint64_t* format,
                 const std::uint64_t* arguments, LaneMask mask) {
  for (LaneMask left = mask; left != 0 && m.printed.size() < kMostPrinted; left &= left - 1) {
    const int lane = std::countr_zero(left);
    m.printed.push_back({m.block, thread_of(m.launch->block, w.index, lane),
                         format_line(m, w, lane, format[lane], arguments[lane])});
  }
}

}  // namespace lanescope
