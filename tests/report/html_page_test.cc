#include "rhumb/report/html_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rhumb::report {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(HtmlPage, HoldsWhatIsAddedInItsOrderAndEscaped) {
  HtmlPage page("a & b");
  page.AddHeading("x < y");
  page.AddParagraph("\"words\"");
  page.AddTable({{"head"}, {"1 > 0"}});
  page.AddWarning("worse");
  page.AddFigure("f.png", "f.svg", "what it shows");
  page.AddLinks({"one.json", "two.sh"});
  EXPECT_THAT(page.text(), StartsWith("<!doctype html>\n<html lang=\"en\">"));
  EXPECT_THAT(page.text(), HasSubstr("<title>a &amp; b</title>"));
  EXPECT_THAT(page.text(),
              EndsWith("<h1>a &amp; b</h1>\n"
                       "<h2>x &lt; y</h2>\n"
                       "<p>&quot;words&quot;</p>\n"
                       "<table>\n<tr><th>head</th></tr>\n<tr><td>1 &gt; 0</td></tr>\n</table>\n"
                       "<p class=\"worse\">worse</p>\n"
                       "<figure><a href=\"f.svg\"><img src=\"f.png\" alt=\"what it shows\"></a>"
                       "<figcaption>what it shows</figcaption></figure>\n"
                       "<p><a href=\"one.json\">one.json</a> <a href=\"two.sh\">two.sh</a> </p>\n"
                       "</body>\n</html>\n"));
}

}  // namespace
}  // namespace rhumb::report
