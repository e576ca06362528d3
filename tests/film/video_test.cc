#include "rhumb/film/video.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <webp/demux.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/small_disk.h"

namespace rhumb::film {
namespace {

namespace fs = std::filesystem;
using Frame = std::vector<std::uint8_t>;
using test::Contents;
using test::ErrorOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A WebP as a viewer shows it.
struct Webp {
  int width = 0;
  int height = 0;
  bool loops_for_ever = false;
  std::vector<int> delays = {};  // milliseconds
  std::vector<Frame> frames = {};
};

Webp ReadWebp(const fs::path& path) {
  const std::string bytes = Contents(path);
  const WebPData data = {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
  WebPAnimDecoderOptions options;
  WebPAnimDecoderOptionsInit(&options);
  options.color_mode = MODE_RGBA;
  const std::unique_ptr<WebPAnimDecoder, void (*)(WebPAnimDecoder*)> decoder(
      WebPAnimDecoderNew(&data, &options), WebPAnimDecoderDelete);
  WebPAnimInfo info;
  if (decoder == nullptr || WebPAnimDecoderGetInfo(decoder.get(), &info) == 0) {
    ADD_FAILURE() << "libwebp cannot read " << path;
    return {};
  }
  Webp webp = {.width = static_cast<int>(info.canvas_width),
               .height = static_cast<int>(info.canvas_height),
               .loops_for_ever = info.loop_count == 0};
  const std::size_t pixels = std::size_t{info.canvas_width} * info.canvas_height;
  int before = 0;
  while (WebPAnimDecoderHasMoreFrames(decoder.get()) != 0) {
    std::uint8_t* rgba = nullptr;
    int end = 0;
    EXPECT_NE(WebPAnimDecoderGetNext(decoder.get(), &rgba, &end), 0);
    webp.delays.push_back(end - before);
    before = end;
    Frame frame;
    for (std::size_t at = 0; at < pixels; ++at) {
      frame.insert(frame.end(), rgba + 4 * at, rgba + 4 * at + 3);
      EXPECT_EQ(rgba[4 * at + 3], 255);
    }
    webp.frames.push_back(frame);
  }
  return webp;
}

// Mean over pixels and channels of the absolute difference.
double MeanDifference(const Frame& a, const Frame& b) {
  EXPECT_EQ(a.size(), b.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

class VideoTest : public testing::Test {
 protected:
  // Delays of a WebP of `count` small frames at this rate, each unlike the one before.
  std::vector<int> Delays(int count, double frames_per_second) const {
    VideoWriter video(folder_ / "rate.webp", 2, 1, frames_per_second);
    for (int i = 0; i < count; ++i) {
      const auto grey = static_cast<std::uint8_t>(53 * i);
      video.Add(Frame(6, grey));
    }
    video.Finish();
    return ReadWebp(folder_ / "rate.webp").delays;
  }

  const test::ScratchFolder scratch_;
  const fs::path folder_ = scratch_.path();
};

TEST_F(VideoTest, TwoFramesOfOneColour) {
  const int width = 20, height = 10;
  VideoWriter video(folder_ / "a.webp", width, height, 20.0);
  video.Add(Frame(3 * width * height, 200));
  video.Add(Frame(3 * width * height, 50));
  video.Finish();

  const Webp webp = ReadWebp(folder_ / "a.webp");
  EXPECT_EQ(webp.width, width);
  EXPECT_EQ(webp.height, height);
  EXPECT_TRUE(webp.loops_for_ever);
  EXPECT_THAT(webp.delays, ElementsAre(50, 50));
  ASSERT_EQ(webp.frames.size(), 2u);
  // Lossy, even where there is nothing to lose.
  EXPECT_THAT(webp.frames[0], testing::Each(testing::AllOf(testing::Ge(198), testing::Le(202))));
  EXPECT_THAT(webp.frames[1], testing::Each(testing::AllOf(testing::Ge(48), testing::Le(52))));
}

TEST_F(VideoTest, AveragesOddRates) {
  // Frames are due at 0, 41.67, 83.33, 125, ... milliseconds.
  EXPECT_THAT(Delays(6, 24.0), ElementsAre(42, 41, 42, 42, 41, 42));
  const std::vector<int> second = Delays(24, 24.0);
  EXPECT_EQ(std::accumulate(second.begin(), second.end(), 0), 1000);
}

TEST_F(VideoTest, LeavesOutFramesThatBrowsersWouldSlowDown) {
  // Due at 0, 10, 20, 30, ...: every second one stays.
  EXPECT_THAT(Delays(8, 100.0), ElementsAre(20, 20, 20, 20));
  for (const double rate : {62.5, 125.0, 500.0, 1000.0}) {
    const std::vector<int> delays = Delays(static_cast<int>(2 * rate), rate);
    EXPECT_THAT(delays, testing::Each(testing::Ge(20))) << rate;
    // Two seconds, and up to 20 ms because the last picture must last as long, too.
    EXPECT_NEAR(std::accumulate(delays.begin(), delays.end(), 0), 2010, 10) << rate;
  }
}

TEST_F(VideoTest, KeepsColoursOfAMovingPicture) {
  // A smooth background, and a small bright disc that uncovers it as it moves.
  const int width = 96, height = 64, count = 30;
  std::vector<Frame> frames;
  for (int t = 0; t < count; ++t) {
    Frame frame;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const bool disc = std::hypot(x - 10 - 2 * t, y - 30) < 8;
        const std::array<int, 3> colour =
            disc ? std::array{250, 120, 140} : std::array{2 * x, 3 * y, 90};
        for (int value : colour) frame.push_back(static_cast<std::uint8_t>(value));
      }
    }
    frames.push_back(frame);
  }
  VideoWriter video(folder_ / "disc.webp", width, height, 25.0);
  for (const Frame& frame : frames) video.Add(frame);
  video.Finish();

  const Webp webp = ReadWebp(folder_ / "disc.webp");
  ASSERT_EQ(webp.frames.size(), frames.size());
  for (int t = 0; t < count; ++t) {
    // Lossy: up to 3.6. A disc that left a trail would come to 15.
    EXPECT_LT(MeanDifference(webp.frames[t], frames[t]), 5) << "frame " << t;
  }
  // Only what moves is written again.
  EXPECT_LT(fs::file_size(folder_ / "disc.webp"), std::size_t{width * height * count / 8});
}

TEST_F(VideoTest, APictureThatStandsStillIsWrittenOnce) {
  VideoWriter video(folder_ / "still.webp", 3, 2, 10.0);
  for (const std::uint8_t grey : {77, 77, 77, 200}) video.Add(Frame(18, grey));
  video.Finish();
  EXPECT_THAT(ReadWebp(folder_ / "still.webp").delays, ElementsAre(300, 100));
}

TEST_F(VideoTest, AnUnfinishedVideoLeavesTheOldOne) {
  std::ofstream(folder_ / "a.webp") << "old";
  {
    VideoWriter video(folder_ / "a.webp", 2, 1, 20.0);
    video.Add(Frame(6, 1));
    EXPECT_EQ(Contents(folder_ / "a.webp"), "old");
  }
  EXPECT_THAT(scratch_.List(), ElementsAre("a.webp"));
  EXPECT_EQ(Contents(folder_ / "a.webp"), "old");
}

TEST_F(VideoTest, RefusesBadRequests) {
  auto message = [&](const char* name, int width, double rate) {
    return ErrorOf([&] { VideoWriter(folder_ / name, width, 1, rate); });
  };
  for (const char* name : {"a.avi", "a", "a.WEBP"}) {
    EXPECT_THAT(message(name, 1, 20.0),
                testing::EndsWith(std::string(name) +
                                  ": the name of a video must end in .webp or, if ffmpeg is "
                                  "installed, in .mp4, .gif or .webm"));
  }
  EXPECT_THAT(message("none/a.webp", 1, 20.0), HasSubstr("No such file or directory"));
  EXPECT_THAT(message("a.webp", 0, 20.0), HasSubstr("0 x 1 pixels"));
  EXPECT_THAT(message("a.webp", 16384, 20.0), HasSubstr("from 1 to 16383"));
  EXPECT_THAT(message("a.webp", 1, 0.5), HasSubstr("0.5 frames per second"));
  EXPECT_THAT(message("a.webp", 1, std::nan("")), HasSubstr("nan frames per second"));
  EXPECT_THAT(scratch_.List(), IsEmpty());
}

TEST_F(VideoTest, AFullDiskIsAnError) {
  const fs::path disk = folder_ / "disk";
  fs::create_directory(disk);
  const test::SmallDisk small(disk);
  // Noise, which does not compress.
  constexpr int kSide = 512;
  Frame frame(3 * kSide * kSide);
  std::uint32_t state = 1;
  for (std::uint8_t& value : frame)
    value = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  VideoWriter video(disk / "a.webp", kSide, kSide, 20.0);
  for (int i = 0; i < 4; ++i) {
    std::rotate(frame.begin(), frame.begin() + 1000, frame.end());
    video.Add(frame);
  }
  EXPECT_THAT(ErrorOf([&] { video.Finish(); }), HasSubstr("a.webp: "));
  EXPECT_FALSE(fs::exists(disk / "a.webp"));
}

// PATH holds only a stand-in for ffmpeg, whose body is given.
class FfmpegTest : public VideoTest {
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

TEST_F(FfmpegTest, PipesFramesToFfmpeg) {
  // Its last argument is the file, behind "file:".
  UseFfmpeg(R"(for last; do :; done; { echo "$@"; cat; } > "${last#file:}")");
  for (const std::string format : {"mp4", "webm", "gif"}) {
    const fs::path file = folder_ / ("a." + format);
    VideoWriter video(file, 2, 1, 62.5);
    video.Add(Frame(6, 'x'));
    video.Add(Frame(6, 'y'));
    video.Finish();

    const std::string written = Contents(file);
    EXPECT_THAT(written, HasSubstr("-f rawvideo -pix_fmt rgb24 -s 2x1 -r 62.5 -i pipe:0 "));
    EXPECT_THAT(written, HasSubstr(" -f " + format + " file:"));
    EXPECT_THAT(written, testing::EndsWith("\nxxxxxxyyyyyy"));
  }
}

TEST_F(FfmpegTest, ReportsAFailedFfmpeg) {
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

TEST_F(FfmpegTest, AnUnfinishedVideoLeavesNothing) {
  UseFfmpeg(R"(for last; do :; done; cat > "${last#file:}")");
  { VideoWriter(file_, 2, 1, 20.0).Add(Frame(6, 'x')); }
  EXPECT_THAT(scratch_.List(), ElementsAre("tools"));
}

TEST_F(FfmpegTest, SaysHowToGetFfmpeg) {
  UseFfmpeg("");
  EXPECT_THAT(ErrorOf([&] { VideoWriter(file_, 2, 1, 20.0); }),
              HasSubstr("apt-get install ffmpeg"));
}

}  // namespace
}  // namespace rhumb::film
