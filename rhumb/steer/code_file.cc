#include "rhumb/steer/code_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"

namespace rhumb::steer {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxCodeFileBytes = 1u << 26;

// Returns a text of the document, or "" if it is missing.
std::string WordAt(const json& document, const char* key, const std::string& place) {
  const auto found = document.find(key);
  if (found == document.end()) return "";
  if (!found->is_string()) {
    Fail("{}: '{}' is {}, not a text", place, key, core::InWords(*found));
  }
  return found->get<std::string>();
}

// Throws Error if the file says that its code belongs to another model.
void CheckModel(const json& document, const net::Model& model, const std::string& place) {
  const std::string hash = WordAt(document, "model_hash", place);
  if (hash.empty() || hash == net::HashOfCodes(model)) return;
  const std::string name = WordAt(document, "model", place);
  Fail("{} has a code of another model{}; codes mean nothing to the decoder of this one", place,
       name.empty() ? "" : fmt::format(", '{}'", name));
}

// Finds the code among answers, or the nearest behaviour where there is none.
const json& FindHolder(const json& document, int answer, std::string& place, StoredCode& stored) {
  const json& answers = document["answers"];
  if (!answers.is_array()) Fail("{}: 'answers' must be a list", place);
  if (answers.empty()) {
    stored.nearest_of = WordAt(document, "status", place);
    const auto nearest = document.find("infeasibility");
    const bool known = nearest != document.end() && nearest->contains("code");
    if (!known || answer != 1) {
      Fail("{} has no answer{}", place,
           stored.nearest_of.empty() ? "" : fmt::format("; its status is '{}'", stored.nearest_of));
    }
    place += ": infeasibility.code";
    return *nearest;
  }
  if (static_cast<std::size_t>(answer) > answers.size()) {
    Fail("{} has the answers 1 to {}, not {}", place, answers.size(), answer);
  }
  place += fmt::format(": answers[{}].code", answer - 1);
  return answers[static_cast<std::size_t>(answer) - 1];
}

}  // namespace

StoredCode ReadCode(const std::filesystem::path& file, const net::Model& model, int answer) {
  RHUMB_CHECK(answer >= 1, "answer {}", answer);
  std::string place = file.string();
  const json document = core::ReadJson(file, kMaxCodeFileBytes);
  StoredCode stored;
  const json* holder = &document;
  if (document.is_object()) {
    CheckModel(document, model, place);
    const std::string mode = WordAt(document, "mode", place);
    if (!mode.empty()) stored.mode = net::ParseRolloutMode(mode);
  }
  if (document.contains("answers")) {
    holder = &FindHolder(document, answer, place, stored);
  } else {
    if (answer != 1) Fail("{} has a single code, so there is no answer {}", place, answer);
    place += ": code";
  }
  if (!holder->contains("code")) {
    Fail("{} is missing; expected {{\"code\": [...]}}, or the output of `rhumb steer --json`",
         place);
  }
  core::AppendFloats((*holder)["code"], static_cast<std::size_t>(model.code_size()), place,
                     stored.code);
  return stored;
}

}  // namespace rhumb::steer
