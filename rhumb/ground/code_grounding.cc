#include "rhumb/ground/code_grounding.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/work_folder.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/process/progress.h"
#include "rhumb/ground/exploration.h"
#include "rhumb/net/steadiness.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/steer/forecaster.h"

namespace rhumb::ground {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

// Codes that are rolled out and saved together; an interruption loses at most this many.
constexpr int kChunk = 250;

// The episodes of a steady code also last at least this share of the longest one.
constexpr double kSteadyLength = 0.8;

// Some robots scatter in all that they do, and most of all where they move. If only the steadiest
// codes were parents, exploration would stay where the robot stands still. So at least this share
// of the policies' codes that do not fall are steady.
constexpr double kLeastSteadyShare = 0.75;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Codes that are rolled out together. `round` counts the rounds of exploration; the codes that were
// given have -1.
struct Chunk {
  int begin = 0, count = 0, round = -1;
};

// All rollouts of one mode's codes.
struct ModeRun {
  int given = 0;                               // codes that were not explored
  std::vector<float> codes;                    // [N, H]: given, then explored
  std::vector<std::int64_t> policies, owners;  // [N] each, or empty
  rollout::CodeRun run;                        // all chunks
  double seconds = 0;                          // total rollout time, over all processes
};

// The codes of a ModeRun with at least one usable episode.
struct Tabulated {
  net::CodeTable table;
  std::vector<float> values;              // [N, K], in standard deviations of the labels
  std::vector<std::uint8_t> steady;       // [N]
  std::vector<std::uint8_t> from_policy;  // [N]: steady, and not explored
  std::vector<std::int64_t> owners;       // [N], or empty

  TriedCodes tried(int shaping) const {
    return {table.code_size, table.objectives, shaping, table.codes, values, steady, owners};
  }
};

void Append(const rollout::CodeRun& chunk, rollout::CodeRun& all) {
  all.codes += chunk.codes;
  all.episodes = chunk.episodes;
  all.objectives = chunk.objectives;
  all.values.insert(all.values.end(), chunk.values.begin(), chunk.values.end());
  all.lengths.insert(all.lengths.end(), chunk.lengths.begin(), chunk.lengths.end());
  all.diverged.insert(all.diverged.end(), chunk.diverged.begin(), chunk.diverged.end());
}

// Saves a chunk: values [codes, episodes, objectives], 0 for diverged episodes.
void SaveChunk(const rollout::CodeRun& chunk, double seconds, const std::filesystem::path& file) {
  std::vector<double> values = chunk.values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (chunk.diverged[i / static_cast<std::size_t>(chunk.objectives)] != 0) values[i] = 0;
  }
  net::SafetensorsWriter out;
  out.Add("values", {chunk.codes, chunk.episodes, chunk.objectives},
          std::span<const double>(values));
  out.Add("lengths", {chunk.codes, chunk.episodes},
          std::vector<std::int64_t>(chunk.lengths.begin(), chunk.lengths.end()));
  out.Add("diverged", {chunk.codes, chunk.episodes}, std::span(chunk.diverged));
  out.Add("seconds", {1}, std::vector<double>{seconds});
  core::WriteFileAtomically(file, out.Bytes());
}

rollout::CodeRun ReadChunk(const std::filesystem::path& file, int codes, int episodes,
                           int objectives, double& seconds) {
  const net::SafetensorsFile in(file);
  rollout::CodeRun chunk;
  chunk.codes = codes;
  chunk.episodes = episodes;
  chunk.objectives = objectives;
  if (in.shape("values") != std::vector<std::int64_t>{codes, episodes, objectives} ||
      in.shape("lengths") != std::vector<std::int64_t>{codes, episodes} ||
      in.shape("diverged") != std::vector<std::int64_t>{codes, episodes} ||
      in.shape("seconds") != std::vector<std::int64_t>{1}) {
    Fail(
        "{}: does not hold the roll-outs of {} codes x {} episodes; remove the file to repeat them",
        file.string(), codes, episodes);
  }
  chunk.values = in.Doubles("values");
  for (const std::int64_t steps : in.Integers("lengths")) {
    chunk.lengths.push_back(static_cast<int>(steps));
  }
  chunk.diverged = in.RawBytes("diverged");
  seconds += in.Doubles("seconds").front();
  return chunk;
}

