#include "rhumb/steer/query/query_reader.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "rhumb/core/error.h"
#include "rhumb/steer/query/query_text.h"

namespace rhumb::steer {
namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool ContinuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// These words are meant as numbers, never as objectives.
bool IsNotFinite(std::string_view word) {
  constexpr std::array<std::string_view, 3> kWords = {"nan", "inf", "infinity"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view known) {
    return std::equal(word.begin(), word.end(), known.begin(), known.end(),
                      [](char a, char b) { return (a | 0x20) == b; });
  });
}

}  // namespace

void FailAtColumn(std::string_view place, std::string_view text, std::size_t column,
                  std::string_view problem) {
  Fail("{} {}: column {}: {}", place, Quote(text), column, problem);
}

std::size_t QueryReader::Offset() {
  offset_ = std::min(text_.find_first_not_of(" \t\r\n", offset_), text_.size());
  return offset_;
}

char QueryReader::Peek() { return Offset() < text_.size() ? text_[offset_] : '\0'; }

bool QueryReader::IsAtDigits() { return IsDigit(Peek()) || Peek() == '.'; }

bool QueryReader::Take(std::string_view word) {
  if (!IsAt(word)) return false;
  offset_ += word.size();
  return true;
}

char QueryReader::TakeSign() {
  if (Take("+")) return '+';
  return Take("-") ? '-' : '\0';
}

bool QueryReader::TakePlusMinus() { return Take("+-") || Take("\xc2\xb1"); }

char QueryReader::TakeRelation() {
  for (const char* sign : {"<", ">", "="}) {
    if (!Take(sign)) continue;
    if (offset_ < text_.size() && text_[offset_] == '=') ++offset_;
    return *sign;
  }
  return '\0';
}

std::string_view QueryReader::TakeName() {
  if (!IsLetter(Peek())) return {};
  const std::string_view name = WordAt(offset_);
  if (IsNotFinite(name)) FailAt(offset_, "{} is not a finite number", Quote(name));
  offset_ += name.size();
  return name;
}

void QueryReader::Expect(std::string_view word) {
  if (!Take(word)) FailExpecting(fmt::format("'{}'", word));
}

void QueryReader::ExpectEnd() {
  if (Offset() < text_.size()) FailExpecting("the end");
}

double QueryReader::TakeDigits() {
  const std::size_t begin = Offset();
  if (!IsAtDigits()) {
    TakeName();  // gives "nan" and "inf" their own message
    Rewind(begin);
    FailExpecting("a number");
  }
  const char* first = text_.data() + begin;
  double number = 0;
  const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), number);
  if (error == std::errc::invalid_argument) FailExpecting("a number");
  const std::string_view written = text_.substr(begin, static_cast<std::size_t>(end - first));
  if (error != std::errc()) {
    FailAt(begin, "{} is not a finite number in double precision", Quote(written));
  }
  offset_ += written.size();
  return number;
}

double QueryReader::TakeNumber() {
  const char sign = TakeSign();
  const double number = TakeDigits();
  return sign == '-' ? -number : number;
}

void QueryReader::FailExpecting(std::string_view what) {
  const std::string_view found = WordAt(Offset());
  FailAt(offset_, "expected {}, found {}", what,
         found.empty() ? std::string("the end") : Quote(found));
}

std::size_t QueryReader::ColumnOf(std::size_t offset) const {
  const std::string_view before = text_.substr(0, offset);
  return before.size() + 1 -
         static_cast<std::size_t>(std::count_if(before.begin(), before.end(), ContinuesCharacter));
}

void QueryReader::FailInForm(std::size_t offset, std::string_view problem) const {
  FailAtColumn(place_, text_, ColumnOf(offset), fmt::format("{}; {}", problem, form_));
}

// Returns the run of letters and digits, or the single other character, at `offset`.
std::string_view QueryReader::WordAt(std::size_t offset) const {
  const std::string_view rest = text_.substr(offset);
  std::size_t size = 0;
  while (size < rest.size() && (IsLetter(rest[size]) || IsDigit(rest[size]))) ++size;
  if (size > 0 || rest.empty()) return rest.substr(0, size);
  for (++size; size < rest.size() && ContinuesCharacter(rest[size]);) ++size;
  return rest.substr(0, size);
}

}  // namespace rhumb::steer
