#include "rhumb/film/video.h"

#include <gif_lib.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::film {
namespace {

namespace fs = std::filesystem;
using Frame = std::vector<std::uint8_t>;
using test::Contents;
using test::ErrorOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A GIF as a viewer shows it: every picture drawn over those before.
struct Gif {
  int width = 0;
  int height = 0;
  bool loops_for_ever = false;
  std::vector<int> delays;  // hundredths of a second
  std::vector<Frame> frames;
};

Gif ReadGif(const fs::path& path) {
  int error = 0;
  GifFileType* file = DGifOpenFileName(path.c_str(), &error);
  if (file == nullptr || DGifSlurp(file) != GIF_OK) {
    ADD_FAILURE() << "giflib cannot read " << path;
    return {};
  }
  Gif gif;
  gif.width = file->SWidth;
  gif.height = file->SHeight;
  Frame screen(3 * static_cast<std::size_t>(gif.width * gif.height));
  for (int i = 0; i < file->ImageCount; ++i) {
    const SavedImage& image = file->SavedImages[i];
    for (int e = 0; e + 1 < image.ExtensionBlockCount; ++e) {
      auto bytes = [&](const ExtensionBlock& block) {
        return std::string(reinterpret_cast<const char*>(block.Bytes),
                           static_cast<std::size_t>(block.ByteCount));
      };
      gif.loops_for_ever |= bytes(image.ExtensionBlocks[e]) == "NETSCAPE2.0" &&
                            bytes(image.ExtensionBlocks[e + 1]) == std::string("\1\0\0", 3);
    }
    GraphicsControlBlock control;
    EXPECT_EQ(DGifSavedExtensionToGCB(file, i, &control), GIF_OK);
    gif.delays.push_back(control.DelayTime);
    const GifImageDesc& box = image.ImageDesc;
    for (int at = 0; at < box.Width * box.Height; ++at) {
      const int index = image.RasterBits[at];
      if (index == control.TransparentColor) continue;
      const int pixel = (box.Top + at / box.Width) * gif.width + box.Left + at % box.Width;
      const GifColorType& colour = box.ColorMap->Colors[index];
      auto out = screen.begin() + 3 * pixel;
      out[0] = colour.Red;
      out[1] = colour.Green;
      out[2] = colour.Blue;
    }
    gif.frames.push_back(screen);
  }
  DGifCloseFile(file, &error);
  return gif;
}

int LargestDifference(const Frame& a, const Frame& b) {
  EXPECT_EQ(a.size(), b.size());
  int largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

class VideoTest : public testing::Test {
 protected:
  // Delays of a GIF of `count` small frames at this rate.
  std::vector<int> Delays(int count, double frames_per_second) const {
    VideoWriter video(folder_ / "rate.gif", 2, 1, frames_per_second);
    for (int i = 0; i < count; ++i) {
      const auto grey = static_cast<std::uint8_t>(i);
      video.Add(Frame(6, grey));
    }
    video.Finish();
    return ReadGif(folder_ / "rate.gif").delays;
  }

  const test::ScratchFolder scratch_;
  const fs::path folder_ = scratch_.path();
};

TEST_F(VideoTest, TwoFramesOfTwoPixels) {
  const Frame first = {255, 0, 0, 0, 0, 255};
  const Frame second = {255, 0, 0, 0, 255, 0};
  VideoWriter video(folder_ / "a.gif", 2, 1, 20.0);
  video.Add(first);
  video.Add(second);
  video.Finish();

  const Gif gif = ReadGif(folder_ / "a.gif");
  EXPECT_EQ(gif.width, 2);
  EXPECT_EQ(gif.height, 1);
  EXPECT_TRUE(gif.loops_for_ever);
  EXPECT_THAT(gif.delays, ElementsAre(5, 5));
  EXPECT_THAT(gif.frames, ElementsAre(first, second));
}

TEST_F(VideoTest, AveragesOddRates) {
  // Frames are due at 0, 4.17, 8.33, 12.5, ... hundredths.
  EXPECT_THAT(Delays(6, 24.0), ElementsAre(4, 4, 5, 4, 4, 4));
  const std::vector<int> second = Delays(24, 24.0);
  EXPECT_EQ(std::accumulate(second.begin(), second.end(), 0), 100);
}

TEST_F(VideoTest, LeavesOutFramesThatBrowsersWouldSlowDown) {
  // Due at 0, 1, 2, 3, ...: every second one stays.
  EXPECT_THAT(Delays(8, 100.0), ElementsAre(2, 2, 2, 2));
  for (const double rate : {62.5, 125.0, 500.0, 1000.0}) {
    const std::vector<int> delays = Delays(static_cast<int>(2 * rate), rate);
    EXPECT_THAT(delays, testing::Each(testing::Ge(2))) << rate;
    // Two seconds, and up to two hundredths because the last picture must last as long, too.
    EXPECT_NEAR(std::accumulate(delays.begin(), delays.end(), 0), 201, 1) << rate;
  }
}

TEST_F(VideoTest, SkipsWhatItWouldLeaveOut) {
  VideoWriter video(folder_ / "a.gif", 1, 1, 100.0);
  std::vector<bool> skipped;
  for (int i = 0; i < 6; ++i) {
    skipped.push_back(video.SkipUnseen());
    if (!skipped.back()) video.Add(Frame(3, 50));
  }
  video.Finish();
  EXPECT_THAT(skipped, ElementsAre(false, true, false, true, false, true));
  EXPECT_THAT(ReadGif(folder_ / "a.gif").delays, ElementsAre(2, 2, 2));
}

TEST_F(VideoTest, KeepsColoursOfAMovingPicture) {
  // A smooth background with more colours than a palette holds, and a small bright disc that
  // uncovers it as it moves.
  constexpr int kWidth = 96, kHeight = 64, kFrames = 30;
  std::vector<Frame> frames;
  for (int t = 0; t < kFrames; ++t) {
    Frame frame;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const bool disc = std::hypot(x - 10 - 2 * t, y - 30) < 8;
        const std::array<int, 3> colour =
            disc ? std::array{250, 120, 140} : std::array{2 * x, 3 * y, 90};
        for (int value : colour) frame.push_back(static_cast<std::uint8_t>(value));
      }
    }
    frames.push_back(frame);
  }
  VideoWriter video(folder_ / "disc.gif", kWidth, kHeight, 25.0);
  for (const Frame& frame : frames) video.Add(frame);
  video.Finish();

