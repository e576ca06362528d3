// Poses -> a video: what behaviours look like, one or several side by side.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rhumb/film/video.h"
#include "rhumb/sim/environment.h"
#include "rhumb/sim/renderer.h"

namespace rhumb::film {

struct FilmOptions {
  int width = 480, height = 360;  // of a pane, pixels
  int panes = 1;                  // pictures side by side
};

// The Error that a Film at `path` would begin with, if any: an unknown ending, a folder that cannot
// be written, a format that needs ffmpeg where there is none. Leaves nothing there.
void CheckFilmPath(const std::string& path);

// One video, through the camera of the environment's spec; used by the thread that made it. Nothing
// is at `path` before Finish. The environment outlives it.
class Film {
 public:
  Film(const sim::Environment& environment, const std::string& path, const FilmOptions& options);

  // Appends an episode: poses[i] is qpos [T + 1, nq] as data::Episode has it, shown in pane i from
  // the left. All start together; one that is over before the others stands still at its end. An
  // interrupt that is being caught ends the command.
  void Add(std::span<const std::vector<float>> poses);

  void Finish() { video_.Finish(); }

 private:
  // Draws the pose into its columns of the frame.
  void Draw(std::size_t pane, std::span<const float> qpos);

  const sim::Environment& environment_;
  std::vector<std::unique_ptr<sim::Renderer>> renderers_;  // by pane
  VideoWriter video_;
  sim::DataPointer data_;
  std::vector<std::uint8_t> frame_;  // RGB [height, panes * width, 3]
};

}  // namespace rhumb::film
