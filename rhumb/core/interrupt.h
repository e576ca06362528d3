// Ctrl-C and SIGTERM as a question that a long job asks itself.
#pragma once

namespace rhumb::core {

// From now on the first of them only makes WasInterrupted() true; the second ends the process as
// usual.
void CatchInterrupts();

// Any thread may ask.
bool WasInterrupted();

}  // namespace rhumb::core
