// Model folders: a round trip, and damaged files that must be refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/hash.h"
#include "tests/net/sample_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::net {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

// A safetensors file in parts, so that tests can reassemble it wrongly.
struct ArrayFile {
  explicit ArrayFile(const std::string& bytes) {
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), 8);
    header = json::parse(bytes.substr(8, length));
    data = bytes.substr(8 + length);
  }
  std::string Bytes() const {
    const std::string text = header.dump();
    const std::uint64_t length = text.size();
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    return bytes + text + data;
  }
  void Rename(const std::string& from, const std::string& to) {
    header[to] = header.at(from);
    header.erase(from);
  }
  // Sets the first element of an array of floats.
  void Set(const std::string& name, float value) {
    std::memcpy(data.data() + header.at(name)["data_offsets"][0].get<std::size_t>(), &value, 4);
  }

  json header;
  std::string data;
};

class ModelFolder : public ::testing::Test {
 protected:
  fs::path Write(const Model& model, const std::string& name = "model") const {
    WriteModel(model, folder_.path() / name, core::Existing::kReplace, {{"seed", 3}});
    return folder_.path() / name;
  }

  // The Error of reading a sample whose files `damage` has changed. The manifest's hashes match the
  // damaged files.
  template <class Damage>
  std::string ComplaintAfter(Damage damage) {
    if (arrays_.empty()) {
      const fs::path sound = Write(SampleModel());
      arrays_ = test::Contents(sound / "model.safetensors");
      document_ = test::Contents(sound / "model.json");
      fs::create_directory(folder_.path() / "damaged");
    }
    std::string arrays = arrays_, document = document_;
    damage(arrays, document);
    json manifest = {{"kind", "model"}, {"files", json::object()}};
    for (const auto& [name, bytes] : {std::pair<std::string, std::string>{"model.json", document},
                                      {"model.safetensors", arrays}}) {
      folder_.Write("damaged/" + name, bytes);
      manifest["files"][name] = {{"bytes", bytes.size()}, {"sha256", core::Sha256(bytes)}};
    }
    folder_.Write("damaged/manifest.json", manifest.dump());
    return test::ErrorOf([&] { ReadModel(folder_.path() / "damaged"); });
  }
  template <class Change>
  std::string ComplaintAfterArrays(Change change) {
    return ComplaintAfter([&](std::string& arrays, std::string&) {
      ArrayFile file(arrays);
      change(file);
      arrays = file.Bytes();
    });
  }
  std::string ComplaintAfterJson(const std::string& pointer, const json& value) {
    return ComplaintAfter([&](std::string&, std::string& text) {
      json document = json::parse(text);
      document[json::json_pointer(pointer)] = value;
      text = document.dump();
    });
  }
  // The Error of writing a sample after `change`. No file may remain.
  template <class Change>
  std::string ComplaintOnWriting(Change change) const {
    Model model = SampleModel();
    change(model);
    const std::string words = test::ErrorOf([&] { Write(model, "refused"); });
    EXPECT_FALSE(fs::exists(folder_.path() / "refused"));
    return words;
  }

  test::ScratchFolder folder_;
  std::string arrays_, document_;  // of a valid sample
};

void ExpectEqual(const CodeTable& a, const CodeTable& b) {
  EXPECT_EQ(a.code_size, b.code_size);
  EXPECT_EQ(a.objectives, b.objectives);
  EXPECT_EQ(a.codes, b.codes);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.deviations, b.deviations);
  EXPECT_EQ(a.policies, b.policies);
  EXPECT_EQ(a.agents, b.agents);
}

