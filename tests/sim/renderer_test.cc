#include "rhumb/sim/renderer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "rhumb/sim/catalogue.h"
#include "rhumb/sim/model.h"
#include "tests/support/error_expectation.h"

namespace rhumb::sim {
namespace {

using test::ErrorOf;
using testing::HasSubstr;

// Three glowing balls in the x-z plane, one per colour: red above green, blue to the right of
// green. Red can slide along x.
constexpr const char* kBalls = R"(
<mujoco>
  <visual><headlight active="0"/></visual>
  <asset>
    <material name="red" rgba="1 0 0 1" emission="1"/>
    <material name="green" rgba="0 1 0 1" emission="1"/>
    <material name="blue" rgba="0 0 1 1" emission="1"/>
  </asset>
  <worldbody>
    <geom type="sphere" size=".3" material="green"/>
    <geom type="sphere" size=".3" pos="1 0 0" material="blue"/>
    <body name="red" pos="0 0 1">
      <joint type="slide" axis="1 0 0"/>
      <geom type="sphere" size=".3" material="red"/>
    </body>
  </worldbody>
</mujoco>)";

// A wide floor, and light from straight above.
constexpr const char* kFloor = R"(
<mujoco>
  <visual><headlight active="0"/></visual>
  <asset><material name="dull" rgba="1 1 1 1" specular="0" reflectance="0"/></asset>
  <worldbody>
    <light pos="0 0 3" dir="0 0 -1" directional="true"/>
    <geom type="plane" size="30 30 .1" material="dull"/>
  </worldbody>
</mujoco>)";

ModelPointer Compile(const char* xml) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(xml, nullptr, error, sizeof(error));
  EXPECT_NE(spec, nullptr) << error;
  ModelPointer model(mj_compile(spec, nullptr));
  mj_deleteSpec(spec);
  return model;
}

ModelPointer MakeBalls() { return Compile(kBalls); }

ModelPointer LoadHalfCheetah() {
  return CompileModel(CollectFiles(BundledFolder(), "half_cheetah.xml", "test"), "half_cheetah.xml",
                      "test");
}

const Camera kFront = {.distance = 5.0, .azimuth = 90.0, .elevation = 0.0};
const Camera kBehind = {.distance = 5.0, .azimuth = -90.0, .elevation = 0.0};

DataPointer MakeData(const mjModel& model) {
  DataPointer data(mj_makeData(&model));
  mj_forward(&model, data.get());
  return data;
}

// The brightness centroid of one colour channel, in pixels from the top left corner.
struct Spot {
  double x = 0.0;
  double y = 0.0;
};

Spot FindSpot(std::span<const std::uint8_t> rgb, int width, int channel) {
  double sum = 0.0, x = 0.0, y = 0.0;
  for (std::size_t at = 0; at < rgb.size() / 3; ++at) {
    const double value = rgb[3 * at + static_cast<std::size_t>(channel)];
    sum += value;
    x += value * static_cast<double>(at % static_cast<std::size_t>(width));
    y += value * static_cast<double>(at / static_cast<std::size_t>(width));
  }
  EXPECT_GT(sum, 0.0) << "channel " << channel << " is black";
  return {x / sum, y / sum};
}

std::vector<std::uint8_t> Copy(std::span<const std::uint8_t> rgb) {
  return {rgb.begin(), rgb.end()};
}

TEST(RendererTest, PutsThingsWhereTheyAre) {
  const ModelPointer model = MakeBalls();
  const DataPointer data = MakeData(*model);
  Renderer renderer(*model, 120, 100);
  renderer.SetCamera(kFront);
  const std::span<const std::uint8_t> rgb = renderer.Render(data.get());
  ASSERT_EQ(rgb.size(), 120u * 100u * 3u);

  // At 5 m, 100 rows show 2 * 5 * tan(22.5 deg) = 4.14 m: one metre is 24 pixels.
  const Spot red = FindSpot(rgb, 120, 0), green = FindSpot(rgb, 120, 1),
             blue = FindSpot(rgb, 120, 2);
  EXPECT_NEAR(green.x, 59.5, 1.0);
  EXPECT_NEAR(green.y, 49.5, 1.0);
  EXPECT_NEAR(red.x - green.x, 0.0, 1.0);
  EXPECT_NEAR(red.y - green.y, -24.1, 1.0);
  EXPECT_NEAR(blue.x - green.x, 24.1, 1.0);
  EXPECT_NEAR(blue.y - green.y, 0.0, 1.0);
}

