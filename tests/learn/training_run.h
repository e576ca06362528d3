// Support for tests of training: a fixed number of threads, and comparison of weights.
#pragma once

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <cstddef>
#include <vector>

namespace rhumb::learn {

// Sets libtorch's thread count until the end of the scope. One thread is fastest for the tiny
// networks of tests, where threads would wait longer than they work.
class ThreadCount {
 public:
  explicit ThreadCount(int threads) : former_(at::get_num_threads()) {
    at::set_num_threads(threads);
  }
  ~ThreadCount() { at::set_num_threads(former_); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int former_;
};

inline std::vector<torch::Tensor> Copies(const std::vector<torch::Tensor>& tensors) {
  std::vector<torch::Tensor> copies;
  for (const torch::Tensor& tensor : tensors) copies.push_back(tensor.detach().clone());
  return copies;
}

// Compares to the bit.
inline bool AllEqual(const std::vector<torch::Tensor>& a, const std::vector<torch::Tensor>& b) {
  bool equal = a.size() == b.size();
  for (std::size_t i = 0; equal && i < a.size(); ++i) equal = torch::equal(a[i], b[i]);
  return equal;
}

}  // namespace rhumb::learn
