#include "program/libraries/random_streams.h"

#include <array>
#include <tuple>
#include <vector>

#include "program/libraries/random_numbers.h"

namespace lanescope::app {
namespace {

/// Sequences whose items are drawn from them in turn.
template <class State>
class Interleaved : public RandomStreams {
 public:
  void raw(std::span<std::uint32_t> to) override {
    for (std::uint32_t& value : to) value = turn().raw();
  }
  void uniform(std::span<float> to) override {
    for (float& value : to) value = turn().uniform();
  }
  void uniform(std::span<double> to) override {
    for (double& value : to) value = turn().uniform_wide();
  }
  void normal(std::span<float> to) override {
    for (std::size_t i = 0; i + 1 < to.size(); i += 2) std::tie(to[i], to[i + 1]) = turn().normal();
  }
  void normal(std::span<double> to) override {
    for (std::size_t i = 0; i + 1 < to.size(); i += 2)
      std::tie(to[i], to[i + 1]) = turn().normal_wide();
  }
  [[nodiscard]] bool pairs_only() const override { return true; }

 protected:
  /// Takes `offset` raw numbers off sequences that are at their beginnings.
  void take(std::uint64_t offset) {
    next_ = offset % states_.size();
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const std::uint64_t draws = offset / states_.size() + (i < next_ ? 1 : 0);
      for (std::uint64_t k = 0; k < draws; ++k) states_[i].raw();
    }
  }
  std::vector<State> states_;

 private:
  State& turn() {
    State& state = states_[next_];
    next_ = next_ + 1 == states_.size() ? 0 : next_ + 1;
    return state;
  }
  std::size_t next_ = 0;
};

// ---- XORWOW ----

struct Xorwow {
  std::array<std::uint32_t, 5> v{};
  std::uint32_t weyl = 0;

  std::uint32_t raw() {
    step();
    weyl += 362437;
    return v[4] + weyl;
  }
  void step() {
    const std::uint32_t t = v[0] ^ (v[0] >> 2);
    v = {v[1], v[2], v[3], v[4], v[4] ^ (v[4] << 4) ^ t ^ (t << 1)};
  }
  std::uint64_t bits() {
    const std::uint32_t low = raw();
    return joined(low, raw());
  }
  float uniform() { return uniform_float(raw()); }
  double uniform_wide() { return uniform_double(bits()); }
  std::pair<float, float> normal() {
    const std::uint32_t x = raw();
    return normal_floats(x, raw());
  }
  std::pair<double, double> normal_wide() {
    const std::uint64_t x = bits();
    return normal_doubles(x, bits());
  }
};

using Bits = std::array<std::uint32_t, 5>;
/// What becomes of each of the 160 bits: the step of the generator is linear over them.
using Matrix = std::array<Bits, 160>;

Bits moved(const Matrix& matrix, const Bits& bits) {
  Bits result{};
  for (std::size_t i = 0; i < 160; ++i)
    if ((bits[i / 32] >> (i % 32) & 1) != 0)
      for (std::size_t k = 0; k < 5; ++k) result[k] ^= matrix[i][k];
  return result;
}

/// 2^67 steps at once. The Weyl sequence, modulo 2^32, is then where it was.
const Matrix& xorwow_jump() {
  static const Matrix jump = [] {
    Matrix matrix;
    for (std::size_t i = 0; i < 160; ++i) {
      Xorwow one;
      one.v[i / 32] = 1u << (i % 32);
      one.step();
      matrix[i] = one.v;
    }
    for (int doubling = 0; doubling < 67; ++doubling) {
      Matrix twice;
      for (std::size_t i = 0; i < 160; ++i) twice[i] = moved(matrix, matrix[i]);
      matrix = twice;
    }
    return matrix;
  }();
  return jump;
}

class XorwowStreams : public Interleaved<Xorwow> {
 public:
  void restart(std::uint64_t seed, std::uint64_t offset) override {
    const std::uint32_t low = 1099087573u * (static_cast<std::uint32_t>(seed) ^ 0xaad26b49u);
    const std::uint32_t high = 2591861531u * (static_cast<std::uint32_t>(seed >> 32) ^ 0xf7dcefddu);
    Xorwow state;
    state.weyl = 6615241u + high + low;
    state.v = {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high,
               5783321u + low};
    states_.clear();
    for (int i = 0; i < 4096; ++i) {
      states_.push_back(state);
      state.v = moved(xorwow_jump(), state.v);
    }
    take(offset);
  }
};

// ---- MRG32k3a ----

constexpr std::uint64_t kModulus1 = 4294967087u, kModulus2 = 4294944443u;

struct Mrg {
  std::array<std::uint64_t, 3> a{}, b{};

