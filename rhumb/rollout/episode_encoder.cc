#include "rhumb/rollout/episode_encoder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/process/thread_pool.h"
#include "rhumb/core/text.h"
#include "rhumb/data/attribute.h"

namespace rhumb::rollout {
namespace {

core::Stream StreamOf(const EncodeOptions& options, core::Purpose purpose, std::int64_t episode,
                      int draw) {
  return {options.seed, purpose, episode, draw};
}

// One worker's buffers.
struct Scratch {
  std::vector<float> tokens;     // [context, O + A]
  std::vector<float> workspace;  // of the encoder
};

// One token: the normalised observation and the action in [-1, 1].
void WriteToken(const net::Model& model, std::span<const float> observation,
                std::span<const float> action, float* token) {
  model.observations.Apply(observation.data(), 1, token);
  token += observation.size();
  for (std::size_t a = 0; a < action.size(); ++a) {
    // Clips to the range, as in training; foreign recordings may lie outside.
    const float scaled = (action[a] - model.action_centre[a]) / model.action_half_range[a];
    token[a] = std::clamp(scaled, -1.0f, 1.0f);
  }
}

}  // namespace

data::Transitions LoadContexts(const data::Dataset& dataset, const net::Model& model,
                               std::span<const std::int64_t> episodes) {
  core::RequireSameEnvironment(dataset.description().environment,
                               dataset.artifact().path().string(), model.description.environment,
                               "the model");
  const data::DatasetDescription& description = dataset.description();
  const std::string place = dataset.artifact().path().string();
  if (description.observation_size != model.observation_size() ||
      description.action_size != model.action_size()) {
    Fail("{} has {} observations and {} actions; the model takes {} and {}", place,
         description.observation_size, description.action_size, model.observation_size(),
         model.action_size());
  }
  for (const std::int64_t episode : episodes) {
    const std::int64_t steps = dataset.index().episodes.at(static_cast<std::size_t>(episode)).steps;
    if (steps < model.description.context) {
      Fail("episode {} of {} has {} steps; a context of the model takes {}", episode, place, steps,
           model.description.context);
    }
  }
  constexpr std::array kFields = {data::Field::kObservations, data::Field::kActions};
  return dataset.LoadTransitions(kFields, episodes);
}

Posteriors EncodePosteriors(const net::Model& model, const data::Transitions& transitions,
                            const EncodeOptions& options) {
  const net::SetEncoder& encoder = model.encoder;
  const int context = options.context > 0 ? options.context : model.description.context;
  const auto code_size = static_cast<std::size_t>(encoder.code_size());
  const auto token_size = static_cast<std::size_t>(encoder.token_size());
  const auto draws = static_cast<std::size_t>(options.draws);
  const std::size_t episodes = transitions.episodes.size();
  RHUMB_CHECK(
      token_size == static_cast<std::size_t>(model.observation_size() + model.action_size()),
      "tokens of {} numbers", token_size);

  Posteriors result;
  result.means.resize(episodes * draws * code_size);
  result.deviations.resize(result.means.size());
  core::ThreadPool pool(static_cast<int>(
      std::clamp<std::size_t>(episodes, 1, static_cast<std::size_t>(options.threads))));
  std::vector<Scratch> scratches(static_cast<std::size_t>(pool.threads()));
  for (Scratch& scratch : scratches) {
    scratch.tokens.resize(static_cast<std::size_t>(context) * token_size);
    scratch.workspace.resize(encoder.workspace_size(context));
  }
  pool.ParallelFor(static_cast<std::int64_t>(episodes), [&](std::int64_t index, int worker) {
    const auto e = static_cast<std::size_t>(index);
    Scratch& scratch = scratches[static_cast<std::size_t>(worker)];
    for (int draw = 0; draw < options.draws; ++draw) {
      core::Stream choice =
          StreamOf(options, core::Purpose::kContext, transitions.episodes[e], draw);
      for (std::size_t i = 0; i < static_cast<std::size_t>(context); ++i) {
        const std::int64_t step = transitions.starts[e] +
                                  choice.Below(static_cast<std::uint32_t>(transitions.lengths[e]));
        WriteToken(model, transitions[data::Field::kObservations].row(step),
                   transitions[data::Field::kActions].row(step),
                   scratch.tokens.data() + i * token_size);
      }
      const std::size_t row = (e * draws + static_cast<std::size_t>(draw)) * code_size;
      float* deviation = result.deviations.data() + row;
      encoder.Encode(scratch.tokens.data(), context, result.means.data() + row, deviation,
                     scratch.workspace);
      for (std::size_t i = 0; i < code_size; ++i) deviation[i] = std::exp(deviation[i]);
    }
  });
  return result;
}

std::vector<float> EncodeContexts(const net::Model& model, std::span<const float> pairs) {
  const int context = model.description.context;
  const auto size = static_cast<std::size_t>(model.encoder.token_size());
  const auto observations = static_cast<std::size_t>(model.observation_size());
  const std::size_t numbers = static_cast<std::size_t>(context) * size;
  RHUMB_CHECK(pairs.size() % numbers == 0, "{} numbers of contexts of {}", pairs.size(), numbers);
  const auto code_size = static_cast<std::size_t>(model.code_size());
  std::vector<float> tokens(numbers), deviation(code_size),
      workspace(model.encoder.workspace_size(context)), codes(pairs.size() / numbers * code_size);
  for (std::size_t c = 0; c < pairs.size() / numbers; ++c) {
    for (std::size_t at = 0; at < numbers; at += size) {
      const std::span<const float> pair = pairs.subspan(c * numbers + at, size);
      WriteToken(model, pair.first(observations), pair.subspan(observations), tokens.data() + at);
    }
    model.encoder.Encode(tokens.data(), context, codes.data() + c * code_size, deviation.data(),
                         workspace);
  }
  return codes;
}

std::vector<float> DrawCodes(const Posteriors& posteriors, const data::Transitions& transitions,
                             const EncodeOptions& options) {
  const std::size_t contexts =
      transitions.episodes.size() * static_cast<std::size_t>(options.draws);
  RHUMB_CHECK(contexts == 0 || posteriors.means.size() % contexts == 0, "{} numbers of {} contexts",
              posteriors.means.size(), contexts);
  const std::size_t code_size = contexts == 0 ? 0 : posteriors.means.size() / contexts;
  std::vector<float> codes = posteriors.means;
  std::size_t at = 0;
  for (const std::int64_t episode : transitions.episodes) {
    for (int draw = 0; draw < options.draws; ++draw) {
      core::Stream noise = StreamOf(options, core::Purpose::kCodeNoise, episode, draw);
      for (std::size_t i = 0; i < code_size; ++i, ++at) {
        codes[at] += posteriors.deviations[at] * static_cast<float>(noise.Normal());
      }
    }
  }
  return codes;
}

std::vector<float> EncodeEpisodes(const net::Model& model, const data::Transitions& transitions,
                                  const EncodeOptions& options) {
  Posteriors posteriors = EncodePosteriors(model, transitions, options);
  if (options.kind == CodeKind::kPosteriorMean) return std::move(posteriors.means);
  return DrawCodes(posteriors, transitions, options);
}

std::vector<double> LabelEpisodes(const net::ModelDescription& description,
                                  const data::Dataset& dataset,
                                  std::span<const std::int64_t> episodes) {
  core::RequireSameEnvironment(dataset.description().environment,
                               dataset.artifact().path().string(), description.environment,
                               "the model");
  const data::DatasetDescription& recorded = dataset.description();
  const std::string place = dataset.artifact().path().string();

  // For each objective: the index of the dataset's return, or the attribute that computes it.
  std::vector<std::size_t> returns;
  std::vector<std::optional<data::Attribute>> attributes;
  bool reads_steps = false;
  for (const net::ModelObjective& objective : description.objectives) {
    returns.push_back(0);
    attributes.emplace_back();
    if (!objective.expression.empty()) {
      attributes.back().emplace(objective.expression, recorded,
                                fmt::format("objective '{}' in {}", objective.name, place));
      reads_steps = true;
      continue;
    }
    returns.back() =
        core::FindNamed(recorded.objectives, objective.name,
                        fmt::format("{} lacks the model's objective '{}'", place, objective.name));
  }

  std::vector<double> labels;
  labels.reserve(episodes.size() * attributes.size());
  data::Episode episode;
  for (const std::int64_t number : episodes) {
    if (reads_steps) dataset.ReadEpisode(number, episode);
    const data::EpisodeRecord& record =
        dataset.index().episodes.at(static_cast<std::size_t>(number));
    for (std::size_t k = 0; k < attributes.size(); ++k) {
      const std::string& name = description.objectives[k].name;
      double label = 0;
      try {
        label = attributes[k] ? attributes[k]->Compute(episode) : record.returns[returns[k]];
      } catch (const Error& error) {
        Fail("objective '{}' of episode {} of {}: {}", name, number, place, error.what());
      }
      if (!std::isfinite(label)) {
        Fail("objective '{}' of episode {} of {} is {}, not a finite number", name, number, place,
             label);
      }
      labels.push_back(label);
    }
  }
  return labels;
}

}  // namespace rhumb::rollout
