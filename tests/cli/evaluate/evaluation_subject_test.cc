#include "rhumb/cli/evaluate/evaluation_subject.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "rhumb/cli/command.h"

namespace rhumb::cli {
namespace {

net::Model Trained() {
  net::Model model;
  model.description.environment.id = "robot-v0";
  model.description.variant = "vae";
  return model;
}

TEST(EvaluationSubject, DescribesItselfInTheReport) {
  CLI::App app;
  EvaluationSubject subject;
  Command command(app);
  subject.AddTo(command);
  app.parse("a.model --data d-v0");
  EXPECT_EQ(subject.Document(Trained(), 7, {{"mse", 0.5}}),
            nlohmann::json({{"mse", 0.5},
                            {"model", "a.model"},
                            {"dataset", "d-v0"},
                            {"environment", "robot-v0"},
                            {"variant", "vae"},
                            {"seed", 7}}));
}

TEST(EvaluationSubject, NeedsBothArguments) {
  CLI::App app;
  EvaluationSubject subject;
  Command command(app);
  subject.AddTo(command);
  EXPECT_THROW(app.parse("a.model"), CLI::RequiredError);
  EXPECT_THROW(app.parse("--data d-v0"), CLI::RequiredError);
}

TEST(RolloutOptions, OverrideOnlyWhatIsGiven) {
  struct Config {
    net::RolloutMode mode = net::RolloutMode::kSampled;
    int rollouts = 4;
  } config;
  CLI::App app;
  RolloutOptions options;
  Command command(app);
  options.AddTo(command);
  options.Override(config);
  EXPECT_EQ(config.mode, net::RolloutMode::kSampled);
  EXPECT_EQ(config.rollouts, 4);
  app.parse("--mode mean --rollouts 9");
  options.Override(config);
  EXPECT_EQ(config.mode, net::RolloutMode::kMean);
  EXPECT_EQ(config.rollouts, 9);
}

}  // namespace
}  // namespace rhumb::cli
