#include "rhumb/net/safetensors.h"
#include "tests/fuzz/fuzz.h"

using namespace rhumb;

RHUMB_FUZZ_TARGET(safetensors) {
  static const fuzz::MemoryFile kFile;
  kFile.Set(fuzz::TextOf(data, size));
  fuzz::Accepts([] {
    const net::SafetensorsFile arrays(kFile.path(), 1 << 20);
    for (const std::string& name : arrays.names()) {
      fuzz::Accepts([&] { arrays.Floats(name); });
      fuzz::Accepts([&] { arrays.Doubles(name); });
      fuzz::Accepts([&] { arrays.Integers(name); });
      fuzz::Accepts([&] { arrays.RawBytes(name); });
    }
  });
}
