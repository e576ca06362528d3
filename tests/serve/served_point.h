// A served model of the point mass, with random networks.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "rhumb/serve/model_subject.h"
#include "rhumb/sim/catalogue.h"
#include "tests/net/sample_model.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::serve {

struct ServedPoint {
  ServedPoint() {
    const net::Model model =
        net::SampleModelOf(sim::FindBundle("point-v0", "two"), {"x_velocity", "energy"},
                           {.observations = 2, .actions = 2});
    net::WriteModel(model, scratch.path() / "point", core::Existing::kRefuse,
                    nlohmann::json::object());
    subject = std::make_shared<const ModelSubject>((scratch.path() / "point").string());
  }

  const test::ScratchFolder scratch;
  std::shared_ptr<const ModelSubject> subject;
};

}  // namespace rhumb::serve