  /// From 1 to kModulus1
  double next() {
    const std::uint64_t p =
        (1403580u * a[1] + 810728u * (kModulus1 - a[0]) % kModulus1) % kModulus1;
    const std::uint64_t q =
        (527612u * b[2] + 1370589u * (kModulus2 - b[0]) % kModulus2) % kModulus2;
    a = {a[1], a[2], p};
    b = {b[1], b[2], q};
    return static_cast<double>(p > q ? p - q : p + kModulus1 - q);
  }
  // Stretched over all 32 bits, and shrunk into (0, 1].
  std::uint32_t raw() { return static_cast<std::uint32_t>(next() * 1.000000048662); }
  double uniform_wide() { return next() * 2.3283065498378288e-10; }
  float uniform() { return static_cast<float>(uniform_wide()); }
  std::pair<float, float> normal() {
    const float x = uniform();
    const auto [u, v] = box_muller(x, uniform());
    return {static_cast<float>(u), static_cast<float>(v)};
  }
  std::pair<double, double> normal_wide() {
    const double x = uniform_wide();
    return box_muller(x, uniform_wide());
  }
};

using Square = std::array<std::array<std::uint64_t, 3>, 3>;

/// `matrix` to the power 2^76.
Square jump_of(Square matrix, std::uint64_t modulus) {
  for (int doubling = 0; doubling < 76; ++doubling) {
    Square twice{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t k = 0; k < 3; ++k)
          twice[i][j] = (twice[i][j] + matrix[i][k] * matrix[k][j] % modulus) % modulus;
    matrix = twice;
  }
  return matrix;
}

std::array<std::uint64_t, 3> moved(const Square& matrix, const std::array<std::uint64_t, 3>& v,
                                   std::uint64_t modulus) {
  std::array<std::uint64_t, 3> result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      result[i] = (result[i] + matrix[i][k] * v[k] % modulus) % modulus;
  return result;
}

class MrgStreams : public Interleaved<Mrg> {
 public:
  explicit MrgStreams(std::size_t sequences) : sequences_(sequences) {}

  void restart(std::uint64_t seed, std::uint64_t offset) override {
    static const Square jump1 =
        jump_of({{{0, 1, 0}, {0, 0, 1}, {kModulus1 - 810728, 1403580, 0}}}, kModulus1);
    static const Square jump2 =
        jump_of({{{0, 1, 0}, {0, 0, 1}, {kModulus2 - 1370589, 0, 527612}}}, kModulus2);
    Mrg state;
    state.a = state.b = {12345, 12345, 12345};
    if (seed != 0) {
      const std::uint64_t x = static_cast<std::uint32_t>(seed) ^ 0x55555555u;
      const std::uint64_t y = static_cast<std::uint32_t>(seed >> 32) ^ 0xaaaaaaaau;
      state.a = {x * 12345 % kModulus1, y * 12345 % kModulus1, x * 12345 % kModulus1};
      state.b = {y * 12345 % kModulus2, x * 12345 % kModulus2, y * 12345 % kModulus2};
    }
    states_.clear();
    for (std::size_t i = 0; i < sequences_; ++i) {
      states_.push_back(state);
      state.a = moved(jump1, state.a, kModulus1);
      state.b = moved(jump2, state.b, kModulus2);
    }
    take(offset);
  }

