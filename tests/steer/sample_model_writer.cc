// sample_model_writer FOLDER: writes a small model with the objectives forward and energy.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/net/sample_model.h"

int main(int count, char** words) {
  using namespace rhumb;
  if (count != 2) {
    std::fprintf(stderr, "usage: sample_model_writer FOLDER\n");
    return 2;
  }
  const net::Model model =
      net::SampleModelOf({.id = "sample-v0", .rewards = "default", .spec = "", .files = {}},
                         {"forward", "energy"}, {});
  net::WriteModel(model, words[1], core::Existing::kRefuse, {{"seed", 1}});
  return 0;
}
