// The stage: where the robots act, at the speed of the clock.
//
//   Play, Push, … from any thread ─→ lanes ─ one control step per period ─→ poses ─→ frames (sink)
//
// A lane is a robot; two lanes start alike and draw alike, so that two behaviours can be compared.
// An episode that has ended begins again. Nothing moves while nobody watches.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "rhumb/data/episode.h"
#include "rhumb/rollout/episode_values.h"
#include "rhumb/serve/actor.h"
#include "rhumb/serve/message.h"
#include "rhumb/serve/subject.h"
#include "rhumb/sim/batch.h"

namespace rhumb::serve {

// Thread-safe. The sinks are called while the stage is locked, so they must not call it.
class Stage {
 public:
  struct Sinks {
    std::function<void(std::string bytes)> frame;  // a frame of scene.h
    std::function<void(std::string json)> state;   // after every change; docs/serve.md
  };

  // Begins with the subject's first behaviour, in its main mode.
  Stage(std::shared_ptr<const Subject> subject, Sinks sinks);
  ~Stage();  // waits for the step in progress

  // `first` is the behaviour to begin with.
  void Show(std::shared_ptr<const Subject> subject, net::RolloutMode mode, Behaviour first);
  void Play(Behaviour staged, const Takeover& takeover);
  // Tries which of several codes takes over best from where a lane's robot is now. The robot goes
  // on meanwhile. Returns its place in the list, 0 if there is nothing to try, or nothing if
  // stopped.
  std::optional<std::size_t> TryTakeover(std::span<const Behaviour> staged,
                                         const Takeover& takeover,
                                         std::function<bool()> should_stop) const;
  // Begins an episode with the schedule, whose first step is 0.
  void Follow(int lane, std::vector<ScheduledStage> schedule);
  void Clear(int lane);  // lane 0 always plays
  void Run(std::optional<bool> paused, std::optional<double> speed);
  void StepOnce();  // while paused
  void Restart(std::optional<std::uint64_t> seed);
  // Pushes a body for a quarter of a second of the robot's time, or until the next push.
  void Push(int lane, int body, const std::array<double, 3>& force);
  void SetWatched(bool watched);

  std::string StateJson() const;
  std::shared_ptr<const Subject> subject() const;
  net::RolloutMode mode() const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Lane {
    bool used = false, ended = false;
    Behaviour staged;
    std::vector<ScheduledStage> schedule;
    std::size_t next_scheduled = 0;
    std::unique_ptr<Actor> actor;
    data::Episode episode;
    // [K] so far: what came, and what was predicted with the ends of its interval.
    std::vector<double> realised, expected, low, high;
    std::vector<float> poses;  // since the last frame, [poses, bodies, 7]
    int pushed_body = 0, push_steps = 0;
    std::array<double, 3> push{};
  };

  void Loop();
  void MakeWorld();  // for the subject and the mode
  void BeginEpisode();
  void Advance();  // one control step of every lane
  void Act(int lane);
  void Expect(Lane& lane) const;
  void AddPose(Lane& lane, const double* qpos, int simulation);
  void SendFrame();
  void SendState();
  std::string MakeStateJson() const;
  bool IsMoving() const;
  Clock::duration Period() const;

  const Sinks sinks_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false, watched_ = false, paused_ = false, step_asked_ = false, woken_ = false;
  double speed_ = 1;
  std::uint64_t seed_ = 0;
  std::int64_t episode_ = -1, step_ = 0;
  Clock::time_point restart_at_{};  // when all lanes have ended

  std::shared_ptr<const Subject> subject_;
  net::RolloutMode mode_;
  std::unique_ptr<sim::Batch> batch_;
  std::optional<rollout::EpisodeValues> values_;
  sim::DataPointer scratch_;  // for kinematics
  std::array<Lane, kLanes> lanes_;
  std::vector<double> controls_;  // [lanes, A]
  int pose_stride_ = 1, poses_ = 0;
  Clock::time_point last_frame_{}, last_values_{};
  std::thread thread_;  // last: it uses all the others
};

}  // namespace rhumb::serve