// (v - mean) / std of the labels [N, K], so that a unit means the same in every objective.
std::vector<float> InDeviations(const net::CodeTable& table,
                                std::span<const net::ModelObjective> objectives) {
  std::vector<float> values = table.values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const net::ModelObjective& objective = objectives[i % objectives.size()];
    values[i] = static_cast<float>((values[i] - objective.mean) / objective.std);
  }
  return values;
}

class Grounder {
 public:
  Grounder(const sim::Environment& environment, std::span<const CodesToGround> modes,
           const GroundingOptions& options, const net::Model& model)
      : environment_(environment),
        modes_(modes),
        options_(options),
        model_(model),
        objectives_(static_cast<int>(model.description.objectives.size())) {}

  // One result per mode; empty if stopped.
  std::optional<std::vector<ModeRun>> RollOut() const {
    std::int64_t total = 0, resumed = 0;
    for (const CodesToGround& mode : modes_) {
      const std::vector<Chunk> chunks = ChunksOf(mode);
      for (std::size_t i = 0; i < chunks.size(); ++i) {
        const std::int64_t episodes = std::int64_t{chunks[i].count} * mode.episodes;
        total += episodes;
        if (std::filesystem::exists(FileOf(mode, i))) resumed += episodes;
      }
    }
    if (resumed > 0) core::LogInfo("continuing from {} of {} episodes", resumed, total);
    core::Progress progress("ground", total, {.quiet = options_.job.quiet, .resumed = resumed});
    std::vector<ModeRun> runs;
    for (const CodesToGround& mode : modes_) {
      progress.SetSuffix(fmt::format("{} actions", net::NameOf(mode.mode)));
      ModeRun& all =
          runs.emplace_back(ModeRun{GivenOf(mode), mode.codes, mode.policies, mode.owners, {}, 0});
      const std::vector<Chunk> chunks = ChunksOf(mode);
      for (std::size_t i = 0; i < chunks.size(); ++i) {
        if (chunks[i].round >= 0) Explore(mode, chunks[i], all);
        const std::filesystem::path file = FileOf(mode, i);
        if (!std::filesystem::exists(file) &&
            RunChunk(mode, all, chunks[i], file, progress) == core::Outcome::kStopped) {
          return std::nullopt;
        }
        // Reads the chunk back from disk, so fresh and resumed runs use the same values.
        Append(ReadChunk(file, chunks[i].count, mode.episodes, objectives_, all.seconds), all.run);
        progress.SetSuffix(
            fmt::format("{} actions, {} cells", net::NameOf(mode.mode), CellsOf(Tabulate(all))));
      }
    }
    return runs;
  }

  // Everything about a mode that does not depend on forecasts goes to `metrics`.
  net::Grounding Conclude(const CodesToGround& mode, const ModeRun& realised, json& metrics) const {
    Tabulated tabulated = Tabulate(realised);
    const TriedCodes tried = tabulated.tried(model_.description.shaping_labels);
    const int cells = CellsOf(tabulated), policy_cells = CountCells(tried, tabulated.from_policy);
    net::CodeTable& table = tabulated.table;
    const auto explored = std::count(table.policies.begin(), table.policies.end(), -1);
    if (table.count() < realised.run.codes) {
      core::LogWarning("{} of {} codes are left out because all their episodes diverged",
                       realised.run.codes - table.count(), realised.run.codes);
    }
    const auto diverged = std::count_if(realised.run.diverged.begin(), realised.run.diverged.end(),
                                        [](std::uint8_t episode) { return episode != 0; });
    metrics = {{"codes", table.count()},
               {"codes_left_out", realised.run.codes - table.count()},
               {"explored_codes", explored},
               {"cells", cells},
               {"cells_of_policies", policy_cells},
               {"episodes", mode.episodes},
               {"diverged_episodes", diverged},
               {"threads", options_.job.threads},
               {"seconds", realised.seconds}};
    return {std::move(table), mode.episodes, mode.seed};
  }

 private:
  int GivenOf(const CodesToGround& mode) const {
    return static_cast<int>(mode.codes.size()) / model_.code_size();
  }

