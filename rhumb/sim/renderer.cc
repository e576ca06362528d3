#include "rhumb/sim/renderer.h"

#include <dlfcn.h>

#define EGL_NO_X11  // X11's macros are common words
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <thread>

#include "rhumb/core/error.h"
#include "rhumb/sim/model.h"

namespace rhumb::sim {
namespace {

constexpr const char* kRemedy =
    "install a driver, on Debian or Ubuntu 'apt-get install libegl1 libgl1-mesa-dri', which needs "
    "no GPU";

// Returns a function of EGL, which is loaded when it is first needed: only rendering needs a
// driver. It is never unloaded. libmujoco looks for OpenGL among the loaded libraries, and drivers
// do not survive unloading.
template <typename Function>
Function FindEgl(const char* name) {
  void* library = dlopen("libEGL.so.1", RTLD_NOW);
  if (library == nullptr) Fail("cannot render: EGL cannot be loaded ({}); {}", dlerror(), kRemedy);
  const auto function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) Fail("cannot render: libEGL.so.1 lacks {}; {}", name, kRemedy);
  return function;
}

// Returns an extension of EGL or an OpenGL function of the driver; null if missing.
template <typename Function>
Function FindLoaded(const char* name) {
  return reinterpret_cast<Function>(FindEgl<PFNEGLGETPROCADDRESSPROC>("eglGetProcAddress")(name));
}

// All displays to try, best first. First the devices: GPUs precede Mesa's software device, and
// NVIDIA's driver offers nothing else without a window. Then Mesa without a device, and EGL's
// default.
std::vector<EGLDisplay> CandidateDisplays() {
  const auto query_devices = FindLoaded<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  const auto get_platform_display =
      FindLoaded<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  std::vector<EGLDisplay> displays;
  if (get_platform_display != nullptr) {
    std::array<EGLDeviceEXT, 32> devices;
    int count = 0;
    if (query_devices != nullptr &&
        query_devices(static_cast<int>(devices.size()), devices.data(), &count) == EGL_TRUE) {
      for (EGLDeviceEXT device : std::span(devices).first(static_cast<std::size_t>(count))) {
        displays.push_back(get_platform_display(EGL_PLATFORM_DEVICE_EXT, device, nullptr));
      }
    }
    displays.push_back(get_platform_display(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr));
  }
  displays.push_back(FindEgl<PFNEGLGETDISPLAYPROC>("eglGetDisplay")(EGL_DEFAULT_DISPLAY));
  std::erase(displays, EGL_NO_DISPLAY);
  return displays;
}

// Whether all joints of `root`'s kinematic tree keep it in the x-z plane.
bool IsPlanar(const mjModel& model, int root) {
  for (int joint = 0; joint < model.njnt; ++joint) {
    if (model.body_rootid[model.jnt_bodyid[joint]] != model.body_rootid[root]) continue;
    const double along_y = std::abs(model.jnt_axis[3 * joint + 1]);
    const bool in_plane = (model.jnt_type[joint] == mjJNT_HINGE && along_y > 0.999) ||
                          (model.jnt_type[joint] == mjJNT_SLIDE && along_y < 0.001);
    if (!in_plane) return false;
  }
  return true;
}

// A floor that faces the light throws spots of shadow on itself: the offset that keeps a surface
// out of its own shadow grows with the slope, which is 0 there. Six degrees are enough.
void TiltVerticalLights(mjvScene& scene) {
  constexpr float kNearlyVertical = 0.995F, kTilt = 0.1F;
  for (mjvLight& light : std::span(scene.lights, static_cast<std::size_t>(scene.nlight))) {
    if (light.type != mjLIGHT_DIRECTIONAL || std::abs(light.dir[2]) < kNearlyVertical) continue;
    light.dir[0] = kTilt;
    light.dir[1] = 0;
    light.dir[2] = std::copysign(std::sqrt(1 - kTilt * kTilt), light.dir[2]);
  }
}

}  // namespace

// An OpenGL context without a window. Its display stays initialised until the process ends, since
// all contexts of the driver share it.
class GlContext {
 public:
  GlContext() {
    const std::vector<EGLDisplay> displays = CandidateDisplays();
    for (EGLDisplay display : displays) {
      if (Open(display)) return;
    }
    Fail("cannot render: EGL provides no OpenGL context (displays tried: {}); {}", displays.size(),
         kRemedy);
  }

