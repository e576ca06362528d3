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
#include "rhumb/core/text.h"
#include "rhumb/sim/model.h"

namespace rhumb::sim {
namespace {

constexpr const char* kRemedy =
    "install a driver, on Debian or Ubuntu 'apt-get install libegl1 libgl1-mesa-dri', which needs "
    "no GPU";

// EGL's functions, loaded when they are first needed: nothing but rendering needs a driver.
// Extensions that the driver lacks are null.
struct Egl {
  Egl() {
    library = dlopen("libEGL.so.1", RTLD_NOW);
    if (library == nullptr)
      Fail("cannot render: EGL cannot be loaded ({}); {}", dlerror(), kRemedy);
    Find(get_proc_address, "eglGetProcAddress");
    Find(get_display, "eglGetDisplay");
    Find(initialize, "eglInitialize");
    Find(bind_api, "eglBindAPI");
    Find(choose_config, "eglChooseConfig");
    Find(create_context, "eglCreateContext");
    Find(make_current, "eglMakeCurrent");
    Find(destroy_context, "eglDestroyContext");
    FindLoaded(query_devices, "eglQueryDevicesEXT");
    FindLoaded(get_platform_display, "eglGetPlatformDisplayEXT");
  }

  // Finds a function that the library must have.
  template <typename Function>
  void Find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) Fail("cannot render: libEGL.so.1 lacks {}; {}", name, kRemedy);
  }

  // Finds an extension or an OpenGL function of the driver; null if missing.
  template <typename Function>
  void FindLoaded(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(get_proc_address(name));
  }

  void* library;
  PFNEGLGETPROCADDRESSPROC get_proc_address;
  PFNEGLGETDISPLAYPROC get_display;
  PFNEGLINITIALIZEPROC initialize;
  PFNEGLBINDAPIPROC bind_api;
  PFNEGLCHOOSECONFIGPROC choose_config;
  PFNEGLCREATECONTEXTPROC create_context;
  PFNEGLMAKECURRENTPROC make_current;
  PFNEGLDESTROYCONTEXTPROC destroy_context;
  PFNEGLQUERYDEVICESEXTPROC query_devices;
  PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display;
};

// Loads EGL on the first call and never unloads it. libmujoco looks for OpenGL among the loaded
// libraries, and drivers do not survive unloading.
const Egl& LoadEgl() {
  static const Egl kEgl;
  return kEgl;
}

// All displays to try, best first. First the devices: GPUs precede Mesa's software device, and
// NVIDIA's driver offers nothing else without a window. Then Mesa without a device, and EGL's
// default.
std::vector<EGLDisplay> CandidateDisplays(const Egl& egl) {
  std::vector<EGLDisplay> displays;
  if (egl.get_platform_display != nullptr) {
    std::array<EGLDeviceEXT, 32> devices;
    int count = 0;
    if (egl.query_devices != nullptr &&
        egl.query_devices(static_cast<int>(devices.size()), devices.data(), &count) == EGL_TRUE) {
      for (EGLDeviceEXT device : std::span(devices).first(static_cast<std::size_t>(count))) {
        displays.push_back(egl.get_platform_display(EGL_PLATFORM_DEVICE_EXT, device, nullptr));
      }
    }
    displays.push_back(egl.get_platform_display(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr));
  }
  displays.push_back(egl.get_display(EGL_DEFAULT_DISPLAY));
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

double Radians(double degrees) { return degrees * mjPI / 180.0; }

}  // namespace

// An OpenGL context without a window. Its display stays initialised until the process ends, since
// all contexts of the driver share it.
class GlContext {
 public:
  GlContext() : egl_(LoadEgl()), thread_(std::this_thread::get_id()) {
    const std::vector<EGLDisplay> displays = CandidateDisplays(egl_);
    for (EGLDisplay display : displays) {
      if (Open(display)) return;
    }
    Fail("cannot render: EGL provides no OpenGL context (displays tried: {}); {}", displays.size(),
         kRemedy);
  }

