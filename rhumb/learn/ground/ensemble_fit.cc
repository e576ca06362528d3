#include "rhumb/learn/ground/ensemble_fit.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/math/running_statistics.h"
#include "rhumb/core/math/shuffle.h"
#include "rhumb/learn/device/batched_mlp.h"
#include "rhumb/learn/device/clipped_adamw.h"
#include "rhumb/learn/device/cuda_library.h"
#include "rhumb/learn/device/initial_weights.h"
#include "rhumb/learn/device/repeated_step.h"
#include "rhumb/net/value_function.h"

namespace rhumb::learn::ground {
namespace {

// Fewer codes leave too few residuals for quantiles.
constexpr int kLeastCodes = 40;
// Lower limit of the scale, in standard deviations of the label; avoids division by 0 if nothing
// varies.
constexpr double kNoiseFloor = 1e-3;
// Means with more than this multiple of the usual noise get less weight in the fit. Below it the
// heads' own error dominates, and a few episodes estimate their noise poorly.
constexpr float kTolerated = 4;
// Limit on the gradient norm of all members together; longer gradients are scaled down.
constexpr double kMaxGradientNorm = 10;
// The fit fails if more than this share of steps lacks a finite gradient.
constexpr double kMaxSkippedShare = 0.05;
constexpr double kLowLevel = 0.05, kHighLevel = 0.95;  // of the reported interval

// Purposes of random draws in a fit. Each has its own stream (the streams' episode).
enum Draw : std::uint32_t { kSplit, kWeights, kBatches };

core::Stream StreamOf(std::uint64_t seed, Draw draw, std::int64_t member = 0,
                      std::int64_t step = 0) {
  return {seed, core::Purpose::kHeadFit, static_cast<std::uint32_t>(member), draw,
          static_cast<std::uint32_t>(step)};
}

std::vector<int> RandomOrder(int count, core::Stream noise) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  core::Shuffle(std::span(order), noise);
  return order;
}

// The selected rows of `from` [N, columns], concatenated.
std::vector<float> RowsOf(std::span<const float> from, int columns, std::span<const int> rows) {
  std::vector<float> picked;
  picked.reserve(rows.size() * static_cast<std::size_t>(columns));
  for (const int row : rows) {
    const auto begin = from.begin() + std::ptrdiff_t{row} * columns;
    picked.insert(picked.end(), begin, begin + columns);
  }
  return picked;
}

torch::Tensor AsTensor(const std::vector<float>& values, int columns, torch::Device device) {
  return torch::from_blob(const_cast<float*>(values.data()),
                          {static_cast<std::int64_t>(values.size()) / columns, columns})
      .to(device, torch::kFloat32, /*non_blocking=*/false, /*copy=*/true);
}

// Standardised codes and their values; position p belongs to fold p mod M.
class Members {
 public:
  Members(const std::vector<float>& codes, const std::vector<float>& values,
          const std::vector<float>& weights, int code_size, int objectives,
          const EnsembleConfig& config, std::uint64_t seed, torch::Device device)
      : config_(config),
        seed_(seed),
        codes_(AsTensor(codes, code_size, device)),
        values_(AsTensor(values, objectives, device)),
        weights_(AsTensor(weights, objectives, device)),
        sizes_{code_size, config.hidden, config.hidden, objectives},
        parameters_(
            torch::zeros({config.members, device::BatchedMlp::parameter_count(sizes_)}, device)),
        gradients_(torch::zeros_like(parameters_)),
        networks_(sizes_, net::Activation::kElu, parameters_, gradients_, offset_),
        batch_(std::min<std::int64_t>(config.batch, codes_.size(0))),
        host_rows_(torch::zeros({config.members, batch_}, torch::kInt64)),
        rows_(host_rows_.to(device)),
        learning_rate_(torch::zeros({}, device)),
        optimiser_({parameters_}, config.weight_decay, kMaxGradientNorm) {
    parameters_.mutable_grad() = gradients_;
    networks_.Reserve(batch_);
    Initialise();
  }

