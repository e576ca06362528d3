// The first line is one `--set`, the rest a settings file.
#include <nlohmann/json.hpp>
#include <vector>

#include "rhumb/core/process/config.h"
#include "tests/fuzz/fuzz.h"

using namespace rhumb;

namespace {

struct Inner {
  double rate = 0.5;
  std::vector<int> layers = {2, 3};
  void Visit(core::FieldVisitor& v) {
    v("rate", rate, core::Range{0, 1}, "a number");
    v("layers", layers, core::Range{1, 1000}, "a list");
  }
};

struct Settings {
  bool flag = false;
  int count = 1;
  std::uint64_t seed = 0;
  std::string word = "a";
  std::vector<double> weights;
  std::vector<std::string> names;
  Inner inner;
  void Visit(core::FieldVisitor& v) {
    v("flag", flag, "a flag");
    v("count", count, core::Range{1, 100}, "a count");
    v("seed", seed, "a seed");
    v("word", word, core::OneOf{"a", "b"}, "a word");
    v("weights", weights, core::Range{0, 1}, "numbers");
    v("names", names, "texts");
    v.Group("inner", inner);
  }
};

}  // namespace

RHUMB_FUZZ_TARGET(settings) {
  static const fuzz::MemoryFile kFile;
  const std::string_view text = fuzz::TextOf(data, size);
  const std::size_t line = std::min(text.find('\n'), text.size());
  kFile.Set(text.substr(std::min(line + 1, text.size())));
  Settings settings;
  fuzz::Accepts([&] { core::ApplySetting(settings, text.substr(0, line)); });
  fuzz::Accepts([&] { core::ApplyToml(settings, kFile.path()); });
  // What was accepted is in range, and survives the way through JSON.
  core::CheckRanges(settings, "fuzz");
  Settings again;
  core::ApplyJson(again, core::ToJson(settings), "fuzz");
  RHUMB_CHECK(core::ToJson(again) == core::ToJson(settings), "settings changed on their way");
}