  ~GlContext() {
    egl_.make_current(display_, nullptr, nullptr, nullptr);
    egl_.destroy_context(display_, context_);
  }

  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;

  void MakeCurrent() const {
    RHUMB_CHECK(thread_ == std::this_thread::get_id(), "a renderer was used from a second thread");
    RHUMB_CHECK(egl_.make_current(display_, nullptr, nullptr, context_) == EGL_TRUE,
                "the OpenGL context is lost");
  }

  // Largest width and height of an off-screen buffer, in pixels.
  int max_size() const {
    int size = 0;
    Find<decltype(&glGetIntegerv)>("glGetIntegerv")(GL_MAX_RENDERBUFFER_SIZE, &size);
    return size;
  }

 private:
  // Creates a context on `display` and makes it current. Returns false if the driver refuses.
  bool Open(EGLDisplay display) {
    const EGLint attributes[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                 EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    int count = 0;
    if (egl_.initialize(display, nullptr, nullptr) != EGL_TRUE) return false;
    if (egl_.bind_api(EGL_OPENGL_API) != EGL_TRUE) return false;
    if (egl_.choose_config(display, attributes, &config, 1, &count) != EGL_TRUE || count < 1) {
      return false;
    }
    EGLContext context = egl_.create_context(display, config, nullptr, nullptr);
    if (context == nullptr) return false;
    if (egl_.make_current(display, nullptr, nullptr, context) != EGL_TRUE) {
      egl_.destroy_context(display, context);
      return false;
    }
    display_ = display;
    context_ = context;
    return true;
  }

  template <typename Function>
  Function Find(const char* name) const {
    Function function = nullptr;
    egl_.FindLoaded(function, name);
    RHUMB_CHECK(function != nullptr, "OpenGL has no {}", name);
    return function;
  }

  const Egl& egl_;
  const std::thread::id thread_;
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
  camera.distance = 1.25 * radius / std::sin(Radians(model.vis.global.fovy) / 2.0);
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

  constexpr int kMaxGeoms = 10000;
  mjv_defaultOption(&option_);
  mjv_defaultScene(&scene_);
  mjv_makeScene(&model, &scene_, kMaxGeoms);
  mjr_defaultContext(&context_);
  mjr_makeContext(&model, &context_, mjFONTSCALE_100);
  mjr_setBuffer(mjFB_OFFSCREEN, &context_);
  mjr_resizeOffscreen(width, height, &context_);
}

Renderer::~Renderer() {
  gl_->MakeCurrent();
  mjr_freeContext(&context_);
  mjv_freeScene(&scene_);
}

void Renderer::SetCamera(const Camera& camera) {
  if (!camera.fixed.empty() && mj_name2id(&model_, mjOBJ_CAMERA, camera.fixed.c_str()) < 0) {
    std::vector<std::string> known;
    for (int i = 0; i < model_.ncam; ++i) {
      if (const char* name = mj_id2name(&model_, mjOBJ_CAMERA, i)) known.emplace_back(name);
    }
    Fail("the model has no camera '{}'{}", camera.fixed, core::Suggestion(camera.fixed, known));
  }
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
  if (!camera_.fixed.empty()) {
    view.type = mjCAMERA_FIXED;
    view.fixedcamid = mj_name2id(&model_, mjOBJ_CAMERA, camera_.fixed.c_str());
  } else {
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
  }

  mjv_updateScene(&model_, data, &option_, nullptr, &view, mjCAT_ALL, &scene_);
  const mjrRect viewport = {0, 0, width_, height_};
  mjr_render(viewport, &scene_, &context_);
  mjr_readPixels(bottom_up_.data(), nullptr, viewport, &context_);

  const std::size_t stride = 3 * static_cast<std::size_t>(width_);
  for (std::size_t row = 0; row < static_cast<std::size_t>(height_); ++row) {
    std::copy_n(bottom_up_.end() - static_cast<std::ptrdiff_t>((row + 1) * stride), stride,
                pixels_.begin() + static_cast<std::ptrdiff_t>(row * stride));
  }
  return pixels_;
}

}  // namespace rhumb::sim
