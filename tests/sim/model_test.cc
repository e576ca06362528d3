#include "rhumb/sim/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "rhumb/sim/catalogue.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

namespace fs = std::filesystem;

constexpr const char* kRobot = R"(
<mujoco><worldbody><body name="block"><freejoint/><geom size="0.1"/><site name="tip"/></body>
</worldbody><sensor><framepos name="where" objtype="site" objname="tip"/></sensor></mujoco>)";

std::string Bytes(const mjModel* model) {
  std::string bytes(static_cast<std::size_t>(mj_sizeModel(model)), '\0');
  mj_saveModel(model, nullptr, bytes.data(), static_cast<int>(bytes.size()));
  return bytes;
}

TEST(Model, BundledRobotsCompileToWhatMujocoMakesOfTheFile) {
  for (const core::EnvironmentBundle& bundle : ListBundled()) {
    const EnvironmentSpec spec = ParseSpec(bundle.files, bundle.spec);
    const fs::path file = BundledFolder() / spec.model;
    const RobotFiles files = CollectFiles(BundledFolder(), spec.model, spec.id);
    EXPECT_THAT(files, ElementsAre(Pair(spec.model, test::Contents(file))));
    char message[1000] = "";
    const ModelPointer direct(mj_loadXML(file.c_str(), nullptr, message, sizeof message));
    ASSERT_TRUE(direct) << message;
    direct->opt.disableflags |= mjDSBL_AUTORESET;
    EXPECT_TRUE(Bytes(CompileModel(files, spec.model, spec.id).get()) == Bytes(direct.get()))
        << spec.id;
  }
}

TEST(Model, FieldsHaveTheSizeOfTheModel) {
  const ModelPointer model = CompileModel({{"a.xml", kRobot}}, "a.xml", "test");
  EXPECT_EQ(FindField(model.get(), "qpos", "test").size, 7);
  EXPECT_EQ(FindField(model.get(), "qvel", "test").size, 6);
  EXPECT_EQ(FindField(model.get(), "xpos", "test").size, 2 * 3);
  EXPECT_EQ(FindField(model.get(), "cfrc_ext", "test").size, 2 * 6);
  EXPECT_EQ(FindField(model.get(), "sensordata", "test").size, 3);
  const DataPointer data(mj_makeData(model.get()));
  EXPECT_EQ(FindField(model.get(), "qvel", "test").array, &mjData::qvel);
  EXPECT_THAT(test::ErrorOf([&] { FindField(model.get(), "qvle", "here"); }),
              AllOf(HasSubstr("here: unknown MuJoCo array 'qvle'"), HasSubstr("'qvel'")));
}

TEST(Model, ObjectsAreFoundByName) {
  const ModelPointer model = CompileModel({{"a.xml", kRobot}}, "a.xml", "test");
  EXPECT_EQ(FindObject(model.get(), mjOBJ_BODY, "block", "test"), 1);
  EXPECT_EQ(FindObject(model.get(), mjOBJ_SITE, "tip", "test"), 0);
  EXPECT_EQ(FindObject(model.get(), mjOBJ_SENSOR, "where", "test"), 0);
  EXPECT_THAT(test::ErrorOf([&] { FindObject(model.get(), mjOBJ_SITE, "tpi", "here"); }),
              AllOf(HasSubstr("here: the model has no site 'tpi'"), HasSubstr("'tip'")));
}

}  // namespace
}  // namespace rhumb::sim
