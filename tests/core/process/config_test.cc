#include "rhumb/core/process/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::core {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

struct PpoConfig {
  double learning_rate = 3e-4;
  int epochs = 10;
  void Visit(FieldVisitor& v) {
    v("learning_rate", learning_rate, Range{0, 1}, "step of Adam");
    v("epochs", epochs, Range{1, 100}, "passes over a batch");
  }
};

struct TrainConfig {
  int envs = 16;
  std::int64_t steps = 1000;
  std::uint64_t seed = 0;
  double horizon_s = 2.5;
  bool verbose = false;
  std::string device = "cpu";
  std::string note;
  std::vector<double> weights = {0.5, 0.5};
  std::vector<std::string> objectives;
  PpoConfig ppo;
  void Visit(FieldVisitor& v) {
    v("envs", envs, Range{1, 4096}, "environments in lock step");
    v("steps", steps, Range{1}, "steps of a roll-out");
    v("seed", seed, "of every random stream");
    v("horizon_s", horizon_s, Range{0.1, 100, "s"}, "how far to look");
    v("verbose", verbose, "say more");
    v("device", device, OneOf{"cpu", "cuda"}, "where the networks run");
    v("note", note, "free text");
    v("weights", weights, Range{0, 1}, "of the objectives");
    v("objectives", objectives, OneOf{"forward", "energy"}, "which are kept");
    v.Group("ppo", ppo);
  }
};

enum class Gait { kWalk, kRun };
const Names<Gait> kGaitNames = {{Gait::kWalk, "walk"}, {Gait::kRun, "run"}};

struct Request {
  Gait gait = Gait::kWalk;
  std::filesystem::path out;
  std::vector<int> agents;
  std::uint64_t seed = 0;
  TrainConfig config;
  void Visit(FieldVisitor& v) {
    v("gait", gait, kGaitNames, "how to move");
    v("out", out, "folder to write");
    v("agents", agents, Range{0, 99}, "which to train");
    v("seed", seed, "for all random draws");
    v.Group("config", config);
  }
};

// Returns the Error for a file with this text, without the folder's name.
std::string TomlError(const std::string& text) {
  const test::ScratchFolder folder;
  const auto path = folder.Write("a.toml", text);
  TrainConfig config;
  const std::string message = test::ErrorOf([&] { ApplyToml(config, path); });
  const std::size_t at = message.find("a.toml");
  return at == std::string::npos ? message : message.substr(at);
}

std::string SettingError(const std::string& setting) {
  TrainConfig config;
  return test::ErrorOf([&] { ApplySetting(config, setting); });
}

