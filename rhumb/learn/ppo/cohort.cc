#include "rhumb/learn/ppo/cohort.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "rhumb/core/math/random.h"
#include "rhumb/core/math/shuffle.h"
#include "rhumb/learn/device/clipped_adamw.h"

namespace rhumb::learn::ppo {
namespace {

std::span<float> SpanOf(const torch::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

}  // namespace

Cohort::Cohort(const sim::Environment& environment, const PpoConfig& config,
               std::vector<AgentSpec> agents, const CohortOptions& options, torch::Device device)
    : environment_(environment),
      config_(config),
      options_(options),
      learner_(config,
               {.agents = static_cast<int>(agents.size()),
                .observations = environment.observation_size(),
                .actions = environment.action_size()},
               device),
      iteration_(options.first_iteration) {
  std::vector<int> ids;
  for (AgentSpec& spec : agents) {
    ids.push_back(spec.id);
    Agent agent;
    agent.runner = std::make_unique<rollout::SegmentRunner>(
        environment, rollout::SegmentRunner::Options{
                         .environments = config.environments,
                         .group_size = options.group_size,
                         .seed = options.seed,
                         .first_unit = static_cast<std::uint32_t>(spec.id * config.environments)});
    agent.segment =
        std::make_unique<rollout::Segment>(config.steps, config.environments, environment);
    agent.observations = core::RunningStatistics(environment.observation_size());
    agent.scaler = std::make_unique<RewardScaler>(config.environments, config.discount);
    agent.spec = std::move(spec);
    agents_.push_back(std::move(agent));
  }
  learner_.Initialise(options.seed, ids);
  for (std::size_t i = 0; i < agents_.size(); ++i) TakePolicy(i);
}

void Cohort::Simulate(core::ThreadPool& pool) {
  const std::int64_t groups = agents_.front().runner->group_count();
  pool.ParallelFor(
      static_cast<std::int64_t>(agents_.size()) * groups, [&](std::int64_t task, int /*worker*/) {
        Agent& agent = agents_[static_cast<std::size_t>(task / groups)];
        agent.runner->Run(static_cast<int>(task % groups), agent.policy, *agent.segment);
      });
}

// r = sum_k w_k r_k, scaled. Also lists the rows that need the value of their episode's true last
// state.
void Cohort::PrepareRewards(Agent& agent) {
  const rollout::Segment& segment = *agent.segment;
  const std::size_t count = segment.terminated.size();
  const std::size_t objectives = agent.spec.weights.size();
  agent.rewards.resize(count);
  agent.ended.resize(count);
  agent.bootstrap.clear();
  for (std::size_t i = 0; i < count; ++i) {
    double reward = 0;
    for (std::size_t k = 0; k < objectives; ++k) {
      reward += agent.spec.weights[k] * segment.rewards[i * objectives + k];
    }
    agent.rewards[i] = static_cast<float>(reward);
    agent.ended[i] = segment.terminated[i] | segment.truncated[i];
    if (segment.truncated[i] && !segment.terminated[i]) agent.bootstrap.push_back(i);
  }
  if (config_.scale_rewards) agent.scaler->Apply(agent.rewards, agent.ended);
}

void Cohort::Learn() {
  const auto agents = static_cast<std::int64_t>(agents_.size());
  const std::int64_t batch = config_.batch_size();
  torch::Tensor observations = torch::empty({agents, batch, environment_.observation_size()});
  torch::Tensor actions = torch::empty({agents, batch, environment_.action_size()});
  for (std::int64_t a = 0; a < agents; ++a) {
    Agent& agent = agents_[static_cast<std::size_t>(a)];
    PrepareRewards(agent);
    agent.policy.normaliser.Apply(agent.segment->observations.data(), config_.batch_size(),
                                  observations[a].data_ptr<float>());
    std::memcpy(actions[a].data_ptr<float>(), agent.segment->actions.data(),
                agent.segment->actions.size() * sizeof(float));
  }
  learner_.SetObservations(observations);
  learner_.SetActions(actions);
  EstimateTargets();
  learner_.SetLearningRate(learning_rate());
  learner_.SetMaxDeviation(max_deviation());
  const UpdateReport report = learner_.Update(DrawPermutations());
  ++iteration_;
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    // The normaliser changes only between segments, so old and new policies see the same inputs.
    agents_[i].observations.AddRows(agents_[i].segment->observations);
    TakePolicy(i);
    Record(agents_[i], report, i);
  }
}

void Cohort::EstimateTargets() {
  const auto agents = static_cast<std::int64_t>(agents_.size());
  const auto observation_size = static_cast<std::size_t>(environment_.observation_size());
  const auto environments = static_cast<std::size_t>(config_.environments);
  const torch::Tensor values = learner_.Values();

  // Last states of truncated episodes, then the states after the segment; padded to the longest.
  std::size_t longest = 0;
  for (const Agent& agent : agents_) longest = std::max(longest, agent.bootstrap.size());
  const std::size_t rows = longest + environments;
  torch::Tensor states = torch::zeros(
      {agents, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(observation_size)});
  for (std::int64_t a = 0; a < agents; ++a) {
    const Agent& agent = agents_[static_cast<std::size_t>(a)];
    float* out = states[a].data_ptr<float>();
    for (std::size_t i = 0; i < agent.bootstrap.size(); ++i) {
      agent.policy.normaliser.Apply(
          agent.segment->final_observations.data() + agent.bootstrap[i] * observation_size, 1,
          out + i * observation_size);
    }
    agent.policy.normaliser.Apply(agent.segment->last_observations.data(), config_.environments,
                                  out + longest * observation_size);
  }
  const torch::Tensor state_values = learner_.ValuesOf(states);

  torch::Tensor advantages = torch::empty_like(values), returns = torch::empty_like(values);
  std::vector<float> final_values(static_cast<std::size_t>(config_.batch_size()));
  for (std::int64_t a = 0; a < agents; ++a) {
    const Agent& agent = agents_[static_cast<std::size_t>(a)];
    const std::span<const float> row = SpanOf(state_values[a]);
    std::fill(final_values.begin(), final_values.end(), 0.0f);
    for (std::size_t i = 0; i < agent.bootstrap.size(); ++i) {
      final_values[agent.bootstrap[i]] = row[i];
    }
    EstimateAdvantages({.steps = config_.steps,
                        .environments = config_.environments,
                        .discount = config_.discount,
                        .lambda = config_.gae_lambda,
                        .rewards = agent.rewards,
                        .values = SpanOf(values[a]),
                        .next_values = row.subspan(longest, environments),
                        .final_values = final_values,
                        .terminated = agent.segment->terminated,
                        .truncated = agent.segment->truncated},
                       SpanOf(advantages[a]), SpanOf(returns[a]));
    NormaliseAdvantages(SpanOf(advantages[a]));
  }
  learner_.SetTargets(advantages, returns);
}

// 0 at the first update of the schedule, 1 at the last one.
double Cohort::way() const {
  const auto updates = static_cast<double>(options_.schedule_to - options_.schedule_from);
  const auto done = static_cast<double>(iteration_ - options_.schedule_from);
  return updates > 1 ? std::min(1.0, done / (updates - 1)) : 0;
}

// learning_rate at the first update, last_rate_share of it at the last one, a line between.
double Cohort::learning_rate() const {
  return config_.learning_rate * (1 - way() * (1 - config_.last_rate_share));
}

// max_deviation * last_max_share^way. Never below min_deviation.
double Cohort::max_deviation() const {
  return std::max(config_.min_deviation,
                  config_.max_deviation * std::pow(config_.last_max_share, way()));
}

// Draws a new Fisher-Yates shuffle for every agent and epoch.
torch::Tensor Cohort::DrawPermutations() const {
  const auto agents = static_cast<std::int64_t>(agents_.size());
  const std::int64_t batch = config_.batch_size();
  torch::Tensor orders = torch::empty({agents, config_.epochs, batch}, torch::kInt64);
  for (std::int64_t a = 0; a < agents; ++a) {
    core::Stream noise(options_.seed, core::Purpose::kMinibatch,
                       agents_[static_cast<std::size_t>(a)].spec.id, iteration_);
    for (int epoch = 0; epoch < config_.epochs; ++epoch) {
      auto* order = orders[a][epoch].data_ptr<std::int64_t>();
      for (std::int64_t i = 0; i < batch; ++i) order[i] = i;
      core::Shuffle(std::span(order, static_cast<std::size_t>(batch)), noise);
    }
  }
  return orders;
}

// Copies one agent's network and normaliser out of the learner, for simulation and storage.
void Cohort::TakePolicy(std::size_t index) {
  const auto a = static_cast<std::int64_t>(index);
  Agent& agent = agents_[index];
  device::BatchedMlp& network = learner_.policy();
  if (agent.policy.mean.layer_count() == 0) {
    agent.policy.mean = net::Mlp(network.sizes(), config_.activation);
  }
  for (std::size_t i = 0; i < network.layer_count(); ++i) {
    agent.policy.mean.SetLayer(i, device::FloatsOf(network.layer(i).weight[a]),
                               device::FloatsOf(network.layer(i).bias[a]));
  }
  agent.policy.deviation = device::FloatsOf(learner_.log_deviation()[a].exp());

  // (x - mean) / (deviation + 0.01); the identity before the first data.
  net::Normaliser& normaliser = agent.policy.normaliser;
  const std::vector<double>& mean = agent.observations.mean();
  const std::vector<double> observation_std = agent.observations.std();
  normaliser.limit = static_cast<float>(config_.observation_limit);
  normaliser.mean.resize(mean.size());
  normaliser.inverse_scale.resize(mean.size());
  for (std::size_t i = 0; i < mean.size(); ++i) {
    normaliser.mean[i] = static_cast<float>(mean[i]);
    const float scale =
        agent.observations.count() > 0 ? static_cast<float>(1 / (observation_std[i] + 0.01)) : 1.0f;
    normaliser.inverse_scale[i] = environment_.unseen()[i] != 0 ? net::kUnseenScale : scale;
  }
}

void Cohort::Record(Agent& agent, const UpdateReport& report, std::size_t index) {
  const rollout::EpisodeSummary summary = agent.runner->summary();
  IterationRecord record;
  record.iteration = iteration_;
  record.episodes = summary.count;
  record.diverged_episodes = summary.diverged;
  record.returns.assign(agent.spec.weights.size(), 0.0);
  if (summary.count > 0) {
    for (std::size_t k = 0; k < record.returns.size(); ++k) {
      record.returns[k] = summary.return_sum[k] / static_cast<double>(summary.count);
    }
    record.episode_length =
        static_cast<double>(summary.episode_steps) / static_cast<double>(summary.count);
  } else if (!agent.history.empty()) {
    record.returns = agent.history.back().returns;
    record.episode_length = agent.history.back().episode_length;
  }
  record.policy_loss = report.policy_loss[index];
  record.value_loss = report.value_loss[index];
  record.gradient_norm = report.gradient_norm[index];
  record.skipped_minibatches =
      std::lround(report.skipped[index] * static_cast<float>(config_.epochs * config_.minibatches));
  double deviation = 0;
  for (const float d : agent.policy.deviation) deviation += d;
  record.deviation = deviation / static_cast<double>(agent.policy.deviation.size());
  agent.history.push_back(std::move(record));
}

}  // namespace rhumb::learn::ppo