  const Gif gif = ReadGif(folder_ / "disc.gif");
  ASSERT_EQ(gif.frames.size(), frames.size());
  for (int t = 0; t < kFrames; ++t) {
    EXPECT_LE(LargestDifference(gif.frames[t], frames[t]), 16) << "frame " << t;
  }
  // Only what moves is written again.
  EXPECT_LT(fs::file_size(folder_ / "disc.gif"), std::size_t{kWidth * kHeight * kFrames / 4});
}

TEST_F(VideoTest, AStillPictureKeepsItsTime) {
  VideoWriter video(folder_ / "still.gif", 3, 2, 10.0);
  for (int i = 0; i < 3; ++i) video.Add(Frame(18, 77));
  video.Finish();
  const Gif gif = ReadGif(folder_ / "still.gif");
  EXPECT_THAT(gif.delays, ElementsAre(10, 10, 10));
  EXPECT_THAT(gif.frames, testing::Each(Frame(18, 77)));
}

TEST_F(VideoTest, AnUnfinishedVideoLeavesTheOldOne) {
  std::ofstream(folder_ / "a.gif") << "old";
  {
    VideoWriter video(folder_ / "a.gif", 2, 1, 20.0);
    video.Add(Frame(6, 1));
    EXPECT_EQ(Contents(folder_ / "a.gif"), "old");
  }
  EXPECT_THAT(scratch_.List(), ElementsAre("a.gif"));
  EXPECT_EQ(Contents(folder_ / "a.gif"), "old");
}

TEST_F(VideoTest, RefusesBadRequests) {
  auto message = [&](const char* name, int width, double rate) {
    return ErrorOf([&] { VideoWriter(folder_ / name, width, 1, rate); });
  };
  EXPECT_THAT(message("a.avi", 1, 20.0),
              HasSubstr("a.avi: the name of a video must end in .gif or .mp4"));
  EXPECT_THAT(message("none/a.gif", 1, 20.0), HasSubstr("No such file or directory"));
  EXPECT_THAT(message("a.gif", 0, 20.0), HasSubstr("0 x 1 pixels"));
  EXPECT_THAT(message("a.gif", 65536, 20.0), HasSubstr("from 1 to 65535"));
  EXPECT_THAT(message("a.gif", 1, 0.5), HasSubstr("0.5 frames per second"));
  EXPECT_THAT(message("a.gif", 1, std::nan("")), HasSubstr("nan frames per second"));
  EXPECT_THAT(scratch_.List(), IsEmpty());
}

// PATH holds only a stand-in for ffmpeg, whose body is given.
class Mp4Test : public VideoTest {
 protected:
  void UseFfmpeg(const std::string& body) {
    const fs::path tools = folder_ / "tools";
    fs::create_directories(tools);
    if (!body.empty()) {
      std::ofstream(tools / "ffmpeg") << "#!/bin/sh\nPATH=/usr/bin:/bin\n" << body << "\n";
      fs::permissions(tools / "ffmpeg", fs::perms::owner_all);
    }
    setenv("PATH", tools.c_str(), 1);
  }
  void TearDown() override { setenv("PATH", path_.c_str(), 1); }

  const std::string path_ = std::getenv("PATH");
  const fs::path file_ = folder_ / "a.mp4";
};

TEST_F(Mp4Test, PipesFramesToFfmpeg) {
  // Its last argument is the file, behind "file:".
  UseFfmpeg(R"(for last; do :; done; { echo "$@"; cat; } > "${last#file:}")");
  VideoWriter video(file_, 2, 1, 62.5);
  video.Add(Frame(6, 'x'));
  video.Add(Frame(6, 'y'));
  video.Finish();

  const std::string written = Contents(file_);
  EXPECT_THAT(written, HasSubstr("-f rawvideo -pix_fmt rgb24 -s 2x1 -r 62.5 -i pipe:0"));
  EXPECT_THAT(written, testing::EndsWith("\nxxxxxxyyyyyy"));
}

TEST_F(Mp4Test, ReportsAFailedFfmpeg) {
  UseFfmpeg("exit 3");
  VideoWriter video(file_, 640, 480, 20.0);
  const Frame frame(640 * 480 * 3);
  const std::string error = ErrorOf([&] {
    for (int i = 0; i < 10; ++i) video.Add(frame);
    video.Finish();
  });
  EXPECT_THAT(error, HasSubstr("a.mp4: ffmpeg ended with status 3"));
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(Mp4Test, AnUnfinishedVideoLeavesNothing) {
  UseFfmpeg(R"(for last; do :; done; cat > "${last#file:}")");
  { VideoWriter(file_, 2, 1, 20.0).Add(Frame(6, 'x')); }
  EXPECT_THAT(scratch_.List(), ElementsAre("tools"));
}

TEST_F(Mp4Test, SaysHowToGetFfmpeg) {
  UseFfmpeg("");
  EXPECT_THAT(ErrorOf([&] { VideoWriter(file_, 2, 1, 20.0); }),
              HasSubstr("apt-get install ffmpeg"));
}

}  // namespace
}  // namespace rhumb::film
