// The results of behaviour synthesis: one row per task, one report per method, and comparisons.
//
//   rows -> shares and mean errors over all tasks -> the same for each split
//        -> paired comparisons of methods
//
// All intervals are from a bootstrap clustered by anchor.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/eval/clustered_bootstrap.h"
#include "rhumb/eval/map/imitation.h"
#include "rhumb/eval/steering/code_choice.h"
#include "rhumb/eval/steering/task.h"
#include "rhumb/eval/steering/verification.h"
#include "rhumb/net/model.h"

namespace rhumb::eval {

// The result of one task.
struct SynthesisRow : CodeChoice {
  Realised realised;
  // True if the status is not infeasible, refused or out of steps, and the prediction meets the
  // task. It must meet every requirement and reach every target, within 1.25 % of its range or the
  // task's tolerance.
  bool success = false;
  bool violated = false;        // R exceeds a bound
  bool met = false;             // R reaches every target and exceeds no bound
  double target_error = 0;      // E_targ; +inf if no episode is usable
  double constraint_error = 0;  // E_cons; +inf if no episode is usable
  double range_error = 0;  // |R - v_g| / range of the training labels; +inf if no episode is usable
  // Expected E_targ of a code that is right on average. With s the standard deviation between the n
  // episodes, the mean absolute error of their mean is sqrt(2 / pi) s / sqrt(n). NaN for one
  // episode.
  double noise = 0;
};

struct SynthesisReport {
  std::string method;
  double success = 0;  // S; success, violations and met are shares of the tasks. NaN for teachers
  double violations = 0;
  double met = 0;
  ErrorSummary target_error;
  double constraint_error = 0;  // mean over the tasks, as are range_error and noise
  double range_error = 0;
  double noise = 0;    // NaN if no task has a noise value
  double broken = 0;   // share of the solved tasks whose R exceeds a bound; NaN if none is solved
  double covered = 0;  // share of the intervals that hold their part of R; NaN without intervals
  // Mean of CodeChoice::probability, 0 where a task is not solved: `met`, if forecasts are honest.
  // NaN if the method gives none.
  double promised = 0;
  std::int64_t diverged = 0;           // rollouts
  std::map<std::string, int> origins;  // of the codes, by CodeChoice::origin
  // By a bootstrap clustered by anchor. E_targ has none if a task has no usable episode.
  MeanEstimate success_interval, met_interval;
  std::optional<MeanEstimate> target_error_interval;
  std::vector<SynthesisRow> rows;  // by task
};

// The tasks of one split, for one method.
struct SplitReport {
  std::string split;
  int tasks = 0;
  SynthesisReport report;  // without rows
};

// Paired comparison of two methods, task by task, clustered by anchor.
struct SynthesisComparison {
  std::string method, other;
  PairedDifference met;
  std::optional<PairedDifference> target_error;  // empty if a task has no usable episode
};

// A column of the table of methods; all numbers are shown in %.
struct SynthesisColumn {
  const char* key;  // in the document of ToJson
  const char* title;
  const char* meaning;
  bool higher_is_better;
  double (*value)(const SynthesisReport&);  // 1 is 100 %
};

// All columns, in table order.
std::span<const SynthesisColumn> SynthesisColumns();
// The columns for scripts: [{"key", "title", "meaning", "higher_is_better"}, …].
nlohmann::json DescribeSynthesisColumns();

// Fills in everything but `method` from the rows, one per task. Tasks of one anchor form a cluster;
// without a known anchor, tasks with equal targets do.
void FillSummary(std::span<const Task> tasks, std::uint64_t seed, SynthesisReport& report);

// The figures of each split among the tasks, in the order of data::kSplits. Empty unless every task
// names its split.
std::vector<SplitReport> SplitSynthesis(const SynthesisReport& report, std::span<const Task> tasks,
                                        std::uint64_t seed);

// Compares `first` with `other`, which are reports of the same tasks.
SynthesisComparison CompareSynthesis(const SynthesisReport& first, const SynthesisReport& other,
                                     std::span<const Task> tasks, std::uint64_t seed);

// {"method", the keys of all columns, "E_targ_q90", "diverged", "origins", "intervals", "rows"}:
// all shares and errors in %. Missing values are written as null.
nlohmann::json ToJson(const SynthesisReport& report, std::span<const Task> tasks,
                      const net::ModelDescription& model);
// {"split", "tasks", "method", the keys of all columns, "intervals"}
nlohmann::json ToJson(const SplitReport& report);
// {"method", "with", "met": {"mean", "low", "high", "p"}, "E_targ_mean": …}, in %.
nlohmann::json ToJson(const SynthesisComparison& comparison);

}  // namespace rhumb::eval
