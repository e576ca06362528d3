#include "rhumb/learn/representation/dagger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <span>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/math/random.h"
#include "rhumb/population/population_reader.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/rollout/episode_encoder.h"
#include "rhumb/rollout/teachers.h"

namespace rhumb::learn::representation {
namespace {

// Names of the decoder's parameters within the whole network.
std::vector<std::string> DecoderNames(const RepresentationNetwork& network) {
  std::vector<std::string> names;
  for (const auto& parameter : network.decoder->named_parameters()) {
    names.push_back("decoder." + parameter.key());
  }
  return names;
}

// The training episodes whose codes each teacher's rollouts use: all its episodes in turn, from a
// random start. [teachers * episodes], numbers in the dataset.
std::vector<std::int64_t> ChooseEpisodes(const VisitRequest& request) {
  std::map<int, std::vector<std::int64_t>> of_policy;
  for (const std::int64_t episode : request.dataset.EpisodesOf(data::Split::kTrain)) {
    const auto& record = request.dataset.index().episodes[static_cast<std::size_t>(episode)];
    of_policy[record.policy].push_back(episode);
  }
  std::vector<std::int64_t> chosen;
  for (int t = 0; t < request.teachers.count(); ++t) {
    const std::vector<std::int64_t>& own = of_policy.at(request.teachers.policy(t));
    core::Stream noise(request.job.seed, core::Purpose::kContext, t);
    const std::size_t first = noise.Below(static_cast<std::uint32_t>(own.size()));
    for (int e = 0; e < request.episodes; ++e) {
      chosen.push_back(own[(first + static_cast<std::size_t>(e)) % own.size()]);
    }
  }
  return chosen;
}

// A stretch of a rollout, and the teacher whose code acted there.
struct Visit {
  int teacher = 0;
  std::vector<float> states, means;
};

// The states of the steps [first, last) that the episode reached.
Visit AskTeacher(const data::Episode& episode, std::int64_t first, std::int64_t last, int teacher,
                 const VisitRequest& request) {
  Visit visit{.teacher = teacher, .states = {}, .means = {}};
  last = std::min<std::int64_t>(last, episode.steps());
  if (last <= first) return visit;
  const net::GaussianPolicy& policy = request.teachers[teacher];
  const auto steps = static_cast<std::size_t>(last - first);
  const auto observation = static_cast<std::size_t>(policy.observation_size());
  const auto action = static_cast<std::size_t>(policy.action_size());
  visit.states.resize(steps * observation);
  visit.means.resize(steps * action);
  const auto* begin = episode.observations.data() + static_cast<std::size_t>(first) * observation;
  request.model.observations.Apply(begin, static_cast<int>(steps), visit.states.data());
  const std::vector<double> exact(begin, begin + steps * observation);
  net::PolicyActor actor(policy, static_cast<int>(steps));
  actor.Means(exact.data(), static_cast<int>(steps), visit.means.data());
  return visit;
}

// Rollouts in which one random code takes over from another, again and again.
struct Takeovers {
  std::vector<float> codes;                               // [N, H] at the beginning
  std::vector<std::vector<rollout::CodeChange>> changes;  // [N]
  std::vector<std::vector<int>> teachers;                 // [N], one per change
};

// A code acts for a 32nd to a half of the episode, log-uniformly: the steps just after a change are
// what the decoder knows least, but it must also learn to settle.
Takeovers DrawTakeovers(const VisitRequest& request, std::span<const float> codes) {
  const auto width = static_cast<std::size_t>(request.model.code_size());
  const auto count = static_cast<std::uint32_t>(codes.size() / width);
  const int limit = request.environments.front()->time_limit();
  Takeovers takeovers;
  for (std::uint32_t i = 0; i < count; ++i) {
    core::Stream noise(request.job.seed, core::Purpose::kContext, i, 0,
                       core::stream_key::kTakeovers);
    const auto draw_step = [&] {
      return 1 + static_cast<std::int64_t>(limit / 32.0 * std::pow(16.0, noise.Uniform()));
    };
    const std::span<const float> first = codes.subspan(noise.Below(count) * width, width);
    takeovers.codes.insert(takeovers.codes.end(), first.begin(), first.end());
    auto& changes = takeovers.changes.emplace_back();
    auto& teachers = takeovers.teachers.emplace_back();
    for (std::int64_t step = draw_step(); step < limit; step += draw_step()) {
      const std::uint32_t row = noise.Below(count);
      const std::span<const float> code = codes.subspan(row * width, width);
      changes.push_back({.step = step, .code = {code.begin(), code.end()}});
      teachers.push_back(static_cast<int>(row) / request.episodes);
    }
  }
  return takeovers;
}

}  // namespace

Teachers::Teachers(const std::filesystem::path& population, const data::Dataset& dataset,
                   std::vector<int> policies)
    : policies_(std::move(policies)),
      networks_(
          rollout::ReadTeachers(population::PopulationReader(population), dataset, policies_)) {}

std::optional<VisitedStates> VisitStates(const VisitRequest& request) {
  const std::vector<std::int64_t> episodes = ChooseEpisodes(request);
  const data::Transitions contexts =
      rollout::LoadContexts(request.dataset, request.model, episodes);
  const std::vector<float> codes =
      rollout::EncodeEpisodes(request.model, contexts,
                              {.kind = rollout::CodeKind::kPosteriorSample,
                               .seed = request.job.seed,
                               .threads = request.job.threads});

  const auto count = static_cast<int>(episodes.size());
  std::vector<std::vector<Visit>> visits;  // of each rollout, in order
  rollout::CodeRunOptions options;
  options.label = "DAgger roll-outs";
  options.job = request.job;
  // Rolls out `first_codes`. `visit` gets the stretches of each episode.
  const auto roll_out =
      [&](const sim::Environment& environment, std::span<const float> first_codes,
          const std::function<std::vector<Visit>(int, const data::Episode&)>& visit) {
        const std::size_t before = visits.size();
        options.first_code = static_cast<int>(before);
        visits.resize(before + static_cast<std::size_t>(count));
        options.on_episode = [&](int code, int, const data::Episode& episode) {
          if (episode.diverged) return;
          visits[before + static_cast<std::size_t>(code)] = visit(code, episode);
        };
        return rollout::RollOutCodes(environment, request.model, first_codes, options).has_value();
      };
  for (const sim::Environment* environment : request.environments) {
    const auto whole = [&](int code, const data::Episode& episode) {
      std::vector<Visit> stretches;
      stretches.push_back(
          AskTeacher(episode, 0, episode.steps(), code / request.episodes, request));
      return stretches;
    };
    if (!roll_out(*environment, codes, whole)) return std::nullopt;
  }
  if (request.changes) {
    const Takeovers takeovers = DrawTakeovers(request, codes);
    options.changes = takeovers.changes;
    const auto after_changes = [&](int code, const data::Episode& episode) {
      const auto row = static_cast<std::size_t>(code);
      const std::vector<rollout::CodeChange>& changes = takeovers.changes[row];
      std::vector<Visit> stretches;
      for (std::size_t c = 0; c < changes.size(); ++c) {
        const std::int64_t last = c + 1 < changes.size() ? changes[c + 1].step : episode.steps();
        stretches.push_back(
            AskTeacher(episode, changes[c].step, last, takeovers.teachers[row][c], request));
      }
      return stretches;
    };
    if (!roll_out(*request.environments.front(), takeovers.codes, after_changes)) {
      return std::nullopt;
    }
  }

  // Sorts the stretches by teacher.
  std::vector<std::vector<const Visit*>> of_teacher(
      static_cast<std::size_t>(request.teachers.count()));
  for (const std::vector<Visit>& stretches : visits) {
    for (const Visit& visit : stretches) {
      of_teacher[static_cast<std::size_t>(visit.teacher)].push_back(&visit);
    }
  }
  VisitedStates result;
  result.observations = request.model.observation_size();
  result.actions = request.model.action_size();
  for (const std::vector<const Visit*>& own : of_teacher) {
    std::int64_t rows = 0;
    for (const Visit* visit : own) {
      result.states.insert(result.states.end(), visit->states.begin(), visit->states.end());
      result.means.insert(result.means.end(), visit->means.begin(), visit->means.end());
      rows += static_cast<std::int64_t>(visit->states.size()) / result.observations;
    }
    result.counts.push_back(rows);
  }
  return result;
}

void VisitedStates::Save(const std::filesystem::path& file) const {
  net::SafetensorsWriter out;
  const auto rows = static_cast<std::int64_t>(states.size()) / observations;
  out.Add("states", {rows, observations}, std::span<const float>(states));
  out.Add("means", {rows, actions}, std::span<const float>(means));
  out.Add("counts", {static_cast<std::int64_t>(counts.size())},
          std::span<const std::int64_t>(counts));
  core::WriteFileAtomically(file, out.Bytes());
}

VisitedStates VisitedStates::Load(const std::filesystem::path& file) {
  const net::SafetensorsFile in(file);
  VisitedStates visited;
  visited.states = in.Floats("states");
  visited.means = in.Floats("means");
  visited.counts = in.Integers("counts");
  visited.observations = static_cast<int>(in.shape("states").at(1));
  visited.actions = static_cast<int>(in.shape("means").at(1));
  std::int64_t rows = 0;
  for (const std::int64_t count : visited.counts) {
    if (count < 0) Fail("{}: 'counts' holds {}", in.place(), count);
    rows += count;
  }
  if (in.shape("states").at(0) != rows || in.shape("means").at(0) != rows) {
    Fail("{}: 'counts' sum to {}, but 'states' has {} rows and 'means' {}", in.place(), rows,
         in.shape("states").at(0), in.shape("means").at(0));
  }
  return visited;
}

VisitedTargets MakeTargets(const std::vector<VisitedStates>& rounds, const Teachers& teachers,
                           torch::Device device) {
  const torch::NoGradGuard no_grad;
  const auto rows_of = [](const std::vector<float>& values, std::int64_t columns,
                          std::int64_t first, std::int64_t count) {
    return torch::from_blob(const_cast<float*>(values.data()) + first * columns, {count, columns},
                            torch::kFloat32);
  };
  std::vector<torch::Tensor> states, means, log_deviations;
  std::vector<std::int64_t> starts, lengths;
  std::vector<std::int64_t> used(rounds.size(), 0);
  std::int64_t row = 0;
  for (int t = 0; t < teachers.count(); ++t) {
    starts.push_back(row);
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      const VisitedStates& round = rounds[r];
      const std::int64_t count = round.counts[static_cast<std::size_t>(t)];
      states.push_back(rows_of(round.states, round.observations, used[r], count));
      means.push_back(rows_of(round.means, round.actions, used[r], count));
      log_deviations.push_back(
          torch::tensor(teachers[t].deviation).log().unsqueeze(0).expand({count, round.actions}));
      used[r] += count;
      row += count;
    }
    if (row == starts.back()) {
      Fail("every roll-out that imitates policy {} diverged", teachers.policy(t));
    }
    lengths.push_back(row - starts.back());
  }
  VisitedTargets visited;
  visited.targets.states = torch::cat(states).to(device);
  const torch::Tensor deviations = torch::cat(log_deviations);
  visited.targets.means = ClampTeacherMean(torch::cat(means), deviations).to(device);
  visited.targets.log_deviations = deviations.to(device);
  visited.stretches.starts = torch::tensor(starts, torch::kInt64).to(device);
  visited.stretches.lengths = torch::tensor(lengths, torch::kInt64).to(device, torch::kFloat32);
  return visited;
}

