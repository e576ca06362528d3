#include "rhumb/data/hdf5_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::data {
namespace {

using test::ErrorOf;
using test::ScratchFolder;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using Kind = Hdf5Group::Kind;

class Hdf5 : public testing::Test {
 protected:
  Hdf5() {
    Hdf5File file = Hdf5File::Create(path_);
    const Hdf5Group group = file.root().MakeGroup("group");
    group.Write("matrix", std::vector<float>{1, 2, 3, 4, 5, 6}, std::vector<std::uint64_t>{3, 2});
    group.WriteFlags("flags", std::vector<std::uint8_t>{0, 1, 1});
    group.WriteIntegers("integers", std::vector<std::int64_t>{-7});
    group.SetAttribute("id", 5);
    file.Close();
  }

  ScratchFolder scratch_;
  std::filesystem::path path_ = scratch_.path() / "a.hdf5";
};

TEST_F(Hdf5, WhatIsWrittenIsRead) {
  const Hdf5File file = Hdf5File::Open(path_);
  const Hdf5Group group = file.root().OpenGroup("group");
  EXPECT_THAT(group.names(), ElementsAre("flags", "integers", "matrix"));
  EXPECT_EQ(group.FindAttribute("id"), 5);
  EXPECT_EQ(group.FindAttribute("none"), std::nullopt);
  const Hdf5Array matrix = group.OpenArray("matrix");
  EXPECT_THAT(matrix.shape(), ElementsAre(3, 2));
  std::vector<float> numbers(4);
  matrix.Read(1, 2, numbers.data());
  EXPECT_THAT(numbers, ElementsAre(3, 4, 5, 6));
  std::vector<std::uint8_t> flags(3);
  group.OpenArray("flags").Read(0, 3, flags.data());
  EXPECT_THAT(flags, ElementsAre(0, 1, 1));
  // Any numeric type is converted to float.
  numbers.resize(3);
  group.OpenArray("flags").Read(0, 3, numbers.data());
  EXPECT_THAT(numbers, ElementsAre(0, 1, 1));
  group.OpenArray("integers").Read(0, 1, numbers.data());
  EXPECT_EQ(numbers[0], -7);
}

TEST_F(Hdf5, KindsAreTold) {
  const Hdf5File file = Hdf5File::Open(path_);
  EXPECT_EQ(file.root().KindOf("group"), Kind::kGroup);
  EXPECT_EQ(file.root().KindOf("none"), Kind::kNone);
  EXPECT_EQ(file.root().OpenGroup("group").KindOf("flags"), Kind::kNumbers);
}

TEST_F(Hdf5, ErrorsNameTheFileAndTheObject) {
  const Hdf5File file = Hdf5File::Open(path_);
  const Hdf5Group group = file.root().OpenGroup("group");
  EXPECT_THAT(ErrorOf([&] { group.OpenArray("none"); }),
              EndsWith("a.hdf5: group/none is missing, or not an array of numbers"));
  EXPECT_THAT(ErrorOf([&] { group.OpenGroup("flags"); }),
              EndsWith("a.hdf5: group/flags is missing, or not a group"));
  EXPECT_THAT(ErrorOf([&] { group.SetAttribute("new", 1); }), HasSubstr("cannot write"));
  EXPECT_THAT(ErrorOf([&] { Hdf5File::Open(scratch_.path() / "none"); }),
              EndsWith("none is missing"));
  EXPECT_THAT(ErrorOf([&] { Hdf5File::Create(path_); }), HasSubstr("file exists"));
}

}  // namespace
}  // namespace rhumb::data
