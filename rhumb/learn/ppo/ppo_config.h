// Settings of PPO. The defaults follow the paper's table and its authors' code; docs/population.md
// reports measurements of alternatives.
#pragma once

#include <vector>

#include "rhumb/core/process/config.h"
#include "rhumb/net/mlp.h"

namespace rhumb::learn::ppo {

struct PpoConfig {
  int environments = 16;
  int steps = 1024;
  int epochs = 10;
  int minibatches = 8;
  double learning_rate = 3e-4;
  double last_rate_share = 1;
  double adam_epsilon = 1e-5;
  double discount = 0.99;
  double gae_lambda = 0.95;
  double clip = 0.2;
  double value_coefficient = 0.5;
  double entropy_coefficient = 0;
  double max_gradient_norm = 0.5;
  std::vector<double> hidden = {256, 256};
  net::Activation activation = net::Activation::kRelu;
  double initial_deviation = 0.6;
  double min_deviation = 0.05;
  double max_deviation = 2.7;
  double last_max_share = 1;
  double observation_limit = 10;
  bool scale_rewards = true;

  void Visit(core::FieldVisitor& v) {
    v("environments", environments, core::Range{1, 4096}, "parallel environments per agent");
    v("steps", steps, core::Range{1, 1 << 20}, "steps per environment and iteration");
    v("epochs", epochs, core::Range{1, 1000}, "passes over an iteration's experience");
    v("minibatches", minibatches, core::Range{1, 4096}, "per epoch");
    v("learning_rate", learning_rate, core::Range{0, 1}, "of Adam, at the first iteration");
    v("last_rate_share", last_rate_share, core::Range{0, 1},
      "the rate falls in a straight line to this share of it at the last iteration");
    v("adam_epsilon", adam_epsilon, core::Range{1e-12, 1e-2}, "of Adam");
    v("discount", discount, core::Range{0, 1}, "gamma");
    v("gae_lambda", gae_lambda, core::Range{0, 1}, "lambda of generalised advantage estimation");
    v("clip", clip, core::Range{0.01, 10}, "epsilon of the clipped objective");
    v("value_coefficient", value_coefficient, core::Range{0, 100}, "weight of the value loss");
    v("entropy_coefficient", entropy_coefficient, core::Range{0, 100},
      "weight of the entropy bonus");
    v("max_gradient_norm", max_gradient_norm, core::Range{1e-6, 1e6}, "gradients are scaled to it");
    v("hidden", hidden, core::Range{1, 65536},
      "widths of the hidden layers, policy and value alike");
    v("activation", activation, net::kActivationNames, "between the layers");
    v("initial_deviation", initial_deviation, core::Range{1e-3, 10},
      "of the actions, at the start");
    v("min_deviation", min_deviation, core::Range{1e-6, 10}, "the action deviation stays above it");
    v("max_deviation", max_deviation, core::Range{1e-6, 100}, "and below it");
    v("last_max_share", last_max_share, core::Range{1e-6, 1},
      "max_deviation falls to this share of it at the last iteration, by a constant factor per "
      "iteration; late policies are steadier");
    v("observation_limit", observation_limit, core::Range{0.1, 1e6},
      "normalised observations are clipped to it");
    v("scale_rewards", scale_rewards,
      "divide rewards by the running deviation of the discounted return");
  }

  int batch_size() const { return environments * steps; }
};

}  // namespace rhumb::learn::ppo
