#include "rhumb/steer/schedule.h"

#include <gmock/gmock.h>

#include "tests/steer/plane_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::steer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Schedule : public testing::Test {
 protected:
  std::vector<ScheduledCode> Read(const std::string& text) const {
    return ReadSchedule(folder_.Write("s.jsonl", text), steerer_);
  }
  std::string Complaint(const std::string& text) const {
    return test::ErrorOf([&] { Read(text); });
  }

  const test::ScratchFolder folder_;
  const net::Model model_ = PlaneModel();
  const Steerer steerer_{model_, kSampledMode, PresetOptions("default")};
};

TEST_F(Schedule, HasQueriesAndCodes) {
  folder_.Write("c.json", R"({"code": [0.5, -0.5, 0]})");
  const auto schedule = Read(R"({"step": 0, "target": {"right": 0.3}, "require": ["up>=0.1"]}

{"step": 40, "blend": 20, "code": [0.25, 0.75, 0]}
{"step": 70, "code": "c.json"}
{"step": 80, "target": {"right": 9}}
)");
  ASSERT_EQ(schedule.size(), 4u);
  EXPECT_NEAR(schedule[0].answer.predicted[0], 0.3, kTolerance);
  EXPECT_EQ(schedule[0].words, "bring right to 0.3, with up at least 0.1");
  EXPECT_EQ(schedule[1].step, 40);
  EXPECT_EQ(schedule[1].blend_steps, 20);
  EXPECT_THAT(schedule[1].answer.code, ElementsAre(0.25F, 0.75F, 0));
  EXPECT_NEAR(schedule[1].answer.predicted[1], 0.75, 1e-6);
  EXPECT_EQ(schedule[2].blend_steps, 0);
  EXPECT_THAT(schedule[2].answer.code, ElementsAre(0.5F, -0.5F, 0));
  EXPECT_EQ(schedule[3].status, Status::kInfeasible);
  EXPECT_NEAR(schedule[3].answer.predicted[0], 1, 0.3) << "the nearest behaviour";
}

TEST_F(Schedule, MistakesNameTheLine) {
  const std::string first = R"({"step": 0, "target": {"right": 0.3}})";
  EXPECT_THAT(Complaint(""), HasSubstr("has no behaviour"));
  EXPECT_THAT(Complaint(R"({"step": 3, "target": {"right": 0}})"), HasSubstr("must begin at 0"));
  EXPECT_THAT(Complaint(R"({"step": 0, "blend": 3, "target": {"right": 0}})"),
              HasSubstr("nothing to blend from"));
  EXPECT_THAT(Complaint(first + "\n" + first), HasSubstr("s.jsonl:2: step 0 does not come after"));
  EXPECT_THAT(Complaint(R"({"target": {"right": 0}})"), HasSubstr("'step' is missing"));
  EXPECT_THAT(Complaint(R"({"step": 1.5, "target": {"right": 0}})"), HasSubstr("whole number"));
  EXPECT_THAT(Complaint(first + R"(
{"step": 5, "blend": 1000001, "code": [0, 0, 0]})"),
              HasSubstr("from 0 to 1000000"));
  EXPECT_THAT(Complaint(R"({"step": 0})"), HasSubstr("neither a query nor a code"));
  EXPECT_THAT(Complaint(R"({"step": 0, "code": [1, 2]})"), HasSubstr("s.jsonl:1: code"));
  EXPECT_THAT(Complaint(R"({"step": 0, "code": [0, 0, 0], "target": {"right": 0}})"),
              HasSubstr("a code or a query"));
  EXPECT_THAT(Complaint(R"({"step": 0, "target": {"left": 0}})"), HasSubstr("'left'"));
  EXPECT_THAT(Complaint(R"({"step": 0, "change": ["right +1"]})"), HasSubstr("no recorded"));
  EXPECT_THAT(Complaint("3"), HasSubstr("not an object"));
}

}  // namespace
}  // namespace rhumb::steer
