#include "rhumb/sim/contact_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <random>
#include <span>
#include <string>

#include "rhumb/sim/catalogue.h"
#include "rhumb/sim/model.h"

namespace rhumb::sim {
namespace {

using ::testing::ElementsAre;

ModelPointer Compile(const std::string& text, bool list_contacts) {
  return CompileModel({{"a.xml", text}}, "a.xml", "test", {.list_contacts = list_contacts});
}

std::vector<int> ListedGeoms(const mjModel* model) {
  return {model->pair_geom2, model->pair_geom2 + model->npair};
}

std::span<const mjContact> Contacts(const mjData* data) {
  return {data->contact, static_cast<std::size_t>(data->ncon)};
}

// All that a contact says; padding follows its last member.
bool IsSame(const mjContact& a, const mjContact& b) {
  return std::memcmp(&a, &b, offsetof(mjContact, efc_address) + sizeof a.efc_address) == 0;
}

// Steps both models with the same random controls, from random states. Returns the number of
// contacts that were compared; every number of them and of the states must be equal to the bit.
int CompareSteps(const mjModel* plain, const mjModel* listed, int episodes, int steps) {
  const DataPointer expected(mj_makeData(plain)), actual(mj_makeData(listed));
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> draw(-1, 1);
  int contacts = 0;
  for (int episode = 0; episode < episodes; ++episode) {
    mj_resetData(plain, expected.get());
    mj_resetData(listed, actual.get());
    for (int i = 0; i < plain->nv; ++i) {
      expected->qvel[i] = actual->qvel[i] = draw(generator);
    }
    for (int step = 0; step < steps; ++step) {
      for (int i = 0; i < plain->nu; ++i) expected->ctrl[i] = actual->ctrl[i] = draw(generator);
      mj_step(plain, expected.get());
      mj_step(listed, actual.get());
      if (!std::ranges::equal(Contacts(expected.get()), Contacts(actual.get()), IsSame) ||
          !std::equal(expected->qpos, expected->qpos + plain->nq, actual->qpos) ||
          !std::equal(expected->qvel, expected->qvel + plain->nv, actual->qvel)) {
        ADD_FAILURE() << "episode " << episode << ", step " << step;
        return contacts;
      }
      contacts += expected->ncon;
    }
  }
  return contacts;
}

TEST(ContactList, BundledRobotsStepEqually) {
  std::vector<std::string> listed_robots;
  for (const core::EnvironmentBundle& bundle : ListBundled()) {
    const std::string name = ParseSpec(bundle.files, bundle.spec).model;
    const ModelPointer plain = CompileModel(bundle.files, name, bundle.id);
    const ModelPointer listed =
        CompileModel(bundle.files, name, bundle.id, {.list_contacts = true});
    if (listed->npair == 0) continue;
    listed_robots.push_back(bundle.id);
    EXPECT_GT(CompareSteps(plain.get(), listed.get(), 5, 300), 500) << bundle.id;
    for (int geom = 0; geom < plain->ngeom; ++geom) {
      EXPECT_STREQ(mj_id2name(listed.get(), mjOBJ_GEOM, geom),
                   mj_id2name(plain.get(), mjOBJ_GEOM, geom));
    }
  }
  // The legs of Hopper and Humanoid may touch one another, and the point touches nothing.
  EXPECT_THAT(listed_robots,
              ElementsAre("mo-ant-2obj-v5", "mo-ant-v5", "mo-halfcheetah-v5", "mo-walker2d-v5"));
}

// A tray with a rim, two balls in one body, and geoms that differ in every contact parameter.
constexpr const char* kTray = R"(
<mujoco>
  <default><geom contype="1" conaffinity="0"/></default>
  <worldbody>
    <geom name="ground" type="box" size="2 2 0.1" conaffinity="1" friction="0.8 0.01 0.002"
          solref="0.03 0.9" solimp="0.8 0.9 0.01 0.4 3" margin="0.02" gap="0.004" condim="4"/>
    <geom name="picture" type="sphere" size="0.5" pos="0 0 0.2" contype="0" conaffinity="0"/>
    <body name="post" pos="1 1 0.1"><geom size="0.1"/></body>
    <body name="arm" pos="0 0 0.25">
      <freejoint/>
      <geom size="0.1" friction="0.4 0.02 0.001" solref="-900 -20" condim="3"/>
      <geom name="second" size="0.12" pos="0.3 0 0" solref="0.02 1" solimp="0.7 0.95 0.002" condim="6"/>
      <body pos="0 0.3 0"><joint axis="1 0 0"/><geom type="capsule" size="0.08 0.2" margin="0.01" gap="0.003"/></body>
      <body pos="0 -0.3 0"><joint axis="1 0 0"/><geom contype="0" size="0.3"/></body>
    </body>
  </worldbody>
</mujoco>)";

std::string Changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ContactList, HasWhatCanTouchTheGround) {
  const ModelPointer plain = Compile(kTray, false), listed = Compile(kTray, true);
  EXPECT_EQ(plain->npair, 0);
  // Neither the picture, nor the post, which cannot move, nor the geom that collides with nothing.
  EXPECT_THAT(ListedGeoms(listed.get()), ElementsAre(3, 4, 5));
  EXPECT_GT(CompareSteps(plain.get(), listed.get(), 5, 300), 500);
  EXPECT_EQ(mj_name2id(listed.get(), mjOBJ_GEOM, "second"), 4);
  EXPECT_EQ(mj_id2name(listed.get(), mjOBJ_GEOM, 3), nullptr);
}

TEST(ContactList, OtherModelsStayAsTheyAre) {
  const std::pair<std::string, std::string> changes[] = {
      {"name=\"second\"", "name=\"second\" conaffinity=\"1\""},  // parts of the robot may collide
      {"contype=\"0\" conaffinity=\"0\"", ""},                   // a second ground
      {"name=\"second\"", "name=\"second\" priority=\"1\""},
      {"name=\"second\"", "name=\"second\" solmix=\"2\""},
      {"</worldbody>", "</worldbody><contact><exclude body1=\"world\" body2=\"arm\"/></contact>"},
      {"</worldbody>", "</worldbody><contact><pair geom1=\"ground\" geom2=\"second\"/></contact>"},
  };
  for (const auto& [from, to] : changes) {
    const std::string text = Changed(kTray, from, to);
    const ModelPointer plain = Compile(text, false), listed = Compile(text, true);
    EXPECT_EQ(listed->npair, plain->npair) << to;
    EXPECT_EQ(listed->geom_contype[4], plain->geom_contype[4]) << to;
  }
}

}  // namespace
}  // namespace rhumb::sim
