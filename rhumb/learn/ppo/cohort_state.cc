// Saves and restores an agent of a cohort.

#include "rhumb/core/error.h"
#include "rhumb/learn/device/clipped_adamw.h"
#include "rhumb/learn/ppo/cohort.h"

namespace rhumb::learn::ppo {
namespace {

// A row of the history as numbers: {iteration, episodes, length, losses…, returns…}.
constexpr std::size_t kFixedRecordSize = 9;

std::vector<double> Pack(const std::vector<IterationRecord>& history) {
  std::vector<double> packed;
  for (const IterationRecord& r : history) {
    packed.insert(packed.end(), {static_cast<double>(r.iteration), static_cast<double>(r.episodes),
                                 r.episode_length, r.policy_loss, r.value_loss, r.gradient_norm,
                                 r.deviation, static_cast<double>(r.skipped_minibatches),
                                 static_cast<double>(r.diverged_episodes)});
    packed.insert(packed.end(), r.returns.begin(), r.returns.end());
  }
  return packed;
}

std::vector<IterationRecord> Unpack(const std::vector<double>& packed, std::size_t objectives) {
  std::vector<IterationRecord> history;
  const std::size_t width = kFixedRecordSize + objectives;
  for (std::size_t i = 0; i + width <= packed.size(); i += width) {
    const double* p = packed.data() + i;
    IterationRecord r;
    r.iteration = static_cast<std::int64_t>(p[0]);
    r.episodes = static_cast<std::int64_t>(p[1]);
    r.episode_length = p[2];
    r.policy_loss = p[3];
    r.value_loss = p[4];
    r.gradient_norm = p[5];
    r.deviation = p[6];
    r.skipped_minibatches = static_cast<std::int64_t>(p[7]);
    r.diverged_episodes = static_cast<std::int64_t>(p[8]);
    r.returns.assign(p + kFixedRecordSize, p + width);
    history.push_back(std::move(r));
  }
  return history;
}

template <typename T>
std::vector<T> OfSize(const net::SafetensorsFile& in, const std::string& name,
                      std::vector<T> values, std::size_t size) {
  if (values.size() != size) {
    Fail(
        "{}: '{}' has {} numbers, this run needs {}: it is a state of other settings or of another "
        "environment",
        in.place(), name, values.size(), size);
  }
  return values;
}

std::vector<double> Doubles(const net::SafetensorsFile& in, const std::string& name,
                            std::size_t size) {
  return OfSize(in, name, in.Doubles(name), size);
}

std::vector<float> Floats(const net::SafetensorsFile& in, const std::string& name,
                          std::size_t size) {
  return OfSize(in, name, in.Floats(name), size);
}

void SetRow(const torch::Tensor& tensor, std::int64_t row, const std::vector<float>& values) {
  const torch::NoGradGuard no_grad;
  tensor[row].copy_(torch::tensor(values));
}

}  // namespace

void Cohort::SaveState(int index, net::SafetensorsWriter& out) const {
  const Agent& agent = At(index);
  const auto add = [&](const std::string& name, const std::vector<double>& values) {
    out.Add(name, {static_cast<std::int64_t>(values.size())}, std::span<const double>(values));
  };
  device::AddTensor(out, "parameters", learner_.parameters()[index]);
  device::AddTensor(out, "adam.first_moment", learner_.first_moment()[index]);
  device::AddTensor(out, "adam.second_moment", learner_.second_moment()[index]);
  add("adam.step_count", {learner_.step_count().item<double>()});
  add("iteration", {static_cast<double>(iteration_)});
  add("weights", agent.spec.weights);
  add("observations.count", {static_cast<double>(agent.observations.count())});
  add("observations.mean", agent.observations.mean());
  add("observations.m2", agent.observations.squares());
  const core::RunningStatistics& returns = agent.scaler->returns();
  add("reward_scale",
      {static_cast<double>(returns.count()), returns.mean()[0], returns.squares()[0]});
  add("reward_scale.discounted", agent.scaler->discounted());
  std::vector<double> simulation(agent.runner->state_size() *
                                 static_cast<std::size_t>(config_.environments));
  agent.runner->SaveState(simulation);
  add("simulation", simulation);
  add("history", Pack(agent.history));
  out.SetMetadata("agent", std::to_string(agent.spec.id));
  out.SetMetadata("environment", environment_.id());
  out.SetMetadata("rewards", environment_.rewards());
  out.SetMetadata("seed", std::to_string(options_.seed));
}

void Cohort::RequireMetadata(const net::SafetensorsFile& in, const std::string& key,
                             const std::string& value) const {
  const auto found = in.metadata().find(key);
  const std::string is = found == in.metadata().end() ? "nothing" : found->second;
  if (is != value) Fail("{}: its {} is '{}', this run's is '{}'", in.place(), key, is, value);
}

// Networks, normaliser and reward scale. Reads and checks all of it before changing any.
void Cohort::RestoreKnowledge(int index, const net::SafetensorsFile& in) {
  RequireMetadata(in, "environment", environment_.id());
  RequireMetadata(in, "rewards", environment_.rewards());
  RequireMetadata(in, "seed", std::to_string(options_.seed));
  Agent& agent = agents_[static_cast<std::size_t>(index)];
  const std::size_t width = agent.observations.mean().size();
  const std::vector<float> parameters =
      Floats(in, "parameters", static_cast<std::size_t>(learner_.parameters().size(1)));
  const double count = Doubles(in, "observations.count", 1)[0];
  const std::vector<double> mean = Doubles(in, "observations.mean", width);
  const std::vector<double> m2 = Doubles(in, "observations.m2", width);
  const std::vector<double> scale = Doubles(in, "reward_scale", 3);
  SetRow(learner_.parameters(), index, parameters);
  agent.observations.Restore(static_cast<std::int64_t>(count), mean, m2);
  agent.scaler->returns().Restore(static_cast<std::int64_t>(scale[0]), {scale[1]}, {scale[2]});
  TakePolicy(static_cast<std::size_t>(index));
}

void Cohort::Inherit(int index, const net::SafetensorsFile& parent) {
  RequireMetadata(parent, "agent", std::to_string(agent(index).parent));
  RestoreKnowledge(index, parent);
}

void Cohort::RestoreState(int index, const net::SafetensorsFile& in) {
  Agent& agent = agents_[static_cast<std::size_t>(index)];
  RequireMetadata(in, "agent", std::to_string(agent.spec.id));
  const auto parameter_count = static_cast<std::size_t>(learner_.parameters().size(1));
  const std::vector<float> first = Floats(in, "adam.first_moment", parameter_count);
  const std::vector<float> second = Floats(in, "adam.second_moment", parameter_count);
  const double steps = Doubles(in, "adam.step_count", 1)[0];
  const auto iteration = static_cast<std::int64_t>(Doubles(in, "iteration", 1)[0]);
  const auto environments = static_cast<std::size_t>(config_.environments);
  const std::vector<double> discounted = Doubles(in, "reward_scale.discounted", environments);
  const std::vector<double> simulation =
      Doubles(in, "simulation", agent.runner->state_size() * environments);
  const std::vector<double> weights = Doubles(in, "weights", agent.spec.weights.size());
  if (weights != agent.spec.weights) {
    Fail("{}: agent {} has other weights there than in this run", in.place(), agent.spec.id);
  }
  const std::vector<double> history =
      Doubles(in, "history",
              static_cast<std::size_t>(iteration - first_iteration()) *
                  (kFixedRecordSize + weights.size()));

  RestoreKnowledge(index, in);
  SetRow(learner_.first_moment(), index, first);
  SetRow(learner_.second_moment(), index, second);
  learner_.step_count().fill_(steps);
  agent.scaler->discounted() = discounted;
  agent.runner->RestoreState(simulation);
  agent.history = Unpack(history, weights.size());
  iteration_ = iteration;
}

}  // namespace rhumb::learn::ppo
