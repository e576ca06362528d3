#include "rhumb/cli/played_schedule.h"

#include <nlohmann/json.hpp>

#include "rhumb/cli/table.h"
#include "rhumb/core/text.h"
#include "rhumb/steer/answer_json.h"

namespace rhumb::cli {

using nlohmann::json;

void AddSpans(const data::Episode& episode, std::span<const steer::ScheduledCode> schedule,
              std::size_t objectives, std::vector<PlayedSpan>& spans) {
  std::size_t current = 0;
  for (std::int64_t step = 0; step < episode.steps(); ++step) {
    while (current + 1 < schedule.size() && schedule[current + 1].step <= step) ++current;
    ++spans[current].steps;
    for (std::size_t k = 0; k < objectives; ++k) {
      spans[current].sums[k] +=
          episode.vector_rewards[static_cast<std::size_t>(step) * objectives + k];
    }
  }
}

json ToJson(const steer::ScheduledCode& one, const PlayedSpan& span,
            const sim::Environment& environment, const net::Model& model) {
  json pace = json::object();
  for (std::size_t k = 0; k < span.sums.size() && span.steps > 0; ++k) {
    pace[environment.objectives()[k].name] =
        span.sums[k] / static_cast<double>(span.steps) * environment.time_limit();
  }
  return {{"step", one.step},
          {"blend", one.blend_steps},
          {"words", one.words},
          {"status", steer::NameOf(one.status)},
          {"predicted", steer::ByName(one.answer.predicted, model.description)},
          {"steps", span.steps},
          {"pace", std::move(pace)}};
}

std::string FormatSchedule(const json& schedule, const sim::Environment& environment) {
  Table rows = {{"from step", "blend", "steps"}};
  for (const sim::ObjectiveSpec& objective : environment.objectives()) {
    rows[0].push_back(objective.name);
    rows[0].push_back("pace");
  }
  rows[0].push_back("asked");
  const auto number = [](const json& values, const std::string& name) {
    return values.contains(name) ? FormatNumber(values[name].get<double>(), "{:.5g}")
                                 : std::string("-");
  };
  for (const json& one : schedule) {
    Row& row = rows.emplace_back(Row{one["step"].dump(), one["blend"].dump(), one["steps"].dump()});
    for (const sim::ObjectiveSpec& objective : environment.objectives()) {
      row.push_back(number(one["predicted"], objective.name));
      row.push_back(number(one["pace"], objective.name));
    }
    row.push_back(one["words"]);
  }
  return FormatTable(rows) +
         "pace: the return that a whole episode would have, as while the behaviour lasted\n";
}

}  // namespace rhumb::cli
