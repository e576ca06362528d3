// A page for people, that grows from its head to its end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rhumb::report {

// Text is escaped on its way in; the page needs no other file but its pictures. Not thread-safe.
class HtmlPage {
 public:
  using Table = std::vector<std::vector<std::string>>;

  explicit HtmlPage(std::string_view title);

  void AddHeading(std::string_view text);
  void AddParagraph(std::string_view text);
  // What a reader must not miss.
  void AddWarning(std::string_view text);
  // A list of files that lie beside the page, by their names.
  void AddLinks(const std::vector<std::string>& files);
  // The first row is the header.
  void AddTable(const Table& rows);
  // `picture` is a PNG beside the page, `drawing` the same as an SVG.
  void AddFigure(std::string_view picture, std::string_view drawing, std::string_view caption);

  // The whole page.
  std::string text() const;

 private:
  std::string body_;
  std::string title_;
};

}  // namespace rhumb::report
