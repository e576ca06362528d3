// What a page says over its WebSocket: one JSON object per message.
//
//   anybody may ask       {"type": "steer", "id": 7, "query": {"target": {"forward": 6000}}}
//                         {"type": "control"}          asks for control, if it is free
//   the controller also   {"type": "steer", …, "play": {"lane": 0, "blend": 20, "tries": 4}}
//                         {"type": "play", "lane": 0, "row": 12, "blend": 20}     a code of the map
//                         {"type": "play", "lane": 1, "code": […], "label": "…"}
//                         {"type": "play", "policy": {"agent": 3, "iteration": 45}}
//                         {"type": "schedule", "lane": 0, "lines": [{"step": 0, …}, …]}
//                         {"type": "clear", "lane": 1}        ends the comparison
//                         {"type": "run", "paused": false, "speed": 0.5}
//                         {"type": "step"}    {"type": "restart", "seed": 3}
//                         {"type": "push", "lane": 0, "body": 2, "force": [0, 0, 50]}
//                         {"type": "model", "name": "halfcheetah"}   {"type": "mode", "mode":
//                         "mean"}
//                         {"type": "release"}
//
// docs/serve.md has the answers. Unknown keys and wrong types are errors that name the key.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rhumb::serve {

constexpr std::size_t kMaxMessageBytes = 64 * 1024;
constexpr int kLanes = 2;          // robots side by side
constexpr int kMaxAnswers = 16;    // to a question
constexpr double kMaxForce = 1e5;  // newtons
constexpr std::size_t kMaxLabelBytes = 200;
constexpr std::size_t kMaxLines = 100;  // of a schedule

// How an answer takes over.
struct Takeover {
  int lane = 0;
  int blend = 0;         // steps
  bool restart = false;  // begin an episode instead
  int tries = 0;         // answers that are tried before one takes over; of a question only
};

struct SteerMessage {
  std::int64_t id = 0;
  nlohmann::json query;
  double confidence = 0;
  std::optional<Takeover> play;
};
struct PolicyName {
  int agent = 0, iteration = 0;
};
struct PlayMessage {
  Takeover takeover;
  int row = -1;                      // of the map, or
  std::vector<float> code;           // [H], or
  std::optional<PolicyName> policy;  // of a population
  std::string label;
};
struct ScheduleMessage {
  int lane = 0;
  std::vector<nlohmann::json> lines;
};
struct ClearMessage {
  int lane = 1;
};
struct RunMessage {
  std::optional<bool> paused;
  std::optional<double> speed;
};
struct StepMessage {};
struct RestartMessage {
  std::optional<std::uint64_t> seed;
};
struct PushMessage {
  int lane = 0;
  int body = 1;
  std::array<double, 3> force{};  // newtons, in the world's frame
};
struct ModelMessage {
  std::string name;
};
struct ModeMessage {
  std::string mode;
};
struct ControlMessage {
  bool release = false;
};

using Message =
    std::variant<SteerMessage, PlayMessage, ScheduleMessage, ClearMessage, RunMessage, StepMessage,
                 RestartMessage, PushMessage, ModelMessage, ModeMessage, ControlMessage>;

// Throws Error with one sentence for anything else.
Message ParseMessage(std::string_view text);

// Whether only the controller may say it.
bool NeedsControl(const Message& message);

}  // namespace rhumb::serve
