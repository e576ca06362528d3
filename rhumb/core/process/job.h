// The inputs shared by all long-running work, and how that work reports being stopped.
//
// Requests embed a Job as `job`. A function with side effects, for example one that writes a
// folder, returns an Outcome. A function that measures returns std::optional<T>, which is empty
// when it was stopped.
#pragma once

#include <cstdint>
#include <functional>

#include "rhumb/core/process/config.h"

namespace rhumb::core {

struct Job {
  std::uint64_t seed = 0;  // for all random draws
  int threads = 1;         // worker threads, at least 1
  bool quiet = false;      // no progress bar
  bool verbose = false;    // debug messages
  // Returns true once the work should stop. Called often, by several threads at the same time.
  std::function<bool()> should_stop = [] { return false; };

  // Visits the part of a job that can be sent elsewhere.
  void Visit(FieldVisitor& v) {
    v("seed", seed, "for all random draws");
    v("threads", threads, Range{1, 1024}, "worker threads");
    v("quiet", quiet, "no progress bar");
    v("verbose", verbose, "debug messages");
  }
};

enum class Outcome { kDone, kStopped };

}  // namespace rhumb::core
