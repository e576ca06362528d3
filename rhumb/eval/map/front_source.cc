#include "rhumb/eval/map/front_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/process/progress.h"
#include "rhumb/core/process/thread_pool.h"
#include "rhumb/core/text.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/rollout/episode_recorder.h"

namespace rhumb::eval {
namespace {

using Rows = std::vector<std::vector<double>>;

std::vector<double> MeanOf(const Rows& rows) {
  std::vector<double> mean(rows[0].size(), 0.0);
  for (const std::vector<double>& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      mean[k] += row[k] / static_cast<double>(rows.size());
    }
  }
  return mean;
}

// The columns of the named objectives.
template <class Objectives>
std::vector<std::size_t> ColumnsOf(std::span<const std::string> names, const Objectives& objectives,
                                   const char* owner) {
  std::vector<std::size_t> columns;
  for (const std::string& name : names) {
    columns.push_back(core::FindNamed(
        objectives, name, fmt::format("the {} has no objective '{}' of the model", owner, name)));
  }
  return columns;
}

std::vector<double> Pick(std::span<const double> row, const std::vector<std::size_t>& columns) {
  std::vector<double> picked;
  for (const std::size_t column : columns) picked.push_back(row[column]);
  return picked;
}

// Keeps the candidates whose choosing values are not dominated.
void Choose(std::vector<FrontCandidate> candidates, FrontSource& source) {
  source.chosen_values.objectives = source.tried.objectives;
  for (const std::size_t row : NonDominatedRows(source.tried)) {
    source.chosen_values.Add(source.tried.point(row));
    source.chosen.push_back(std::move(candidates[row]));
  }
}

// One policy's recorded episodes, in order.
struct Recorded {
  Rows returns, discounted;
};

// Even episodes choose, odd ones value; a single episode does both.
FrontSource DivideEpisodes(std::string name, const std::map<std::int64_t, Recorded>& by_policy,
                           std::size_t objectives) {
  FrontSource source;
  source.name = std::move(name);
  source.tried.objectives = objectives;
  std::vector<FrontCandidate> candidates;
  for (const auto& [number, recorded] : by_policy) {
    Rows choosing;
    FrontCandidate& one = candidates.emplace_back();
    one.number = number;
    const bool single = recorded.returns.size() == 1;
    source.same_episodes = source.same_episodes || single;
    for (std::size_t e = 0; e < recorded.returns.size(); ++e) {
      if (e % 2 == 0) choosing.push_back(recorded.returns[e]);
      if (e % 2 == 0 && !single) continue;
      one.played.push_back(recorded.returns[e]);
      if (!recorded.discounted.empty()) one.discounted.push_back(recorded.discounted[e]);
    }
    source.tried.Add(MeanOf(choosing));
  }
  Choose(std::move(candidates), source);
  return source;
}

// Codes of the table, chosen by their stored values; `between`: also those of no policy.
FrontSource ChooseCodes(const char* name, const net::CodeTable& table,
                        const std::vector<std::size_t>& columns, bool between) {
  FrontSource source;
  source.name = name;
  source.tried.objectives = columns.size();
  std::vector<FrontCandidate> candidates;
  for (int row = 0; row < table.count(); ++row) {
    const bool is_between =
        !table.policies.empty() && table.policies[static_cast<std::size_t>(row)] < 0;
    if (is_between && !between) continue;
    for (const std::size_t column : columns) {
      source.tried.values.push_back(table.values_of(row)[column]);
    }
    FrontCandidate& one = candidates.emplace_back();
    one.number = row;
    one.is_between = is_between;
  }
  Choose(std::move(candidates), source);
  return source;
}

// Fresh episodes of rows of the model's rolled-out codes.
std::optional<std::vector<Recorded>> PlayCodes(const sim::Environment& environment,
                                               const net::Model& model,
                                               const std::vector<int>& rows,
                                               const std::vector<std::size_t>& columns,
                                               const FrontPlay& play) {
  const net::CodeTable& table = model.grounded[static_cast<std::size_t>(play.mode)]->rolled_out;
  std::vector<float> codes;
  for (const int row : rows) {
    const std::span<const float> code = table.code(row);
    codes.insert(codes.end(), code.begin(), code.end());
  }
  std::vector<std::string> names;
  for (const std::size_t column : columns) {
    names.push_back(model.description.objectives[column].name);
  }
  const std::vector<std::size_t> own = ColumnsOf(names, environment.objectives(), "environment");
  const auto episodes = static_cast<std::size_t>(play.rollouts);
  Rows discounted(rows.size() * episodes);
  rollout::CodeRunOptions options{.mode = play.mode,
                                  .episodes = play.rollouts,
                                  .first_code = core::stream_key::kFrontCodes,
                                  .batch = play.batch,
                                  .label = "roll out the front",
                                  .job = play.job};
  // Each episode has its own row, so the workers do not meet.
  options.on_episode = [&](int code, int episode, const data::Episode& recorded) {
    discounted[static_cast<std::size_t>(code) * episodes + static_cast<std::size_t>(episode)] =
        Pick(DiscountedReturns(recorded.vector_rewards, environment.objectives().size(),
                               play.discount),
             own);
  };
  const std::optional<rollout::CodeRun> run =
      rollout::RollOutCodes(environment, model, codes, options);
  if (!run) return std::nullopt;

  const auto width = static_cast<std::size_t>(run->objectives);
  std::vector<Recorded> played(rows.size());
  for (std::size_t job = 0; job < discounted.size(); ++job) {
    if (run->diverged[job] != 0) continue;
    Recorded& one = played[job / episodes];
    one.returns.push_back(Pick(std::span(run->values).subspan(job * width, width), columns));
    one.discounted.push_back(std::move(discounted[job]));
  }
  return played;
}

// Plays policies; one per worker.
class PolicyPlayer {
 public:
  PolicyPlayer(const sim::Environment& environment, const std::vector<std::size_t>& columns,
               const FrontPlay& play, int episodes)
      // Enough steps for all episodes. A policy that falls plays more; these are ignored.
      : recorder_(environment, {.seed = play.job.seed,
                                .steps = std::int64_t{episodes} * environment.time_limit(),
                                .min_episode_steps = 1,
                                .batch = episodes}),
        weights_(environment.objectives().size(), 0.0),
        columns_(columns),
        episodes_(static_cast<std::size_t>(episodes)),
        play_(play) {}