  void Fit() {
    const auto step = device::MakeRepeatedStep(codes_.device(), [this] { Step(); });
    for (int t = 0; t < config_.steps; ++t) {
      const double way = static_cast<double>(t) / config_.steps;
      learning_rate_.fill_(config_.learning_rate * (1 + std::cos(std::numbers::pi * way)) / 2);
      DrawRows(t);
      step->Run();
    }
    const double skipped = optimiser_.skipped().item<double>();
    if (skipped > kMaxSkippedShare * config_.steps || !parameters_.isfinite().all().item<bool>()) {
      Fail("the heads cannot be fitted: {} of {} steps had no finite gradient", skipped,
           config_.steps);
    }
  }

  std::vector<net::Mlp> Export() {
    std::vector<net::Mlp> members;
    for (std::int64_t m = 0; m < config_.members; ++m) {
      net::Mlp& member = members.emplace_back(sizes_, net::Activation::kElu);
      for (std::size_t i = 0; i < networks_.layer_count(); ++i) {
        const torch::Tensor weight = networks_.layer(i).weight[m].cpu().contiguous();
        const torch::Tensor bias = networks_.layer(i).bias[m].cpu().contiguous();
        const auto numbers = [](const torch::Tensor& tensor) {
          return std::span(tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel()));
        };
        member.SetLayer(i, numbers(weight), numbers(bias));
      }
    }
    return members;
  }

 private:
  // Small initial weights keep the heads smooth away from the data.
  void Initialise() {
    for (std::int64_t m = 0; m < config_.members; ++m) {
      core::Stream noise = StreamOf(seed_, kWeights, m);
      for (std::size_t i = 0; i < networks_.layer_count(); ++i) {
        torch::Tensor weight = networks_.layer(i).weight[m];
        weight.copy_(device::Uniform(weight.sizes(), 1 / std::sqrt(weight.size(0)), noise));
      }
    }
  }

  // Draws each member's minibatch from the positions outside its fold. Of every M consecutive
  // positions it uses the M - 1 before and after its own.
  void DrawRows(int step) {
    const std::int64_t count = codes_.size(0), folds = config_.members;
    std::int64_t* row = host_rows_.data_ptr<std::int64_t>();
    for (std::int64_t m = 0; m < folds; ++m) {
      const std::int64_t own = count / folds + (m < count % folds ? 1 : 0);
      core::Stream choice = StreamOf(seed_, kBatches, m, step);
      for (std::int64_t i = 0; i < batch_; ++i) {
        const std::int64_t pick = choice.Below(static_cast<std::uint32_t>(count - own));
        const std::int64_t place = pick % (folds - 1);
        *row++ = pick / (folds - 1) * folds + place + (place >= m ? 1 : 0);
      }
    }
    rows_.copy_(host_rows_);
  }

  // L = 1/B sum_b w_b |f(x_b) - y_b|^2 for every member, per objective.
  void Step() {
    const torch::Tensor index = rows_.view({-1});
    const torch::Tensor x = codes_.index_select(0, index).view({config_.members, batch_, -1});
    const torch::Tensor y = values_.index_select(0, index).view({config_.members, batch_, -1});
    const torch::Tensor w = weights_.index_select(0, index).view_as(y);
    networks_.Backward(x,
                       (networks_.Forward(x) - y).mul_(w).mul_(2.0 / static_cast<double>(batch_)),
                       /*accumulate=*/false);
    optimiser_.Step(learning_rate_);
  }

  EnsembleConfig config_;
  std::uint64_t seed_;
  torch::Tensor codes_, values_, weights_;  // [F, H], [F, K], [F, K]
  std::vector<int> sizes_;
  torch::Tensor parameters_, gradients_;  // [M, P]
  std::int64_t offset_ = 0;
  device::BatchedMlp networks_;
  std::int64_t batch_;
  torch::Tensor host_rows_, rows_;  // [M, B]
  torch::Tensor learning_rate_;
  device::ClippedAdamW optimiser_;
};

