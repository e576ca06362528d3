#include "rhumb/serve/subject.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"

namespace rhumb::serve {
namespace {

[[noreturn]] void FailWithoutMap(const Subject& subject) {
  Fail("'{}' is a population without a map; `rhumb model train` makes a model that can be asked",
       subject.name());
}

}  // namespace

Behaviour Subject::StageRow(int, net::RolloutMode) const { FailWithoutMap(*this); }
Behaviour Subject::StageCode(std::span<const float>, net::RolloutMode, const std::string&) const {
  FailWithoutMap(*this);
}
Behaviour Subject::StagePolicy(int, int, net::RolloutMode) const {
  Fail("'{}' is a model and has no policies; play a row of its map", name());
}
std::vector<ScheduledStage> Subject::StageSchedule(std::span<const nlohmann::json>,
                                                   net::RolloutMode) const {
  FailWithoutMap(*this);
}
nlohmann::json Subject::Steer(const nlohmann::json&, const SteerChoice&,
                              std::vector<Behaviour>*) const {
  FailWithoutMap(*this);
}

std::string LastPart(const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(text).lexically_normal();
  const std::string name = path.has_filename() ? path.filename() : path.parent_path().filename();
  return name.empty() || name == "." || name == ".." ? "model" : name;
}

}  // namespace rhumb::serve
