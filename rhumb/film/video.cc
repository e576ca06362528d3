#include "rhumb/film/video.h"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "rhumb/core/child_process.h"
#include "rhumb/core/error.h"
#include "rhumb/core/file.h"

namespace rhumb::film {

// One file being written. Destroyed before Finish, it only lets go of what it holds.
class VideoWriter::Encoder {
 public:
  virtual ~Encoder() = default;
  virtual void Add(std::span<const std::uint8_t> rgb) = 0;
  virtual bool SkipUnseen() { return false; }
  virtual void Finish() = 0;
};

namespace {

// At most 255 colours for a set of pixels: a box in colour space around them all, then, again and
// again, the box with the largest sum of squared errors cut in two at its mean. (giflib's own
// quantiser merges rare colours with distant ones, which shows as ghosts behind a moving robot.)
class Palette {
 public:
  // For the pixels numbered `chosen` of a picture of RGB bytes.
  Palette(std::span<const std::uint8_t> rgb, std::span<const std::size_t> chosen) {
    // Pixels of almost the same colour are one bin from here on; table_ finds it.
    std::vector<Bin> bins;
    for (std::size_t at : chosen) {
      const std::uint8_t* colour = &rgb[3 * at];
      std::uint32_t& number = table_[Key(colour)];
      if (number == 0) {
        bins.push_back({.key = Key(colour)});
        number = static_cast<std::uint32_t>(bins.size());
      }
      Bin& bin = bins[number - 1];
      bin.count += 1.0;
      for (std::size_t c = 0; c < 3; ++c) bin.sum[c] += colour[c];
    }

    std::vector<Box> boxes;
    if (!bins.empty()) boxes.push_back(MakeBox(bins));
    auto smaller_error = [](const Box& a, const Box& b) { return a.error < b.error; };
    while (boxes.size() < kMaxColours) {
      const auto worst = std::max_element(boxes.begin(), boxes.end(), smaller_error);
      if (worst == boxes.end() || worst->error < kNegligibleError) break;
      const auto upper = std::partition(worst->bins.begin(), worst->bins.end(),
                                        [&, axis = worst->axis](const Bin& bin) {
                                          return bin.sum[axis] <= worst->mean[axis] * bin.count;
                                        });
      const std::span<Bin> above(upper, worst->bins.end());
      *worst = MakeBox({worst->bins.begin(), upper});
      boxes.push_back(MakeBox(above));
    }

    // From here on table_ finds the colour.
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      auto mean = [&](std::size_t c) {
        return static_cast<GifByteType>(std::lround(boxes[i].mean[c]));
      };
      colours_[i] = {mean(0), mean(1), mean(2)};
      for (const Bin& bin : boxes[i].bins) table_[bin.key] = static_cast<std::uint32_t>(i);
    }
  }

  // The index of the colour that stands for one of the pixels.
  std::uint8_t index(const std::uint8_t* rgb) const {
    return static_cast<std::uint8_t>(table_[Key(rgb)]);
  }
  const std::array<GifColorType, 256>& colours() const { return colours_; }

 private:
  static constexpr std::size_t kMaxColours = 255;
  static constexpr double kNegligibleError = 0.5;
  static constexpr unsigned kBits = 5;  // of each channel, tell bins apart

  struct Bin {
    std::size_t key = 0;
    double count = 0.0;
    std::array<double, 3> sum{};
  };
  struct Box {
    std::span<Bin> bins;
    std::array<double, 3> mean{};
    double error = 0.0;    // sum over pixels and channels of (value - mean)^2
    std::size_t axis = 0;  // the channel with the largest part of it
  };

  static std::size_t Key(const std::uint8_t* rgb) {
    std::size_t key = 0;
    for (std::size_t c = 0; c < 3; ++c) key = key << kBits | rgb[c] >> (8 - kBits);
    return key;
  }

  static Box MakeBox(std::span<Bin> bins) {
    Box box{.bins = bins};
    double count = 0.0;
    for (const Bin& bin : bins) count += bin.count;
    double largest = 0.0;
    for (std::size_t c = 0; c < 3; ++c) {
      for (const Bin& bin : bins) box.mean[c] += bin.sum[c] / count;
      double error = 0.0;
      for (const Bin& bin : bins) {
        const double deviation = bin.sum[c] / bin.count - box.mean[c];
        error += bin.count * deviation * deviation;
      }
      box.error += error;
      if (error > largest) box.axis = c;
      largest = std::max(largest, error);
    }
    return box;
  }