float MedianOf(std::vector<float> numbers) {
  if (numbers.empty()) return 0;
  const auto middle = numbers.begin() + std::ssize(numbers) / 2;
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

// The typical standard error of a mean, [K], which even the best heads cannot predict. A few codes
// that sometimes fall have most of the noise, so each variance is limited to kTolerated^2 medians.
// If most codes never vary, the median is over the variances above 0.
std::vector<float> NoiseOf(const RealisedCodes& data) {
  const auto width = static_cast<std::size_t>(data.objectives);
  std::vector<float> noise, variances;
  for (std::size_t k = 0; k < width; ++k) {
    variances.clear();
    for (std::size_t i = k; i < data.error_variance.size(); i += width) {
      variances.push_back(data.error_variance[i]);
    }
    float median = MedianOf(variances);
    if (median == 0) {
      std::erase(variances, 0.0f);
      median = MedianOf(variances);
    }
    double sum = 0;
    for (const float variance : variances) {
      sum += std::min(variance, kTolerated * kTolerated * median);
    }
    noise.push_back(static_cast<float>(std::max(kNoiseFloor, std::sqrt(sum / data.count()))));
  }
  return noise;
}

// Weight of a mean in the fit: 1 / (tolerated variance + its own), 1 on average. If one episode of
// four falls, it says little about the other three.
std::vector<float> WeightsOf(const std::vector<float>& variances, const std::vector<float>& noise) {
  const std::size_t width = noise.size();
  std::vector<float> weights;
  std::vector<double> sums(width, 0.0);
  for (std::size_t i = 0; i < variances.size(); ++i) {
    const float tolerated = kTolerated * kTolerated * noise[i % width] * noise[i % width];
    weights.push_back(tolerated / (tolerated + variances[i]));
    sums[i % width] += weights.back();
  }
  const double count = static_cast<double>(variances.size() / width);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] *= static_cast<float>(count / sums[i % width]);
  }
  return weights;
}

void Standardise(const std::vector<float>& codes, int code_size, net::HeadEnsemble& heads) {
  core::RunningStatistics statistics(code_size);
  statistics.AddRows(codes);
  const std::vector<double> code_std = statistics.std();
  for (std::size_t i = 0; i < code_std.size(); ++i) {
    heads.code_mean.push_back(static_cast<float>(statistics.mean()[i]));
    // A constant coordinate is not scaled.
    heads.code_inverse_scale.push_back(code_std[i] > 1e-6 ? static_cast<float>(1 / code_std[i])
                                                          : 1.0f);
  }
}

std::vector<float> Standardised(std::vector<float> codes, const net::HeadEnsemble& heads) {
  const std::size_t width = heads.code_mean.size();
  for (std::size_t i = 0; i < codes.size(); ++i) {
    codes[i] = (codes[i] - heads.code_mean[i % width]) * heads.code_inverse_scale[i % width];
  }
  return codes;
}

// Tests each member on its own fold: positions m, m + M, ….
std::vector<double> OutOfFoldErrors(const net::HeadEnsemble& heads, const std::vector<float>& codes,
                                    const std::vector<float>& values, int objectives) {
  const auto width = static_cast<std::size_t>(objectives);
  const std::size_t inputs = heads.code_mean.size(), count = codes.size() / inputs;
  std::vector<double> errors(width, 0.0);
  std::vector<float> predicted(width), workspace(heads.members.front().workspace_size(1));
  for (std::size_t p = 0; p < count; ++p) {
    heads.members[p % heads.members.size()].Forward(codes.data() + p * inputs, 1, predicted.data(),
                                                    workspace);
    for (std::size_t k = 0; k < width; ++k) {
      const double difference = predicted[k] - values[p * width + k];
      errors[k] += difference * difference / static_cast<double>(count);
    }
  }
  return errors;
}

net::HeadEnsemble WithResiduals(std::vector<float> residuals) {
  net::HeadEnsemble heads;
  std::sort(residuals.begin(), residuals.end());
  heads.residuals = {std::move(residuals)};
  return heads;
}

// The share of each half of the residuals inside the other half's interval.
double CoverageOf(const std::vector<float>& residuals) {
  std::array<std::vector<float>, 2> halves;
  for (std::size_t i = 0; i < residuals.size(); ++i) halves[i % 2].push_back(residuals[i]);
  std::ptrdiff_t inside = 0;
  for (std::size_t half = 0; half < 2; ++half) {
    const net::HeadEnsemble other = WithResiduals(halves[1 - half]);
    const float low = other.ResidualQuantile(0, kLowLevel);
    const float high = other.ResidualQuantile(0, kHighLevel);
    inside += std::count_if(halves[half].begin(), halves[half].end(),
                            [&](float value) { return value >= low && value <= high; });
  }
  return static_cast<double>(inside) / static_cast<double>(residuals.size());
}

