// Maps enum values to words, for settings, the command line and files.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"

namespace rhumb::core {

template <class Enum>
class Names {
 public:
  // Lists every value once, in the order of --help.
  Names(std::initializer_list<std::pair<Enum, std::string_view>> names) {
    for (const auto& [value, word] : names) {
      values_.push_back(value);
      words_.emplace_back(word);
    }
  }

  const std::vector<Enum>& values() const { return values_; }
  const std::vector<std::string>& words() const { return words_; }

  const std::string& NameOf(Enum value) const { return words_[IndexOf(value)]; }
  std::size_t IndexOf(Enum value) const {
    const auto found = std::find(values_.begin(), values_.end(), value);
    RHUMB_CHECK(found != values_.end(), "value {} of an enum has no name", static_cast<int>(value));
    return static_cast<std::size_t>(found - values_.begin());
  }
  // Throws Error "COMPLAINT 'WORD'" with a suggestion for any other word.
  Enum Parse(std::string_view word, std::string_view complaint = "unknown word") const {
    const auto found = std::find(words_.begin(), words_.end(), word);
    if (found == words_.end()) Fail("{} '{}'{}", complaint, word, Suggestion(word, words_));
    return values_[static_cast<std::size_t>(found - words_.begin())];
  }

 private:
  std::vector<Enum> values_;
  std::vector<std::string> words_;
};

}  // namespace rhumb::core
