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

// Writes one video, used by one thread at a time. The frames go to a temporary file beside `path`,
// which Finish moves to `path`. Without Finish, the writer leaves nothing behind.
//
// A WebP loops forever. Browsers slow down frames that last only a few milliseconds. So frames keep
// their time, rounded to milliseconds, and a frame less than 20 ms after the last one is skipped.
class VideoWriter {
 public:
  // Throws Error for an unknown ending, a size or rate out of range, a path that cannot be written,
  // or a format that needs ffmpeg if it is missing. `frames_per_second` is from 1 to 1000.
  VideoWriter(const std::filesystem::path& path, int width, int height, double frames_per_second);
  ~VideoWriter();

  // Appends a frame, RGB bytes [height, width, 3], top row first.
  void Add(std::span<const std::uint8_t> rgb);

  // Completes the file and moves it to its path. Requires at least one frame; call it last.
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
