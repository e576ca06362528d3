#include "rhumb/report/page.h"

#include <nlohmann/json.hpp>

#include "rhumb/core/files/hash.h"
#include "rhumb/report/picture.h"
#include "rhumb/report/report.h"
#include "rhumb/report/stamped_output.h"

namespace rhumb::report {

using nlohmann::json;

bool WritePage(const json& report, const std::vector<Figure>& figures,
               const std::vector<std::string>& drawn, const json& columns,
               const std::filesystem::path& folder) {
  json document = {{"report", report},
                   {"figures", json::object()},
                   {"columns", columns},
                   {"commands", CommandLines(report)}};
  for (const Figure& figure : figures) document["figures"][figure.name] = nullptr;
  for (const std::string& name : drawn) {
    document["figures"][name] = {{"picture", FigurePath(name, ".png")},
                                 {"drawing", FigurePath(name, ".svg")}};
  }
  const StampedOutput page({folder / "report.html"}, folder / "figures/report.stamp",
                           core::Sha256(HashOfScripts() + document.dump()));
  if (page.IsUpToDate()) return true;
  page.Remove();
  return page.Make("report.py", "page", document);
}

}  // namespace rhumb::report
