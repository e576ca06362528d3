// How the C library treats memory that training gives back.
#pragma once

namespace rhumb::learn::device {

// A step's buffers have the same sizes each time: glibc is told to keep them, where it would return
// the large ones to the system and fault them in again. For the whole process.
void KeepFreedMemory();

}  // namespace rhumb::learn::device