TEST_F(ModelFolder, RoundTripIsExact) {
  for (const Pooling pooling : {Pooling::kClassToken, Pooling::kMean}) {
    for (const DeviationSource source : {DeviationSource::kStateAndCode, DeviationSource::kCode}) {
      Model model = SampleModel({.observations = 4,
                                 .actions = 1,
                                 .labels = 3,
                                 .pooling = pooling,
                                 .deviation_source = source,
                                 .seed = 5});
      model.description.environment.spec = "sample.toml";
      model.description.environment.files = {{"sample.toml", "id = \"sample-v0\"\n# \xc3\xa9\n"}};
      model.description.shaping_labels = 2;
      model.projections.labels = 2;
      model.projections.weights.resize(2 * 2 * 6);
      model.projections.bias.resize(2 * 2);
      model.description.objectives[2].expression = "mean(height)";
      model.grounded[0]->seed = std::numeric_limits<std::uint64_t>::max();
      const fs::path path = Write(model);
      const Model back = ReadModel(path);

      const ModelDescription& description = back.description;
      EXPECT_EQ(description.variant, "ours");
      EXPECT_EQ(description.environment.id, "sample-v0");
      EXPECT_EQ(description.environment.files, model.description.environment.files);
      EXPECT_EQ(description.environment.rewards, "default");
      EXPECT_EQ(description.time_limit, 100);
      EXPECT_EQ(description.context, 8);
      EXPECT_EQ(description.shaping_labels, 2);
      ASSERT_EQ(description.objectives.size(), 3u);
      EXPECT_EQ(description.objectives[2].name, "objective_2");
      EXPECT_EQ(description.objectives[2].unit, "units");
      EXPECT_EQ(description.objectives[2].expression, "mean(height)");
      EXPECT_EQ(description.objectives[2].mean, 20);
      EXPECT_EQ(description.objectives[2].std, 4);
      EXPECT_EQ(description.objectives[2].min, 8);
      EXPECT_EQ(description.objectives[2].max, 32);
      EXPECT_EQ(back.encoder.pooling, pooling);
      EXPECT_EQ(back.encoder.heads, 3);
      EXPECT_EQ(back.decoder.deviation_source, source);
      EXPECT_EQ(back.action_half_range, model.action_half_range);
      EXPECT_EQ(back.observations.mean, model.observations.mean);
      EXPECT_EQ(back.map.directions, model.map.directions);
      ExpectEqual(back.training, model.training);
      EXPECT_FALSE(back.grounded[1]);
      ASSERT_TRUE(back.grounded[0]);
      EXPECT_EQ(back.grounded[0]->seed, model.grounded[0]->seed);
      EXPECT_EQ(back.grounded[0]->episodes, 2);
      ExpectEqual(back.grounded[0]->rolled_out, model.grounded[0]->rolled_out);
      EXPECT_EQ(*back.provenance, *model.provenance);
      EXPECT_EQ(*back.metrics, *model.metrics);

      // The networks' numbers agree as well: both folders have the same bytes.
      const fs::path again = Write(back, "again");
      for (const char* file : {"model.safetensors", "model.json", "README.md"}) {
        EXPECT_EQ(test::Contents(path / file), test::Contents(again / file)) << file;
      }
    }
  }
}

TEST_F(ModelFolder, IsAnArtefactOfItsKind) {
  const core::Artifact artifact = OpenModelArtifact(Write(SampleModel()));
  EXPECT_EQ(artifact.kind(), "model");
  EXPECT_EQ(artifact.manifest()["seed"], 3);
  EXPECT_THAT(test::Contents(artifact.file("README.md")), HasSubstr("sample-v0"));
  EXPECT_THAT(test::ErrorOf([&] {
                WriteModel(SampleModel(), folder_.path() / "model", core::Existing::kRefuse, {});
              }),
              HasSubstr("already"));
  EXPECT_THAT(test::ErrorOf([&] { ReadModel(folder_.path() / "gone"); }), HasSubstr("gone"));
}

// Names and shapes that readers without Rhumb rely on.
TEST_F(ModelFolder, IsReadableWithoutRhumb) {
  const fs::path path = Write(SampleModel());
  const SafetensorsFile arrays(path / "model.safetensors");
  using Shape = std::vector<std::int64_t>;
  EXPECT_EQ(arrays.shape("encoder.token.0.weight"), (Shape{5, 20}));
  EXPECT_EQ(arrays.shape("encoder.layers.1.queries_keys_values.weight"), (Shape{12, 36}));
  EXPECT_EQ(arrays.shape("decoder.joint_code.weight"), (Shape{6, 20}));
  EXPECT_EQ(arrays.shape("projections.weight"), (Shape{2, 2, 6}));
  EXPECT_EQ(arrays.shape("heads.weight"), (Shape{2, 6}));
  EXPECT_EQ(arrays.shape("training.codes"), (Shape{12, 6}));
  EXPECT_EQ(arrays.shape("training.values"), (Shape{12, 2}));
  EXPECT_EQ(arrays.shape("training.policies"), (Shape{12}));
  EXPECT_EQ(arrays.shape("training.agents"), (Shape{12}));
  EXPECT_EQ(arrays.shape("map.directions"), (Shape{2, 6}));
  EXPECT_EQ(arrays.shape("observations.mean"), (Shape{3}));
  EXPECT_EQ(arrays.shape("grounded.sampled.rolled_out.deviations"), (Shape{5, 2}));
  const json document = json::parse(test::Contents(path / "model.json"));
  EXPECT_EQ(document["format"], 2);
  EXPECT_EQ(document["architecture"]["pooling"], "class_token");
  EXPECT_EQ(document["architecture"]["deviation_source"], "state_and_code");
  EXPECT_EQ(document["architecture"]["observation_size"], 3);
  EXPECT_EQ(document["environment"]["id"], "sample-v0");
  EXPECT_EQ(document["objectives"][1]["name"], "objective_1");
  EXPECT_EQ(document["grounded"]["sampled"]["episodes"], 2);
}

