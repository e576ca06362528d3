#include "rhumb/serve/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/process/log.h"
#include "rhumb/rollout/recording.h"
#include "rhumb/rollout/takeover.h"
#include "rhumb/serve/scene.h"
#include "rhumb/steer/answer_json.h"

namespace rhumb::serve {
namespace {

using nlohmann::json;
using std::chrono::duration;
using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr double kPushSeconds = 0.25;
constexpr double kFrameSeconds = 1.0 / 60;  // between frames, at least
constexpr auto kValuesPeriod = milliseconds(90);
constexpr auto kRestPeriod = milliseconds(1200);   // between episodes
constexpr auto kLongestDelay = milliseconds(250);  // later than that, time is lost, not made up

// How an objective's prediction for a whole episode grows with its steps.
enum class Growth { kSum, kMean, kConstant };

Growth GrowthOf(const net::ModelObjective& objective) {
  if (objective.expression.empty() || objective.expression.starts_with("sum(")) return Growth::kSum;
  return objective.expression.starts_with("mean(") ? Growth::kMean : Growth::kConstant;
}

std::size_t Index(int lane) { return static_cast<std::size_t>(lane); }

}  // namespace

Stage::Stage(std::shared_ptr<const Subject> subject, Sinks sinks)
    : sinks_(std::move(sinks)), subject_(std::move(subject)), mode_(subject_->main_mode()) {
  lanes_[0].used = true;
  lanes_[0].staged = subject_->First(mode_);
  MakeWorld();
  thread_ = std::thread([this] { Loop(); });
}

Stage::~Stage() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Stage::Show(std::shared_ptr<const Subject> subject, net::RolloutMode mode, Behaviour first) {
  const std::scoped_lock lock(mutex_);
  batch_.reset();  // before its environment
  subject_ = std::move(subject);
  mode_ = mode;
  lanes_ = {};
  lanes_[0].used = true;
  lanes_[0].staged = std::move(first);
  MakeWorld();
}

void Stage::MakeWorld() {
  const sim::Environment& environment = subject_->environment();
  batch_ = std::make_unique<sim::Batch>(
      environment, sim::BatchOptions{.count = kLanes, .restart = false, .keep_substeps = true});
  values_.emplace(environment, subject_->model());
  scratch_.reset(mj_makeData(environment.model()));
  if (!scratch_) Fail("no memory for the robot's poses");
  controls_.assign(Index(kLanes) * static_cast<std::size_t>(environment.action_size()), 0);
  BeginEpisode();
}

void Stage::BeginEpisode() {
  ++episode_;
  step_ = 0;
  restart_at_ = {};
  const std::size_t width = subject_->model().description.objectives.size();
  for (int i = 0; i < kLanes; ++i) {
    Lane& lane = lanes_[Index(i)];
    lane.ended = !lane.used;
    lane.push_steps = 0;
    lane.poses.clear();
    for (auto* values : {&lane.realised, &lane.expected, &lane.low, &lane.high}) {
      values->assign(width, 0);
    }
    if (!lane.used) continue;
    if (!lane.schedule.empty()) {
      lane.staged = lane.schedule.front().staged;
      lane.next_scheduled = 1;
    }
    // All lanes start from the same noise and draw their actions from the same keys.
    batch_->Start(i, core::Stream(seed_, core::Purpose::kReset, 0, episode_));
    lane.actor = subject_->MakeActor(mode_, seed_);
    lane.actor->Begin(lane.staged, episode_);
    rollout::BeginRecording(*batch_, i, lane.episode);
  }
  poses_ = 1;
  for (int i = 0; i < kLanes; ++i) {
    if (lanes_[Index(i)].used) AddPose(lanes_[Index(i)], batch_->qpos(i).data(), i);
  }
  SendFrame();
  SendState();
  changed_.notify_all();
}

void Stage::Play(Behaviour staged, const Takeover& takeover) {
  const std::scoped_lock lock(mutex_);
  Lane& lane = lanes_[Index(takeover.lane)];
  const bool is_new = !lane.used;
  lane.used = true;
  lane.schedule.clear();
  lane.staged = std::move(staged);
  if (is_new || takeover.restart || lane.ended) return BeginEpisode();
  if (!lane.actor->TurnTo(lane.staged, takeover.blend)) {
    core::LogWarning("a behaviour was refused by the actor");
  }
  SendState();
}

std::optional<std::size_t> Stage::TryTakeover(std::span<const Behaviour> staged,
                                              const Takeover& takeover,
                                              std::function<bool()> should_stop) const {
  if (staged.size() < 2 || takeover.restart) return 0;
  rollout::TakeoverTrial trial;
  rollout::TakeoverOptions options{.blend_steps = takeover.blend,
                                   .first_code = core::stream_key::kTriedTakeovers,
                                   .job = {.quiet = true, .should_stop = std::move(should_stop)}};
  std::shared_ptr<const Subject> subject;
  {
    const std::scoped_lock lock(mutex_);
    const Lane& lane = lanes_[Index(takeover.lane)];
    if (!lane.used || lane.ended || lane.actor->code().empty()) return 0;
    subject = subject_;
    options.mode = mode_;
    options.step = step_;
    options.job.seed = seed_;
    trial.acting.assign(lane.actor->code().begin(), lane.actor->code().end());
    // A state holds the forces of a push, and nothing would end them in the tries. The robot itself
    // gets them again before its next step.
    std::ranges::fill(batch_->applied_forces(takeover.lane), 0.0);
    trial.state.resize(batch_->state_size());
    batch_->SaveState(takeover.lane, trial.state);
  }
  for (const Behaviour& one : staged) trial.codes.push_back(one.code);
  const auto chosen =
      rollout::ChooseTakeovers(subject->environment(), subject->model(), {&trial, 1}, options);
  if (!chosen) return std::nullopt;
  return chosen->front();
}

void Stage::Follow(int lane, std::vector<ScheduledStage> schedule) {
  RHUMB_CHECK(!schedule.empty() && schedule.front().step == 0, "a schedule begins at step 0");
  const std::scoped_lock lock(mutex_);
  lanes_[Index(lane)].used = true;
  lanes_[Index(lane)].schedule = std::move(schedule);
  BeginEpisode();
}

void Stage::Clear(int lane) {
  const std::scoped_lock lock(mutex_);
  lanes_[Index(lane)].schedule.clear();
  if (lane != 0) {
    lanes_[Index(lane)].used = false;
    lanes_[Index(lane)].ended = true;
  }
  SendState();
}

void Stage::Run(std::optional<bool> paused, std::optional<double> speed) {
  const std::scoped_lock lock(mutex_);
  paused_ = paused.value_or(paused_);
  speed_ = speed.value_or(speed_);
  woken_ = true;
  SendState();
  changed_.notify_all();
}

void Stage::StepOnce() {
  const std::scoped_lock lock(mutex_);
  if (!paused_) return;
  step_asked_ = true;
  changed_.notify_all();
}

void Stage::Restart(std::optional<std::uint64_t> seed) {
  const std::scoped_lock lock(mutex_);
  if (seed) {
    seed_ = *seed;
    episode_ = -1;
  }
  BeginEpisode();
}

void Stage::Push(int lane, int body, const std::array<double, 3>& force) {
  const std::scoped_lock lock(mutex_);
  if (body < 0 || body >= subject_->environment().model()->nbody) {
    Fail("the robot has the bodies 0 to {}, not {}", subject_->environment().model()->nbody - 1,
         body);
  }
  Lane& pushed = lanes_[Index(lane)];
  pushed.pushed_body = body;
  pushed.push = force;
  pushed.push_steps =
      static_cast<int>(std::ceil(kPushSeconds / subject_->environment().control_step()));
}

void Stage::SetWatched(bool watched) {
  const std::scoped_lock lock(mutex_);
  watched_ = watched;
  woken_ = true;
  changed_.notify_all();
}

std::shared_ptr<const Subject> Stage::subject() const {
  const std::scoped_lock lock(mutex_);
  return subject_;
}

net::RolloutMode Stage::mode() const {
  const std::scoped_lock lock(mutex_);
  return mode_;
}

std::string Stage::StateJson() const {
  const std::scoped_lock lock(mutex_);
  return MakeStateJson();
}

bool Stage::IsMoving() const { return watched_ && (!paused_ || step_asked_); }

Stage::Clock::duration Stage::Period() const {
  return duration_cast<Clock::duration>(
      duration<double>(subject_->environment().control_step() / speed_));
}

void Stage::Loop() {
  std::unique_lock lock(mutex_);
  Clock::time_point next = Clock::now();
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || IsMoving(); });
    if (stopping_) return;
    const auto is_asked = [this] { return stopping_ || step_asked_ || woken_; };
    if (!step_asked_ && changed_.wait_until(lock, next, is_asked) && !step_asked_) {
      if (woken_) next = Clock::now();
      woken_ = false;
      continue;
    }
    next = std::max(next + Period(), Clock::now() - kLongestDelay);
    const bool all_ended = std::ranges::all_of(lanes_, [](const Lane& lane) { return lane.ended; });
    try {
      if (!all_ended) {
        Advance();
      } else if (restart_at_ == Clock::time_point{} && !step_asked_) {
        restart_at_ = Clock::now() + kRestPeriod;
      } else if (step_asked_ || Clock::now() >= restart_at_) {
        BeginEpisode();
      }
    } catch (const std::exception& problem) {
      // A robot of one's own may have an objective that is not finite.
      core::LogWarning("the robot stopped: {}", problem.what());
      paused_ = true;
      SendState();
    }
    step_asked_ = false;
  }
}

