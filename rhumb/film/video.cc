#include "rhumb/film/video.h"

#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <future>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/process/child_process.h"

namespace rhumb::film {

// Writes one file. Without Finish, the destructor only releases its resources.
class VideoWriter::Encoder {
 public:
  virtual ~Encoder() = default;
  virtual void Add(std::span<const std::uint8_t> rgb) = 0;
  virtual void Finish() = 0;
};

namespace {

struct DeleteEncoder {
  void operator()(WebPAnimEncoder* encoder) const { WebPAnimEncoderDelete(encoder); }
};

// An animated WebP, lossy, in which each picture holds only the rectangle that changed. It is kept
// in memory until Finish. A second thread encodes a frame while the caller draws the next one.
class WebpEncoder : public VideoWriter::Encoder {
 public:
  WebpEncoder(const core::Temporary& file, int width, int height, double frames_per_second)
      : file_(file), frames_per_second_(frames_per_second) {
    WebPAnimEncoderOptions options;
    RHUMB_CHECK(WebPAnimEncoderOptionsInit(&options) && WebPPictureInit(&picture_) &&
                    WebPConfigPreset(&config_, WEBP_PRESET_DEFAULT, kQuality),
                "the version of libwebp differs from that of its headers");
    config_.method = kMethod;
    picture_.use_argb = 1;
    picture_.width = width;
    picture_.height = height;
    encoder_.reset(WebPAnimEncoderNew(width, height, &options));
    if (encoder_ == nullptr) FailToWrite("out of memory");
  }
  ~WebpEncoder() override {
    if (encoding_.valid()) encoding_.wait();
    WebPPictureFree(&picture_);
  }

  void Add(std::span<const std::uint8_t> rgb) override {
    const int time = NextTime();
    if (++frames_ > 1 && time - time_ < kMinMilliseconds) return;
    Await();
    time_ = time;
    if (!WebPPictureImportRGB(&picture_, rgb.data(), 3 * picture_.width)) {
      FailToWrite("out of memory");
    }
    encoding_ = std::async(std::launch::async, [this] {
      return WebPAnimEncoderAdd(encoder_.get(), &picture_, time_, &config_) != 0;
    });
  }

  void Finish() override {
    Await();
    // An empty frame ends the last one.
    const int end = std::max(time_ + kMinMilliseconds, NextTime());
    WebPData data;
    WebPDataInit(&data);
    if (!WebPAnimEncoderAdd(encoder_.get(), nullptr, end, nullptr) ||
        !WebPAnimEncoderAssemble(encoder_.get(), &data)) {
      FailToWrite(WebPAnimEncoderGetError(encoder_.get()));
    }
    std::ofstream stream(file_.path(), std::ios::binary);
    stream.write(reinterpret_cast<const char*>(data.bytes),
                 static_cast<std::streamsize>(data.size));
    stream.close();
    WebPDataClear(&data);
    if (!stream) FailToWrite("the disk is full or cannot be written");
  }

 private:
  static constexpr int kMinMilliseconds = 20;
  static constexpr float kQuality = 75;  // of 100
  static constexpr int kMethod = 2;      // 0 is fastest, 6 gives the smallest file

  // The time of the next frame, in milliseconds from the start.
  int NextTime() const {
    return static_cast<int>(std::lround(1000.0 * frames_ / frames_per_second_));
  }

  // Waits until the previous frame is encoded.
  void Await() {
    if (encoding_.valid() && !encoding_.get()) FailToWrite(WebPAnimEncoderGetError(encoder_.get()));
  }

  [[noreturn]] void FailToWrite(const char* reason) const {
    Fail("cannot write {}: {}", file_.final_path().string(), reason);
  }

  const core::Temporary& file_;
  const double frames_per_second_;
  WebPConfig config_;
  WebPPicture picture_;
  std::unique_ptr<WebPAnimEncoder, DeleteEncoder> encoder_;
  int frames_ = 0;              // passed to Add so far, including skipped ones
  int time_ = 0;                // of the last frame that was not skipped, in milliseconds
  std::future<bool> encoding_;  // encodes the frame at time_; owns picture_ and encoder_ meanwhile
};

// A format that ffmpeg writes: the ending, and the words between the input and the file.
struct FfmpegFormat {
  std::string_view ending, words;
};
constexpr std::array kFfmpegFormats = {
    // Most players want even sizes and 4:2:0 chroma.
    FfmpegFormat{".mp4",
                 "-vf pad=ceil(iw/2)*2:ceil(ih/2)*2 -pix_fmt yuv420p -movflags +faststart -f mp4"},
    // Constant quality: the default bit rate is for small pictures.
    FfmpegFormat{".webm", "-pix_fmt yuv420p -c:v libvpx-vp9 -crf 32 -b:v 0 -cpu-used 4 -f webm"},
    // A palette for each picture; browsers slow down those that last less than 20 ms.
    FfmpegFormat{".gif",
                 "-vf fps=min(source_fps\\,50),split[a][b];[a]palettegen=stats_mode=single[p];"
                 "[b][p]paletteuse=new=1 -f gif"},
};

std::vector<std::string> FfmpegWords(const core::Temporary& file, const FfmpegFormat& format,
                                     int width, int height, double frames_per_second) {
  std::istringstream words(
      fmt::format("ffmpeg -nostdin -loglevel error -y -f rawvideo -pix_fmt rgb24 -s {}x{} -r {} "
                  "-i pipe:0 {}",
                  width, height, frames_per_second, format.words));
  std::vector<std::string> list(std::istream_iterator<std::string>(words), {});
  list.push_back("file:" + file.path().string());
  return list;
}

// Pipes raw frames to an ffmpeg process.
class FfmpegEncoder : public VideoWriter::Encoder {
 public:
  FfmpegEncoder(const core::Temporary& file, const std::vector<std::string>& words) try
      : file_(file), process_(words, {.input = core::ProcessOptions::kPipe}) {
  } catch (const Error& error) {
    Fail(
        "cannot write {}: {}; install it, on Debian or Ubuntu 'apt-get install ffmpeg', or write a "
        ".webp",
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
  if (width < 1 || width > WEBP_MAX_DIMENSION || height < 1 || height > WEBP_MAX_DIMENSION) {
    Fail("a video of {} x {} pixels was requested; each side must be from 1 to {}", width, height,
         WEBP_MAX_DIMENSION);
  }
  if (!(frames_per_second >= 1.0 && frames_per_second <= 1000.0)) {
    Fail("a video of {} frames per second was requested; the rate must be from 1 to 1000",
         frames_per_second);
  }
  const std::string ending = file.final_path().extension().string();
  if (ending == ".webp") {
    return std::make_unique<WebpEncoder>(file, width, height, frames_per_second);
  }
  for (const FfmpegFormat& format : kFfmpegFormats) {
    if (ending != format.ending) continue;
    return std::make_unique<FfmpegEncoder>(
        file, FfmpegWords(file, format, width, height, frames_per_second));
  }
  Fail(
      "cannot write {}: the name of a video must end in .webp or, if ffmpeg is installed, in .mp4, "
      ".gif or .webm",
      file.final_path().string());
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

void VideoWriter::Finish() {
  RHUMB_CHECK(encoder_ != nullptr && has_frames_,
              "only an unfinished video with frames can be finished");
  std::exchange(encoder_, nullptr)->Finish();
  core::SyncToDisk(file_.path());
  file_.MoveToFinal();
}

}  // namespace rhumb::film
