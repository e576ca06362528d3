#include "rhumb/report/figure.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"
#include "tests/report/shell_python.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::report {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

json ReportOf(const std::vector<std::string>& outputs) {
  json stages = json::array();
  for (const std::string& output : outputs) stages.push_back({{"output", output}});
  return {{"stages", stages}};
}

const json kColumns = {{{"key", "met"}}};

std::vector<std::string> NamesOf(const json& report) {
  std::vector<std::string> names;
  for (const Figure& figure : FiguresOf(report, kColumns)) names.push_back(figure.name);
  return names;
}

const Figure& Find(const std::vector<Figure>& figures, const std::string& name) {
  return *std::find_if(figures.begin(), figures.end(),
                       [&](const Figure& figure) { return figure.name == name; });
}

TEST(Figures, AreThoseThatTheReportHasDocumentsFor) {
  EXPECT_THAT(NamesOf(ReportOf({})), ElementsAre("architecture"));
  EXPECT_THAT(NamesOf(ReportOf({"measures/geometry/ours.json"})),
              ElementsAre("architecture", "geometry"));
  EXPECT_THAT(NamesOf(ReportOf({"measures/context/ours.json"})), Contains("context"));
  EXPECT_THAT(NamesOf(ReportOf({"measures/front/mean.json"})),
              ElementsAre("architecture", "front-mean"));
}

TEST(Figures, CombineDocuments) {
  const std::vector<Figure> figures =
      FiguresOf(ReportOf({"measures/constraints/1-mean.json", "measures/constraints/1-sampled.json",
                          "measures/constraints/2-mean.json", "measures/hole/mean.json",
                          "measures/ordering/ours.json", "measures/ordering/vae.json"}),
                kColumns);
  const Figure& constraints = Find(figures, "constraints-mean");
  EXPECT_THAT(constraints.inputs,
              ElementsAre("measures/constraints/1-mean.json", "measures/constraints/2-mean.json",
                          "measures/hole/mean.json"));
  EXPECT_EQ(constraints.combine({"a", "b", "c"}),
            json::parse("{\"counts\": [{\"constraints\": 1, \"report\": \"a\"},"
                        "{\"constraints\": 2, \"report\": \"b\"}], \"hole\": \"c\"}"));
  EXPECT_EQ(constraints.columns, kColumns);
  const json ours = {{"model", "models/ours"}}, vae = {{"model", "models/vae"}};
  EXPECT_EQ(Find(figures, "ordering").combine({ours, vae}),
            json({{"models", {{"ours", ours}, {"vae", vae}}}}));
  EXPECT_EQ(Find(figures, "ordering").columns, nullptr);
}

// The interpreter copies its document and counts.
class Drawing : public testing::Test {
 protected:
  Drawing() {
    std::filesystem::create_directory(folder_.path() / "report");
    folder_.Write("report/a.json", "{\"x\": 1}");
  }

  std::vector<std::string> Draw(const json& columns = nullptr) {
    return DrawFigures({{"f",
                         "synthesis.py",
                         {"a.json"},
                         [](const std::vector<json>& documents) { return documents.at(0); },
                         columns}},
                       folder_.path() / "report", 2);
  }
  std::string Drawn() const {
    const auto file = folder_.path() / "drawn";
    return std::filesystem::exists(file) ? test::Contents(file) : "";
  }

  const test::ScratchFolder folder_;
  const ShellPython python_{"echo \"$3 $(basename \"$4\" | cut -d . -f 2-3)\" >> " +
                            (folder_.path() / "drawn").string() +
                            "; cat \"$2\" > \"$3\"; cat \"$2\" > \"$4\""};
};

TEST_F(Drawing, OnceForEachDocument) {
  EXPECT_THAT(Draw(), ElementsAre("f"));
  EXPECT_EQ(FigurePath("f", ".svg"), "figures/f.svg");
  EXPECT_EQ(test::Contents(folder_.path() / "report/figures/f.png"), "{\"x\":1}");
  EXPECT_EQ(Drawn(), "/dev/stdout f.svg\n");
  EXPECT_EQ(Draw().size(), 1u);
  EXPECT_EQ(Drawn(), "/dev/stdout f.svg\n");
  folder_.Write("report/a.json", "{\"x\": 2}");
  EXPECT_EQ(Draw().size(), 1u);
  EXPECT_EQ(Drawn(), "/dev/stdout f.svg\n/dev/stdout f.svg\n");
  EXPECT_EQ(test::Contents(folder_.path() / "report/figures/f.png"), "{\"x\":2}");
}

TEST_F(Drawing, AgainWithOtherColumns) {
  Draw(json::array({1}));
  EXPECT_EQ(test::Contents(folder_.path() / "report/figures/f.png"), "{\"columns\":[1],\"x\":1}");
  Draw(json::array({1}));
  EXPECT_EQ(Drawn(), "/dev/stdout f.svg\n");
  Draw(json::array({2}));
  EXPECT_EQ(Drawn(), "/dev/stdout f.svg\n/dev/stdout f.svg\n");
}

TEST_F(Drawing, WithoutPythonWhatIsDrawnStaysAndWhatIsStaleGoes) {
  Draw();
  python_.UseNone();
  EXPECT_EQ(Draw().size(), 1u);
  folder_.Write("report/a.json", "{\"x\": 2}");
  EXPECT_THAT(Draw(), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "report/figures/f.png"));
}

// In a process of its own, since an interrupt is not forgotten.
TEST_F(Drawing, AnInterruptEndsItAndLeavesNothing) {
  python_.Use("kill -INT $PPID; sleep 1000");
  EXPECT_EXIT(
      {
        core::CatchInterrupts();
        try {
          Draw();
        } catch (const core::CommandFailed& end) {
          fmt::print(stderr, "{}", end.message);
          ::_exit(end.code);
        }
      },
      testing::ExitedWithCode(core::kInterrupted), "interrupted while making .*figures/f.png");
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "report/figures"));
}

TEST_F(Drawing, WithoutItsDocumentThereIsNone) {
  std::filesystem::remove(folder_.path() / "report/a.json");
  EXPECT_THAT(Draw(), IsEmpty());
  EXPECT_EQ(Drawn(), "");
}

}  // namespace
}  // namespace rhumb::report
