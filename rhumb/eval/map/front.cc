#include "rhumb/eval/map/front.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/math/running_statistics.h"
#include "rhumb/core/names.h"
#include "rhumb/core/text.h"
#include "rhumb/eval/figure_data.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

constexpr double kDefaultDiscountedReference = -100;
constexpr double kInterval = 0.95;

// Mean of some of a candidate's episodes, which may repeat.
std::vector<double> MeanOf(const std::vector<std::vector<double>>& episodes,
                           std::span<const std::size_t> picks) {
  std::vector<double> mean(episodes[0].size(), 0.0);
  for (const std::size_t pick : picks) {
    for (std::size_t k = 0; k < mean.size(); ++k) {
      mean[k] += episodes[pick][k] / static_cast<double>(picks.size());
    }
  }
  return mean;
}

// The candidates that have episodes of one kind of returns.
class Valued {
 public:
  Valued(const FrontSource& source, bool discounted) : objectives_(source.tried.objectives) {
    for (const FrontCandidate& one : source.chosen) {
      const auto& episodes = discounted ? one.discounted : one.played;
      if (!episodes.empty()) candidates_.push_back({&one, &episodes});
    }
  }

  bool empty() const { return candidates_.empty(); }
  const FrontCandidate& candidate(std::size_t row) const { return *candidates_[row].candidate; }

  PointSet Means() const {
    PointSet points{objectives_, {}};
    std::vector<std::size_t> all;
    for (const Entry& one : candidates_) {
      all.resize(one.episodes->size());
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
      points.Add(MeanOf(*one.episodes, all));
    }
    return points;
  }

  // The same with episodes drawn with replacement.
  PointSet Resample(core::Stream& stream) const {
    PointSet points{objectives_, {}};
    std::vector<std::size_t> picks;
    for (const Entry& one : candidates_) {
      picks.resize(one.episodes->size());
      for (std::size_t& pick : picks) {
        pick = stream.Below(static_cast<std::uint32_t>(picks.size()));
      }
      points.Add(MeanOf(*one.episodes, picks));
    }
    return points;
  }

 private:
  struct Entry {
    const FrontCandidate* candidate;
    const std::vector<std::vector<double>>* episodes;
  };
  std::size_t objectives_;
  std::vector<Entry> candidates_;
};

double DeviationOf(const std::vector<double>& values) {
  core::RunningStatistics statistics(1);
  for (const double& value : values) statistics.AddRow({&value, 1});
  return statistics.sample_std()[0];
}

// The indicators of a front's resamples.
struct Resampled {
  std::vector<std::vector<double>> hypervolumes;  // per reference point
  std::vector<double> utilities;
};

Resampled ResampleFront(const Valued& valued, std::span<const std::vector<double>> references,
                        int resamples, std::uint64_t seed, std::size_t unit) {
  Resampled resampled;
  resampled.hypervolumes.resize(references.size());
  for (int b = 0; b < resamples; ++b) {
    core::Stream stream(seed, core::Purpose::kBootstrap, static_cast<std::int64_t>(unit), b);
    const PointSet front = FrontOf(valued.Resample(stream));
    for (std::size_t r = 0; r < references.size(); ++r) {
      resampled.hypervolumes[r].push_back(Hypervolume(front, references[r]));
    }
    resampled.utilities.push_back(ExpectedUtility(front));
  }
  return resampled;
}

// The ratio a / b of two values and of their resamples. Infinite or NaN where b is 0.
MeanEstimate RatioOf(double a, double b, std::span<const double> resampled_a,
                     std::span<const double> resampled_b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < resampled_a.size(); ++i) {
    const double ratio = resampled_a[i] / resampled_b[i];
    if (std::isfinite(ratio)) ratios.push_back(ratio);
  }
  if (ratios.empty()) return {a / b, a / b, a / b};
  std::sort(ratios.begin(), ratios.end());
  const auto at = [&](double share) {
    return ratios[static_cast<std::size_t>(
        std::floor(share * static_cast<double>(ratios.size() - 1) + 0.5))];
  };
  return {a / b, at((1 - kInterval) / 2), at((1 + kInterval) / 2)};
}

// The lowest value of each objective among everything that was tried or played.
std::vector<double> WorstOf(std::span<const FrontSource> sources) {
  std::vector<double> worst(sources[0].tried.objectives, std::numeric_limits<double>::infinity());
  for (const FrontSource& source : sources) {
    for (std::size_t i = 0; i < source.tried.values.size(); ++i) {
      double& own = worst[i % worst.size()];
      own = std::min(own, source.tried.values[i]);
    }
  }
  return worst;
}

