#include "rhumb/cli/code_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "rhumb/core/error.h"
#include "rhumb/core/json_file.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxCodeFileBytes = 1u << 26;

const json& FindAnswer(const json& answers, int answer, const json& status,
                       const std::string& place) {
  if (!answers.is_array()) Fail("{}: 'answers' must be a list", place);
  if (answers.empty()) {
    Fail("{} holds no answer{}", place,
         status.is_string() ? fmt::format(": it says '{}'", status.get<std::string>()) : "");
  }
  if (static_cast<std::size_t>(answer) >= answers.size()) {
    Fail("--answer {}: {} holds the answers 0 to {}", answer, place, answers.size() - 1);
  }
  return answers[static_cast<std::size_t>(answer)];
}

}  // namespace

std::vector<float> ReadCode(const std::filesystem::path& file, int code_size, int answer) {
  RHUMB_CHECK(answer >= 0, "answer {}", answer);
  std::string place = file.string();
  const json document = core::ReadJson(file, kMaxCodeFileBytes);
  const json* holder = &document;
  if (document.contains("answers")) {
    holder = &FindAnswer(document["answers"], answer, document.value("status", json()), place);
    place += fmt::format(": answers[{}].code", answer);
  } else {
    if (answer != 0) Fail("--answer {}: {} holds one code, no list of answers", answer, place);
    place += ": code";
  }
  if (!holder->contains("code")) {
    Fail(
        "{} is missing; a file with {{\"code\": [...]}} or the output of `rhumb steer --json` is "
        "expected",
        place);
  }
  std::vector<float> code;
  core::AppendFloats((*holder)["code"], static_cast<std::size_t>(code_size), place, code);
  return code;
}

}  // namespace rhumb::cli