  std::vector<std::uint32_t> table_ = std::vector<std::uint32_t>(1u << (3 * kBits));
  std::array<GifColorType, 256> colours_{};
};

struct CloseGif {
  void operator()(GifFileType* gif) const {
    int ignored = 0;
    EGifCloseFile(gif, &ignored);
  }
};

// An animated GIF. Each picture holds only the pixels that look different from what is already on
// the screen, in a palette of its own made for these pixels; all others are transparent.
class GifEncoder : public VideoWriter::Encoder {
 public:
  GifEncoder(const core::Temporary& file, int width, int height, double frames_per_second)
      : file_(file),
        width_(static_cast<std::size_t>(width)),
        height_(static_cast<std::size_t>(height)),
        frames_per_second_(frames_per_second) {
    int error = 0;
    gif_.reset(EGifOpenFileName(file.path().c_str(), /*GifTestExistence=*/false, &error));
    if (gif_ == nullptr) FailToWrite(error);
    EGifSetGifVersion(gif_.get(), /*gif89=*/true);

    constexpr int kBitsPerColour = 8;
    constexpr std::array<std::uint8_t, 3> kLoopForEver = {1, 0, 0};
    Check(EGifPutScreenDesc(gif_.get(), width, height, kBitsPerColour, 0, nullptr));
    Check(EGifPutExtensionLeader(gif_.get(), APPLICATION_EXT_FUNC_CODE));
    Check(EGifPutExtensionBlock(gif_.get(), 11, "NETSCAPE2.0"));
    Check(EGifPutExtensionBlock(gif_.get(), kLoopForEver.size(), kLoopForEver.data()));
    Check(EGifPutExtensionTrailer(gif_.get()));
  }

  void Add(std::span<const std::uint8_t> rgb) override {
    if (SkipUnseen()) return;
    // A picture's duration is written before it, so each waits for the next.
    const long long time = NextTime();
    if (!waiting_.empty()) Write(time - waiting_time_);
    waiting_.assign(rgb.begin(), rgb.end());
    waiting_time_ = time;
    ++frames_;
  }

  bool SkipUnseen() override {
    if (waiting_.empty() || NextTime() - waiting_time_ >= kMinDelay) return false;
    ++frames_;
    return true;
  }

  void Finish() override {
    Write(std::max(kMinDelay, NextTime() - waiting_time_));
    int error = 0;
    if (EGifCloseFile(gif_.release(), &error) != GIF_OK) FailToWrite(error);
  }

 private:
  static constexpr long long kMinDelay = 2;          // hundredths of a second
  static constexpr std::uint8_t kTransparent = 255;  // the index that Palette leaves free

  // Largest difference, of 255, in any channel at which a pixel on the screen is left as it is.
  static constexpr int kTolerance = 4;

  // When the next frame given is due, in hundredths of a second from the start.
  long long NextTime() const {
    return std::llround(100.0 * static_cast<double>(frames_) / frames_per_second_);
  }

  // Writes the waiting picture, to stay for `delay` hundredths of a second.
  void Write(long long delay) {
    // The pixels to draw and the rectangle that holds them.
    drawn_.clear();
    std::size_t left = width_, right = 0, top = height_, bottom = 0;
    for (std::size_t y = 0, at = 0; y < height_; ++y) {
      for (std::size_t x = 0; x < width_; ++x, ++at) {
        if (!IsDifferent(at)) continue;
        drawn_.push_back(at);
        left = std::min(left, x);
        right = std::max(right, x);
        top = std::min(top, y);
        bottom = std::max(bottom, y);
      }
    }
    if (drawn_.empty()) left = top = 0;

    const Palette palette(waiting_, drawn_);
    raster_.assign(width_ * height_, kTransparent);
    screen_.resize(waiting_.size());
    for (std::size_t at : drawn_) {
      raster_[at] = palette.index(&waiting_[3 * at]);
      const GifColorType& colour = palette.colours()[raster_[at]];
      screen_[3 * at] = colour.Red;
      screen_[3 * at + 1] = colour.Green;
      screen_[3 * at + 2] = colour.Blue;
    }

    GraphicsControlBlock control{};
    control.DisposalMode = DISPOSE_DO_NOT;
    control.DelayTime = static_cast<int>(delay);
    control.TransparentColor = kTransparent;
    std::array<GifByteType, 4> extension;
    EGifGCBToExtension(&control, extension.data());
    Check(EGifPutExtension(gif_.get(), GRAPHICS_EXT_FUNC_CODE, extension.size(), extension.data()));

    const std::unique_ptr<ColorMapObject, void (*)(ColorMapObject*)> map(
        GifMakeMapObject(256, palette.colours().data()), GifFreeMapObject);
    const int columns = static_cast<int>(right - left + 1);
    const int rows = static_cast<int>(bottom - top + 1);
    Check(EGifPutImageDesc(gif_.get(), static_cast<int>(left), static_cast<int>(top), columns, rows,
                           /*GifInterlace=*/false, map.get()));
    for (std::size_t y = top; y <= bottom; ++y) {
      Check(EGifPutLine(gif_.get(), raster_.data() + y * width_ + left, columns));
    }
  }

  // Whether pixel `at` of the waiting picture must be drawn over what the screen shows.
  bool IsDifferent(std::size_t at) const {
    if (screen_.empty()) return true;
    for (std::size_t i = 3 * at; i < 3 * at + 3; ++i) {
      if (std::abs(waiting_[i] - screen_[i]) > kTolerance) return true;
    }
    return false;
  }

  void Check(int status) const {
    if (status != GIF_OK) FailToWrite(gif_->Error);
  }