std::vector<std::vector<double>> ParseReferences(const std::vector<std::string>& texts,
                                                 std::span<const std::string> objectives,
                                                 std::vector<double> otherwise) {
  std::vector<std::vector<double>> references;
  for (const std::string& text : texts) references.push_back(ParseReference(text, objectives));
  if (references.empty()) references.push_back(std::move(otherwise));
  return references;
}

json ByName(std::span<const double> point, const std::vector<std::string>& names) {
  json named = json::object();
  for (std::size_t k = 0; k < names.size(); ++k) named[names[k]] = RoundTo(point[k], 6);
  return named;
}

json ToJson(const FrontReport& front) {
  json volumes = json::array();
  for (std::size_t r = 0; r < front.hypervolume.size(); ++r) {
    volumes.push_back({{"value", front.hypervolume[r].value},
                       {"noise", front.hypervolume[r].noise},
                       {"by_the_values_that_chose", front.hypervolume_of_choice.empty()
                                                        ? json(nullptr)
                                                        : json(front.hypervolume_of_choice[r])}});
  }
  return {{"source", front.source},
          {"actions", net::NameOf(front.mode)},
          {"same_episodes", front.same_episodes},
          {"tried", front.tried},
          {"chosen", front.chosen},
          {"cardinality", front.cardinality},
          {"between", front.between},
          {"hypervolume", std::move(volumes)},
          {"expected_utility",
           {{"value", front.expected_utility.value}, {"noise", front.expected_utility.noise}}},
          {"maximum_utility_loss", front.maximum_utility_loss},
          {"igd", front.igd},
          {"igd_plus", front.igd_plus},
          {"sparsity", front.sparsity},
          {"numbers", front.numbers},
          {"points", RoundedRows(front.points.values, front.points.objectives)}};
}

json ToJson(const FrontTable& table, const std::vector<std::string>& objectives) {
  json references = json::array(), fronts = json::array(), compared = json::array();
  for (const auto& reference : table.references)
    references.push_back(ByName(reference, objectives));
  for (const FrontReport& front : table.fronts) fronts.push_back(ToJson(front));
  for (const FrontComparison& one : table.comparisons) {
    compared.push_back({{"source", one.source},
                        {"with", one.other},
                        {"reference", one.reference},
                        {"ratio", one.ratio.mean},
                        {"low", one.ratio.low},
                        {"high", one.ratio.high}});
  }
  return {{"discounted", table.discounted},
          {"references", std::move(references)},
          {"default_references", table.default_references},
          {"fronts", std::move(fronts)},
          {"union_cardinality", table.union_cardinality},
          {"compared", std::move(compared)}};
}

}  // namespace

std::vector<double> ParseReference(std::string_view text, std::span<const std::string> objectives) {
  const std::vector<std::string> names(objectives.begin(), objectives.end());
  const auto fail = [&](const std::string& problem) {
    Fail("reference point '{}': {}; it names every objective once, like '{}=0'", text, problem,
         fmt::join(names, "=0 "));
  };
  std::vector<double> point(names.size(), std::numeric_limits<double>::quiet_NaN());
  std::string_view rest = core::Trim(text);
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest = core::Trim(rest.substr(word.size()));
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) fail(fmt::format("'{}' has no '='", word));
    const auto found = std::ranges::find(names, word.substr(0, equals));
    if (found == names.end()) {
      fail(fmt::format("'{}' is not an objective", word.substr(0, equals)));
    }
    double& value = point[static_cast<std::size_t>(found - names.begin())];
    if (!std::isnan(value)) fail(fmt::format("'{}' is given twice", *found));
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data() + equals + 1, end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value)) {
      fail(fmt::format("'{}' is not a finite number", word.substr(equals + 1)));
    }
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (std::isnan(point[k])) fail(fmt::format("'{}' is missing", names[k]));
  }
  return point;
}