TEST_F(ModelFolder, TamperedAndTruncatedFilesAreErrors) {
  const fs::path path = Write(SampleModel());
  for (const char* name : {"model.safetensors", "model.json", "README.md"}) {
    const std::string sound = test::Contents(path / name);
    std::string tampered = sound;
    tampered[tampered.size() / 2] = static_cast<char>(tampered[tampered.size() / 2] ^ 1);
    core::WriteFileAtomically(path / name, tampered);
    EXPECT_THAT(test::ErrorOf([&] { ReadModel(path); }),
                AllOf(HasSubstr(path.string()), HasSubstr(name), HasSubstr("changed")));
    core::WriteFileAtomically(path / name, sound.substr(0, sound.size() - 1));
    EXPECT_THAT(test::ErrorOf([&] { ReadModel(path); }),
                AllOf(HasSubstr(name), HasSubstr("bytes")));
    core::WriteFileAtomically(path / name, sound);
  }
  EXPECT_EQ(test::ErrorOf([&] { ReadModel(path); }), "");
}

TEST_F(ModelFolder, DamagedArraysAreErrorsThatNameThePlace) {
  EXPECT_EQ(ComplaintAfterArrays([](ArrayFile&) {}), "");
  const auto names = [](const std::string& what) {
    return AllOf(HasSubstr("model.safetensors"), HasSubstr(what), Not(HasSubstr("\n")));
  };
  // Every array is required, except those whose absence has a meaning.
  const ArrayFile sound(test::Contents(Write(SampleModel()) / "model.safetensors"));
  for (const auto& [name, entry] : sound.header.items()) {
    if (name == "__metadata__" || name == "training.policies" || name == "training.agents" ||
        name == "grounded.sampled.rolled_out.deviations") {
      continue;
    }
    const std::string array = name;
    EXPECT_THAT(ComplaintAfterArrays([&](ArrayFile& file) { file.Rename(array, "other"); }),
                HasSubstr("model.safetensors"))
        << name;
  }
  EXPECT_THAT(ComplaintAfterArrays([](ArrayFile& file) { file.Rename("heads.bias", "other"); }),
              names("'heads.bias'"));
  for (const char* name : {"training.codes", "training.values", "map.mean", "map.directions",
                           "action_centre", "observations.limit", "training.policies",
                           "training.agents", "grounded.sampled.rolled_out.deviations"}) {
    EXPECT_THAT(
        ComplaintAfterArrays([&](ArrayFile& file) { file.header[name]["shape"].push_back(1); }),
        names(name));
  }
  for (const char* name : {"encoder.class_token", "decoder.joint_code.weight", "training.values",
                           "projections.bias", "grounded.sampled.rolled_out.values"}) {
    EXPECT_THAT(ComplaintAfterArrays([&](ArrayFile& file) {
                  file.Set(name, std::numeric_limits<float>::quiet_NaN());
                }),
                names(name));
  }
  EXPECT_THAT(ComplaintAfterArrays([](ArrayFile& file) { file.Set("action_half_range", 0); }),
              names("action_half_range"));
  // Two arrays share one place, so the bytes of one belong to no array.
  EXPECT_THAT(ComplaintAfterArrays([](ArrayFile& file) {
                file.header["action_centre"]["data_offsets"] =
                    file.header["action_half_range"]["data_offsets"];
              }),
              names("begins at byte"));
  EXPECT_THAT(
      ComplaintAfter([](std::string& arrays, std::string&) { arrays.resize(arrays.size() - 4); }),
      names("does not fit"));
  EXPECT_THAT(ComplaintAfter([](std::string& arrays, std::string&) { arrays[5] = 1; }),
              names("cut short"));
}

