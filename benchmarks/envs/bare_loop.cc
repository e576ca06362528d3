// MuJoCo alone: one mjData per simulation; each thread runs its share without a barrier. The model
// is what MuJoCo makes of the MJCF, without Rhumb's list of contacts.
//
// per episode       mj_resetData, mj_forward
// per control step  frame_skip x mj_step, then mj_rnePostConstraint if requested
#include <algorithm>
#include <thread>

#include "benchmarks/envs/contender.h"
#include "rhumb/sim/model.h"

namespace rhumb::bench {
namespace {

class BareLoop : public Contender {
 public:
  BareLoop(const sim::Environment& environment, int simulations, int threads, bool forces)
      : environment_(environment),
        model_(sim::CompileModel(environment.bundle().files, environment.spec().model,
                                 environment.id())),
        threads_(threads),
        forces_(forces) {
    for (int i = 0; i < simulations; ++i) data_.emplace_back(mj_makeData(model_.get()));
  }

  void Run(const Script& script) override {
    std::vector<std::thread> others;
    for (int t = 1; t < threads_; ++t) others.emplace_back([&, t] { RunShare(script, t); });
    RunShare(script, 0);
    for (std::thread& other : others) other.join();
  }

  std::vector<double> States() const override {
    const mjModel* model = model_.get();
    std::vector<double> states;
    for (const sim::DataPointer& data : data_) {
      states.insert(states.end(), data->qpos, data->qpos + model->nq);
      states.insert(states.end(), data->qvel, data->qvel + model->nv);
    }
    return states;
  }

 private:
  void RunShare(const Script& script, int thread) {
    const mjModel* model = model_.get();
    const int begin = script.simulations * thread / threads_;
    const int end = script.simulations * (thread + 1) / threads_;
    std::vector<std::size_t> next(data_.size(), 0);
    const auto restart_if_due = [&](int step, int i) {
      const std::vector<EpisodeStart>& starts = script.starts[static_cast<std::size_t>(i)];
      std::size_t& episode = next[static_cast<std::size_t>(i)];
      if (episode == starts.size() || starts[episode].step != step) return;
      mjData* data = data_[static_cast<std::size_t>(i)].get();
      mj_resetData(model, data);
      std::copy(starts[episode].qpos.begin(), starts[episode].qpos.end(), data->qpos);
      std::copy(starts[episode].qvel.begin(), starts[episode].qvel.end(), data->qvel);
      mj_forward(model, data);
      ++episode;
    };
    for (int i = begin; i < end; ++i) restart_if_due(0, i);
    for (int step = 0; step < script.steps; ++step) {
      const double* actions = script.ActionsOf(step).data();
      for (int i = begin; i < end; ++i) {
        mjData* data = data_[static_cast<std::size_t>(i)].get();
        for (int a = 0; a < model->nu; ++a) {
          data->ctrl[a] = environment_.action_centre()[static_cast<std::size_t>(a)] +
                          environment_.action_half_range()[static_cast<std::size_t>(a)] *
                              actions[i * model->nu + a];
        }
        for (int s = 0; s < environment_.spec().frame_skip; ++s) mj_step(model, data);
        if (forces_) mj_rnePostConstraint(model, data);
        restart_if_due(step + 1, i);
      }
    }
  }

  const sim::Environment& environment_;
  const sim::ModelPointer model_;
  const int threads_;
  const bool forces_;
  std::vector<sim::DataPointer> data_;
};

}  // namespace

std::unique_ptr<Contender> MakeBareLoop(const sim::Environment& environment, int simulations,
                                        int threads, ContactForces forces) {
  return std::make_unique<BareLoop>(
      environment, simulations, threads,
      forces == ContactForces::kAlways || environment.reads_contact_forces());
}

}  // namespace rhumb::bench
