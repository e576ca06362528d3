#include "rhumb/sim/mjcf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/error_expectation.h"

namespace rhumb::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string RefusalOf(const std::string& text) {
  return test::ErrorOf([&] { CheckMjcf(text, "main.xml"); });
}

TEST(CheckMjcf, SizesAreBoundedBeforeMujocoAllocates) {
  const auto complaint = [](const std::string& section) {
    return RefusalOf("<mujoco>\n" + section + "</mujoco>");
  };
  for (const char* section : {
           "<asset><hfield name='h' nrow='2000000000' ncol='2000000000' size='1 1 1 1'/></asset>",
           "<asset><hfield name='h' nrow='60000' ncol='60000' size='1 1 1 1'/></asset>",
           "<size nkey='2000000000'/>",
           "<size nuserdata='2147483647'/>",
           "<size nuser_body='2147483647'/>",
           "<size memory='100G'/>",
           "<size memory='9e99'/>",
           "<size njmax='2000000000'/>",
           "<size njmax='100000'/>",  // 400 GB
           "<asset><texture name='t' builtin='flat' type='cube' width='100000'/></asset>",
           "<custom><numeric name='n' size='2000000000'/></custom>",
           "<asset><mesh name='m' builtin='plate' params='100000 100000'/></asset>",
           "<sensor><user name='u' dim='2000000000'/></sensor>",
           "<worldbody><flexcomp name='f' type='grid' count='2000 2000 2000'/></worldbody>",
           "<worldbody><replicate count='2000000'><geom size='1'/></replicate></worldbody>",
       }) {
    EXPECT_THAT(complaint(section), AllOf(HasSubstr("'main.xml' line 2"), HasSubstr("the limit is"),
                                          Not(HasSubstr("\n"))))
        << section;
  }
}

TEST(CheckMjcf, WritesEveryElementOnItsLine) {
  const CheckedMjcf checked = CheckMjcf(
      "<!-- one\n two -->\n<mujoco>\n\n  <option\n   timestep='1'/>\n</mujoco>", "main.xml");
  EXPECT_EQ(checked.text, "\n\n<mujoco>\n\n<option timestep=\"1\"></option></mujoco>");
}

// MuJoCo must read the value that was checked.
TEST(CheckMjcf, EntitiesAreResolvedAndWrittenAgain) {
  const CheckedMjcf checked = CheckMjcf("<a name='&#46;&lt;&amp;&#34;&#13;'/>", "main.xml");
  EXPECT_EQ(checked.text, "<a name=\".&lt;&amp;&quot;&#13;\"></a>");
}

TEST(CheckMjcf, LeavesOutWhatWouldReadFilesLater) {
  const CheckedMjcf checked =
      CheckMjcf("<a passthrough='textures' embed='false' kept='1'/>", "main.xml");
  EXPECT_EQ(checked.text, "<a kept=\"1\"></a>");
}

TEST(CheckMjcf, ListsTheDocumentsThatItInserts) {
  const CheckedMjcf checked = CheckMjcf(
      "<mujoco><include file='parts/a.xml'/><model file='..\\b.xml'/><mesh file='c.obj'/></mujoco>",
      "main.xml");
  EXPECT_THAT(checked.documents, ElementsAre("a.xml", "b.xml"));
  EXPECT_THAT(checked.models, ElementsAre("..\\b.xml"));
}

TEST(CheckMjcf, CountsCopies) {
  const CheckedMjcf plain = CheckMjcf("<mujoco><body/><body/></mujoco>", "main.xml");
  EXPECT_EQ(plain.elements, 3);
  EXPECT_EQ(plain.attachments, 0);
  EXPECT_THAT(plain.documents, IsEmpty());
  const CheckedMjcf copied = CheckMjcf(
      "<mujoco><replicate count='3'><replicate count='2'><geom/><attach/></replicate></replicate>"
      "</mujoco>",
      "main.xml");
  EXPECT_EQ(copied.elements, 1 + 1 + 3 + 6 + 6);
  EXPECT_EQ(copied.attachments, 6);
}

TEST(CheckMjcf, CountsTheNumbersThatSizesAskFor) {
  const auto numbers = [](const std::string& section) {
    const CheckedMjcf checked = CheckMjcf("<mujoco>" + section + "</mujoco>", "main.xml");
    return checked.numbers - checked.elements;  // an element without sizes counts as one number
  };
  EXPECT_EQ(numbers("<geom size='1 2 3'/>"), 0);
  EXPECT_EQ(numbers("<hfield nrow='10' ncol='20'/>"), 200 - 1);
  EXPECT_EQ(numbers("<texture type='cube' width='10'/>"), 600 - 1);
  EXPECT_EQ(numbers("<texture type='2d' width='10' height='100'/>"), 1000 - 1);
  EXPECT_EQ(numbers("<numeric size='50'/><user dim='7' nsample='3'/>"), 50 + 21 - 2);
  EXPECT_EQ(numbers("<mesh builtin='plate' params='30 20'/>"), 600 - 1);
  // A <replicate> has no numbers of its own.
  EXPECT_EQ(numbers("<replicate count='5'><user dim='7'/></replicate>"), 5 * 7 - 5 - 1);

  const CheckedMjcf checked = CheckMjcf(
      "<mujoco><size nkey='3' nuser_body='4'/><key/><key/><geom user='1 2 3 4 5'/></mujoco>", "a");
  EXPECT_EQ(checked.keys, 5);
  EXPECT_EQ(checked.user_numbers, 5);
}

TEST(CheckMjcf, AbsoluteNamesAndArchivesAreRefusedWithTheirLine) {
  for (const char* name : {"/m.obj", "\\m.obj", "C:m.obj", "http://m.obj", "&#47;m.obj"}) {
    EXPECT_THAT(RefusalOf("<mujoco>\n<mesh file='" + std::string(name) + "'/></mujoco>"),
                AllOf(HasSubstr("'main.xml' line 2: mesh file="), HasSubstr("is an absolute path")))
        << name;
  }
  EXPECT_THAT(RefusalOf("<a><include file='robot.zip/part.xml'/></a>"), HasSubstr("in an archive"));
  EXPECT_EQ(RefusalOf("<a><mesh file='../up.obj'/></a>"), "");  // the reader of the files decides
}

TEST(CheckMjcf, OnlyXmlIsAccepted) {
  EXPECT_THAT(RefusalOf(""), HasSubstr("'main.xml'"));
  EXPECT_THAT(RefusalOf("v 0 0 0"), HasSubstr("'main.xml'"));
  EXPECT_THAT(RefusalOf("<mujoco>\n<worldbody>\n</mujoco>"), HasSubstr("not valid XML"));
  EXPECT_THAT(RefusalOf("<!-- nothing -->"), HasSubstr("has no XML element"));
}

}  // namespace
}  // namespace rhumb::sim
