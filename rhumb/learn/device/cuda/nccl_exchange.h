// librhumb_cuda: moves tensors between the GPUs of several processes.
#pragma once

#include <memory>
#include <string>

#include "rhumb/learn/device/ranks.h"

namespace rhumb::learn::device {

// The first rank makes an id; the others get it and meet under it.
std::string MakeExchangeId();
std::shared_ptr<Exchange> MakeExchange(const std::string& id, int rank, int count);

// Makes GPU `index` the current one.
void UseDevice(int index);

}  // namespace rhumb::learn::device