void Stage::Act(int index) {
  Lane& lane = lanes_[Index(index)];
  const sim::Environment& environment = subject_->environment();
  while (lane.next_scheduled < lane.schedule.size() &&
         lane.schedule[lane.next_scheduled].step <= step_) {
    const ScheduledStage& next = lane.schedule[lane.next_scheduled++];
    lane.staged = next.staged;
    if (!lane.actor->TurnTo(lane.staged, next.blend_steps)) {
      core::LogWarning("a behaviour of the schedule was refused by the actor");
    }
    SendState();
  }
  const auto width = static_cast<std::size_t>(environment.action_size());
  const std::span<double> controls = std::span(controls_).subspan(Index(index) * width, width);
  lane.actor->Act(batch_->observation(index), controls);
  for (std::size_t a = 0; a < width; ++a) {
    const double half = environment.action_half_range()[a];
    const auto raw =
        static_cast<float>(half > 0 ? (controls[a] - environment.action_centre()[a]) / half : 0);
    rollout::RecordAction(environment, a, raw, raw, lane.episode);
  }
  const std::span<double> forces = batch_->applied_forces(index);
  std::ranges::fill(forces, 0.0);
  if (lane.push_steps > 0) {
    --lane.push_steps;
    std::ranges::copy(lane.push, forces.begin() + std::ptrdiff_t{6} * lane.pushed_body);
  }
}

