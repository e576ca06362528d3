#include "rhumb/learn/device/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <utility>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/learn/device/cuda_library.h"

namespace rhumb::learn::device {
namespace {

using Bytes = std::vector<std::uint8_t>;

// The first rank alone rolls out and saves, and the others wait for it.
constexpr std::chrono::milliseconds kPatience = std::chrono::hours(2);
constexpr std::chrono::seconds kFarewellPatience{10};

std::string Variable(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') {
    Fail(
        "--ranks joins the processes that torchrun starts; it needs RANK, WORLD_SIZE, MASTER_ADDR "
        "and MASTER_PORT, and {} is missing",
        name);
  }
  return text;
}

int Number(const char* name, int low, int high) {
  const std::string text = Variable(name);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < low || number > high) {
    Fail("{} is '{}', not a number from {} to {}", name, text, low, high);
  }
  return number;
}

// Exchanges over a TCPStore: every rank publishes its numbers and reads those of the others. Meant
// for host memory and for tests; each rank moves all numbers of all ranks.
class StoreExchange : public Exchange {
 public:
  StoreExchange(c10::intrusive_ptr<c10d::Store> store, int rank, int count)
      : store_(std::move(store)), rank_(rank), count_(count) {}

  // The first rank may serve the store. It stays until the others have read the last numbers, or
  // have had time to; one that crashed does not keep it.
  ~StoreExchange() override {
    try {
      store_->set(Farewell(rank_), Bytes{});
      std::vector<std::string> all;
      for (int rank = 0; rank < count_; ++rank) all.push_back(Farewell(rank));
      if (rank_ == 0) store_->wait(all, kFarewellPatience);
    } catch (const std::exception&) {
      // Nobody is left to be told.
    }
  }

  // Sums in the order of the ranks, so all have the same bits.
  void Sum(torch::Tensor flat) override {
    const std::vector<Bytes> all = Publish(flat);
    const auto count = static_cast<std::size_t>(flat.numel());
    float* sum = flat.data_ptr<float>();
    std::vector<float> other(count);
    std::fill_n(sum, count, 0.0f);
    for (const Bytes& bytes : all) {
      std::memcpy(other.data(), bytes.data(), count * sizeof(float));
      for (std::size_t i = 0; i < count; ++i) sum[i] += other[i];
    }
  }

  torch::Tensor Gather(const torch::Tensor& rows) override {
    const std::vector<Bytes> all = Publish(rows);
    std::vector<std::int64_t> shape = rows.sizes().vec();
    shape[0] *= count_;
    const torch::Tensor gathered = torch::empty(shape, rows.options());
    auto* to = static_cast<std::uint8_t*>(gathered.data_ptr());
    for (const Bytes& bytes : all) to = std::copy(bytes.begin(), bytes.end(), to);
    return gathered;
  }

 private:
  static std::string Farewell(int rank) { return fmt::format("rhumb/farewell/{}", rank); }
  std::string Key(std::int64_t call, int rank) const {
    return fmt::format("rhumb/{}/{}", call, rank);
  }

  // Returns the bytes of every rank's tensor.
  std::vector<Bytes> Publish(const torch::Tensor& tensor) {
    RHUMB_CHECK(tensor.is_cpu() && tensor.is_contiguous(), "a tensor in host memory is wanted");
    const auto* data = static_cast<const std::uint8_t*>(tensor.data_ptr());
    store_->set(Key(call_, rank_), Bytes(data, data + tensor.nbytes()));
    std::vector<Bytes> all;
    for (int rank = 0; rank < count_; ++rank) {
      all.push_back(store_->get(Key(call_, rank)));
      if (all.back().size() != tensor.nbytes()) {
        Fail("rank {} sent {} bytes where rank {} has {}: do all ranks run the same command?", rank,
             all.back().size(), rank_, tensor.nbytes());
      }
    }
    // Whoever takes part in this call has read everything of the last one.
    if (call_ > 0) store_->deleteKey(Key(call_ - 1, rank_));
    ++call_;
    return all;
  }

