// Renders pictures of a simulation without a window.
//
// mjData -> abstract scene (mjv) -> OpenGL in an off-screen buffer (mjr) -> RGB bytes. The OpenGL
// context comes from EGL. The first Renderer loads EGL, so only rendering needs it. Machines
// without a GPU use Mesa's software driver.
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rhumb/sim/environment.h"

namespace rhumb::sim {

// The viewpoint. Lengths are in metres, angles in degrees with MuJoCo's conventions. Azimuth 90
// looks along +y, with x to the right; a negative elevation looks down.
struct Camera {
  // The camera follows the centre of mass of this body's subtree; -1 keeps it still. It follows x
  // and y exactly. It follows the height only when the body would leave the middle of the picture,
  // so the horizon is steady while a robot hops.
  int track_body = -1;

  double distance = 4.0;
  double azimuth = 90.0;
  double elevation = -15.0;

  // Point in the middle of the picture; x and y are relative to the tracked body, if any.
  std::array<double, 3> lookat = {0.0, 0.0, 0.0};
};

// A default camera that shows the whole robot. It follows the first moving body, from the side if
// the robot moves in the x-z plane, else obliquely. The distance depends on the robot's size in the
// reference pose.
Camera DefaultCamera(const mjModel& model);
// What the spec says of the camera, over the default.
Camera CameraOf(const Environment& environment);

// The OpenGL context of one renderer.
class GlContext;

// Renders one model. It owns its OpenGL context, and only the thread that constructed it may use
// it. Several Renderers can coexist. The constructor throws Error, with a remedy, if the machine
// cannot render.
class Renderer {
 public:
  // Makes pictures of `width` x `height` pixels with DefaultCamera. The model must outlive the
  // renderer.
  Renderer(const mjModel& model, int width, int height);
  ~Renderer();

  // Throws Error if the model lacks the body or the distance is not positive.
  void SetCamera(const Camera& camera);

  // Writes these lines over the following pictures, top left. "" for none.
  void SetCaption(const std::string& lines) { caption_ = lines; }

  // Draws the bodies at their positions in `data`. A new qpos shows only after mj_forward or a
  // step. Returns RGB bytes [height, width, 3], top row first, valid until the next call.
  std::span<const std::uint8_t> Render(mjData* data);

  int width() const { return width_; }
  int height() const { return height_; }

 private:
  const mjModel& model_;
  const int width_;
  const int height_;
  std::unique_ptr<GlContext> gl_;
  Camera camera_;
  std::string caption_;
  mjvOption option_;
  mjvScene scene_;
  mjrContext context_;
  std::vector<std::uint8_t> bottom_up_;  // from OpenGL, [height, width, 3]
  std::vector<std::uint8_t> pixels_;     // flipped: top row first
};

}  // namespace rhumb::sim
