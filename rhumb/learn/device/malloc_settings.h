// Settings of the C library's memory allocator for training.
#pragma once

namespace rhumb::learn::device {

// Tells glibc to keep freed buffers, for the whole process. Each step uses buffers of the same
// sizes; by default glibc returns large ones to the system and faults them in again.
void KeepFreedMemory();

}  // namespace rhumb::learn::device