TEST(RendererTest, LooksFromTheCameraItIsGiven) {
  const ModelPointer model = MakeBalls();
  const DataPointer data = MakeData(*model);
  Renderer renderer(*model, 120, 100);

  renderer.SetCamera(kBehind);
  auto rgb = renderer.Render(data.get());
  EXPECT_LT(FindSpot(rgb, 120, 2).x, FindSpot(rgb, 120, 1).x - 20.0);

  renderer.SetCamera(kFront);
  rgb = renderer.Render(data.get());
  EXPECT_NEAR(FindSpot(rgb, 120, 1).x, 59.5, 1.0);
  EXPECT_NEAR(FindSpot(rgb, 120, 2).x, 83.6, 1.0);
}

TEST(RendererTest, AFloorThrowsNoShadowOnItself) {
  const ModelPointer model = Compile(kFloor);
  const DataPointer data = MakeData(*model);
  Renderer renderer(*model, 480, 360);
  renderer.SetCamera({.distance = 3.0, .azimuth = 60.0, .elevation = -27.0});
  const auto [darkest, brightest] = std::ranges::minmax(renderer.Render(data.get()));
  EXPECT_GT(brightest, 100);
  EXPECT_GT(darkest, brightest - 30);
}

TEST(RendererTest, FollowsABody) {
  const ModelPointer model = MakeBalls();
  const DataPointer data = MakeData(*model);
  data->qpos[0] = 1.0;
  mj_forward(model.get(), data.get());
  Renderer renderer(*model, 120, 100);
  renderer.SetCamera({.track_body = mj_name2id(model.get(), mjOBJ_BODY, "red"),
                      .distance = 5.0,
                      .elevation = 0.0,
                      .lookat = {0.0, 0.0, 0.5}});
  const auto rgb = renderer.Render(data.get());
  EXPECT_NEAR(FindSpot(rgb, 120, 0).x, 59.5, 1.0);
  EXPECT_NEAR(FindSpot(rgb, 120, 1).x, 59.5 - 24.1, 1.0);
  EXPECT_NEAR(FindSpot(rgb, 120, 0).y, 49.5 - 12.1, 1.0) << "the horizon moved";
}

TEST(RendererTest, DefaultCameraShowsTheRobot) {
  const ModelPointer balls = MakeBalls();
  const Camera camera = DefaultCamera(*balls);
  EXPECT_EQ(camera.track_body, 1);
  EXPECT_EQ(camera.azimuth, 90.0);
  EXPECT_DOUBLE_EQ(camera.lookat[2], 1.0);
  // 1.25 * 0.3 / sin(22.5 deg)
  EXPECT_NEAR(camera.distance, 0.98, 0.01);

  const ModelPointer cheetah = LoadHalfCheetah();
  EXPECT_EQ(DefaultCamera(*cheetah).track_body, 1);
  EXPECT_NEAR(DefaultCamera(*cheetah).distance, 2.8, 0.3);
}