TEST_F(ModelFolder, DamagedDocumentsAreErrorsThatNameThePlace) {
  const auto complaint = [&](const std::string& pointer, const json& value) {
    const std::string words = ComplaintAfterJson(pointer, value);
    EXPECT_THAT(words, AllOf(HasSubstr("model."), Not(HasSubstr("\n")))) << pointer;
    return words;
  };
  EXPECT_THAT(complaint("/format", 1), HasSubstr("format is 1"));
  EXPECT_THAT(complaint("/architecture/deviation_source", "code"), HasSubstr("deviation"));
  EXPECT_THAT(complaint("/architecture/attention_heads", 5), HasSubstr("5 heads"));
  EXPECT_THAT(complaint("/shaping_labels", 1), HasSubstr("projections is 2"));
  EXPECT_THAT(complaint("/grounded/mean", {{"seed", 1}, {"episodes", 2}}),
              HasSubstr("grounded.mean."));
  EXPECT_THAT(complaint("/grounded/sampled/episodes", 0), HasSubstr("episodes is 0"));
  EXPECT_THAT(complaint("/architecture/code_size", 7), HasSubstr("architecture.code_size is 7"));
  EXPECT_THAT(ComplaintAfter([](std::string&, std::string& text) { text = "{"; }),
              HasSubstr("model.json: not valid JSON"));
  // Written out, this would overflow the stack.
  EXPECT_THAT(ComplaintAfter([](std::string&, std::string& text) {
                text.insert(1, "\"deep\": " + std::string(200'000, '['));
              }),
              HasSubstr("model.json: lists and objects nest deeper"));
  // One objective fewer than there are heads.
  EXPECT_THAT(ComplaintAfter([](std::string&, std::string& text) {
                json document = json::parse(text);
                document["objectives"].erase(1);
                text = document.dump();
              }),
              HasSubstr("objectives"));
}

TEST_F(ModelFolder, WhatDoesNotFitIsNotWritten) {
  const auto names = [&](const std::string& what) {
    return AllOf(HasSubstr("cannot write"), HasSubstr("refused"), HasSubstr(what));
  };
  SampleWeights weights(1);
  EXPECT_EQ(test::ErrorOf([&] { Write(SampleModel(), "fine"); }), "");
  EXPECT_THAT(ComplaintOnWriting([](Model& model) {
                model.heads.weights[3] = std::numeric_limits<float>::infinity();
              }),
              names("'heads.weight'"));
  EXPECT_THAT(ComplaintOnWriting([](Model& model) {
                model.description.objectives[0].mean = std::numeric_limits<double>::quiet_NaN();
              }),
              names("mean is null"));
  EXPECT_THAT(ComplaintOnWriting([](Model& model) { model.description.objectives.pop_back(); }),
              names("there are 1 objectives"));
  EXPECT_THAT(ComplaintOnWriting([&](Model& model) {
                model.encoder = SampleEncoder(6, 6, Pooling::kClassToken, weights);
              }),
              names("tokens is 6, the rest of the model has 5"));
  EXPECT_THAT(ComplaintOnWriting([&](Model& model) {
                model.encoder = SampleEncoder(5, 4, Pooling::kClassToken, weights);
              }),
              names("encoder's codes is 4"));
  EXPECT_THAT(ComplaintOnWriting([&](Model& model) {
                model.heads = {2, 5, weights.Draw(10), weights.Draw(2)};
              }),
              names("heads' codes is 5"));
  EXPECT_THAT(ComplaintOnWriting([&](Model& model) {
                model.heads = {3, 6, weights.Draw(18), weights.Draw(3)};
              }),
              names("number of heads is 3"));
  EXPECT_THAT(ComplaintOnWriting([&](Model& model) {
                model.projections = {2, 5, 2, weights.Draw(20), weights.Draw(4)};
              }),
              names("projections' codes is 5"));
  EXPECT_THAT(ComplaintOnWriting([](Model& model) {
                model.grounded[0]->rolled_out = {};
                model.grounded[0]->rolled_out.code_size = 6;
              }),
              names("'grounded.sampled.rolled_out."));
  EXPECT_THAT(folder_.List(), UnorderedElementsAre("fine"));
}

// Earlier versions fitted networks to the rollouts.
TEST_F(ModelFolder, NetworksOfEarlierVersionsAreIgnored) {
  const auto complaint = [&](const std::string& name) {
    return ComplaintAfterArrays([&](ArrayFile& file) {
      const std::size_t end = file.data.size();
      file.header[name] = {{"dtype", "F32"}, {"shape", {0}}, {"data_offsets", {end, end}}};
    });
  };
  EXPECT_EQ(complaint("grounded.sampled.heads.members.0.0.weight"), "");
  EXPECT_EQ(complaint("grounded.sampled.calibration"), "");
  EXPECT_THAT(complaint("grounded.sampled.members"), HasSubstr("is not an array of this model"));
}

}  // namespace
}  // namespace rhumb::net