  // Leaves out episodes that diverged.
  Recorded Play(net::GaussianPolicy policy, int key) {
    if (play_.mode == net::RolloutMode::kMean) std::ranges::fill(policy.deviation, 0.0F);
    std::vector<data::Episode> episodes =
        recorder_.Record({policy, key, weights_}, [this](int) { return !play_.job.should_stop(); });
    episodes.resize(std::min(episodes.size(), episodes_));
    Recorded recorded;
    for (const data::Episode& episode : episodes) {
      if (episode.diverged) continue;
      recorded.returns.push_back(Pick(episode.returns, columns_));
      recorded.discounted.push_back(Pick(
          DiscountedReturns(episode.vector_rewards, weights_.size(), play_.discount), columns_));
    }
    return recorded;
  }

 private:
  rollout::EpisodeRecorder recorder_;
  std::vector<double> weights_;
  const std::vector<std::size_t>& columns_;
  std::size_t episodes_;
  const FrontPlay& play_;
};

// A policy of a population.
struct Kept {
  std::size_t agent = 0;
  int iteration = 0;
};

// Plays policies, each with `episodes` episodes; the i-th uses the key first_key + numbers[i].
std::optional<std::vector<Recorded>> PlayPolicies(const sim::Environment& environment,
                                                  const population::PopulationReader& population,
                                                  std::span<const Kept> kept,
                                                  std::span<const std::int64_t> numbers,
                                                  const std::vector<std::size_t>& columns,
                                                  int episodes, int first_key,
                                                  const std::string& label, const FrontPlay& play) {
  std::vector<std::unique_ptr<PolicyPlayer>> players;
  for (int i = 0; i < play.job.threads; ++i) {
    players.push_back(std::make_unique<PolicyPlayer>(environment, columns, play, episodes));
  }
  std::vector<Recorded> recorded(numbers.size());
  const auto count = static_cast<std::int64_t>(numbers.size());
  core::Progress progress(label, count, {.quiet = play.job.quiet});
  core::ThreadPool pool(play.job.threads);
  pool.ParallelFor(count, [&](std::int64_t index, int worker) {
    if (play.job.should_stop()) return;
    const auto i = static_cast<std::size_t>(index);
    const Kept& one = kept[static_cast<std::size_t>(numbers[i])];
    const auto agent = population.OpenAgent(one.agent);
    recorded[i] = players[static_cast<std::size_t>(worker)]->Play(
        population.ReadPolicy(*agent, one.iteration), first_key + static_cast<int>(numbers[i]));
    progress.Advance();
  });
  if (play.job.should_stop()) return std::nullopt;
  return recorded;
}

}  // namespace

std::vector<double> DiscountedReturns(std::span<const float> vector_rewards, std::size_t objectives,
                                      double discount) {
  std::vector<double> returns(objectives, 0.0);
  double factor = 1;
  for (std::size_t at = 0; at < vector_rewards.size(); at += objectives) {
    for (std::size_t k = 0; k < objectives; ++k) {
      returns[k] += factor * static_cast<double>(vector_rewards[at + k]);
    }
    factor *= discount;
  }
  return returns;
}

std::vector<std::size_t> FrontColumns(const net::ModelDescription& model) {
  std::vector<std::size_t> columns;
  for (std::size_t k = 0; k < model.objectives.size(); ++k) {
    if (model.objectives[k].expression.empty()) columns.push_back(k);
  }
  if (columns.empty()) Fail("the model has no objective of its environment, only attributes");
  return columns;
}

