#include "rhumb/serve/subject.h"

#include <gtest/gtest.h>

namespace rhumb::serve {
namespace {

TEST(Subject, IsNamedAfterItsFolder) {
  EXPECT_EQ(LastPart("halfcheetah"), "halfcheetah");
  EXPECT_EQ(LastPart("runs/models/ours/"), "ours");
  EXPECT_EQ(LastPart("runs/.."), "model");
}

}  // namespace
}  // namespace rhumb::serve
