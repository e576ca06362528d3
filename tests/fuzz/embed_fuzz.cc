// The embedding library, through its public header alone: a model folder whose hashes are right and
// whose contents are not, queries, codes and observations. Each line of the input is one of
//
//   j FIND<tab>TEXT     replaces the first FIND in model.json
//   t FIND<tab>TEXT     the same in the header of model.safetensors
//   f I NUMBER          sets the I-th float32 of the arrays
//   = TARGET, ? REQUIREMENT, + MAXIMISE, - MINIMISE
//   c I NUMBER          sets a number of the code to act with; without any, it is the answer's
//   o I NUMBER          sets a number of the observation
#include <openssl/sha.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "rhumb/steer/embed.h"
#include "tests/fuzz/heap_meter.h"
#include "tests/fuzz/target.h"

using namespace rhumb::steer;
namespace fs = std::filesystem;

namespace {

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// The library promises std::runtime_error for bad input, with a message.
template <class Function>
void MayRefuse(Function function) {
  try {
    function();
  } catch (const std::runtime_error& error) {
    Require(*error.what() != '\0', "an error without a message");
  }
}

std::string Read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void Write(const fs::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<long>(bytes.size()));
}

std::string Entry(const std::string& name, std::string_view bytes) {
  std::uint8_t digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), digest);
  std::ostringstream text;
  text << '"' << name << "\": {\"bytes\": " << bytes.size() << ", \"sha256\": \"";
  for (const std::uint8_t byte : digest) {
    constexpr const char* kDigits = "0123456789abcdef";
    text << kDigits[byte >> 4] << kDigits[byte & 15];
  }
  return text.str() + "\"}";
}

// The files of a model: the sound one that the build writes beside the targets, or a changed copy.
struct Files {
  std::string document, header, arrays;

  void ReadFrom(const fs::path& folder) {
    document = Read(folder / "model.json");
    const std::string bytes = Read(folder / "model.safetensors");
    Require(bytes.size() > 8, "the sample model is missing");
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    header = bytes.substr(8, length);
    arrays = bytes.substr(8 + length);
  }
  void WriteTo(const fs::path& folder) const {
    const std::uint64_t length = header.size();
    std::string bytes(sizeof length, '\0');
    std::memcpy(bytes.data(), &length, sizeof length);
    bytes += header + arrays;
    Write(folder / "model.json", document);
    Write(folder / "model.safetensors", bytes);
    Write(folder / "manifest.json", "{\"kind\": \"model\", \"files\": {" +
                                        Entry("model.json", document) + ", " +
                                        Entry("model.safetensors", bytes) + "}}");
  }
};

// A folder in memory, removed at the end.
struct Folder {
  Folder() {
    std::string name = "/dev/shm/rhumb-fuzz-XXXXXX";
    Require(::mkdtemp(name.data()) != nullptr, "/dev/shm is not writable");
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

void Replace(const std::string& line, std::string& text) {
  const std::size_t tab = std::min(line.find('\t'), line.size());
  const std::string find = line.substr(0, tab);
  const std::size_t at = text.find(find);
  if (at != text.npos) text.replace(at, find.size(), line.substr(std::min(tab + 1, line.size())));
}

// Calls `set` with an index below `count` and a number, if the line has both.
template <class Setter>
void SetNumber(const std::string& line, std::size_t count, Setter set) {
  char* end = nullptr;
  const unsigned long index = std::strtoul(line.c_str(), &end, 10);
  if (index < count) set(index, std::strtod(end, nullptr));
}

void Use(const BehaviourMap& map, const TextQuery& query, const std::vector<std::string>& codes,
         const std::vector<std::string>& observations) {
  std::vector<float> code(static_cast<std::size_t>(map.code_size()), 0);
  MayRefuse([&] {
    const Result result = map.Steer(query);
    map.Explain(result);
    for (const auto& answer : result.answers) {
      for (const float number : answer.code) Require(std::isfinite(number), "a code is not finite");
      code = answer.code;
    }
  });
  for (const std::string& line : codes) {
    SetNumber(line, code.size(), [&](auto i, double x) { code[i] = static_cast<float>(x); });
  }
  MayRefuse([&] {
    CodePolicy policy = map.MakePolicy(code);
    std::vector<double> observation(static_cast<std::size_t>(map.observation_size()), 0);
    for (const std::string& line : observations) {
      SetNumber(line, observation.size(), [&](auto i, double x) { observation[i] = x; });
    }
    std::vector<double> action(static_cast<std::size_t>(map.action_size()));
    for (int step = 0; step < 3; ++step) {
      static_cast<void>(policy.Act(observation, action));
      for (const double number : action) Require(std::isfinite(number), "an action is not finite");
    }
  });
}

}  // namespace

RHUMB_FUZZ_TARGET(embed) {
  static const Files kSound = [] {
    Files files;
    files.ReadFrom(fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "sample_model");
    return files;
  }();
  static const Folder kFolder;
  static const BehaviourMap kSoundMap = [] {
    kSound.WriteTo(kFolder.path);
    return BehaviourMap::Load(kFolder.path);
  }();

  Files files = kSound;
  TextQuery query;
  std::vector<std::string> codes, observations;
  bool is_sound = true;
  std::istringstream input({reinterpret_cast<const char*>(data), size});
  for (std::string line; std::getline(input, line);) {
    if (line.size() < 3) continue;
    const std::string rest = line.substr(2);
    switch (line[0]) {
      case 'j':
        Replace(rest, files.document), is_sound = false;
        break;
      case 't':
        Replace(rest, files.header), is_sound = false;
        break;
      case 'f':
        is_sound = false;
        SetNumber(rest, files.arrays.size() / sizeof(float), [&](auto i, double x) {
          const auto number = static_cast<float>(x);
          std::memcpy(files.arrays.data() + i * sizeof number, &number, sizeof number);
        });
        break;
      case '=':
        query.target.push_back(rest);
        break;
      case '?':
        query.require.push_back(rest);
        break;
      case '+':
        query.maximise.push_back(rest);
        break;
      case '-':
        query.minimise.push_back(rest);
        break;
      case 'c':
        codes.push_back(rest);
        break;
      case 'o':
        observations.push_back(rest);
        break;
      default:
        break;
    }
  }

  const rhumb::fuzz::HeapMeter meter;
  if (is_sound) {
    Use(kSoundMap, query, codes, observations);
  } else {
    files.WriteTo(kFolder.path);
    MayRefuse([&] { Use(BehaviourMap::Load(kFolder.path), query, codes, observations); });
  }
}