  // The codes that were given, then rounds of exploration.
  std::vector<Chunk> ChunksOf(const CodesToGround& mode) const {
    const int given = GivenOf(mode);
    std::vector<Chunk> chunks;
    for (int begin = 0; begin < given; begin += kChunk) {
      chunks.push_back({begin, std::min(kChunk, given - begin)});
    }
    for (int begin = 0; begin < mode.explored; begin += kChunk) {
      chunks.push_back({given + begin, std::min(kChunk, mode.explored - begin), begin / kChunk});
    }
    return chunks;
  }
  std::filesystem::path FileOf(const CodesToGround& mode, std::size_t chunk) const {
    return core::NumberedFile(options_.work, net::NameOf(mode.mode), static_cast<int>(chunk));
  }

  int CellsOf(const Tabulated& tabulated) const {
    return CountCells(tabulated.tried(model_.description.shaping_labels), tabulated.steady);
  }

  // Adds the codes of a round. It depends only on the seed and on what was rolled out before.
  void Explore(const CodesToGround& mode, const Chunk& chunk, ModeRun& all) const {
    const Tabulated tabulated = Tabulate(all);
    const std::vector<float> codes = ExploreRound(
        tabulated.tried(model_.description.shaping_labels), chunk.count, mode.seed, chunk.round);
    all.codes.insert(all.codes.end(), codes.begin(), codes.end());
    const auto count =
        static_cast<std::size_t>(chunk.begin) + static_cast<std::size_t>(chunk.count);
    if (!all.policies.empty()) all.policies.resize(count, -1);
    if (!all.owners.empty()) all.owners.resize(count, -1);
  }

  core::Outcome RunChunk(const CodesToGround& mode, const ModeRun& all, const Chunk& part,
                         const std::filesystem::path& file, core::Progress& progress) const {
    const auto width = static_cast<std::size_t>(model_.code_size());
    const std::span codes = std::span(all.codes).subspan(
        static_cast<std::size_t>(part.begin) * width, static_cast<std::size_t>(part.count) * width);
    const std::int64_t before = progress.done();
    const Clock::time_point start = Clock::now();
    core::Job job = options_.job;
    job.seed = mode.seed;
    job.quiet = true;
    const std::optional<rollout::CodeRun> chunk = rollout::RollOutCodes(
        environment_, model_, codes,
        {.mode = mode.mode,
         .episodes = mode.episodes,
         .first_code = part.begin,
         .job = job,
         .on_episode = [&](int, int, const data::Episode&) { progress.Advance(); }});
    if (!chunk) return core::Outcome::kStopped;
    SaveChunk(*chunk, SecondsSince(start), file);
    // Diverged episodes count as done.
    progress.Advance(before + std::int64_t{part.count} * mode.episodes - progress.done());
    return core::Outcome::kDone;
  }

  // The codes with at least one usable episode, with the means and standard deviations of their
  // episodes.
  Tabulated Tabulate(const ModeRun& all) const {
    const rollout::CodeRun& run = all.run;
    const auto width = static_cast<std::ptrdiff_t>(objectives_);
    const auto code_size = static_cast<std::ptrdiff_t>(model_.code_size());
    const std::vector<double> means = run.Means(), deviations = run.Deviations();
    const std::vector<double> spreads = SpreadsOf(run, deviations);
    // Codes that an earlier run explored are given to this one, and have no policy.
    const auto is_explored = [&all](std::size_t code) {
      return code >= static_cast<std::size_t>(all.given) ||
             (!all.policies.empty() && all.policies[code] < 0);
    };
    std::vector<double> spreads_of_policies;
    for (std::size_t i = 0; i < spreads.size(); ++i) {
      if (!is_explored(i)) spreads_of_policies.push_back(spreads[i]);
    }
    const double limit = SteadyLimit(std::move(spreads_of_policies));
    Tabulated tabulated;
    net::CodeTable& table = tabulated.table;
    table.code_size = model_.code_size();
    table.objectives = objectives_;
    for (std::ptrdiff_t i = 0; i < run.codes; ++i) {
      const auto first = run.diverged.begin() + i * run.episodes;
      if (std::all_of(first, first + run.episodes, [](std::uint8_t one) { return one != 0; })) {
        continue;
      }
      const auto code = all.codes.begin() + i * code_size;
      table.codes.insert(table.codes.end(), code, code + code_size);
      for (std::ptrdiff_t k = 0; k < width; ++k) {
        const auto at = static_cast<std::size_t>(i * width + k);
        table.values.push_back(static_cast<float>(means[at]));
        table.deviations.push_back(static_cast<float>(deviations[at]));
      }
      const auto at = static_cast<std::size_t>(i);
      if (!all.policies.empty()) table.policies.push_back(all.policies[at]);
      if (!all.owners.empty()) tabulated.owners.push_back(all.owners[at]);
      const bool steady = spreads[at] <= limit;
      tabulated.steady.push_back(steady ? 1 : 0);
      tabulated.from_policy.push_back(steady && !is_explored(at) ? 1 : 0);
    }
    tabulated.values = InDeviations(table, model_.description.objectives);
    return tabulated;
  }

