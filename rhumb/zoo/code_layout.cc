#include "rhumb/zoo/code_layout.h"

#include <nlohmann/json.hpp>
#include <string>

#include "rhumb/core/error.h"
#include "rhumb/core/files/hash.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/eval/steering/code_choice.h"
#include "rhumb/report/picture.h"

namespace rhumb::zoo {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMaxLayoutBytes = 1 << 26;

std::string HashOf(const net::CodeTable& table) {
  const auto bytes = std::as_bytes(std::span(table.codes));
  return core::Sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

const net::CodeTable& KnownCodes(const net::Model& model, net::RolloutMode mode) {
  const net::CodeTable* rolled_out = eval::RolledOutCodes(model, mode);
  return rolled_out != nullptr ? *rolled_out : model.training;
}

bool MakeLayout(const net::Model& model, const fs::path& file) {
  json modes = json::object();
  for (const net::RolloutMode mode : net::kRolloutModeNames.values()) {
    const net::CodeTable& known = KnownCodes(model, mode);
    // A model that was not grounded has the same codes for both.
    modes[std::string(net::NameOf(mode))] = {
        {"hash", HashOf(known)}, {"codes", core::RowsToJson(known.codes, known.code_size)}};
  }
  return report::RunScript("layout.py", "layout", {{"modes", std::move(modes)}}, {file});
}

std::vector<float> ReadLayout(const fs::path& folder, const net::Model& model,
                              net::RolloutMode mode) {
  const fs::path file = folder / kLayoutFile;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return {};
  const json document = core::ReadJson(file, kMaxLayoutBytes);
  const net::CodeTable& known = KnownCodes(model, mode);
  std::vector<float> places;
  try {
    const auto& modes = document.at("modes").get_ref<const json::object_t&>();
    const auto found = modes.find(std::string(net::NameOf(mode)));
    if (found == modes.end() || found->second.at("hash") != HashOf(known)) return {};
    for (const json& place : found->second.at("places")) {
      core::AppendFloats(place, 2, file.string() + ": a place", places);
    }
  } catch (const json::exception& problem) {
    Fail("{} is not a layout: {}", file.string(), problem.what());
  }
  if (places.size() != 2 * static_cast<std::size_t>(known.count())) {
    Fail("{} has {} places for {} codes", file.string(), places.size() / 2, known.count());
  }
  return places;
}

}  // namespace rhumb::zoo
