#include "rhumb/learn/device/malloc_settings.h"

#include <malloc.h>

namespace rhumb::learn::device {

void KeepFreedMemory() {
  constexpr int kLarge = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kLarge);
  mallopt(M_TRIM_THRESHOLD, kLarge);
}

}  // namespace rhumb::learn::device
