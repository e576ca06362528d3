// Pictures of a simulation, without a window.
//
// mjData -> abstract scene (mjv) -> OpenGL in an off-screen buffer (mjr) -> RGB bytes. The OpenGL
// context comes from EGL, which is loaded when the first Renderer is made, so that nothing but
// rendering needs it; Mesa's software driver serves a machine without a GPU.
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rhumb::sim {

// Where the picture is taken from. Lengths in metres, angles in degrees as MuJoCo counts them:
// azimuth 90 looks along +y, so that x runs to the right; a negative elevation looks down.
struct Camera {
  // Name of a camera of the model. When given, nothing below is used.
  std::string fixed = "";

  // Body whose subtree's centre of mass the camera follows, or -1 to stand still. Sideways it is
  // followed exactly; its height only when it would leave the middle of the picture, which keeps
  // the horizon at rest while a robot hops.
  int track_body = -1;

  double distance = 4.0;
  double azimuth = 90.0;
  double elevation = -15.0;

  // Point in the middle of the picture; x and y are relative to the tracked body when there is one.
  std::array<double, 3> lookat = {0.0, 0.0, 0.0};
};

// A camera that shows a robot well when nobody has said how: it follows the first moving body, from
// the side if the robot lives in the x-z plane and obliquely otherwise, from as far as the robot's
// size in the model's reference pose asks.
Camera DefaultCamera(const mjModel& model);

// The OpenGL context of one renderer.
class GlContext;

// Renders one model. It owns the OpenGL context and all that lives in it, and may be used only from
// the thread that made it; several of them can live side by side. Making one throws Error, with the
// remedy, on a machine that cannot render.
class Renderer {
 public:
  // Pictures of `width` x `height` pixels, seen through DefaultCamera. The model must outlive the
  // renderer.
  Renderer(const mjModel& model, int width, int height);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  // Throws Error when the model has no such camera or body.
  void SetCamera(const Camera& camera);

  // Draws the bodies where `data` says they are (a new qpos shows only after mj_forward or a step).
  // Returns RGB bytes [height, width, 3], top row first, valid until the next call.
  std::span<const std::uint8_t> Render(mjData* data);

  int width() const { return width_; }
  int height() const { return height_; }

  // Who draws, in the driver's words, such as "llvmpipe (LLVM 15.0.6, 256 bits)".
  std::string driver() const;

 private:
  const mjModel& model_;
  const int width_;
  const int height_;
  std::unique_ptr<GlContext> gl_;
  Camera camera_;
  mjvOption option_;
  mjvScene scene_;
  mjrContext context_;
  std::vector<std::uint8_t> bottom_up_;  // as OpenGL reads it, [height, width, 3]
  std::vector<std::uint8_t> pixels_;     // the same, top row first
};

}  // namespace rhumb::sim
