#include "rhumb/serve/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/text.h"
#include "rhumb/net/code_blend.h"
#include "rhumb/net/model.h"

namespace rhumb::serve {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxCodeSize = 4096;
constexpr double kMinSpeed = 0.01, kMaxSpeed = 16;

// Reads the members of one object and complains about the others.
class Fields {
 public:
  Fields(const json& object, std::string place, std::initializer_list<const char*> keys)
      : object_(object), place_(std::move(place)) {
    if (!object.is_object()) Fail("{} is {}, not an object", place_, core::InWords(object));
    for (const auto& [key, value] : object.items()) {
      if (key == "type" || std::ranges::find(keys, key) != keys.end()) continue;
      Fail("{} has the unknown key '{}'", place_, key.substr(0, 40));
    }
  }

  const json* Find(const char* key) const {
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  const json& At(const char* key) const {
    const json* found = Find(key);
    if (found == nullptr) Fail("{} lacks '{}'", place_, key);
    return *found;
  }
  std::int64_t Whole(const char* key, std::int64_t low, std::int64_t high,
                     std::int64_t otherwise) const {
    const json* found = Find(key);
    if (found == nullptr) return otherwise;
    try {
      core::RequireWhole(*found, key, low, static_cast<std::uint64_t>(high));
    } catch (const json::exception&) {
      Fail("{}: '{}' is {}; it must be a whole number from {} to {}", place_, key,
           core::InWords(*found), low, high);
    }
    return found->get<std::int64_t>();
  }
  double Number(const json& value, const char* key, double low, double high) const {
    const double number = value.is_number() ? value.get<double>() : std::nan("");
    if (!(number >= low && number <= high)) {
      Fail("{}: '{}' is {}; it must be a number from {} to {}", place_, key, core::InWords(value),
           low, high);
    }
    return number;
  }
  bool Truth(const char* key, bool otherwise) const {
    const json* found = Find(key);
    if (found == nullptr) return otherwise;
    if (!found->is_boolean()) {
      Fail("{}: '{}' is {}, not true or false", place_, key, core::InWords(*found));
    }
    return found->get<bool>();
  }
  std::string Text(const char* key, std::size_t longest) const {
    const json& found = At(key);
    if (!found.is_string()) Fail("{}: '{}' is {}, not a text", place_, key, core::InWords(found));
    const auto& text = found.get_ref<const std::string&>();
    if (text.size() > longest) Fail("{}: '{}' is longer than {} bytes", place_, key, longest);
    return text;
  }
  int Lane(int otherwise = 0) const {
    return static_cast<int>(Whole("lane", 0, kLanes - 1, otherwise));
  }
  const std::string& place() const { return place_; }

 private:
  const json& object_;
  std::string place_;
};

Takeover ReadTakeover(const Fields& fields) {
  return {fields.Lane(), static_cast<int>(fields.Whole("blend", 0, net::kMaxBlendSteps, 0)),
          fields.Truth("restart", false)};
}

SteerMessage ReadSteer(const json& document) {
  const Fields fields(document, "steer", {"id", "query", "confidence", "play"});
  SteerMessage message;
  message.id = fields.Whole("id", 0, std::int64_t{1} << 52, 0);
  message.query = fields.At("query");
  if (!message.query.is_object()) {
    Fail("steer: 'query' is {}, not an object", core::InWords(message.query));
  }
  if (const json* value = fields.Find("confidence")) {
    message.confidence = fields.Number(*value, "confidence", 0, 0.999);
  }
  if (const json* play = fields.Find("play")) {
    const Fields takeover(*play, "steer.play", {"lane", "blend", "restart", "tries"});
    message.play = ReadTakeover(takeover);
    message.play->tries = static_cast<int>(takeover.Whole("tries", 0, kMaxAnswers, 0));
  }
  return message;
}

PlayMessage ReadPlay(const json& document) {
  const Fields fields(document, "play",
                      {"lane", "blend", "restart", "row", "code", "policy", "label"});
  PlayMessage message;
  message.takeover = ReadTakeover(fields);
  message.row = static_cast<int>(fields.Whole("row", 0, 1'000'000'000, -1));
  if (const json* code = fields.Find("code")) {
    if (!code->is_array() || code->empty() || code->size() > kMaxCodeSize) {
      Fail("play: 'code' must be a list of 1 to {} numbers", kMaxCodeSize);
    }
    core::AppendFloats(*code, code->size(), "play: code", message.code);
  }
  if (const json* named = fields.Find("policy")) {
    const Fields policy(*named, "play.policy", {"agent", "iteration"});
    policy.At("agent");
    policy.At("iteration");
    message.policy = {static_cast<int>(policy.Whole("agent", 0, 1'000'000, 0)),
                      static_cast<int>(policy.Whole("iteration", 0, 1'000'000'000, 0))};
  }
  if ((message.row >= 0) + !message.code.empty() + message.policy.has_value() != 1) {
    Fail("play needs one of 'row', 'code' and 'policy'");
  }
  if (fields.Find("label") != nullptr) message.label = fields.Text("label", kMaxLabelBytes);
  return message;
}

ScheduleMessage ReadScheduleMessage(const json& document) {
  const Fields fields(document, "schedule", {"lane", "lines"});
  ScheduleMessage message;
  message.lane = fields.Lane();
  const json& lines = fields.At("lines");
  if (!lines.is_array() || lines.empty() || lines.size() > kMaxLines) {
    Fail("schedule: 'lines' must be a list of 1 to {} objects", kMaxLines);
  }
  for (const json& line : lines) {
    if (!line.is_object()) Fail("schedule: a line is {}, not an object", core::InWords(line));
    // A code's file would be a file of this machine.
    if (line.contains("code") && !line["code"].is_array()) {
      Fail("schedule: 'code' must be a list of numbers here");
    }
    message.lines.push_back(line);
  }
  return message;
}

RunMessage ReadRun(const json& document) {
  const Fields fields(document, "run", {"paused", "speed"});
  RunMessage message;
  if (fields.Find("paused") != nullptr) message.paused = fields.Truth("paused", false);
  if (const json* speed = fields.Find("speed")) {
    message.speed = fields.Number(*speed, "speed", kMinSpeed, kMaxSpeed);
  }
  return message;
}

PushMessage ReadPush(const json& document) {
  const Fields fields(document, "push", {"lane", "body", "force"});
  PushMessage message;
  message.lane = fields.Lane();
  message.body = static_cast<int>(fields.Whole("body", 0, 1'000'000, 1));
  const json& force = fields.At("force");
  if (!force.is_array() || force.size() != 3) Fail("push: 'force' must be a list of 3 numbers");
  for (std::size_t i = 0; i < 3; ++i) {
    message.force[i] = fields.Number(force[i], "force", -kMaxForce, kMaxForce);
  }
  return message;
}

RestartMessage ReadRestart(const json& document) {
  const Fields fields(document, "restart", {"seed"});
  RestartMessage message;
  if (fields.Find("seed") != nullptr) {
    message.seed = static_cast<std::uint64_t>(fields.Whole("seed", 0, std::int64_t{1} << 52, 0));
  }
  return message;
}

}  // namespace

Message ParseMessage(std::string_view text) {
  if (text.size() > kMaxMessageBytes) {
    Fail("a message of {} bytes; at most {} are allowed", text.size(), kMaxMessageBytes);
  }
  const json document = core::ParseJson(text, "the message");
  if (!document.is_object() || !document.contains("type") || !document["type"].is_string()) {
    Fail("the message must be an object with a 'type'");
  }
  const auto& type = document["type"].get_ref<const std::string&>();
  if (type == "steer") return ReadSteer(document);
  if (type == "play") return ReadPlay(document);
  if (type == "schedule") return ReadScheduleMessage(document);
  if (type == "run") return ReadRun(document);
  if (type == "push") return ReadPush(document);
  if (type == "restart") return ReadRestart(document);
  if (type == "clear") {
    return ClearMessage{Fields(document, type, {"lane"}).Lane(1)};
  }
  if (type == "step") {
    [[maybe_unused]] const Fields none(document, type, {});
    return StepMessage{};
  }
  if (type == "model") return ModelMessage{Fields(document, type, {"name"}).Text("name", 1000)};
  if (type == "mode") {
    const std::string mode = Fields(document, type, {"mode"}).Text("mode", 20);
    net::ParseRolloutMode(mode);
    return ModeMessage{mode};
  }
  if (type == "control" || type == "release") {
    [[maybe_unused]] const Fields none(document, type, {});
    return ControlMessage{type == "release"};
  }
  Fail("the message type '{}' is unknown", type.substr(0, 40));
}

bool NeedsControl(const Message& message) {
  if (const auto* steer = std::get_if<SteerMessage>(&message)) return steer->play.has_value();
  return !std::holds_alternative<ControlMessage>(message);
}

}  // namespace rhumb::serve