  [[noreturn]] void FailToWrite(int error) const {
    const char* reason = GifErrorString(error);
    Fail("cannot write {}: {}", file_.final_path().string(),
         reason != nullptr ? reason : "unknown reason");
  }

  const core::Temporary& file_;
  const std::size_t width_;
  const std::size_t height_;
  const double frames_per_second_;
  std::unique_ptr<GifFileType, CloseGif> gif_;
  long long frames_ = 0;               // given so far, left out or not
  std::vector<std::uint8_t> waiting_;  // RGB [height, width, 3]; empty before the first frame
  long long waiting_time_ = 0;         // when it is due
  std::vector<std::uint8_t> screen_;   // what a viewer shows; empty before the first picture

  // Scratch of Write.
  std::vector<std::size_t> drawn_;
  std::vector<GifByteType> raster_;
};

// The words that make ffmpeg read raw frames from its stdin and write an MP4. Most players want
// even sizes and 4:2:0 chroma.
std::vector<std::string> FfmpegWords(const core::Temporary& file, int width, int height,
                                     double frames_per_second) {
  std::istringstream words(
      fmt::format("ffmpeg -nostdin -loglevel error -y -f rawvideo -pix_fmt rgb24 -s {}x{} -r {} "
                  "-i pipe:0 -vf pad=ceil(iw/2)*2:ceil(ih/2)*2 -pix_fmt yuv420p "
                  "-movflags +faststart -f mp4",
                  width, height, frames_per_second));
  std::vector<std::string> list(std::istream_iterator<std::string>(words), {});
  list.push_back("file:" + file.path().string());
  return list;
}

// MP4, by an ffmpeg process that reads raw frames.
class FfmpegEncoder : public VideoWriter::Encoder {
 public:
  FfmpegEncoder(const core::Temporary& file, int width, int height, double frames_per_second) try
      : file_(file),
        process_(FfmpegWords(file, width, height, frames_per_second),
                 {.input = core::ProcessOptions::kPipe}) {
  } catch (const Error& error) {
    Fail(
        "cannot write {}: {}; install it, on Debian or Ubuntu 'apt-get install ffmpeg', or write a "
        ".gif",
        file.final_path().string(), error.what());
  }

  void Add(std::span<const std::uint8_t> rgb) override {
    if (!process_.Write(rgb)) FailToWrite(process_.Wait());
  }

  void Finish() override {
    if (const core::ProcessEnd end = process_.Wait(); !end.ok()) FailToWrite(end);
  }

 private:
  [[noreturn]] void FailToWrite(core::ProcessEnd end) const {
    Fail("cannot write {}: ffmpeg ended with status {}, its own message is on stderr",
         file_.final_path().string(), end.shell_status());
  }

  const core::Temporary& file_;
  core::ChildProcess process_;
};

std::unique_ptr<VideoWriter::Encoder> MakeEncoder(const core::Temporary& file, int width,
                                                  int height, double frames_per_second) {
  constexpr int kMaxSize = 65535;  // of a GIF
  if (width < 1 || width > kMaxSize || height < 1 || height > kMaxSize) {
    Fail("a video of {} x {} pixels is asked for; each side must be from 1 to {}", width, height,
         kMaxSize);
  }
  if (!(frames_per_second >= 1.0 && frames_per_second <= 1000.0)) {
    Fail("a video of {} frames per second is asked for; the rate must be from 1 to 1000",
         frames_per_second);
  }
  const std::string ending = file.final_path().extension().string();
  if (ending == ".gif") {
    return std::make_unique<GifEncoder>(file, width, height, frames_per_second);
  }
  if (ending == ".mp4") {
    return std::make_unique<FfmpegEncoder>(file, width, height, frames_per_second);
  }
  Fail("cannot write {}: the name of a video must end in .gif or .mp4", file.final_path().string());
}

}  // namespace

VideoWriter::VideoWriter(const std::filesystem::path& path, int width, int height,
                         double frames_per_second)
    : frame_bytes_(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height)),
      file_(core::Temporary::MakeFile(path)),
      encoder_(MakeEncoder(file_, width, height, frames_per_second)) {}

VideoWriter::~VideoWriter() = default;

void VideoWriter::Add(std::span<const std::uint8_t> rgb) {
  RHUMB_CHECK(encoder_ != nullptr, "a frame is added to a finished video");
  RHUMB_CHECK(rgb.size() == frame_bytes_, "a frame of {} bytes is added to a video of {} per frame",
              rgb.size(), frame_bytes_);
  encoder_->Add(rgb);
  has_frames_ = true;
}

bool VideoWriter::SkipUnseen() {
  RHUMB_CHECK(encoder_ != nullptr, "a frame is added to a finished video");
  return encoder_->SkipUnseen();
}

void VideoWriter::Finish() {
  RHUMB_CHECK(encoder_ != nullptr && has_frames_,
              "a video without frames, or finished, is finished");
  std::exchange(encoder_, nullptr)->Finish();
  core::SyncToDisk(file_.path());
  file_.MoveToFinal();
}

}  // namespace rhumb::film
