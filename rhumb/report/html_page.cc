#include "rhumb/report/html_page.h"

#include <fmt/format.h>

namespace rhumb::report {
namespace {

constexpr std::string_view kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;color:#222831;max-width:76em;margin:2em auto;"
    "padding:0 1em}"
    "p,figcaption{max-width:52em}"
    "table{border-collapse:collapse;margin:1em 0;display:block;overflow-x:auto}"
    "th,td{padding:.2em .8em;border-bottom:1px solid #d5d9de;text-align:left;vertical-align:top;"
    "font-variant-numeric:tabular-nums}"
    "th{border-bottom:2px solid #444;vertical-align:bottom}"
    ".worse{border-left:4px solid #d55e00;padding-left:.8em}"
    "figure{margin:1.5em 0}img{max-width:100%}figcaption{color:#4a5159}";

std::string Escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace

HtmlPage::HtmlPage(std::string_view title) : title_(Escape(title)) {}

void HtmlPage::AddHeading(std::string_view text) {
  body_ += fmt::format("<h2>{}</h2>\n", Escape(text));
}

void HtmlPage::AddParagraph(std::string_view text) {
  body_ += fmt::format("<p>{}</p>\n", Escape(text));
}

void HtmlPage::AddWarning(std::string_view text) {
  body_ += fmt::format("<p class=\"worse\">{}</p>\n", Escape(text));
}

void HtmlPage::AddLinks(const std::vector<std::string>& files) {
  body_ += "<p>";
  for (const std::string& file : files)
    body_ += fmt::format("<a href=\"{0}\">{0}</a> ", Escape(file));
  body_ += "</p>\n";
}

void HtmlPage::AddTable(const Table& rows) {
  body_ += "<table>\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    body_ += "<tr>";
    for (const std::string& cell : rows[i]) {
      body_ += fmt::format("<{0}>{1}</{0}>", i == 0 ? "th" : "td", Escape(cell));
    }
    body_ += "</tr>\n";
  }
  body_ += "</table>\n";
}

void HtmlPage::AddFigure(std::string_view picture, std::string_view drawing,
                         std::string_view caption) {
  const std::string text = Escape(caption);
  body_ += fmt::format(
      "<figure><a href=\"{}\"><img src=\"{}\" alt=\"{}\"></a><figcaption>{}</figcaption></figure>"
      "\n",
      Escape(drawing), Escape(picture), text, text);
}

std::string HtmlPage::text() const {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}</body>\n</html>"
      "\n",
      title_, kStyle, body_);
}

}  // namespace rhumb::report
