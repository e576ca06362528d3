// Frames -> a video file.
//
// The file's ending picks the format. `.webp`, an animated WebP, is written here; `.mp4`, `.webm`
// and `.gif` are written by the `ffmpeg` found on PATH, to which the frames are piped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "rhumb/core/files/temporary.h"

namespace rhumb::film {

// Writes one video, used by one thread at a time. The frames go to a temporary beside `path`, which
// Finish moves there: a file at `path` is always whole, and an earlier one stays until then.
// Destroyed without Finish, the writer leaves nothing behind.
//
// A WebP loops for ever. Browsers slow down pictures that last only a few milliseconds. So each
// frame is shown at its own time, rounded to milliseconds, and a frame that would follow the one
// before by less than 20 ms is left out.
class VideoWriter {
 public:
  // Throws Error for an unknown ending, a size or rate out of range, a path that cannot be written,
  // or a format that needs ffmpeg where there is none. `frames_per_second` is from 1 to 1000.
  VideoWriter(const std::filesystem::path& path, int width, int height, double frames_per_second);
  ~VideoWriter();
  VideoWriter(const VideoWriter&) = delete;
  VideoWriter& operator=(const VideoWriter&) = delete;

  // Appends a frame, RGB bytes [height, width, 3], top row first.
  void Add(std::span<const std::uint8_t> rgb);

  // Lets the next frame's time pass without it if it would be left out, so that it need not even be
  // drawn; returns whether that was so.
  bool SkipUnseen();

  // Completes the file and puts it in place. There must be at least one frame, and none after.
  void Finish();

  // Writes one format.
  class Encoder;

 private:
  const std::size_t frame_bytes_;
  core::Temporary file_;
  std::unique_ptr<Encoder> encoder_;
  bool has_frames_ = false;
};

}  // namespace rhumb::film
