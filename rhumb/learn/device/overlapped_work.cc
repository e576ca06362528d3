#include "rhumb/learn/device/overlapped_work.h"

#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

namespace rhumb::learn::device {
namespace {

// Makes `later` wait for the operations now queued on `earlier`.
void Order(const c10::Stream& earlier, const c10::Stream& later) {
  c10::Event event(earlier.device_type());
  event.record(earlier);
  event.block(later);
}

c10::Stream MainStream(torch::Device device) {
  return c10::impl::VirtualGuardImpl(device.type()).getStream(device);
}

}  // namespace

OverlappedWork::OverlappedWork(torch::Device device) : device_(device) {
  if (!device.is_cuda()) return;
  const c10::impl::VirtualGuardImpl implementation(device.type());
  device_ = implementation.getDevice();
  stream_ = implementation.getStreamFromGlobalPool(device_);
}

void OverlappedWork::Begin(core::FunctionRef<void()> work) {
  if (!stream_) return work();
  Order(MainStream(device_), *stream_);
  const c10::StreamGuard guard(*stream_);
  work();
}

void OverlappedWork::Join() {
  if (stream_) Order(*stream_, MainStream(device_));
}

}  // namespace rhumb::learn::device
