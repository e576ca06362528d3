// Settings of representation learning (the paper's appendix C; PaperRepresentation below undoes our
// changes).
#pragma once

#include <string>
#include <vector>

#include "rhumb/core/process/config.h"

namespace rhumb::learn::representation {

enum class Variant { kOurs, kVae, kMeanPool, kFreeProjections, kInfoNce, kAutoencoder };
inline const core::Names<Variant> kVariantNames = {
    {Variant::kOurs, "ours"},          {Variant::kVae, "vae"},
    {Variant::kMeanPool, "mean_pool"}, {Variant::kFreeProjections, "free_projections"},
    {Variant::kInfoNce, "infonce"},    {Variant::kAutoencoder, "autoencoder"}};

// The reconstruction loss of the decoder.
enum class ReconstructionLoss { kAuto, kSplitKl, kKl, kNll };
inline const core::Names<ReconstructionLoss> kReconstructionLossNames = {
    {ReconstructionLoss::kAuto, "auto"},
    {ReconstructionLoss::kSplitKl, "split_kl"},
    {ReconstructionLoss::kKl, "kl"},
    {ReconstructionLoss::kNll, "nll"}};

// The input that determines the decoder's standard deviation.
enum class DeviationSource { kCode, kState };
inline const core::Names<DeviationSource> kDeviationSourceNames = {
    {DeviationSource::kCode, "code"}, {DeviationSource::kState, "state"}};

// The reduction of the squared entries of U U^T - I to one number.
enum class EntryReduction { kSum, kMean };
inline const core::Names<EntryReduction> kEntryReductionNames = {{EntryReduction::kSum, "sum"},
                                                                 {EntryReduction::kMean, "mean"}};

enum class HeadFit { kLeastSquares, kAdamW };
inline const core::Names<HeadFit> kHeadFitNames = {{HeadFit::kLeastSquares, "least_squares"},
                                                   {HeadFit::kAdamW, "adamw"}};

// Phase 2: regressors from the projections to the labels.
struct HeadConfig {
  HeadFit fit = HeadFit::kLeastSquares;
  int epochs = 100;
  int batch = 256;
  double learning_rate = 1e-3;

  void Visit(core::FieldVisitor& v) {
    v("fit", fit, kHeadFitNames,
      "how the linear regressors are fitted: least squares, or AdamW as in the paper");
    v("epochs", epochs, core::Range{1, 1e6}, "AdamW: passes over the training episodes");
    v("batch", batch, core::Range{1, 1e6, "episodes"}, "AdamW: episodes per step");
    v("learning_rate", learning_rate, core::Range{1e-9, 1}, "AdamW: step size");
  }
};

// DAgger: the decoder acts, and its teachers label the visited states with their own actions.
struct DaggerConfig {
  int rounds = 2;
  int steps = 4000;
  int episodes = 4;
  bool changes = false;
  double learning_rate = 7e-4;

  void Visit(core::FieldVisitor& v) {
    v("rounds", rounds, core::Range{0, 100},
      "rounds of rolling out and learning; needs the population that made the dataset");
    v("steps", steps, core::Range{1, 1e6}, "steps of learning per round");
    v("episodes", episodes, core::Range{1, 1000}, "roll-outs per policy and round");
    v("changes", changes,
      "add as many roll-outs in which the codes of random policies take over from each other, so "
      "that the decoder learns to change while the robot moves");
    v("learning_rate", learning_rate, core::Range{1e-9, 1},
      "initial learning rate; falls to 0 along a cosine");
  }
};

struct RepresentationConfig {
  Variant variant = Variant::kOurs;
  std::vector<std::string> labels = {};
  int epochs = 200;
  int batch = 64;
  int context = 32;
  int queries = 128;
  ReconstructionLoss reconstruction = ReconstructionLoss::kAuto;
  DeviationSource deviation = DeviationSource::kCode;
  double alpha = 2;
  double beta_start = 0;
  double beta_end = 0.05;
  double zeta = 5;
  EntryReduction orthonormality = EntryReduction::kSum;
  double temperature = 0.5;
  double infonce_temperature = 0.07;
  double dropout = 0;
  double learning_rate = 1e-3;
  double final_learning_rate = 1e-5;
  double weight_decay = 0.01;
  double max_gradient_norm = 1;
  int code = 32;
  int projection = 4;
  int layers = 2;
  int attention_heads = 4;
  int hidden = 256;
  int max_skipped_steps = 50;
  double checkpoint_seconds = 20;
  HeadConfig heads;
  DaggerConfig dagger;

