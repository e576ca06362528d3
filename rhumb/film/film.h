// Poses -> a video of one or several behaviours, side by side.
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
  int width = 480, height = 360;  // pixels of a pane
  int panes = 1;                  // behaviours side by side
};

// A gap between two panes, in pixels.
constexpr int kSeam = 4;
// Poses that come faster are left out: drawing is the expensive part.
constexpr double kMaxFramesPerSecond = 30;

// An episode in one pane.
struct Take {
  std::vector<float> poses;  // qpos [T + 1, nq], as in data::Episode
  // Mocap bodies: positions [nmocap, 3], then quaternions [nmocap, 4]. Empty: as in the model.
  std::vector<float> mocap = {};
  std::string caption = {};  // lines over the picture, top left
};

// Lines for a take: a name, unless it is "", then the first few values.
std::string CaptionOf(const std::string& name, std::span<const std::string> quantities,
                      std::span<const double> values);

// Throws the Error that a Film at `path` would start with: an unknown ending, a folder that cannot
// be written, or a missing ffmpeg. Leaves no file.
void CheckFilmPath(const std::string& path);

// One video from the camera of the environment's spec, used by the thread that made it. Finish
// creates the file at `path`. The environment must outlive it.
class Film {
 public:
  Film(const sim::Environment& environment, const std::string& path, const FilmOptions& options);

  // Appends an episode: take i is for pane i from the left. All start together; a shorter one shows
  // its last pose until the end. A caught interrupt ends the command.
  void Add(std::span<const Take> takes);

  void Finish() { video_.Finish(); }

 private:
  // Draws the pose into its columns of the frame.
  void Draw(std::size_t pane, std::span<const float> qpos, std::span<const float> mocap);

  const sim::Environment& environment_;
  const std::size_t stride_;                               // every n-th pose is drawn
  std::vector<std::unique_ptr<sim::Renderer>> renderers_;  // by pane
  VideoWriter video_;
  sim::DataPointer data_;
  std::size_t row_bytes_;            // of the frame
  std::vector<std::uint8_t> frame_;  // RGB [height, panes * width + seams, 3]
};

}  // namespace rhumb::film
