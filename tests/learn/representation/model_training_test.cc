#include "rhumb/learn/representation/model_training.h"

#include <gmock/gmock.h>

#include <fstream>

#include "rhumb/net/model.h"
#include "tests/learn/training_run.h"
#include "tests/rollout/echo_folders.h"
#include "tests/support/error_expectation.h"

namespace rhumb::learn::representation {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A tiny model of the pushes, without DAgger.
class ModelTraining : public testing::Test {
 protected:
  ModelTraining() {
    request_.dataset = folders_.data();
    request_.out = folders_.file("a");
    request_.job.quiet = true;
    RepresentationConfig& config = request_.config;
    config.epochs = 3;
    config.batch = 4;
    config.context = 8;
    config.queries = 4;
    config.code = 8;
    config.projection = 2;
    config.layers = 1;
    config.attention_heads = 2;
    config.hidden = 16;
  }

  std::string Weights(const std::string& name) const {
    return test::Contents(folders_.file(name) / "model.safetensors");
  }

  const ThreadCount one_{1};
  const rollout::EchoFolders folders_;
  ModelRequest request_;
};

TEST_F(ModelTraining, MakesAModelOfTheTrainingEpisodes) {
  ASSERT_EQ(TrainModel(request_), core::Outcome::kDone);
  EXPECT_FALSE(fs::exists(folders_.file("a.work")));
  EXPECT_TRUE(fs::exists(folders_.file("a") / "tensorboard"));
  const net::Model model = net::ReadModel(folders_.file("a"));
  EXPECT_EQ(model.training.count(), 20) << "ten policies, two episodes each";
  EXPECT_EQ(model.code_size(), 8);
  EXPECT_EQ((*model.provenance)["training_episodes"], 20);
  EXPECT_EQ((*model.provenance)["population"], "");
  EXPECT_TRUE((*model.metrics)["head_mse"].contains("held_out_weight"));
  // A finished model is left alone, and does not pass for that of another seed or dataset.
  const std::string weights = Weights("a");
  EXPECT_EQ(TrainModel(request_), core::Outcome::kDone);
  request_.job.seed = 9;
  EXPECT_THAT(test::ErrorOf([&] { TrainModel(request_); }), HasSubstr("'seed' is 0, not 9"));
  request_.job.seed = 0;
  std::ofstream(folders_.data() / "manifest.json", std::ios::app) << "\n";
  EXPECT_THAT(test::ErrorOf([&] { TrainModel(request_); }), HasSubstr("its 'dataset' is"));
  EXPECT_EQ(Weights("a"), weights);
}

TEST_F(ModelTraining, ResumesToTheSameBits) {
  ASSERT_EQ(TrainModel(request_), core::Outcome::kDone);
  request_.out = folders_.file("b/");  // the slash changes nothing
  int epochs = 0;
  request_.job.should_stop = [&] { return ++epochs == 2; };
  ASSERT_EQ(TrainModel(request_), core::Outcome::kStopped);
  EXPECT_TRUE(fs::exists(folders_.file("b.work") / "epoch_00002.safetensors"));
  EXPECT_FALSE(fs::exists(folders_.file("b")));

  ModelRequest other = request_;
  other.job.seed = 2;
  EXPECT_THAT(test::ErrorOf([&] { TrainModel(other); }), HasSubstr("another run"));
  ASSERT_EQ(TrainModel(request_), core::Outcome::kDone);
  EXPECT_EQ(Weights("b"), Weights("a"));
  EXPECT_FALSE(fs::exists(folders_.file("b.work")));
}

TEST_F(ModelTraining, BadInputIsAnErrorAndLeavesNothing) {
  const auto complaint = [&](auto change) {
    ModelRequest request = request_;
    change(request);
    return test::ErrorOf([&] { TrainModel(request); });
  };
  EXPECT_THAT(complaint([](ModelRequest& r) { r.config.attention_heads = 3; }),
              HasSubstr("attention_heads is 3"));
  EXPECT_THAT(complaint([](ModelRequest& r) { r.config.context = 4000; }), HasSubstr("4000"));
  EXPECT_THAT(complaint([&](ModelRequest& r) { r.dataset = folders_.model(); }),
              HasSubstr("not a dataset"));
  EXPECT_THAT(complaint([&](ModelRequest& r) { r.population = folders_.data(); }),
              HasSubstr("not a population"));
  EXPECT_THAT(complaint([&](ModelRequest& r) { r.out = folders_.data(); }),
              HasSubstr("not a model"));
  EXPECT_FALSE(fs::exists(folders_.file("a")));
  EXPECT_FALSE(fs::exists(folders_.file("a.work")));
}

}  // namespace
}  // namespace rhumb::learn::representation
