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
  constexpr std::size_t kRow = 3 * kWidth;
  std::string columns;
  for (std::size_t row = 0; row < kHeight; ++row) {
    columns += frames.substr((frame * kHeight + row) * 2 * kRow + pane * kRow, kRow);
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
  const std::vector<float> brief = {0.3f, 0}, longer = {0, 0, 0.2f, 0, 0.4f, 0};
  Film film(environment, file_, {.width = kWidth, .height = kHeight, .panes = 2});
  film.Add(std::vector{brief, longer});
  film.Add(std::vector{longer, brief});
  film.Finish();

  const std::string frames = test::Contents(file_);
  ASSERT_EQ(frames.size(), std::size_t{6 * 2 * 3 * kWidth * kHeight});
  for (std::size_t t = 0; t < 3; ++t) {
    EXPECT_EQ(Pane(frames, t, 0), Pane(frames, 0, 0)) << t;
    EXPECT_EQ(Pane(frames, 3 + t, 1), Pane(frames, 0, 0)) << t;
    EXPECT_EQ(Pane(frames, 3 + t, 0), Pane(frames, t, 1)) << t;
  }
  EXPECT_NE(Pane(frames, 1, 1), Pane(frames, 0, 1));
  EXPECT_NE(Pane(frames, 2, 1), Pane(frames, 1, 1));
}

}  // namespace
}  // namespace rhumb::film
