// Pseudo-random numbers in the order in which cuRAND's host generators give them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace lanescope::app {

/// A generator keeps many sequences, each far from the next one. Items of a call (a number, or two
/// normal ones) are drawn from the sequences in turn, also across calls of different kinds; each draws
/// from its sequence as many raw numbers as it needs. How many sequences there are, and what is drawn
/// for what, was found by comparing with cuRAND 10.4 (CUDA 13.0) on an H200; random_streams_test.cpp
/// has rows of it.
class RandomStreams {
 public:
  virtual ~RandomStreams() = default;
  /// Begins anew, as if `offset` raw numbers had been taken.
  virtual void restart(std::uint64_t seed, std::uint64_t offset) = 0;
  virtual void raw(std::span<std::uint32_t> to) = 0;
  /// In (0, 1]
  virtual void uniform(std::span<float> to) = 0;
  virtual void uniform(std::span<double> to) = 0;
  /// With mean 0 and deviation 1, by Box and Muller. Floats differ from a GPU's by what its fast sine
  /// and cosine leave out: some 1e-6.
  virtual void normal(std::span<float> to) = 0;
  virtual void normal(std::span<double> to) = 0;
  /// Normal numbers come in pairs only.
  [[nodiscard]] virtual bool pairs_only() const = 0;
};

/// G. Marsaglia, "Xorshift RNGs" (2003), with a Weyl sequence added: 4096 sequences 2^67 apart.
std::unique_ptr<RandomStreams> make_xorwow();
/// P. L'Ecuyer, "Good Parameters and Implementations for Combined Multiple Recursive Random Number
/// Generators" (1999): sequences 2^76 apart, 81920 of them, in the old order 4096.
std::unique_ptr<RandomStreams> make_mrg32k3a(std::size_t sequences);
/// J. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3" (2011): 65536 sequences.
std::unique_ptr<RandomStreams> make_philox();

}  // namespace lanescope::app