  // [N], how much the episodes of a code differ, as net::LargestSpread; +inf if one fell or
  // diverged.
  std::vector<double> SpreadsOf(const rollout::CodeRun& run,
                                std::span<const double> deviations) const {
    const int longest = *std::max_element(run.lengths.begin(), run.lengths.end());
    const auto width = static_cast<std::size_t>(objectives_);
    const auto episodes = static_cast<std::size_t>(run.episodes);
    std::vector<double> spreads;
    for (std::size_t code = 0; code < static_cast<std::size_t>(run.codes); ++code) {
      double spread =
          net::LargestSpread(deviations.subspan(code * width, width), model_.description);
      for (std::size_t i = code * episodes; i < (code + 1) * episodes; ++i) {
        if (run.diverged[i] != 0 || run.lengths[i] < kSteadyLength * longest) {
          spread = std::numeric_limits<double>::infinity();
        }
      }
      spreads.push_back(spread);
    }
    return spreads;
  }

  // Codes whose episodes differ by no more than this are steady.
  static double SteadyLimit(std::vector<double> spreads_of_policies) {
    std::erase_if(spreads_of_policies, [](double spread) { return !std::isfinite(spread); });
    if (spreads_of_policies.empty()) return net::kSteadySpread;
    std::sort(spreads_of_policies.begin(), spreads_of_policies.end());
    const auto last = static_cast<double>(spreads_of_policies.size() - 1);
    const auto rank = static_cast<std::size_t>(kLeastSteadyShare * last);
    return std::max(net::kSteadySpread, spreads_of_policies[rank]);
  }

  const sim::Environment& environment_;
  std::span<const CodesToGround> modes_;
  const GroundingOptions& options_;
  const net::Model& model_;
  const int objectives_;
};

}  // namespace

core::Outcome GroundCodes(const sim::Environment& environment, std::span<const CodesToGround> modes,
                          const GroundingOptions& options, net::Model& model) {
  const Grounder grounder(environment, modes, options, model);
  const std::optional<std::vector<ModeRun>> runs = grounder.RollOut();
  if (!runs || options.job.should_stop()) return core::Outcome::kStopped;
  json metrics = *model.metrics;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const net::RolloutMode mode = modes[i].mode;
    json& own = metrics["grounded"][std::string(net::NameOf(mode))];
    model.grounded[static_cast<std::size_t>(mode)] = grounder.Conclude(modes[i], (*runs)[i], own);
    own["objectives"] = DescribeForecasts(model, mode);
  }
  model.metrics = std::make_shared<const json>(std::move(metrics));
  return core::Outcome::kDone;
}

json DescribeForecasts(const net::Model& model, net::RolloutMode mode) {
  const net::CodeTable& table = model.grounded[static_cast<std::size_t>(mode)]->rolled_out;
  const std::vector<net::ModelObjective>& objectives = model.description.objectives;
  std::vector<float> predicted(table.values.size());
  model.heads.Predict(table.codes.data(), table.count(), predicted.data());
  const std::vector<float> realised = InDeviations(table, objectives);
  std::vector<double> squares(objectives.size(), 0.0);
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const double miss = double{realised[i]} - predicted[i];
    squares[i % objectives.size()] += miss * miss;
  }
  const steer::Forecaster forecaster(model, mode, "grounded");
  json described = json::object();
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    described[objectives[k].name] = {{"mse", forecaster.MeanSquaredError(static_cast<int>(k))},
                                     {"label_mse", squares[k] / table.count()}};
  }
  return described;
}

}  // namespace rhumb::ground
