#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/options.h"
#include "rhumb/core/files/file.h"
#include "rhumb/net/model.h"
#include "rhumb/net/onnx_export.h"
#include "rhumb/rollout/onnx_metadata.h"
#include "rhumb/steer/code_file.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {
namespace {

struct OnnxArguments {
  std::string model, code, out = "policy.onnx";
  int answer = 1;

  void AddTo(Command& command) {
    AddModel(command, model);
    command.Add("--code", code,
                "write this behaviour into the file: output of `rhumb steer --json` or `rhumb "
                "encode`; without it the code is an input");
    command.Add("--answer", answer, "which answer of the file, from 1", kShowDefault);
    command.Add("--out", out, "the file to write", kShowDefault);
  }
};

void ExportToOnnx(const CommonOptions& options, const OnnxArguments& arguments) {
  const std::filesystem::path folder = zoo::FindModel(arguments.model);
  const net::Model model = net::ReadModel(folder);
  std::vector<float> code;
  if (!arguments.code.empty()) {
    code = steer::ReadCode(arguments.code, model, arguments.answer).code;
  }
  const std::string bytes =
      net::ExportOnnx(model, code, rollout::OnnxMetadata(model, net::OpenModelArtifact(folder)));
  core::WriteFileAtomically(arguments.out, bytes);
  std::vector<std::string> inputs = {"observation"};
  if (code.empty()) inputs.emplace_back("code");
  if (options.json) {
    return PrintJson({{"model", arguments.model},
                      {"file", arguments.out},
                      {"bytes", bytes.size()},
                      {"inputs", inputs},
                      {"outputs", {"action", "mean", "log_std"}}});
  }
  fmt::print("{}: {} -> action, mean, log_std; {:.1f} MB\n", arguments.out,
             code.empty() ? "observation, code" : "observation",
             static_cast<double>(bytes.size()) / 1e6);
}

}  // namespace

void AddExportCommand(Command& app) {
  Command group = AddGroup(app, "export", "policies for other programs: onnx");
  AddCommand<OnnxArguments>(
      group,
      {"onnx", "write the policy as an ONNX file, with normaliser and action scale inside",
       "  rhumb export onnx halfcheetah --out cheetah.onnx\n"
       "  rhumb steer halfcheetah --target forward=6000 --out answer.json\n"
       "  rhumb export onnx halfcheetah --code answer.json --out run.onnx\n"},
      ExportToOnnx);
}

}  // namespace rhumb::cli