DecoderTrainer::DecoderTrainer(const RepresentationConfig& config, const RepresentationShape& shape,
                               RepresentationNetwork& network, const TrainingSet& set,
                               const VisitedTargets& visited, const Teachers& teachers, int round,
                               torch::Device device, std::uint64_t seed, const device::Ranks& ranks)
    : config_(config),
      network_(network),
      set_(set),
      visited_(visited),
      ranks_(ranks),
      contexts_(2 * std::min<std::int64_t>(config.batch, set.episode_count())),
      share_(ranks.ShareOf(contexts_)),
      reconstruction_(config, shape, network.decoder),
      optimiser_(network.decoder->parameters(), config.weight_decay, config.max_gradient_norm),
      // One pick selects the episode; the others select its context and queries.
      noise_({.contexts = contexts_,
              .picks = 1 + config.context + config.queries,
              .code = config.code},
             /*dropout=*/0, seed, static_cast<std::uint32_t>(1 + round), device) {
  std::map<int, std::int64_t> teacher_of_policy;
  for (int t = 0; t < teachers.count(); ++t) teacher_of_policy[teachers.policy(t)] = t;
  std::vector<std::int64_t> teacher_of;
  for (const int policy : set.policies) teacher_of.push_back(teacher_of_policy.at(policy));
  const std::int64_t steps = config.dagger.steps;
  std::vector<float> rates;
  for (std::int64_t step = 0; step < steps; ++step) {
    const double progress = static_cast<double>(step) / static_cast<double>(steps);
    rates.push_back(static_cast<float>(config.dagger.learning_rate * 0.5 *
                                       (1 + std::cos(std::numbers::pi * progress))));
  }
  teacher_of_ = torch::tensor(teacher_of, torch::kInt64).to(device);
  rates_ = torch::tensor(rates).to(device);
  position_ = torch::zeros({1}, torch::TensorOptions().dtype(torch::kInt64).device(device));
  loss_ = torch::zeros({}, device);
  repeated_ = device::MakeRepeatedStep(device, [this] { ComputeStep(); });
}