TEST(ApplyToml, SetsWhatTheFileNamesAndLeavesTheRest) {
  const test::ScratchFolder folder;
  TrainConfig config;
  ApplyToml(config, folder.Write("a.toml", R"(
    envs = 32
    steps = 1e6
    seed = 9223372036854775807
    horizon_s = 3
    verbose = true
    device = "cuda"
    weights = [1, 0.25]
    objectives = ["energy"]
    [ppo]
    epochs = 4
  )"));
  EXPECT_EQ(config.envs, 32);
  EXPECT_EQ(config.steps, 1000000);
  EXPECT_EQ(config.seed, 9223372036854775807u);
  EXPECT_EQ(config.horizon_s, 3);
  EXPECT_TRUE(config.verbose);
  EXPECT_EQ(config.device, "cuda");
  EXPECT_EQ(config.weights, (std::vector<double>{1, 0.25}));
  EXPECT_EQ(config.objectives, (std::vector<std::string>{"energy"}));
  EXPECT_EQ(config.ppo.epochs, 4);
  EXPECT_EQ(config.note, "");
  EXPECT_EQ(config.ppo.learning_rate, 3e-4);
}

TEST(ApplyToml, UnknownKeysAreErrorsWithLineAndNearestKey) {
  EXPECT_EQ(TomlError("envs = 1\nstep = 5"), "a.toml:2: unknown key 'step'; did you mean 'steps'?");
  EXPECT_EQ(TomlError("[ppo]\nepocs = 5"),
            "a.toml:2: unknown key 'ppo.epocs'; did you mean 'ppo.epochs'?");
  EXPECT_THAT(TomlError("[sac]\nepochs = 5"),
              testing::StartsWith("a.toml:1: unknown key 'sac'; known: envs, "));
  EXPECT_EQ(TomlError("ppo = 3"), "a.toml:1: 'ppo' is a group of keys and has no value");
}

TEST(ApplyToml, WrongTypesAreErrorsWithValueAndType) {
  EXPECT_EQ(TomlError("envs = \"many\""),
            "a.toml:1: envs = 'many' is of the wrong type; expected: integer");
  EXPECT_EQ(TomlError("envs = 1.5"),
            "a.toml:1: envs = 1.5 is of the wrong type; expected: integer");
  EXPECT_EQ(TomlError("envs = true"),
            "a.toml:1: envs = true is of the wrong type; expected: integer");
  EXPECT_EQ(TomlError("horizon_s = true"),
            "a.toml:1: horizon_s = true is of the wrong type; expected: number");
  EXPECT_EQ(TomlError("verbose = 1"),
            "a.toml:1: verbose = 1 is of the wrong type; expected: true or false");
  EXPECT_EQ(TomlError("device = 1"), "a.toml:1: device = 1 is of the wrong type; expected: text");
  EXPECT_EQ(TomlError("weights = [1, '2']"),
            "a.toml:1: weights[1] = '2' is of the wrong type; expected: number");
  EXPECT_EQ(TomlError("weights = 1"),
            "a.toml:1: weights = 1 is of the wrong type; expected: list of numbers");
  EXPECT_THAT(TomlError("[envs]\nx = 1"), EndsWith("is of the wrong type; expected: integer"));
  EXPECT_THAT(TomlError("note = 1979-05-27"), EndsWith("expected: text"));
}

TEST(ApplyToml, ValuesOutOfRangeAreErrorsWithValueAndRange) {
  EXPECT_EQ(TomlError("envs = 0"), "a.toml:1: envs = 0 is not allowed (1 to 4096)");
  EXPECT_EQ(TomlError("envs = 5000000000"),
            "a.toml:1: envs = 5000000000 is not allowed (1 to 4096)");
  EXPECT_EQ(TomlError("steps = 0"), "a.toml:1: steps = 0 is not allowed (at least 1)");
  EXPECT_EQ(TomlError("seed = -1"), "a.toml:1: seed = -1 is not allowed (at least 0)");
  EXPECT_EQ(TomlError("horizon_s = 200.5"),
            "a.toml:1: horizon_s = 200.5 s is not allowed (0.1 to 100 s)");
  EXPECT_EQ(TomlError("device = \"gpu\""), "a.toml:1: device = 'gpu' is not allowed (cpu | cuda)");
  EXPECT_EQ(TomlError("weights = [0.5, 2]"), "a.toml:1: weights[1] = 2 is not allowed (0 to 1)");
  EXPECT_EQ(TomlError("objectives = ['energy', 'hight']"),
            "a.toml:1: objectives[1] = 'hight' is not allowed (forward | energy)");
  EXPECT_EQ(TomlError("[ppo]\nlearning_rate = nan"),
            "a.toml:2: ppo.learning_rate = nan is not allowed (0 to 1)");
}

TEST(ApplyToml, SyntaxErrorsHaveLineAndColumn) {
  EXPECT_THAT(TomlError("envs = 1\nsteps = = 2"),
              testing::StartsWith("a.toml:2:9: not valid TOML: "));
}

TEST(ApplyToml, FilesThatCannotBeReadAreErrors) {
  const test::ScratchFolder folder;
  TrainConfig config;
  EXPECT_THAT(test::ErrorOf([&] { ApplyToml(config, folder.path() / "none.toml"); }),
              EndsWith("none.toml: No such file or directory"));
  EXPECT_THAT(test::ErrorOf([&] { ApplyToml(config, folder.path()); }),
              EndsWith("not a regular file"));
  const auto large = folder.Write("large.toml", "");
  std::filesystem::resize_file(large, (16 << 20) + 1);
  EXPECT_THAT(test::ErrorOf([&] { ApplyToml(config, large); }),
              EndsWith("16777217 bytes, at most 16777216 are allowed"));
}

TEST(ApplySetting, ReadsEveryType) {
  TrainConfig config;
  for (const char* setting :
       {"envs=2", "steps=1e3", "seed=7", "horizon_s=1e1", "verbose=true", "device=cuda",
        "note=a=b, \"c\"", "weights=0.25,0.75", "objectives=energy,forward", "ppo.epochs=3"}) {
    ApplySetting(config, setting);
  }
  EXPECT_EQ(config.envs, 2);
  EXPECT_EQ(config.steps, 1000);
  EXPECT_EQ(config.seed, 7u);
  EXPECT_EQ(config.horizon_s, 10);
  EXPECT_TRUE(config.verbose);
  EXPECT_EQ(config.device, "cuda");
  EXPECT_EQ(config.note, "a=b, \"c\"");
  EXPECT_EQ(config.weights, (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(config.objectives, (std::vector<std::string>{"energy", "forward"}));
  EXPECT_EQ(config.ppo.epochs, 3);
}

TEST(ApplySetting, ReadsWhatIsWrittenAsInToml) {
  TrainConfig config;
  for (const char* setting :
       {"device=\"cuda\"", "weights=[0.25, 0.75]", "objectives=['energy']", "note="}) {
    ApplySetting(config, setting);
  }
  EXPECT_EQ(config.device, "cuda");
  EXPECT_EQ(config.weights, (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(config.objectives, (std::vector<std::string>{"energy"}));
  ApplySetting(config, "weights=");
  ApplySetting(config, "objectives=");
  EXPECT_TRUE(config.weights.empty());
  EXPECT_TRUE(config.objectives.empty());
}

TEST(ApplySetting, MistakesAreErrorsThatQuoteIt) {
  EXPECT_EQ(SettingError("envs"), "setting envs: write it as key=value");
  EXPECT_EQ(SettingError("env=3"), "setting env=3: unknown key 'env'; did you mean 'envs'?");
  EXPECT_EQ(SettingError("ppo=3"), "setting ppo=3: 'ppo' is a group of keys and has no value");
  EXPECT_EQ(SettingError("envs=0"), "setting envs=0: envs = 0 is not allowed (1 to 4096)");
  EXPECT_EQ(SettingError("envs=two"),
            "setting envs=two: envs = 'two' is of the wrong type; expected: integer");
  EXPECT_THAT(SettingError("envs="), EndsWith("expected: integer"));
  EXPECT_THAT(SettingError("envs=1\nsteps=2"), EndsWith("expected: integer"));
  EXPECT_THAT(SettingError("weights=a,b"), EndsWith("expected: list of numbers"));
}

TEST(ApplySetting, ReadsTheWordsOfAnEnum) {
  Request request;
  for (const char* setting : {"gait=run", "out=a b/c", "agents=3,1"}) {
    ApplySetting(request, setting);
  }
  EXPECT_EQ(request.gait, Gait::kRun);
  EXPECT_EQ(request.out, "a b/c");
  EXPECT_EQ(request.agents, (std::vector<int>{3, 1}));
  ApplySetting(request, "gait=\"walk\"");
  EXPECT_EQ(request.gait, Gait::kWalk);
  EXPECT_EQ(test::ErrorOf([&] { ApplySetting(request, "gait=hop"); }),
            "setting gait=hop: gait = 'hop' is not allowed (walk | run)");
  EXPECT_EQ(test::ErrorOf([&] { ApplySetting(request, "agents=5000000000"); }),
            "setting agents=5000000000: agents[0] = 5000000000 is not allowed (0 to 99)");
}

TEST(ApplyJson, TakesBackWhatToJsonWrites) {
  Request written;
  written.gait = Gait::kRun;
  written.out = "runs/a";
  written.agents = {4, 2};
  written.seed = ~std::uint64_t{0};
  written.config.device = "cuda";
  written.config.horizon_s = 0.1 + 0.2;
  written.config.objectives = {"energy"};
  written.config.ppo.epochs = 7;
  Request read;
  ApplyJson(read, nlohmann::json::parse(ToJson(written).dump()), "here");
  EXPECT_EQ(ToJson(read), ToJson(written));
  EXPECT_EQ(read.gait, Gait::kRun);
  EXPECT_EQ(read.seed, ~std::uint64_t{0});
  EXPECT_EQ(read.agents, (std::vector<int>{4, 2}));
}

TEST(ApplyJson, LeavesWhatIsNotNamed) {
  Request request;
  request.agents = {1};
  ApplyJson(request, {{"config", {{"envs", 2}}}}, "here");
  EXPECT_EQ(request.config.envs, 2);
  EXPECT_EQ(request.config.steps, 1000);
  EXPECT_EQ(request.agents, (std::vector<int>{1}));
}

TEST(ApplyJson, MistakesAreErrorsWithTheirPlace) {
  const auto error_of = [](const nlohmann::json& document) {
    Request request;
    return test::ErrorOf([&] { ApplyJson(request, document, "here"); });
  };
  EXPECT_EQ(error_of({{"gaitt", 1}}), "here: unknown key 'gaitt'; did you mean 'gait'?");
  EXPECT_EQ(error_of({{"config", {{"ppo", {{"epocs", 1}}}}}}),
            "here: unknown key 'config.ppo.epocs'; did you mean 'config.ppo.epochs'?");
  EXPECT_EQ(error_of({{"config", 1}}), "here: 'config' is a group of keys and has no value");
  EXPECT_EQ(error_of({{"gait", "hop"}}), "here: gait = 'hop' is not allowed (walk | run)");
  EXPECT_EQ(error_of({{"gait", 1}}), "here: gait = 1 is of the wrong type; expected: text");
  EXPECT_EQ(error_of({{"agents", {1, 2.5}}}),
            "here: agents[1] = 2.5 is of the wrong type; expected: integer");
  EXPECT_EQ(error_of({{"agents", 1}}),
            "here: agents = 1 is of the wrong type; expected: list of integers");
  EXPECT_EQ(error_of({{"seed", -1}}), "here: seed = -1 is not allowed (at least 0)");
  EXPECT_EQ(error_of({{"config", {{"envs", 0}}}}),
            "here: config.envs = 0 is not allowed (1 to 4096)");
  EXPECT_EQ(error_of({{"config", {{"steps", ~std::uint64_t{0}}}}}),
            "here: config.steps = 18446744073709551615 is of the wrong type; expected: integer");
  EXPECT_EQ(error_of({{"config", {{"horizon_s", nullptr}}}}),
            "here: config.horizon_s = null is of the wrong type; expected: number");
  EXPECT_EQ(error_of(nlohmann::json::array({1})), "here: not a JSON object: [1]");
}

TEST(CheckRanges, FindsValuesSetInCode) {
  TrainConfig config;
  EXPECT_EQ(test::ErrorOf([&] { CheckRanges(config, "defaults"); }), "");
  config.ppo.epochs = 0;
  EXPECT_EQ(test::ErrorOf([&] { CheckRanges(config, "--epochs"); }),
            "--epochs: ppo.epochs = 0 is not allowed (1 to 100)");
  config = {};
  config.horizon_s = std::numeric_limits<double>::infinity();
  EXPECT_THAT(test::ErrorOf([&] { CheckRanges(config, "here"); }),
              HasSubstr("inf s is not allowed"));
}

TEST(Describe, GivesWhatHelpPrints) {
  TrainConfig config;
  const std::vector<FieldDescription> fields = Describe(config);
  ASSERT_EQ(fields.size(), 11u);
  const FieldDescription& horizon = fields[3];
  EXPECT_EQ(horizon.key, "horizon_s");
  EXPECT_EQ(horizon.type, "number");
  EXPECT_EQ(horizon.default_value, "2.5");
  EXPECT_EQ(horizon.range, "0.1 to 100");
  EXPECT_EQ(horizon.unit, "s");
  EXPECT_EQ(horizon.help, "how far to look");
  EXPECT_EQ(fields[5].default_value, "\"cpu\"");
  EXPECT_EQ(fields[5].range, "cpu | cuda");
  EXPECT_EQ(fields[7].default_value, "[0.5,0.5]");
  EXPECT_EQ(fields[10].key, "ppo.epochs");
}

TEST(ToJson, NestsAsTheComponentsDo) {
  TrainConfig config;
  config.ppo.epochs = 7;
  const nlohmann::json json = ToJson(config);
  EXPECT_EQ(json["envs"], 16);
  EXPECT_EQ(json["weights"], nlohmann::json({0.5, 0.5}));
  EXPECT_EQ(json["ppo"], nlohmann::json({{"learning_rate", 3e-4}, {"epochs", 7}}));
}

TEST(ConfigDeathTest, AKeyGivenTwiceIsABug) {
  struct Twice {
    int a = 0;
    void Visit(FieldVisitor& v) {
      v("a", a, "");
      v("a", a, "");
    }
  };
  Twice twice;
  EXPECT_DEATH(Describe(twice), "the key 'a' is given twice");
}

// Setting the printed value again gives the same value, so a manifest loses nothing.
RC_GTEST_PROP(ApplySetting, TakesBackWhatDescribePrints,
              (std::int64_t steps, double horizon, const std::vector<double>& weights)) {
  TrainConfig written;
  written.steps = steps == std::numeric_limits<std::int64_t>::min() ? 1 : std::abs(steps) + 1;
  written.horizon_s = 0.1 + std::abs(std::remainder(horizon, 99));
  written.weights.clear();
  for (const double weight : weights) written.weights.push_back(std::abs(std::sin(weight)));
  TrainConfig read;
  for (const FieldDescription& field : Describe(written)) {
    ApplySetting(read, field.key + "=" + field.default_value);
  }
  RC_ASSERT(ToJson(read) == ToJson(written));
}

}  // namespace
}  // namespace rhumb::core
