#include "rhumb/serve/message.h"

#include <gmock/gmock.h>

#include "tests/support/error_expectation.h"

namespace rhumb::serve {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string Complaint(const std::string& text) {
  return test::ErrorOf([&] { ParseMessage(text); });
}

TEST(Message, OfEveryType) {
  const auto steer = std::get<SteerMessage>(ParseMessage(
      R"({"type": "steer", "id": 7, "query": {"target": {"forward": 1}}, "confidence": 0.9,
          "play": {"lane": 1, "blend": 20, "tries": 4}})"));
  EXPECT_EQ(steer.id, 7);
  EXPECT_EQ(steer.confidence, 0.9);
  EXPECT_EQ(steer.query["target"]["forward"], 1);
  EXPECT_EQ(steer.play->lane, 1);
  EXPECT_EQ(steer.play->blend, 20);
  EXPECT_FALSE(steer.play->restart);
  EXPECT_EQ(steer.play->tries, 4);
  EXPECT_EQ(std::get<PlayMessage>(ParseMessage(R"({"type": "play", "row": 12})")).row, 12);
  const Message named =
      ParseMessage(R"({"type": "play", "policy": {"agent": 3, "iteration": 45}})");
  EXPECT_EQ(std::get<PlayMessage>(named).policy->agent, 3);
  EXPECT_EQ(std::get<PlayMessage>(named).policy->iteration, 45);
  EXPECT_THAT(std::get<PlayMessage>(ParseMessage(R"({"type": "play", "code": [1, 2.5]})")).code,
              ElementsAre(1, 2.5F));
  EXPECT_EQ(std::get<ScheduleMessage>(
                ParseMessage(R"({"type": "schedule", "lines": [{"step": 0, "code": [1]}]})"))
                .lines.size(),
            1u);
  const auto run = std::get<RunMessage>(ParseMessage(R"({"type": "run", "speed": 0.5})"));
  EXPECT_EQ(run.paused, std::nullopt);
  EXPECT_EQ(run.speed, 0.5);
  const auto push =
      std::get<PushMessage>(ParseMessage(R"({"type": "push", "body": 2, "force": [1, 0, -3]})"));
  EXPECT_THAT(push.force, ElementsAre(1, 0, -3));
  EXPECT_EQ(std::get<RestartMessage>(ParseMessage(R"({"type": "restart", "seed": 3})")).seed, 3u);
  EXPECT_EQ(std::get<ClearMessage>(ParseMessage(R"({"type": "clear"})")).lane, 1);
  EXPECT_EQ(std::get<ModelMessage>(ParseMessage(R"({"type": "model", "name": "m"})")).name, "m");
  EXPECT_EQ(std::get<ModeMessage>(ParseMessage(R"({"type": "mode", "mode": "mean"})")).mode,
            "mean");
  EXPECT_TRUE(std::get<ControlMessage>(ParseMessage(R"({"type": "release"})")).release);
}

TEST(Message, OnlyTheControllerMoves) {
  EXPECT_FALSE(NeedsControl(ParseMessage(R"({"type": "steer", "query": {}})")));
  EXPECT_FALSE(NeedsControl(ParseMessage(R"({"type": "control"})")));
  EXPECT_TRUE(NeedsControl(ParseMessage(R"({"type": "steer", "query": {}, "play": {}})")));
  for (const char* text : {R"({"type": "step"})", R"({"type": "restart"})", R"({"type": "run"})",
                           R"({"type": "play", "row": 0})", R"({"type": "clear"})"}) {
    EXPECT_TRUE(NeedsControl(ParseMessage(text))) << text;
  }
}

TEST(Message, MistakesAreSaid) {
  EXPECT_THAT(Complaint("{"), HasSubstr("the message"));
  EXPECT_THAT(Complaint("[]"), HasSubstr("'type'"));
  EXPECT_THAT(Complaint(R"({"type": 3})"), HasSubstr("'type'"));
  EXPECT_THAT(Complaint(R"({"type": "dance"})"), HasSubstr("'dance' is unknown"));
  EXPECT_THAT(Complaint(R"({"type": "step", "now": true})"), HasSubstr("unknown key 'now'"));
  EXPECT_THAT(Complaint(R"({"type": "steer"})"), HasSubstr("lacks 'query'"));
  EXPECT_THAT(Complaint(R"({"type": "steer", "query": 3})"), HasSubstr("not an object"));
  EXPECT_THAT(Complaint(R"({"type": "steer", "query": {}, "confidence": 1})"), HasSubstr("0.999"));
  EXPECT_THAT(Complaint(R"({"type": "play"})"), HasSubstr("one of 'row', 'code' and 'policy'"));
  EXPECT_THAT(Complaint(R"({"type": "play", "row": 1, "code": [1]})"), HasSubstr("one of 'row'"));
  EXPECT_THAT(Complaint(R"({"type": "play", "policy": {"agent": 1}})"), HasSubstr("'iteration'"));
  EXPECT_THAT(Complaint(R"({"type": "play", "policy": {"agent": -1, "iteration": 5}})"),
              HasSubstr("'agent'"));
  EXPECT_THAT(Complaint(R"({"type": "play", "row": 1, "lane": 2})"), HasSubstr("from 0 to 1"));
  EXPECT_THAT(Complaint(R"({"type": "play", "row": 1, "blend": -1})"), HasSubstr("'blend'"));
  EXPECT_THAT(Complaint(R"({"type": "steer", "query": {}, "play": {"tries": 17}})"),
              HasSubstr("from 0 to 16"));
  EXPECT_THAT(Complaint(R"({"type": "play", "code": [1e99]})"), HasSubstr("code"));
  EXPECT_THAT(Complaint(R"({"type": "run", "speed": 0})"), HasSubstr("from 0.01 to 16"));
  EXPECT_THAT(Complaint(R"({"type": "run", "paused": 1})"), HasSubstr("true or false"));
  EXPECT_THAT(Complaint(R"({"type": "push", "force": [1, 2]})"), HasSubstr("3 numbers"));
  EXPECT_THAT(Complaint(R"({"type": "push", "force": [1, 2, 1e9]})"), HasSubstr("'force'"));
  EXPECT_THAT(Complaint(R"({"type": "schedule", "lines": []})"), HasSubstr("1 to 100"));
  EXPECT_THAT(Complaint(R"({"type": "schedule", "lines": [{"step": 0, "code": "/etc/passwd"}]})"),
              HasSubstr("list of numbers"));
  EXPECT_THAT(Complaint(R"({"type": "mode", "mode": "x"})"), HasSubstr("'x'"));
  EXPECT_THAT(Complaint(std::string(kMaxMessageBytes + 1, ' ')), HasSubstr("at most 65536"));
}

}  // namespace
}  // namespace rhumb::serve