  void Visit(core::FieldVisitor& v) {
    v("variant", variant, kVariantNames,
      "ours, or a baseline: no contrast (vae), averaged tokens (mean_pool), no orthonormality "
      "(free_projections), InfoNCE for RNC (infonce), no posterior (autoencoder)");
    v("labels", labels,
      "labels that order the map: names of objectives, or attributes such as mean(x_velocity); "
      "empty: all objectives");
    v("epochs", epochs, core::Range{1, 1e6}, "passes over the training episodes");
    v("batch", batch, core::Range{2, 4096, "episodes"},
      "episodes per step, each with two contexts");
    v("context", context, core::Range{1, 4096, "pairs"}, "state-action pairs per code");
    v("queries", queries, core::Range{1, 65536, "pairs"},
      "states per context in which the decoder is compared with the policy");
    v("reconstruction", reconstruction, kReconstructionLossNames,
      "kl: divergence from the policies' stored Gaussians; split_kl: the same, but errors of the "
      "mean do not widen the deviation; nll: sampled actions, as in the paper; auto: split_kl if "
      "the dataset has the Gaussians, else nll");
    v("deviation", deviation, kDeviationSourceNames,
      "input of the decoder's deviation: the code alone, or state and code");
    v("alpha", alpha, core::Range{0, 1e6}, "weight of the contrast");
    v("beta_start", beta_start, core::Range{0, 1e6}, "initial weight of the posterior's KL");
    v("beta_end", beta_end, core::Range{0, 1e6}, "its final weight; linear in the epochs");
    v("zeta", zeta, core::Range{0, 1e6}, "weight of the projections' orthonormality");
    v("orthonormality", orthonormality, kEntryReductionNames,
      "sum or mean of the squared entries of U U^T - I");
    v("temperature", temperature, core::Range{1e-6, 1e6}, "temperature of the contrast");
    v("infonce_temperature", infonce_temperature, core::Range{1e-6, 1e6}, "temperature of InfoNCE");
    v("dropout", dropout, core::Range{0, 0.9}, "dropout of inputs and attention, in training only");
    v("learning_rate", learning_rate, core::Range{1e-9, 1}, "initial learning rate of AdamW");
    v("final_learning_rate", final_learning_rate, core::Range{0, 1},
      "final learning rate, reached along a cosine");
    v("weight_decay", weight_decay, core::Range{0, 1}, "weight decay of AdamW");
    v("max_gradient_norm", max_gradient_norm, core::Range{1e-9, 1e9},
      "longer gradients are scaled down");
    v("code", code, core::Range{1, 4096}, "numbers in a code");
    v("projection", projection, core::Range{1, 4096}, "numbers in its projection for a label");
    v("layers", layers, core::Range{0, 64}, "transformer layers");
    v("attention_heads", attention_heads, core::Range{1, 64}, "heads per layer; must divide code");
    v("hidden", hidden, core::Range{1, 65536}, "width of the hidden layers");
    v("max_skipped_steps", max_skipped_steps, core::Range{0, 1e9},
      "skipped steps (no finite gradient) before the run fails");
    v("checkpoint_seconds", checkpoint_seconds, core::Range{0, 1e9, "s"},
      "least time between saved states; does not affect results");
    v.Group("heads", heads);
    v.Group("dagger", dagger);
  }

  bool is_deterministic() const { return variant == Variant::kAutoencoder; }
  bool is_mean_pool() const { return variant == Variant::kMeanPool; }
  bool uses_infonce() const { return variant == Variant::kInfoNce; }
  double contrast_weight() const { return variant == Variant::kVae ? 0 : alpha; }
  // Whether a KL is split, where the targets are Gaussians.
  bool splits_kl() const {
    return reconstruction == ReconstructionLoss::kAuto ||
           reconstruction == ReconstructionLoss::kSplitKl;
  }
  bool has_deviation_from_code() const { return deviation == DeviationSource::kCode; }
  double orthonormality_weight() const { return variant == Variant::kFreeProjections ? 0 : zeta; }
};

// All settings as in the paper.
inline RepresentationConfig PaperRepresentation() {
  RepresentationConfig config;
  config.reconstruction = ReconstructionLoss::kNll;
  config.deviation = DeviationSource::kState;
  config.alpha = 1;
  config.dropout = 0.1;
  config.final_learning_rate = config.learning_rate;
  config.heads.fit = HeadFit::kAdamW;
  config.dagger.rounds = 0;
  return config;
}

}  // namespace rhumb::learn::representation