void Stage::Expect(Lane& lane) const {
  const auto& objectives = subject_->model().description.objectives;
  const double limit = subject_->environment().time_limit();
  const double steps = static_cast<double>(lane.episode.steps());
  const auto grow = [&](Growth growth, double& so_far, double whole) {
    if (growth == Growth::kSum) so_far += whole / limit;
    if (growth == Growth::kMean) so_far += (whole - so_far) / steps;
    if (growth == Growth::kConstant) so_far = whole;
  };
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    const Growth growth = GrowthOf(objectives[k]);
    const double value = lane.staged.predicted.empty() ? std::nan("") : lane.staged.predicted[k];
    grow(growth, lane.expected[k], value);
    const bool known = !lane.staged.interval.empty();
    grow(growth, lane.low[k], known ? lane.staged.interval[k].low : value);
    grow(growth, lane.high[k], known ? lane.staged.interval[k].high : value);
  }
}

void Stage::AddPose(Lane& lane, const double* qpos, int simulation) {
  const mjModel* model = subject_->environment().model();
  std::copy_n(qpos, model->nq, scratch_->qpos);
  std::ranges::copy(batch_->mocap_positions(simulation), scratch_->mocap_pos);
  std::ranges::copy(batch_->mocap_quaternions(simulation), scratch_->mocap_quat);
  mj_kinematics(model, scratch_.get());
  for (int body = 0; body < model->nbody; ++body) {
    const auto append = [&](const mjtNum* numbers, int count) {
      for (int i = 0; i < count; ++i) lane.poses.push_back(static_cast<float>(numbers[i]));
    };
    append(scratch_->xpos + std::ptrdiff_t{3} * body, 3);
    append(scratch_->xquat + std::ptrdiff_t{4} * body, 4);
  }
}

