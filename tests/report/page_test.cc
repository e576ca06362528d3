#include "rhumb/report/page.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/report/shell_python.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::report {
namespace {

using nlohmann::json;

// The interpreter copies its document and counts. page_test.py tests the page.
class PageTest : public testing::Test {
 protected:
  PageTest() { std::filesystem::create_directories(folder_.path() / "figures"); }

  bool Write(const std::vector<std::string>& drawn = {}) {
    const std::vector<Figure> figures = {{"a", "", {}, {}}, {"b", "", {}, {}}};
    return WritePage(report_, figures, drawn, json::array({"S"}), folder_.path());
  }
  bool HasPage() const { return std::filesystem::exists(folder_.path() / "report.html"); }
  json Page() const { return json::parse(test::Contents(folder_.path() / "report.html")); }
  std::string Ran() const { return test::Contents(folder_.path() / "ran"); }

  const test::ScratchFolder folder_;
  const std::string copy_ =
      "echo \"${1##*/}\" >> " + (folder_.path() / "ran").string() + "; cat \"$2\" > \"$3\"";
  const ShellPython python_{copy_};
  json report_ = {{"seed", 1},
                  {"stages",
                   {{{"output", "measures/a.json"}, {"command", {"evaluate", "it's"}}},
                    {{"output", "population"}, {"command", {"population", "train"}}}}}};
};

TEST_F(PageTest, IsRenderedFromTheReportItsFiguresColumnsAndCommands) {
  EXPECT_TRUE(Write({"b"}));
  const json page = Page();
  EXPECT_EQ(Ran(), "report.py\n");
  EXPECT_EQ(page.at("report"), report_);
  EXPECT_EQ(page.at("columns"), json::array({"S"}));
  EXPECT_EQ(
      page.at("figures"),
      json({{"a", nullptr}, {"b", {{"picture", "figures/b.png"}, {"drawing", "figures/b.svg"}}}}));
  EXPECT_EQ(page.at("commands"),
            json({"rhumb evaluate 'it'\\''s' > measures/a.json", "rhumb population train"}));
}

TEST_F(PageTest, IsRenderedAgainOnlyWhenSomethingChanged) {
  EXPECT_TRUE(Write());
  EXPECT_TRUE(Write());
  EXPECT_EQ(Ran(), "report.py\n");
  EXPECT_TRUE(Write({"a"}));
  EXPECT_EQ(Ran(), "report.py\nreport.py\n");
  report_["seed"] = 2;
  EXPECT_TRUE(Write());
  EXPECT_EQ(Page().at("report").at("seed"), 2);
  std::filesystem::remove(folder_.path() / "report.html");
  EXPECT_TRUE(Write());
  EXPECT_TRUE(HasPage());
}

TEST_F(PageTest, WithoutPythonAFreshPageStaysAndAStaleOneGoes) {
  Write();
  python_.UseNone();
  EXPECT_TRUE(Write());
  EXPECT_TRUE(HasPage());
  report_["seed"] = 2;
  EXPECT_FALSE(Write());
  EXPECT_FALSE(HasPage());
}

TEST_F(PageTest, AScriptThatFailsLeavesNone) {
  python_.Use("exit 1");
  EXPECT_FALSE(Write());
  EXPECT_FALSE(HasPage());
  python_.Use(copy_);
  EXPECT_TRUE(Write());
}

}  // namespace
}  // namespace rhumb::report
