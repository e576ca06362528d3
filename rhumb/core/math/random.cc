#include "rhumb/core/math/random.h"

#include <cmath>
#include <numbers>

#include "rhumb/core/error.h"

namespace rhumb::core {
namespace {

constexpr std::uint32_t kMultiplier0 = 0xD2511F53;
constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
constexpr std::uint32_t kBlockMask = (1u << 24) - 1;

constexpr std::uint32_t High(std::uint64_t product) {
  return static_cast<std::uint32_t>(product >> 32);
}
constexpr std::uint32_t Low(std::uint64_t product) { return static_cast<std::uint32_t>(product); }

}  // namespace

std::array<std::uint32_t, 4> Philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{kMultiplier0} * counter[0];
    const std::uint64_t product1 = std::uint64_t{kMultiplier1} * counter[2];
    counter = {High(product1) ^ counter[1] ^ key[0], Low(product1),
               High(product0) ^ counter[3] ^ key[1], Low(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

Stream::Stream(std::uint64_t seed, Purpose purpose, std::int64_t unit, std::int64_t episode,
               std::int64_t step)
    : key_{Low(seed), High(seed)},
      counter_{static_cast<std::uint32_t>(unit), static_cast<std::uint32_t>(episode),
               static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(purpose) << 24} {}

std::uint32_t Stream::Bits32() {
  if (used_ == 4) {
    // After the last block the counter would overflow into the next purpose.
    RHUMB_CHECK(!exhausted_, "a random stream ran past its 2^24 blocks");
    block_ = Philox(counter_, key_);
    exhausted_ = (counter_[3] & kBlockMask) == kBlockMask;
    ++counter_[3];
    used_ = 0;
  }
  return block_[static_cast<std::size_t>(used_++)];
}

void Stream::FillBits(std::span<std::uint32_t> words) {
  RHUMB_CHECK(used_ == 4 && words.size() % 4 == 0, "{} words from the middle of a block",
              words.size());
  const std::size_t blocks = words.size() / 4;
  RHUMB_CHECK(blocks + (counter_[3] & kBlockMask) <= kBlockMask && !exhausted_,
              "a random stream ran past its 2^24 blocks");
  // Philox on many counters at once; the compiler vectorises the loop over lanes.
  constexpr std::size_t kWide = 16;
  std::size_t block = 0;
  for (; block + kWide <= blocks; block += kWide, counter_[3] += kWide) {
    std::uint32_t c0[kWide], c1[kWide], c2[kWide], c3[kWide];
    for (std::size_t i = 0; i < kWide; ++i) {
      c0[i] = counter_[0], c1[i] = counter_[1], c2[i] = counter_[2];
      c3[i] = counter_[3] + static_cast<std::uint32_t>(i);
    }
    std::uint32_t key0 = key_[0], key1 = key_[1];
    for (int round = 0; round < 10; ++round) {
      for (std::size_t i = 0; i < kWide; ++i) {
        const std::uint64_t product0 = std::uint64_t{kMultiplier0} * c0[i];
        const std::uint64_t product1 = std::uint64_t{kMultiplier1} * c2[i];
        c0[i] = High(product1) ^ c1[i] ^ key0;
        c1[i] = Low(product1);
        c2[i] = High(product0) ^ c3[i] ^ key1;
        c3[i] = Low(product0);
      }
      key0 += kWeyl0;
      key1 += kWeyl1;
    }
    std::uint32_t* out = words.data() + 4 * block;
    for (std::size_t i = 0; i < kWide; ++i) {
      out[4 * i] = c0[i], out[4 * i + 1] = c1[i], out[4 * i + 2] = c2[i], out[4 * i + 3] = c3[i];
    }
  }
  for (std::size_t word = 4 * block; word < words.size(); ++word) words[word] = Bits32();
}

std::uint64_t Stream::Bits64() {
  const std::uint64_t low = Bits32();
  return low | std::uint64_t{Bits32()} << 32;
}

double Stream::Uniform() { return static_cast<double>(Bits64() >> 11) * 0x1p-53; }

double Stream::Uniform(double low, double high) {
  // The sum may round up to `high`, which is outside the interval.
  const double x = low + (high - low) * Uniform();
  return x < high ? x : std::nextafter(high, low);
}

double Stream::Normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_normal_;
  }
  // (cos, sin)(2 pi v) * sqrt(-2 log u) with u in (0, 1], so that the logarithm is finite.
  const double radius = std::sqrt(-2.0 * std::log(1.0 - Uniform()));
  const double angle = 2.0 * std::numbers::pi * Uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

std::uint32_t Stream::Below(std::uint32_t bound) {
  RHUMB_CHECK(bound > 0, "a random integer below 0 was requested");
  // Lemire (2019): take the high word of bits * bound. Redraw if the low word is among the 2^32
  // mod bound values that would cause bias.
  const std::uint32_t threshold = (0u - bound) % bound;
  std::uint64_t product = std::uint64_t{Bits32()} * bound;
  while (Low(product) < threshold) product = std::uint64_t{Bits32()} * bound;
  return High(product);
}

}  // namespace rhumb::core
