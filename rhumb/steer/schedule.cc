#include "rhumb/steer/schedule.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/net/code_blend.h"
#include "rhumb/steer/code_file.h"
#include "rhumb/steer/query/query_file.h"

namespace rhumb::steer {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxScheduleBytes = 1u << 26;
constexpr std::int64_t kMaxStep = 1'000'000'000;

// Returns the whole number at `key`, or `otherwise` if it is missing.
std::int64_t WholeAt(const json& line, const char* key, std::int64_t high, std::int64_t otherwise,
                     const std::string& place) {
  const auto found = line.find(key);
  if (found == line.end()) return otherwise;
  try {
    core::RequireWhole(*found, key, 0, static_cast<std::uint64_t>(high));
  } catch (const json::exception&) {
    Fail("{}: '{}' is {}; it must be a whole number from 0 to {}", place, key,
         core::InWords(*found), high);
  }
  return found->get<std::int64_t>();
}

Answer CodeOf(const json& code, const std::string& place, const std::filesystem::path& folder,
              const Steerer& steerer) {
  const net::Model& model = steerer.model();
  if (code.is_string()) {
    return steerer.Assess(ReadCode(folder / code.get<std::string>(), model).code);
  }
  std::vector<float> numbers;
  core::AppendFloats(code, static_cast<std::size_t>(model.code_size()), place + ": code", numbers);
  return steerer.Assess(numbers);
}

}  // namespace

ScheduledCode SolveScheduled(const json& line, const std::string& place,
                             const std::filesystem::path& folder, const Steerer& steerer) {
  if (!line.is_object()) Fail("{} is {}, not an object", place, core::InWords(line));
  ScheduledCode made;
  made.step = WholeAt(line, "step", kMaxStep, -1, place);
  if (made.step < 0) Fail("{}: 'step' is missing", place);
  made.blend_steps = static_cast<int>(WholeAt(line, "blend", net::kMaxBlendSteps, 0, place));
  if (const auto code = line.find("code"); code != line.end()) {
    for (const auto& [key, value] : line.items()) {
      if (key != "step" && key != "blend" && key != "code") {
        Fail("{}: '{}' stands beside a code; a line has a code or a query", place, key);
      }
    }
    made.answer = CodeOf(*code, place, folder, steerer);
    made.words =
        code->is_string() ? fmt::format("the code of {}", code->get<std::string>()) : "a code";
    return made;
  }
  const Query query = QueryFromJson(line, place, {"step", "blend"});
  if (query.empty()) Fail("{} has neither a query nor a code", place);
  if (!query.changes.empty()) Fail("{}: a schedule has no recorded trajectory to change", place);
  made.words = Describe(query);
  try {
    Result result = steerer.Solve(query);
    made.status = result.status;
    if (result.answers.empty()) {
      made.answer = std::move(result.infeasibility->nearest);
    } else {
      made.answer = std::move(result.answers.front());
      made.others.assign(std::make_move_iterator(result.answers.begin() + 1),
                         std::make_move_iterator(result.answers.end()));
    }
  } catch (const Error& problem) {
    Fail("{}: {}", place, problem.what());
  }
  return made;
}

std::vector<ScheduledCode> ReadSchedule(const std::filesystem::path& file, const Steerer& steerer) {
  const std::vector<core::JsonLine> lines = core::ReadJsonLines(file, kMaxScheduleBytes);
  if (lines.empty()) {
    Fail("{} has no behaviour; each line is one, as {{\"step\": 0, \"target\": {{…}}}}",
         file.string());
  }
  if (lines.size() > kMaxScheduleLines) {
    Fail("{} has {} behaviours; at most {} are allowed", file.string(), lines.size(),
         kMaxScheduleLines);
  }
  std::vector<ScheduledCode> schedule;
  for (const auto& [place, line] : lines) {
    ScheduledCode made = SolveScheduled(line, place, file.parent_path(), steerer);
    if (schedule.empty() && made.step != 0) {
      Fail("{}: the first behaviour begins at step {}; it must begin at 0", place, made.step);
    }
    if (schedule.empty() && made.blend_steps != 0) {
      Fail("{}: the first behaviour has nothing to blend from; leave out its 'blend'", place);
    }
    if (!schedule.empty() && made.step <= schedule.back().step) {
      Fail("{}: step {} does not come after step {}", place, made.step, schedule.back().step);
    }
    schedule.push_back(std::move(made));
  }
  return schedule;
}

}  // namespace rhumb::steer
