// A message to `rhumb serve`.
#include "rhumb/serve/message.h"
#include "tests/fuzz/fuzz.h"

using namespace rhumb;

RHUMB_FUZZ_TARGET(message) {
  fuzz::Accepts([&] {
    const serve::Message message = serve::ParseMessage(fuzz::TextOf(data, size));
    serve::NeedsControl(message);
    if (const auto* play = std::get_if<serve::PlayMessage>(&message)) {
      RHUMB_CHECK((play->row >= 0) != !play->code.empty(), "a play without a code");
    }
  });
}
