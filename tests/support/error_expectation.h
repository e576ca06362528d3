// The message of an Error.
#pragma once

#include <string>

#include "rhumb/core/error.h"

namespace rhumb::test {

// The message of the Error that `action` throws; "" if it throws none.
template <class Action>
std::string ErrorOf(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace rhumb::test