  ~GlContext() {
    make_current_(display_, nullptr, nullptr, nullptr);
    destroy_context_(display_, context_);
  }

  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;

  void MakeCurrent() const {
    RHUMB_CHECK(thread_ == std::this_thread::get_id(), "a renderer was used from a second thread");
    RHUMB_CHECK(make_current_(display_, nullptr, nullptr, context_) == EGL_TRUE,
                "the OpenGL context is lost");
  }

  // Largest width and height of an off-screen buffer, in pixels.
  int max_size() const {
    int size = 0;
    const auto get_integer = FindLoaded<decltype(&glGetIntegerv)>("glGetIntegerv");
    RHUMB_CHECK(get_integer != nullptr, "OpenGL has no glGetIntegerv");
    get_integer(GL_MAX_RENDERBUFFER_SIZE, &size);
    return size;
  }

 private:
  // Creates a context on `display` and makes it current. Returns false if the driver refuses.
  bool Open(EGLDisplay display) {
    const EGLint attributes[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                 EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    int count = 0;
    if (FindEgl<PFNEGLINITIALIZEPROC>("eglInitialize")(display, nullptr, nullptr) != EGL_TRUE)
      return false;
    if (FindEgl<PFNEGLBINDAPIPROC>("eglBindAPI")(EGL_OPENGL_API) != EGL_TRUE) return false;
    if (FindEgl<PFNEGLCHOOSECONFIGPROC>("eglChooseConfig")(display, attributes, &config, 1,
                                                           &count) != EGL_TRUE ||
        count < 1) {
      return false;
    }
    EGLContext context =
        FindEgl<PFNEGLCREATECONTEXTPROC>("eglCreateContext")(display, config, nullptr, nullptr);
    if (context == nullptr) return false;
    if (make_current_(display, nullptr, nullptr, context) != EGL_TRUE) {
      destroy_context_(display, context);
      return false;
    }
    display_ = display;
    context_ = context;
    return true;
  }

  const PFNEGLMAKECURRENTPROC make_current_ = FindEgl<PFNEGLMAKECURRENTPROC>("eglMakeCurrent");
  const PFNEGLDESTROYCONTEXTPROC destroy_context_ =
      FindEgl<PFNEGLDESTROYCONTEXTPROC>("eglDestroyContext");
  const std::thread::id thread_ = std::this_thread::get_id();
  EGLDisplay display_ = nullptr;
  EGLContext context_ = nullptr;
};

Camera DefaultCamera(const mjModel& model) {
  Camera camera;
  const int* first = std::find_if(model.body_dofnum, model.body_dofnum + model.nbody,
                                  [](int dofs) { return dofs > 0; });
  const int body = static_cast<int>(first - model.body_dofnum);
  if (body == model.nbody) {
    camera.distance = 2.0 * model.stat.extent;
    std::copy_n(model.stat.center, 3, camera.lookat.begin());
    return camera;
  }

  // The sphere around the robot's centre of mass that contains all its geoms.
  const DataPointer data(mj_makeData(&model));
  mj_kinematics(&model, data.get());
  mj_comPos(&model, data.get());
  const double* centre = data->subtree_com + 3 * body;
  double radius = 0.0;
  for (int geom = 0; geom < model.ngeom; ++geom) {
    if (model.body_rootid[model.geom_bodyid[geom]] != model.body_rootid[body]) continue;
    radius =
        std::max(radius, mju_dist3(data->geom_xpos + 3 * geom, centre) + model.geom_rbound[geom]);
  }
  if (radius == 0.0) radius = 0.5 * model.stat.extent;

  camera.track_body = body;
  camera.lookat[2] = centre[2];
  if (!IsPlanar(model, body)) {
    camera.azimuth = 120.0;
    camera.elevation = -20.0;
  }

  // At distance r / sin(fovy / 2), a sphere of radius r fills the picture's height. Add a quarter
  // as room to move.
  camera.distance = 1.25 * radius / std::sin(model.vis.global.fovy * mjPI / 180.0 / 2.0);
  return camera;
}

Camera CameraOf(const Environment& environment) {
  const CameraSpec& spec = environment.spec().camera;
  Camera camera = DefaultCamera(*environment.model());
  if (!spec.body.empty()) {
    camera.track_body =
        FindObject(environment.model(), mjOBJ_BODY, spec.body, environment.id() + ": camera");
  }
  if (spec.distance > 0) camera.distance = spec.distance;
  if (spec.azimuth) camera.azimuth = *spec.azimuth;
  if (spec.elevation) camera.elevation = *spec.elevation;
  if (spec.height) camera.lookat[2] = *spec.height;
  return camera;
}

Renderer::Renderer(const mjModel& model, int width, int height)
    : model_(model), width_(width), height_(height), gl_(std::make_unique<GlContext>()) {
  const int max_size = gl_->max_size();
  if (width < 1 || width > max_size || height < 1 || height > max_size) {
    Fail("a picture of {} x {} pixels was requested; each side must be from 1 to {}", width, height,
         max_size);
  }
  SetCamera(DefaultCamera(model));
  const std::size_t bytes = 3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  bottom_up_.resize(bytes);
  pixels_.resize(bytes);

  constexpr int kMaxGeoms = 10000, kMinShadow = 1024;
  mjv_defaultOption(&option_);
  mjv_defaultScene(&scene_);
  mjv_makeScene(&model, &scene_, kMaxGeoms);
  mjr_defaultContext(&context_);
  // MuJoCo's shadow maps have 4096 x 4096 texels. Filling them takes most of the time of a software
  // driver, and a small picture shows no difference. The copy is shallow and only read here.
  mjModel drawn = model;
  const int shadow = std::max(kMinShadow, 2 * std::max(width, height));
  drawn.vis.quality.shadowsize = std::min(drawn.vis.quality.shadowsize, shadow);
  mjr_makeContext(&drawn, &context_, mjFONTSCALE_100);
  mjr_setBuffer(mjFB_OFFSCREEN, &context_);
  mjr_resizeOffscreen(width, height, &context_);
}

Renderer::~Renderer() {
  gl_->MakeCurrent();
  mjr_freeContext(&context_);
  mjv_freeScene(&scene_);
}

void Renderer::SetCamera(const Camera& camera) {
  if (camera.track_body < -1 || camera.track_body >= model_.nbody) {
    Fail("the camera cannot follow body {}; the model's bodies are 0 to {}", camera.track_body,
         model_.nbody - 1);
  }
  if (!(camera.distance > 0.0)) {
    Fail("the camera's distance is {}; it must be above 0", camera.distance);
  }
  camera_ = camera;
}

std::span<const std::uint8_t> Renderer::Render(mjData* data) {
  gl_->MakeCurrent();

  mjvCamera view;
  mjv_defaultCamera(&view);
  // MuJoCo's own tracking camera closes only a fifth of the gap per picture, which leaves a fast
  // robot at the edge. So we move the free camera.
  view.type = mjCAMERA_FREE;
  view.distance = camera_.distance;
  view.azimuth = camera_.azimuth;
  view.elevation = camera_.elevation;
  std::copy(camera_.lookat.begin(), camera_.lookat.end(), view.lookat);
  if (camera_.track_body >= 0) {
    const double* centre = data->subtree_com + 3 * camera_.track_body;
    const double slack = 0.2 * camera_.distance;
    view.lookat[0] += centre[0];
    view.lookat[1] += centre[1];
    view.lookat[2] = std::clamp(view.lookat[2], centre[2] - slack, centre[2] + slack);
  }

  mjv_updateScene(&model_, data, &option_, nullptr, &view, mjCAT_ALL, &scene_);
  TiltVerticalLights(scene_);
  const mjrRect viewport = {0, 0, width_, height_};
  mjr_render(viewport, &scene_, &context_);
  if (!caption_.empty()) {
    mjr_overlay(mjFONT_NORMAL, mjGRID_TOPLEFT, viewport, caption_.c_str(), nullptr, &context_);
  }
  mjr_readPixels(bottom_up_.data(), nullptr, viewport, &context_);

  const std::size_t stride = 3 * static_cast<std::size_t>(width_);
  for (std::size_t row = 0; row < static_cast<std::size_t>(height_); ++row) {
    const std::size_t flipped = static_cast<std::size_t>(height_) - 1 - row;
    std::copy_n(bottom_up_.data() + flipped * stride, stride, pixels_.data() + row * stride);
  }
  return pixels_;
}

}  // namespace rhumb::sim
