// Codes that act: observations -> actions in the environment's own units.
//
//   observations [N, O] -> normalise -> decoder, with the code of each row -> Gaussian
//                       -> a draw or the mean, clipped -> actions [N, A]
//
// Every row has its own code and its own key of random draws, so a row's actions do not depend on
// the other rows.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rhumb/net/code_blend.h"
#include "rhumb/net/model.h"

namespace rhumb::net {

// Used by one thread at a time; any number of actors may share a model.
class CodeActor {
 public:
  // All rows have the code 0 until SetCode. `seed` determines the sampled actions.
  CodeActor(std::shared_ptr<const Model> model, RolloutMode mode, std::uint64_t seed, int rows);
  CodeActor(CodeActor&&) noexcept = default;
  CodeActor& operator=(CodeActor&&) noexcept = default;

  // Gives a row its code [H] and starts an episode: sampled actions are keyed (seed, unit, episode,
  // step). Throws Error if the code has another size or a number that is not finite.
  void SetCode(int row, std::span<const float> code, std::int64_t unit = 0,
               std::int64_t episode = 0);

  // Turns a row to another code [H] in the midst of its episode: the code of the following actions
  // moves there on a straight line and arrives with action number `blend_steps`. 0 takes it at
  // once. Allocates nothing. Returns false, and changes nothing, if the code has another size or a
  // number that is not finite, or if `blend_steps` is not in [0, kMaxBlendSteps].
  [[nodiscard]] bool BlendTo(int row, std::span<const float> code, int blend_steps) noexcept;

  // observations [N, O] -> actions [N, A], clipped to the action range. They equal the actions of
  // a rollout, bit for bit if the range has at most six digits. Allocates nothing.
  //
  // Returns false if a size is wrong or a number is not finite. Rows with such a number then get
  // the centre of the action range and do not count the step; if a size is wrong, all do.
  [[nodiscard]] bool Act(std::span<const double> observations, std::span<double> actions) noexcept;

  // The code [H] of a row's last action, and whether it still moves.
  std::span<const float> code(int row) const { return blend(row).code(); }
  bool is_blending(int row) const { return blend(row).is_blending(); }
  int rows() const { return static_cast<int>(steps_.size()); }
  const Model& model() const { return *model_; }

 private:
  struct Key {
    std::int64_t unit = 0, episode = 0;
  };

  const CodeBlend& blend(int row) const { return blends_.at(static_cast<std::size_t>(row)); }
  void Prepare(std::size_t row) noexcept;

  std::shared_ptr<const Model> model_;
  bool sampled_;
  std::uint64_t seed_;
  std::vector<double> centre_, half_range_;  // [A]
  std::vector<Key> keys_;                    // [N]
  std::vector<std::int64_t> steps_;          // [N], past actions of the episode
  std::vector<CodeBlend> blends_;            // [N]
  std::vector<float> prepared_;              // [N, prepared_size]
  std::vector<const float*> prepared_rows_;  // [N]
  std::vector<float> normalised_;            // [N, O]
  std::vector<float> means_, log_stds_;      // [N, A]
  std::vector<float> workspace_;
};

}  // namespace rhumb::net
