#include "rhumb/core/files/json_file.h"
#include "tests/fuzz/fuzz.h"

using namespace rhumb;

RHUMB_FUZZ_TARGET(json_lines) {
  static const fuzz::MemoryFile kFile;
  kFile.Set(fuzz::TextOf(data, size));
  fuzz::Accepts([] {
    for (const core::JsonLine& line : core::ReadJsonLines(kFile.path(), 1 << 20)) {
      const std::string text = core::DumpJson(line.value);
      for (const char byte : text) RHUMB_CHECK((byte & 0xE0) != 0, "a control character is left");
      RHUMB_CHECK(core::ParseJson(text, "again") == line.value, "a document changed on its way");
    }
  });
}
