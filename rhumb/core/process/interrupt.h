// Turns Ctrl-C and SIGTERM into a flag that long jobs poll.
#pragma once

namespace rhumb::core {

// After this call the first signal only makes WasInterrupted() true; the second ends the process
// as usual.
void CatchInterrupts();

// Thread-safe.
bool WasInterrupted();

}  // namespace rhumb::core