void Stage::Advance() {
  const sim::Environment& environment = subject_->environment();
  const mjModel* model = environment.model();
  std::vector<int> active;
  for (int i = 0; i < kLanes; ++i) {
    if (!lanes_[Index(i)].ended) active.push_back(i);
  }
  for (const int i : active) Act(i);
  batch_->SetActive(active);
  batch_->StepControls(controls_);
  ++step_;

  // Poses are as dense as the physics, or as 60 a second of the clock.
  const int substeps = environment.spec().frame_skip;
  pose_stride_ = 1;
  for (int stride = 1; stride <= substeps; ++stride) {
    if (substeps % stride == 0 && stride * model->opt.timestep / speed_ <= kFrameSeconds) {
      pose_stride_ = stride;
    }
  }
  if (poses_ == 0) {
    for (Lane& lane : lanes_) lane.poses.clear();
  }
  for (int i = 0; i < kLanes; ++i) {
    Lane& lane = lanes_[Index(i)];
    if (!lane.used) continue;
    const bool has_stepped = std::ranges::count(active, i) > 0;
    const sim::StepOutcome& outcome = batch_->outcomes()[Index(i)];
    if (has_stepped) {
      rollout::CheckObjectives(environment, outcome, "code", i);
      rollout::RecordStep(*batch_, i, {}, lane.episode);
      Expect(lane);
      lane.ended = outcome.ended();
    }
    // A lane that stands still repeats its last pose.
    for (int substep = pose_stride_; substep <= substeps; substep += pose_stride_) {
      const bool moves = has_stepped && !outcome.diverged;
      AddPose(lane,
              moves ? batch_->substeps(i).data() + std::ptrdiff_t{substep - 1} * model->nq
                    : batch_->qpos(i).data(),
              i);
    }
  }
  poses_ += substeps / pose_stride_;

  const Clock::time_point now = Clock::now();
  const bool all_ended = std::ranges::all_of(lanes_, [](const Lane& lane) { return lane.ended; });
  if (now - last_values_ >= kValuesPeriod || all_ended || paused_) {
    last_values_ = now;
    for (Lane& lane : lanes_) {
      if (lane.used && lane.episode.steps() > 0 && !lane.episode.diverged) {
        values_->Compute(lane.episode, lane.realised);
      }
    }
  }
  if (duration<double>(now - last_frame_).count() >= kFrameSeconds || all_ended || paused_) {
    SendFrame();
  }
  if (all_ended) SendState();
}

void Stage::SendFrame() {
  const sim::Environment& environment = subject_->environment();
  FrameHead head;
  head.step = static_cast<std::uint32_t>(step_);
  head.episode = static_cast<std::uint32_t>(episode_);
  head.time_s = static_cast<float>(static_cast<double>(step_) * environment.control_step());
  head.interval_s = static_cast<float>(environment.model()->opt.timestep * pose_stride_);
  head.poses = static_cast<std::uint32_t>(poses_);
  head.bodies = static_cast<std::uint32_t>(environment.model()->nbody);
  head.values = static_cast<std::uint32_t>(4 * subject_->model().description.objectives.size());
  std::vector<float> numbers;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const Lane& lane = lanes_[i];
    if (!lane.used) continue;
    ++head.lanes;
    if (lane.ended) head.ended |= 1U << i;
    numbers.insert(numbers.end(), lane.poses.begin(), lane.poses.end());
    for (const auto* values : {&lane.realised, &lane.expected, &lane.low, &lane.high}) {
      for (const double value : *values) numbers.push_back(static_cast<float>(value));
    }
  }
  poses_ = 0;
  for (Lane& lane : lanes_) lane.poses.clear();
  last_frame_ = Clock::now();
  sinks_.frame(EncodeFrame(head, numbers));
}

void Stage::SendState() { sinks_.state(MakeStateJson()); }

std::string Stage::MakeStateJson() const {
  const net::ModelDescription& description = subject_->model().description;
  json lanes = json::array();
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const Lane& lane = lanes_[i];
    if (!lane.used) continue;
    json schedule = json::array();
    for (const ScheduledStage& one : lane.schedule) {
      schedule.push_back(
          {{"step", one.step}, {"blend", one.blend_steps}, {"label", one.staged.label}});
    }
    json policy;
    if (lane.staged.policy) {
      policy = {{"agent", lane.staged.agent}, {"iteration", lane.staged.iteration}};
    }
    lanes.push_back({{"lane", i},
                     {"label", lane.staged.label},
                     {"code", lane.staged.code},
                     {"place", lane.staged.place},
                     {"policy", std::move(policy)},
                     {"predicted", lane.staged.predicted.empty()
                                       ? json::object()
                                       : steer::ByName(lane.staged.predicted, description)},
                     {"interval", steer::ByName(lane.staged.interval, description)},
                     {"ended", lane.ended},
                     {"steps", lane.episode.steps()},
                     {"fell", lane.ended && !lane.episode.terminations.empty() &&
                                  lane.episode.terminations.back() != 0},
                     {"schedule", std::move(schedule)}});
  }
  return core::DumpJson({{"type", "state"},
                         {"model", subject_->name()},
                         {"mode", net::NameOf(mode_)},
                         {"paused", paused_},
                         {"speed", speed_},
                         {"seed", seed_},
                         {"episode", episode_},
                         {"lanes", std::move(lanes)}});
}

}  // namespace rhumb::serve
