// Latency of steering in a running process.
//
//   bench_steering MODEL [QUERIES]    prints JSON, all in ms: loading, the first query, the median
//                                     and p99 of QUERIES (200) feasible ones after it, one at a
//                                     time on one thread, a batch of 100 over 2 threads, and the
//                                     median of infeasible ones, including the diagnosis
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/net/model.h"
#include "rhumb/steer/query/query_file.h"
#include "rhumb/steer/steerer.h"

namespace rhumb {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr auto kMode = net::RolloutMode::kSampled;
constexpr int kDefaultQueries = 200;
constexpr int kBatchQueries = 100, kBatchThreads = 2;
constexpr int kInfeasibleQueries = 50;

double MillisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// Draws queries around known behaviours: rolled-out codes if the model is grounded, otherwise
// labelled ones.
class QuerySource {
 public:
  explicit QuerySource(const net::Model& model)
      : objectives_(model.description.objectives),
        known_(model.grounded[static_cast<std::size_t>(kMode)]
                   ? model.grounded[static_cast<std::size_t>(kMode)]->rolled_out
                   : model.training),
        noise_(0, core::Purpose::kBenchmark) {
    if (objectives_.size() < 2) {
      Fail("the model has one objective; a target and a requirement need two");
    }
  }

  // Targets one objective of a behaviour. Another must be at least the behaviour's value, loosened
  // by up to a tenth of its standard deviation.
  steer::Query DrawFeasible() {
    Draw();
    const double slack = noise_.Uniform(0, 0.1) * objectives_[required_].std;
    return Ask(ValueOf(anchor_, required_) - slack);
  }

  // The same, but the other objective must be 1 to 2 standard deviations beyond all known values.
  steer::Query DrawInfeasible() {
    Draw();
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t row = 0; row < static_cast<std::size_t>(known_.count()); ++row) {
      most = std::max(most, ValueOf(row, required_));
    }
    return Ask(most + noise_.Uniform(1, 2) * objectives_[required_].std);
  }

 private:
  void Draw() {
    const auto count = static_cast<std::uint32_t>(objectives_.size());
    anchor_ = noise_.Below(static_cast<std::uint32_t>(known_.count()));
    target_ = noise_.Below(count);
    required_ = (target_ + 1 + noise_.Below(count - 1)) % count;
  }

  steer::Query Ask(double least) const {
    return steer::Query()
        .AddTarget(objectives_[target_].name, ValueOf(anchor_, target_))
        .AtLeast(objectives_[required_].name, least);
  }

  double ValueOf(std::size_t row, std::size_t objective) const {
    return double{known_.values[row * objectives_.size() + objective]};
  }

  const std::vector<net::ModelObjective>& objectives_;
  const net::CodeTable& known_;
  core::Stream noise_;
  std::size_t anchor_ = 0, target_ = 0, required_ = 0;
};

// Times the queries one by one.
json TimeQueries(const steer::Steerer& steerer, const std::vector<steer::Query>& queries) {
  std::vector<double> times;
  json statuses = json::object();
  for (const steer::Query& query : queries) {
    const Clock::time_point begin = Clock::now();
    const steer::Result result = steerer.Solve(query);
    times.push_back(MillisecondsSince(begin));
    json& count = statuses[std::string(steer::NameOf(result.status))];
    count = count.is_null() ? 1 : count.get<int>() + 1;
  }
  std::sort(times.begin(), times.end());
  const auto quantile = [&](double level) {
    return times[static_cast<std::size_t>(level * static_cast<double>(times.size() - 1))];
  };
  return {{"queries", queries.size()},
          {"median_ms", quantile(0.5)},
          {"p99_ms", quantile(0.99)},
          {"statuses", statuses}};
}

void Run(const std::string& folder, int count) {
  const Clock::time_point begin = Clock::now();
  const net::Model model = net::ReadModel(folder);
  const steer::SteerOptions options = steer::PresetOptions("default");
  const steer::Steerer steerer(model, kMode, options);
  const double load_ms = MillisecondsSince(begin);

  QuerySource source(model);
  const steer::Query first = source.DrawFeasible();
  std::vector<steer::Query> single, batch, infeasible;
  for (int i = 0; i < count; ++i) single.push_back(source.DrawFeasible());
  for (int i = 0; i < kBatchQueries; ++i) batch.push_back(source.DrawFeasible());
  for (int i = 0; i < kInfeasibleQueries; ++i) infeasible.push_back(source.DrawInfeasible());

  json report = {{"load_ms", load_ms}};
  report["first"] = TimeQueries(steerer, {first});
  report["single"] = TimeQueries(steerer, single);
  {
    // A new steerer has no cached tangent spaces.
    const steer::Steerer fresh(model, kMode, options);
    const Clock::time_point batch_begin = Clock::now();
    const std::vector<steer::Result> results = fresh.SolveAll(batch, kBatchThreads);
    report["batch"] = {{"queries", results.size()},
                       {"threads", kBatchThreads},
                       {"ms", MillisecondsSince(batch_begin)}};
  }
  report["infeasible"] = TimeQueries(steerer, infeasible);
  report["query"] = steer::ToJson(first);
  fmt::print("{}\n", report.dump());
}

int ParseCount(std::string_view text) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1) {
    Fail("QUERIES is '{}', a number of at least 1 is wanted", text);
  }
  return count;
}

}  // namespace
}  // namespace rhumb

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    fmt::print(stderr, "bench_steering MODEL [QUERIES]\n");
    return 2;
  }
  try {
    rhumb::Run(argv[1], argc == 3 ? rhumb::ParseCount(argv[2]) : rhumb::kDefaultQueries);
  } catch (const rhumb::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