TEST(RendererTest, DrawsHalfCheetah) {
  const ModelPointer model = LoadHalfCheetah();
  const DataPointer data = MakeData(*model);
  // Larger than MuJoCo's default off-screen buffer.
  Renderer renderer(*model, 1000, 700);
  const std::vector<std::uint8_t> standing = Copy(renderer.Render(data.get()));
  EXPECT_EQ(Copy(renderer.Render(data.get())), standing);

  std::set<std::tuple<int, int, int>> colours;
  for (std::size_t i = 0; i < standing.size(); i += 3) {
    colours.emplace(standing[i], standing[i + 1], standing[i + 2]);
  }
  EXPECT_GT(colours.size(), 200u);

  // Only the robot is brown: much more red than blue. It fills a reasonable part of the picture, in
  // the middle, and stays there while it runs.
  auto robot = [](std::vector<std::uint8_t> rgb) {
    for (std::size_t i = 0; i < rgb.size(); i += 3) rgb[i] = rgb[i] > rgb[i + 2] + 40 ? 255 : 0;
    return rgb;
  };
  data->qpos[0] = 7.3;
  mj_forward(model.get(), data.get());
  const std::vector<std::uint8_t> running = Copy(renderer.Render(data.get()));
  for (const auto& picture : {robot(standing), robot(running)}) {
    double area = 0.0;
    for (std::size_t i = 0; i < picture.size(); i += 3) area += picture[i] / 255.0;
    EXPECT_GT(area, 0.01 * 1000 * 700);
    EXPECT_NEAR(FindSpot(picture, 1000, 0).x, 500.0, 60.0);
    EXPECT_NEAR(FindSpot(picture, 1000, 0).y, 350.0, 60.0);
  }
}

TEST(RendererTest, SeveralLiveSideBySide) {
  const ModelPointer model = MakeBalls();
  const DataPointer data = MakeData(*model);
  Renderer first(*model, 60, 50);
  first.SetCamera(kFront);
  const std::vector<std::uint8_t> alone = Copy(first.Render(data.get()));
  {
    Renderer second(*model, 90, 40);
    second.SetCamera(kBehind);
    EXPECT_EQ(second.Render(data.get()).size(), 90u * 40u * 3u);
    EXPECT_EQ(Copy(first.Render(data.get())), alone);
  }
  EXPECT_EQ(Copy(first.Render(data.get())), alone);
}

TEST(RendererTest, RefusesBadRequests) {
  const ModelPointer model = MakeBalls();
  EXPECT_THAT(ErrorOf([&] { Renderer(*model, 0, 100); }), HasSubstr("0 x 100 pixels"));
  EXPECT_THAT(ErrorOf([&] { Renderer(*model, 100, 1 << 20); }), HasSubstr("from 1 to"));
  Renderer renderer(*model, 10, 10);
  EXPECT_THAT(ErrorOf([&] { renderer.SetCamera({.track_body = 2}); }),
              HasSubstr("follow body 2; the model's bodies are 0 to 1"));
  EXPECT_THAT(ErrorOf([&] { renderer.SetCamera({.distance = 0.0}); }), HasSubstr("above 0"));
}

// Sets an environment variable until the end of the scope.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~ScopedVariable() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

// The loader and EGL read the environment once, so each test runs in its own process.
class MissingDriverTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  [[noreturn]] static void PrintMessage() {
    const ModelPointer model = MakeBalls();
    std::fputs(ErrorOf([&] { Renderer(*model, 10, 10); }).c_str(), stderr);
    std::exit(0);
  }
};

TEST_F(MissingDriverTest, NoDriver) {
  const ScopedVariable drivers("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent");
  EXPECT_EXIT(PrintMessage(), testing::ExitedWithCode(0),
              "cannot render: EGL provides no OpenGL context .*"
              "apt-get install libegl1 libgl1-mesa-dri");
}

TEST_F(MissingDriverTest, NoLibrary) {
  // The loader opens this file as the library and finds that it is invalid.
  const std::filesystem::path folder = std::filesystem::absolute("renderer_test_libraries");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "libEGL.so.1") << "none";
  const char* before = std::getenv("LD_LIBRARY_PATH");
  const ScopedVariable libraries("LD_LIBRARY_PATH",
                                 folder.string() + ":" + (before != nullptr ? before : ""));
  EXPECT_EXIT(PrintMessage(), testing::ExitedWithCode(0),
              "cannot render: EGL cannot be loaded .*apt-get install libegl1 libgl1-mesa-dri");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace rhumb::sim
