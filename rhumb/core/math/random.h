// Counter-based random streams (Philox4x32-10, Salmon et al. 2011).
//
// A Stream is a pure function of (seed, purpose, unit, episode, step), without shared state.
// Trajectories therefore do not depend on the number of threads or the order of work. Saving a
// generator means saving four integers.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace rhumb::core {

// Streams of different purposes never overlap. Append only: stored runs depend on the values. A
// new kind of draw gets its own purpose.
enum class Purpose : std::uint8_t {
  kReset = 1,
  kAction = 2,
  kInitialWeights = 3,
  kMinibatch = 4,
  kScalarisation = 5,
  kBenchmark = 6,
  kContext = 7,
  kCodeNoise = 8,
  kRepresentation = 9,
  kHeadFit = 10,
  kSteering = 11,
  kLandscape = 12,
  kMixture = 13,
  kBootstrap = 14,
  kRandomisation = 15,
  kExploration = 16,
};

// Keys within a purpose that several files share. Stored runs depend on them too.
namespace stream_key {

// First units of the lists of rolled-out codes, for kReset and kAction. Answers and grounded codes
// count from 0. Lists do not overlap, so no code is judged by an episode that selected it.
constexpr int kTriedCodes = 1'000'000;
constexpr int kSynthesisCodes = 2'000'000;
constexpr int kPathCodes = 3'000'000;
constexpr int kMixedCodes = 4'000'000;
constexpr int kBetweenCodes = 5'000'000;
constexpr int kFrontCodes = 6'000'000;
constexpr int kFrontPolicies = 7'000'000;  // for the choice among them
constexpr int kFrontPolicyValues = 8'000'000;
constexpr int kSwitchedCodes = 9'000'000;
constexpr int kTriedTakeovers = 10'000'000;

// Steps of kContext. Step 0 draws the pairs of a context.
constexpr std::uint32_t kImitatedEpisodes = 1;
constexpr std::uint32_t kTriples = 2;
constexpr std::uint32_t kTakeovers = 3;

// Steps of kSteering. Step 0 draws random starts.
constexpr std::uint32_t kTask = 1;
constexpr std::uint32_t kTaskRequirements = 2;
constexpr std::uint32_t kSwitchedPairs = 3;

// Units of kRepresentation. Unit 0 draws the first weights.
constexpr std::uint32_t kTrainingStages = 256;  // stage s has unit 256 + s, below 1024
constexpr std::uint32_t kEpisodeOrder = 1024;

// Episodes of kHeadFit with unit 0.
constexpr std::uint32_t kGroundedEpisodes = 17;

}  // namespace stream_key

// One Philox4x32-10 block: four words from a 128-bit counter under a 64-bit key.
std::array<std::uint32_t, 4> Philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

// The sequence of draws for one (seed, purpose, unit, episode, step). Cheap to make; copyable. A
// stream holds 2^24 blocks (2^26 words). Not thread-safe: every user makes its own.
class Stream {
 public:
  // The low 32 bits of unit, episode and step count.
  Stream(std::uint64_t seed, Purpose purpose, std::int64_t unit = 0, std::int64_t episode = 0,
         std::int64_t step = 0);

  std::uint32_t Bits32();
  std::uint64_t Bits64();
  // Equals words.size() calls of Bits32, but is several times as fast. The size of `words` is a
  // multiple of 4. The stream must be at the start of a block: fresh, or after another FillBits.
  void FillBits(std::span<std::uint32_t> words);

  // Uniform in [0, 1) with 53 random bits.
  double Uniform();
  // Uniform in [low, high).
  double Uniform(double low, double high);
  // Standard normal (Box-Muller; keeps the second of each pair for the next call).
  double Normal();
  // Uniform integer in [0, bound), without modulo bias. `bound` must be positive.
  std::uint32_t Below(std::uint32_t bound);

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;  // {unit, episode, step, purpose << 24 | block}
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;
  bool exhausted_ = false;
  double spare_normal_ = 0;
  bool has_spare_ = false;
};

}  // namespace rhumb::core
