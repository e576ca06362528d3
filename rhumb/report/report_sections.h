// The sections of a report's page, each with its heading, figures, tables and what must be said.
// One that the report has nothing for adds nothing.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rhumb/report/figure.h"
#include "rhumb/report/html_page.h"

namespace rhumb::report {

// What all of them read.
struct ReportView {
  const nlohmann::json& report;
  const std::vector<FigureFile>& figures;
  bool beside_paper = false;  // the paper's tables are of this environment
};

// The figure where it is drawn.
void AddFigure(HtmlPage& page, const ReportView& view, const std::string& name,
               const std::string& caption);

void AddArchitecture(HtmlPage& page, const ReportView& view);
void AddImitation(HtmlPage& page, const ReportView& view);
void AddProbe(HtmlPage& page, const ReportView& view);  // Table 1
void AddGeometry(HtmlPage& page, const ReportView& view);
void AddOrdering(HtmlPage& page, const ReportView& view);
void AddContext(HtmlPage& page, const ReportView& view);
void AddControlFunctionals(HtmlPage& page, const ReportView& view);

// In synthesis_sections.cc.
void AddSynthesis(HtmlPage& page, const ReportView& view, const std::string& mode);  // Table 2
void AddConstraints(HtmlPage& page, const ReportView& view);  // how many, and in the hole
void AddPaths(HtmlPage& page, const ReportView& view);

}  // namespace rhumb::report
