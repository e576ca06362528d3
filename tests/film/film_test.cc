#include "rhumb/film/film.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "rhumb/sim/catalogue.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::film {
namespace {

namespace fs = std::filesystem;

constexpr int kWidth = 64, kHeight = 48;

// The columns of one pane, of a frame of two.
std::string Pane(const std::string& frames, std::size_t frame, std::size_t pane) {
  constexpr std::size_t kRow = 3 * kWidth, kWhole = 2 * kRow + 3 * kSeam;
  std::string columns;
  for (std::size_t row = 0; row < kHeight; ++row) {
    columns += frames.substr((frame * kHeight + row) * kWhole + pane * (kRow + 3 * kSeam), kRow);
  }
  return columns;
}

// PATH holds only a stand-in for ffmpeg that keeps the raw frames.
class FilmTest : public testing::Test {
 protected:
  FilmTest() {
    scratch_.Write("ffmpeg", "#!/bin/sh\nfor last; do :; done; /bin/cat > \"${last#file:}\"\n");
    fs::permissions(scratch_.path() / "ffmpeg", fs::perms::owner_all);
    setenv("PATH", scratch_.path().c_str(), 1);
  }
  ~FilmTest() override { setenv("PATH", path_.c_str(), 1); }

  const test::ScratchFolder scratch_;
  const std::string path_ = std::getenv("PATH");
  const fs::path file_ = scratch_.path() / "film.mp4";
};

TEST_F(FilmTest, APaneThatIsOverStandsStill) {
  const sim::Environment environment(sim::FindBundle("point-v0"));
  ASSERT_EQ(environment.model()->nq, 2);
  const Take brief{.poses = {0.3f, 0}}, longer{.poses = {0, 0, 0.2f, 0, 0.4f, 0}};
  Film film(environment, file_, {.width = kWidth, .height = kHeight, .panes = 2});
  film.Add(std::vector{brief, longer});
  film.Add(std::vector{longer, brief});
  film.Finish();

  const std::string frames = test::Contents(file_);
  ASSERT_EQ(frames.size(), std::size_t{6 * 3 * (2 * kWidth + kSeam) * kHeight});
  for (std::size_t t = 0; t < 3; ++t) {
    EXPECT_EQ(Pane(frames, t, 0), Pane(frames, 0, 0)) << t;
    EXPECT_EQ(Pane(frames, 3 + t, 1), Pane(frames, 0, 0)) << t;
    EXPECT_EQ(Pane(frames, 3 + t, 0), Pane(frames, t, 1)) << t;
  }
  EXPECT_NE(Pane(frames, 1, 1), Pane(frames, 0, 1));
  EXPECT_NE(Pane(frames, 2, 1), Pane(frames, 1, 1));
}

// A red ball in a mocap body, and a slider that takes 100 control steps a second.
constexpr const char* kGoal = R"(
<mujoco><option timestep="0.01"/><worldbody>
<light pos="0 0 4"/>
<body><joint name="slide" type="slide"/><geom size="0.1"/></body>
<body name="goal" mocap="true" pos="0 0 0.5"><geom size="0.2" rgba="1 0 0 1" contype="0"/></body>
</worldbody><actuator><motor joint="slide" ctrlrange="-1 1"/></actuator></mujoco>
)";
constexpr const char* kSpec = R"(
id = "goal"
model = "goal.xml"
observation = [ { field = "qvel" } ]
[[rewards.only]]
name = "far"
expression = "time"
)";

class GoalFilm : public FilmTest {
 protected:
  std::string Shoot(const Take& take) const {
    Film film(environment_, file_, {.width = kWidth, .height = kHeight});
    film.Add({&take, 1});
    film.Finish();
    return test::Contents(file_);
  }

  const fs::path spec_ = (scratch_.Write("goal.xml", kGoal), scratch_.Write("goal.toml", kSpec));
  const sim::Environment environment_{sim::ReadBundle(spec_)};
};

TEST_F(GoalFilm, AMocapBodyIsWhereTheEpisodePutIt) {
  const std::vector<float> quaternion = {1, 0, 0, 0};
  const auto at = [&](float x, float z) {
    std::vector<float> mocap = {x, 0, z};
    mocap.insert(mocap.end(), quaternion.begin(), quaternion.end());
    return mocap;
  };
  const std::string in_model = Shoot({.poses = {0}});
  EXPECT_EQ(Shoot({.poses = {0}, .mocap = at(0, 0.5f)}), in_model);
  EXPECT_NE(Shoot({.poses = {0}, .mocap = at(0.3f, 0.2f)}), in_model);
}

// 100 poses a second, of which every fourth is drawn: at 0, 4, 8, and none twice.
TEST_F(GoalFilm, DrawsAtMostThirtyFramesASecond) {
  std::vector<float> poses;
  for (int t = 0; t < 10; ++t) poses.push_back(0.02f * static_cast<float>(t));
  const std::string frames = Shoot({.poses = poses});
  constexpr std::size_t kBytes = std::size_t{3} * kWidth * kHeight;
  ASSERT_EQ(frames.size(), 3 * kBytes);
  EXPECT_EQ(frames.substr(kBytes, kBytes), Shoot({.poses = {poses[4]}}));
  EXPECT_EQ(frames.substr(2 * kBytes), Shoot({.poses = {poses[8]}}));
}

TEST_F(GoalFilm, WritesItsCaption) {
  EXPECT_EQ(CaptionOf("after", std::vector<std::string>{"forward", "energy"},
                      std::vector<double>{4913.27, -80.125}),
            "after\nforward 4913\nenergy -80.12");
  EXPECT_EQ(CaptionOf("", std::vector<std::string>{"forward"}, std::vector<double>{1}),
            "forward 1");
  EXPECT_NE(Shoot({.poses = {0}, .caption = "after"}), Shoot({.poses = {0}}));
}

}  // namespace
}  // namespace rhumb::film
