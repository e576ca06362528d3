#include "rhumb/cli/code_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxCodeFileBytes = 1u << 26;

const json& FindAnswer(const json& document, int answer, const std::string& place) {
  const json& answers = document["answers"];
  if (!answers.is_array()) Fail("{}: 'answers' must be a list", place);
  if (answers.empty()) {
    const auto status = document.find("status");
    const bool says = status != document.end() && status->is_string();
    Fail("{} has no answer{}", place,
         says ? fmt::format("; its status is '{}'", status->get<std::string>()) : "");
  }
  if (static_cast<std::size_t>(answer) > answers.size()) {
    Fail("--answer {}: {} has the answers 1 to {}", answer, place, answers.size());
  }
  return answers[static_cast<std::size_t>(answer) - 1];
}

}  // namespace

std::vector<float> ReadCode(const std::filesystem::path& file, int code_size, int answer) {
  RHUMB_CHECK(answer >= 1, "answer {}", answer);
  std::string place = file.string();
  const json document = core::ReadJson(file, kMaxCodeFileBytes);
  const json* holder = &document;
  if (document.contains("answers")) {
    holder = &FindAnswer(document, answer, place);
    place += fmt::format(": answers[{}].code", answer - 1);
  } else {
    if (answer != 1)
      Fail("--answer {}: {} has a single code, not a list of answers", answer, place);
    place += ": code";
  }
  if (!holder->contains("code")) {
    Fail("{} is missing; expected {{\"code\": [...]}}, or the output of `rhumb steer --json`",
         place);
  }
  std::vector<float> code;
  core::AppendFloats((*holder)["code"], static_cast<std::size_t>(code_size), place, code);
  return code;
}

}  // namespace rhumb::cli