 private:
  std::size_t sequences_;
};

// ---- Philox ----

using Words = std::array<std::uint32_t, 4>;

Words philox(Words c, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p = std::uint64_t{0xd2511f53u} * c[0],
                        q = std::uint64_t{0xcd9e8d57u} * c[2];
    c = {static_cast<std::uint32_t>(q >> 32) ^ c[1] ^ key0, static_cast<std::uint32_t>(q),
         static_cast<std::uint32_t>(p >> 32) ^ c[3] ^ key1, static_cast<std::uint32_t>(p)};
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
  return c;
}

/// Four results at a time come from each sequence: from one counter's words, or of doubles from two.
class PhiloxStreams : public RandomStreams {
 public:
  void restart(std::uint64_t seed, std::uint64_t offset) override {
    key_ = seed;
    position_ = offset;
    counters_.assign(kSequences, offset / 4 / kSequences);
    for (std::size_t i = 0; i < offset / 4 % kSequences; ++i) ++counters_[i];
  }
  void raw(std::span<std::uint32_t> to) override {
    fill(to, 1, [](const Group& g, std::size_t i) { return g[0][i]; });
  }
  void uniform(std::span<float> to) override {
    fill(to, 1, [](const Group& g, std::size_t i) { return uniform_float(g[0][i]); });
  }
  void uniform(std::span<double> to) override {
    fill(to, 2, [](const Group& g, std::size_t i) {
      const Words& words = g[i / 2];
      return uniform_double(i % 2 == 0 ? joined(words[0], words[1]) : joined(words[2], words[3]));
    });
  }
  void normal(std::span<float> to) override {
    fill(to, 1, [](const Group& g, std::size_t i) {
      const auto [a, b] = normal_floats(g[0][i / 2 * 2], g[0][i / 2 * 2 + 1]);
      return i % 2 == 0 ? a : b;
    });
  }
  void normal(std::span<double> to) override {
    fill(to, 2, [](const Group& g, std::size_t i) {
      const Words& words = g[i / 2];
      const auto [a, b] = normal_doubles(joined(words[0], words[1]), joined(words[2], words[3]));
      return i % 2 == 0 ? a : b;
    });
  }
  [[nodiscard]] bool pairs_only() const override { return false; }

 private:
  static constexpr std::size_t kSequences = 65536;
  using Group = std::array<Words, 2>;

  Words words(std::size_t sequence, std::uint64_t counter) const {
    return philox({static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32),
                   static_cast<std::uint32_t>(sequence), 0},
                  static_cast<std::uint32_t>(key_), static_cast<std::uint32_t>(key_ >> 32));
  }
  /// `counters`: how many a group of four takes.
  template <class T, class Make>
  void fill(std::span<T> to, std::uint64_t counters, Make make) {
    Group group{};
    bool known = false;
    for (T& value : to) {
      const std::size_t sequence = position_ / 4 % kSequences, place = position_ % 4;
      std::uint64_t& counter = counters_[sequence];
      for (std::uint64_t k = 0; !known && k < counters; ++k)
        group[k] = words(sequence, counter + k);
      value = make(group, place);
      known = place != 3;
      if (place == 3) counter += counters;
      ++position_;
    }
  }

  std::uint64_t key_ = 0, position_ = 0;
  std::vector<std::uint64_t> counters_;
};

}  // namespace

std::unique_ptr<RandomStreams> make_xorwow() { return std::make_unique<XorwowStreams>(); }
std::unique_ptr<RandomStreams> make_mrg32k3a(std::size_t sequences) {
  return std::make_unique<MrgStreams>(sequences);
}
std::unique_ptr<RandomStreams> make_philox() { return std::make_unique<PhiloxStreams>(); }

}  // namespace lanescope::app