// Restricts torch to one thread. The products are too small for a second thread to pay off, and the
// bits then depend only on the arguments.
class OneThread {
 public:
  OneThread() : before_(at::get_num_threads()) { at::set_num_threads(1); }
  ~OneThread() { at::set_num_threads(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

torch::Device OpenDevice(device::Device device) {
  if (device == device::Device::kCpu) return torch::kCPU;
  device::LoadCudaLibrary();
  return torch::kCUDA;
}

// Computes the residuals and their entries in the report.
void Calibrate(const std::vector<float>& codes, const std::vector<float>& values,
               net::HeadEnsemble& heads, EnsembleReport& report) {
  const auto width = static_cast<std::size_t>(heads.objectives());
  const std::size_t count = values.size() / width;
  std::vector<float> mean(values.size()), spread(values.size());
  const net::ValueFunction function(heads);
  std::vector<float> workspace(function.workspace_size(static_cast<int>(count)));
  function.Evaluate(codes.data(), static_cast<int>(count), mean.data(), spread.data(), workspace);
  for (std::size_t k = 0; k < width; ++k) {
    std::vector<float> residuals;
    double squares = 0, scales = 0;
    for (std::size_t i = k; i < values.size(); i += width) {
      const float scale = std::hypot(spread[i], heads.noise[k]);
      const double difference = values[i] - mean[i];
      residuals.push_back(static_cast<float>(difference / scale));
      squares += difference * difference;
      scales += scale;
    }
    report.calibration_mse.push_back(squares / static_cast<double>(count));
    report.coverage.push_back(CoverageOf(residuals));
    const net::HeadEnsemble all = WithResiduals(std::move(residuals));
    report.width.push_back(
        (all.ResidualQuantile(0, kHighLevel) - all.ResidualQuantile(0, kLowLevel)) * scales /
        static_cast<double>(count));
    heads.residuals.push_back(all.residuals.front());
  }
}

void CheckNumbers(const RealisedCodes& data) {
  RHUMB_CHECK(data.values.size() == data.error_variance.size() &&
                  static_cast<int>(data.values.size()) == data.count() * data.objectives,
              "{} codes with {} values and {} variances", data.count(), data.values.size(),
              data.error_variance.size());
  for (const std::span<const float> numbers : {data.codes, data.values, data.error_variance}) {
    RHUMB_CHECK(
        std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); }),
        "heads cannot be fitted to a number that is not finite");
  }
}

}  // namespace

EnsembleFit FitEnsemble(const RealisedCodes& data, const EnsembleConfig& config, std::uint64_t seed,
                        device::Device device) {
  const torch::NoGradGuard no_grad;
  const OneThread one_thread;
  CheckNumbers(data);
  if (data.count() < std::max(kLeastCodes, 4 * config.members)) {
    Fail("{} usable codes are too few to fit and calibrate {} heads; at least {} are needed",
         data.count(), config.members, std::max(kLeastCodes, 4 * config.members));
  }
  const std::vector<int> order = RandomOrder(data.count(), StreamOf(seed, kSplit));
  const auto kept_back =
      static_cast<std::ptrdiff_t>(std::lround(config.calibration * data.count()));
  const std::span fitted = std::span(order).subspan(static_cast<std::size_t>(kept_back));

  EnsembleFit fit;
  fit.calibration.assign(order.begin(), order.begin() + kept_back);
  net::HeadEnsemble& heads = fit.heads;
  heads.episodes = data.episodes;
  heads.noise = NoiseOf(data);
  std::vector<float> codes = RowsOf(data.codes, data.code_size, fitted);
  Standardise(codes, data.code_size, heads);
  codes = Standardised(std::move(codes), heads);
  const std::vector<float> values = RowsOf(data.values, data.objectives, fitted);

  const std::vector<float> weights =
      WeightsOf(RowsOf(data.error_variance, data.objectives, fitted), heads.noise);

  Members members(codes, values, weights, data.code_size, data.objectives, config, seed,
                  OpenDevice(device));
  members.Fit();
  heads.members = members.Export();
  fit.report.out_of_fold_mse = OutOfFoldErrors(heads, codes, values, data.objectives);
  Calibrate(RowsOf(data.codes, data.code_size, fit.calibration),
            RowsOf(data.values, data.objectives, fit.calibration), heads, fit.report);
  return fit;
}

}  // namespace rhumb::learn::ground