FrontTable TabulateFronts(std::span<const FrontSource> sources, bool discounted,
                          std::vector<std::vector<double>> references, int resamples,
                          std::uint64_t seed) {
  FrontTable table;
  table.discounted = discounted;
  table.references = std::move(references);
  PointSet all{sources[0].tried.objectives, {}};
  std::vector<Resampled> resampled;
  for (std::size_t unit = 0; unit < sources.size(); ++unit) {
    const FrontSource& source = sources[unit];
    const Valued valued(source, discounted);
    if (valued.empty()) continue;
    const PointSet means = valued.Means();
    FrontReport& report = table.fronts.emplace_back();
    report.source = source.name;
    report.mode = source.mode;
    report.same_episodes = source.same_episodes;
    report.tried = source.tried.count();
    report.chosen = source.chosen.size();
    report.points.objectives = means.objectives;
    for (const std::size_t row : NonDominatedRows(means)) {
      report.points.Add(means.point(row));
      report.numbers.push_back(valued.candidate(row).number);
      report.between += valued.candidate(row).is_between ? 1 : 0;
    }
    report.cardinality = report.points.count();
    report.sparsity = Sparsity(report.points);
    all.values.insert(all.values.end(), report.points.values.begin(), report.points.values.end());

    resampled.push_back(ResampleFront(valued, table.references, resamples, seed, unit));
    for (std::size_t r = 0; r < table.references.size(); ++r) {
      report.hypervolume.push_back({Hypervolume(report.points, table.references[r]),
                                    DeviationOf(resampled.back().hypervolumes[r])});
      if (discounted) continue;
      report.hypervolume_of_choice.push_back(
          Hypervolume(source.chosen_values, table.references[r]));
    }
    report.expected_utility = {ExpectedUtility(report.points),
                               DeviationOf(resampled.back().utilities)};
  }
  const PointSet best = FrontOf(all);
  table.union_cardinality = best.count();
  for (std::size_t i = 0; i < table.fronts.size(); ++i) {
    FrontReport& report = table.fronts[i];
    report.igd = InvertedGenerationalDistance(report.points, best);
    report.igd_plus = InvertedGenerationalDistancePlus(report.points, best);
    report.maximum_utility_loss = MaximumUtilityLoss(report.points, best);
    for (std::size_t r = 0; i > 0 && r < table.references.size(); ++r) {
      const FrontReport& first = table.fronts.front();
      table.comparisons.push_back(
          {first.source, report.source, r,
           RatioOf(first.hypervolume[r].value, report.hypervolume[r].value,
                   resampled[0].hypervolumes[r], resampled[i].hypervolumes[r])});
    }
  }
  return table;
}

std::optional<FrontMeasurement> MeasureFront(const sim::Environment& environment,
                                             const FrontSubject& subject, const FrontConfig& config,
                                             const core::Job& job) {
  FrontMeasurement measurement;
  if (subject.model != nullptr) {
    const net::ModelDescription& model = subject.model->description;
    for (const std::size_t column : FrontColumns(model)) {
      measurement.objectives.push_back(model.objectives[column].name);
    }
  } else {
    measurement.objectives = core::NamesOf(environment.objectives());
  }
  const std::span<const std::string> objectives = measurement.objectives;
  // Reference points are checked before anything is played.
  for (const auto* texts : {&config.references, &config.discounted_references}) {
    ParseReferences(*texts, objectives, {});
  }
  const auto require_same = [&](const core::EnvironmentBundle& bundle, const char* what) {
    core::RequireSameEnvironment(bundle, what, environment.bundle(), "the model");
  };
  if (subject.dataset) require_same(subject.dataset->description().environment, "the dataset");
  if (subject.population) {
    require_same(subject.population->description().environment, "the population");
  }

  const FrontPlay play{.mode = config.mode,
                       .rollouts = config.rollouts,
                       .choosing_rollouts = config.choosing_rollouts,
                       .discount = config.discount,
                       .batch = config.batch,
                       .job = job};
  if (subject.model != nullptr) {
    auto of_map = SourcesOfMap(environment, *subject.model, play);
    if (!of_map) return std::nullopt;
    measurement.sources = std::move(*of_map);
    measurement.sources.push_back(SourceOfLabels(*subject.model));
  }
  if (subject.dataset) {
    measurement.sources.push_back(SourceOfDataset(*subject.dataset, objectives, config.discount));
  }
  if (subject.population) {
    auto of_population = SourceOfPopulation(environment, *subject.population, objectives, play);
    if (!of_population) return std::nullopt;
    measurement.sources.push_back(std::move(*of_population));
  }
  measurement.returns =
      TabulateFronts(measurement.sources, /*discounted=*/false,
                     ParseReferences(config.references, objectives, WorstOf(measurement.sources)),
                     config.resamples, job.seed);
  measurement.returns.default_references = config.references.empty();
  measurement.discounted = TabulateFronts(
      measurement.sources, /*discounted=*/true,
      ParseReferences(config.discounted_references, objectives,
                      std::vector<double>(objectives.size(), kDefaultDiscountedReference)),
      config.resamples, job.seed);
  measurement.discounted.default_references = config.discounted_references.empty();
  return measurement;
}

json ToJson(const FrontMeasurement& measurement) {
  json tried = json::object();
  for (const FrontSource& source : measurement.sources) {
    tried[source.name] = RoundedRows(source.tried.values, source.tried.objectives);
  }
  return {{"objectives", measurement.objectives},
          {"tried", std::move(tried)},
          {"tables",
           {ToJson(measurement.returns, measurement.objectives),
            ToJson(measurement.discounted, measurement.objectives)}}};
}

}  // namespace rhumb::eval