void DecoderTrainer::ComputeStep() {
  noise_.Draw(step_);
  torch::Tensor code, seen, visited;
  {
    const torch::NoGradGuard no_grad;
    const auto count = static_cast<double>(set_.episode_count());
    const torch::Tensor picks = share_.Of(noise_.picks());
    const torch::Tensor episodes =
        (picks.select(1, 0) * count).floor_().clamp_max_(count - 1).to(torch::kInt64);
    const torch::Tensor rows = set_.episodes.Pick(episodes, picks.narrow(1, 1, config_.context));
    const Gaussian posterior = network_.encoder->forward(set_.Tokens(rows), DropoutMasks());
    code = config_.is_deterministic()
               ? posterior.mean
               : posterior.mean + posterior.log_deviation.exp() * share_.Of(noise_.normals());
    // With an odd number, the middle pick serves both halves, so that even one query covers both.
    const std::int64_t half = (config_.queries + 1) / 2;
    seen = set_.episodes.Pick(episodes, picks.narrow(1, 1 + config_.context, half));
    visited = visited_.stretches.Pick(
        teacher_of_.index_select(0, episodes),
        picks.narrow(1, 1 + config_.context + config_.queries - half, half));
  }
  optimiser_.ClearGradients();
  const double half = 0.5 * share_.weight;
  const torch::Tensor loss =
      half * (reconstruction_.Accumulate(set_.targets, seen, code, half).loss +
              reconstruction_.Accumulate(visited_.targets, visited, code, half).loss);
  std::vector<torch::Tensor> summed = optimiser_.gradients();
  summed.push_back(loss);
  ranks_.Sum(summed);
  optimiser_.Step(rates_.index_select(0, position_).squeeze(0));
  const torch::NoGradGuard no_grad;
  loss_.add_(loss.nan_to_num(0, 0, 0));
  position_.add_(1);
}

void DecoderTrainer::Run(std::int64_t steps) {
  steps = std::min<std::int64_t>(steps, config_.dagger.steps - step_);
  loss_.zero_();
  noise_.Reseed(step_);
  for (std::int64_t i = 0; i < steps; ++i, ++step_) repeated_->Run();
  last_run_ = std::max<std::int64_t>(steps, 1);
}

double DecoderTrainer::loss() const {
  return loss_.item<double>() / static_cast<double>(last_run_);
}

void DecoderTrainer::SaveState(net::SafetensorsWriter& out) const {
  optimiser_.Save(out, DecoderNames(network_));
  out.Add("step", {1}, std::span<const std::int64_t>(&step_, 1));
}

void DecoderTrainer::RestoreState(const net::SafetensorsFile& in) {
  optimiser_.Restore(in, DecoderNames(network_));
  step_ = in.Integers("step").at(0);
  position_.fill_(step_);
}

}  // namespace rhumb::learn::representation