  c10::intrusive_ptr<c10d::Store> store_;
  int rank_, count_;
  std::int64_t call_ = 0;
};

c10::intrusive_ptr<c10d::Store> Connect(int rank, int count) {
  const std::string host = Variable("MASTER_ADDR");
  const char* agent = std::getenv("TORCHELASTIC_USE_AGENT_STORE");
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(Number("MASTER_PORT", 1, 65535));
  // torchrun may serve the store itself.
  options.isServer = rank == 0 && !(agent != nullptr && std::string_view(agent) == "True");
  options.timeout = kPatience;
  options.waitWorkers = false;
  try {
    return c10::make_intrusive<c10d::TCPStore>(host, options);
  } catch (const std::exception& error) {
    const std::string_view reason = error.what();
    Fail("rank {} of {} cannot meet the others at {}:{}: {}", rank, count, host, options.port,
         reason.substr(0, reason.find('\n')));
  }
}

}  // namespace

Ranks Ranks::Join(Device device) {
  Ranks ranks;
  ranks.count_ = Number("WORLD_SIZE", 1, 4096);
  ranks.rank_ = Number("RANK", 0, ranks.count_ - 1);
  const c10::intrusive_ptr<c10d::Store> store = Connect(ranks.rank_, ranks.count_);
  ranks.host_ = std::make_shared<StoreExchange>(store, ranks.rank_, ranks.count_);
  ranks.device_ = ranks.host_;
  if (device == Device::kCuda) {
    const CudaLibrary& cuda = LoadCudaLibrary();
    cuda.use_device(Number("LOCAL_RANK", 0, 1023));
    const std::string key = "rhumb/nccl";
    if (ranks.is_first()) {
      const std::string id = cuda.make_exchange_id();
      store->set(key, Bytes(id.begin(), id.end()));
    }
    const Bytes id = store->get(key);
    try {
      ranks.device_ = cuda.make_exchange({id.begin(), id.end()}, ranks.rank_, ranks.count_);
    } catch (const std::exception& error) {
      Fail(
          "rank {} of {} cannot use NCCL on GPU {}: {}; every rank of a machine needs a GPU of its "
          "own",
          ranks.rank_, ranks.count_, Number("LOCAL_RANK", 0, 1023), error.what());
    }
  }
  ranks.Any(false);
  return ranks;
}

Ranks::Share Ranks::ShareOf(std::int64_t rows) const {
  if (rows % count_ != 0) Fail("{} ranks cannot share {} contexts of a batch", count_, rows);
  const std::int64_t each = rows / count_;
  return {rank_ * each, each, 1.0 / count_};
}

void Ranks::Sum(std::span<const torch::Tensor> tensors) const {
  if (!device_) return;
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> parts;
  for (const torch::Tensor& tensor : tensors) parts.push_back(tensor.reshape({-1}));
  const torch::Tensor flat = torch::cat(parts);
  device_->Sum(flat);
  std::int64_t first = 0;
  for (const torch::Tensor& tensor : tensors) {
    // `tensor` is a handle; its numbers change.
    torch::Tensor(tensor).copy_(flat.narrow(0, first, tensor.numel()).view(tensor.sizes()));
    first += tensor.numel();
  }
}

torch::Tensor Ranks::GatherRows(const torch::Tensor& own) const {
  if (!device_) return own;
  // The gathered rows are constants; this rank's are put back with their history.
  const torch::Tensor all =
      device_->Gather(own.detach().transpose(0, 1).contiguous()).transpose(0, 1);
  const std::int64_t each = own.size(1), first = rank_ * each, after = first + each;
  return torch::cat({all.narrow(1, 0, first), own, all.narrow(1, after, all.size(1) - after)}, 1);
}

bool Ranks::Any(bool own) const {
  if (!host_) return own;
  const torch::Tensor flag = torch::full({1}, own ? 1.0f : 0.0f);
  host_->Sum(flag);
  return flag.item<float>() > 0;
}

}  // namespace rhumb::learn::device
