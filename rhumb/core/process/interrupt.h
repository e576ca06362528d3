// Turns Ctrl-C and SIGTERM into a flag that long jobs poll.
#pragma once

namespace rhumb::core {

// After this call the first signal only makes WasInterrupted() true; the second ends the process
// as usual. Signals that were held come now.
void CatchInterrupts();

// Holds signals back until CatchInterrupts, also in a program that this one turns into (exec).
void HoldInterrupts();

// Thread-safe.
bool WasInterrupted();

}  // namespace rhumb::core