std::optional<std::vector<FrontSource>> SourcesOfMap(const sim::Environment& environment,
                                                     const net::Model& model,
                                                     const FrontPlay& play) {
  const auto& grounding = model.grounded[static_cast<std::size_t>(play.mode)];
  if (!grounding || grounding->rolled_out.count() == 0) {
    Fail("the model has no codes that were rolled out with {} actions; ground it first",
         net::NameOf(play.mode));
  }
  const net::CodeTable& table = grounding->rolled_out;
  const std::vector<std::size_t> columns = FrontColumns(model.description);
  std::vector<FrontSource> sources = {ChooseCodes("map", table, columns, /*between=*/true)};
  if (std::ranges::any_of(table.policies, [](std::int64_t policy) { return policy < 0; })) {
    sources.push_back(ChooseCodes("policy codes", table, columns, /*between=*/false));
  }

  // Each chosen code plays once, for all sources that chose it.
  std::vector<int> rows;
  for (const FrontSource& source : sources) {
    for (const FrontCandidate& one : source.chosen) rows.push_back(static_cast<int>(one.number));
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const auto played = PlayCodes(environment, model, rows, columns, play);
  if (!played) return std::nullopt;
  for (FrontSource& source : sources) {
    source.mode = play.mode;
    for (FrontCandidate& one : source.chosen) {
      const auto found = std::ranges::lower_bound(rows, static_cast<int>(one.number));
      const Recorded& own = (*played)[static_cast<std::size_t>(found - rows.begin())];
      one.played = own.returns;
      one.discounted = own.discounted;
    }
  }
  return sources;
}

FrontSource SourceOfLabels(const net::Model& model) {
  const net::CodeTable& training = model.training;
  const std::vector<std::size_t> columns = FrontColumns(model.description);
  std::map<std::int64_t, Recorded> by_policy;
  for (int row = 0; row < training.count(); ++row) {
    const std::int64_t policy =
        training.policies.empty() ? row : training.policies[static_cast<std::size_t>(row)];
    std::vector<double>& values = by_policy[policy].returns.emplace_back();
    for (const std::size_t column : columns) values.push_back(training.values_of(row)[column]);
  }
  return DivideEpisodes("training labels", by_policy, columns.size());
}

FrontSource SourceOfDataset(const data::Dataset& dataset, std::span<const std::string> objectives,
                            double discount) {
  const std::vector<std::size_t> columns =
      ColumnsOf(objectives, dataset.description().objectives, "dataset");
  const std::size_t width = dataset.description().objectives.size();
  const std::vector<std::int64_t> episodes = dataset.AllEpisodes();
  const data::Transitions steps =
      dataset.LoadTransitions(std::vector<data::Field>{data::Field::kVectorRewards}, episodes);
  const data::Rows& rewards = steps[data::Field::kVectorRewards];
  std::map<std::int64_t, Recorded> by_policy;
  for (std::size_t i = 0; i < steps.starts.size(); ++i) {
    Recorded& own = by_policy[steps.policies[i]];
    own.returns.push_back(Pick(std::span(steps.returns).subspan(i * width, width), columns));
    const std::span<const float> of_episode(
        rewards.data() + steps.starts[i] * static_cast<std::int64_t>(width),
        static_cast<std::size_t>(steps.lengths[i]) * width);
    own.discounted.push_back(Pick(DiscountedReturns(of_episode, width, discount), columns));
  }
  return DivideEpisodes("dataset", by_policy, columns.size());
}

std::optional<FrontSource> SourceOfPopulation(const sim::Environment& environment,
                                              const population::PopulationReader& population,
                                              std::span<const std::string> objectives,
                                              const FrontPlay& play) {
  const std::vector<std::size_t> columns =
      ColumnsOf(objectives, environment.objectives(), "population");
  std::vector<Kept> kept;
  const std::vector<population::Agent>& agents = population.description().agents;
  for (std::size_t agent = 0; agent < agents.size(); ++agent) {
    for (const int iteration : agents[agent].kept_iterations) kept.push_back({agent, iteration});
  }
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < kept.size(); ++i) numbers.push_back(static_cast<std::int64_t>(i));
  const auto first =
      PlayPolicies(environment, population, kept, numbers, columns, play.choosing_rollouts,
                   core::stream_key::kFrontPolicies, "play all policies", play);
  if (!first) return std::nullopt;

  FrontSource source;
  source.name = "population";
  source.mode = play.mode;
  source.tried.objectives = columns.size();
  std::vector<FrontCandidate> candidates;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if ((*first)[i].returns.empty()) continue;
    source.tried.Add(MeanOf((*first)[i].returns));
    candidates.emplace_back().number = numbers[i];
  }
  Choose(std::move(candidates), source);

  numbers.clear();
  for (const FrontCandidate& one : source.chosen) numbers.push_back(one.number);
  auto again = PlayPolicies(environment, population, kept, numbers, columns, play.rollouts,
                            core::stream_key::kFrontPolicyValues, "play the front", play);
  if (!again) return std::nullopt;
  for (std::size_t i = 0; i < source.chosen.size(); ++i) {
    source.chosen[i].played = std::move((*again)[i].returns);
    source.chosen[i].discounted = std::move((*again)[i].discounted);
  }
  return source;
}

}  // namespace rhumb::eval
