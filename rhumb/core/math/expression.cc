#include "rhumb/core/math/expression.h"

#include <muParser.h>

#include <algorithm>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"

namespace rhumb::core {
namespace {

std::unique_ptr<mu::Parser> MakeParser() {
  auto parser = std::make_unique<mu::Parser>();
  parser->DefineFun(
      "clamp", +[](double x, double low, double high) { return std::min(std::max(x, low), high); });
  return parser;
}

// muParser reads a lone '=' as an assignment, but an expression must not change a quantity.
void RefuseAssignment(std::string_view text, std::string_view place) {
  for (std::size_t i = text.find('='); i != text.npos; i = text.find('=', i + 1)) {
    if (i > 0 && std::string_view("<>!").find(text[i - 1]) != std::string_view::npos) continue;
    if (i + 1 == text.size() || text[i + 1] != '=') {
      Fail("{}: '{}' assigns at character {}; to compare, write '=='", place, text, i + 1);
    }
    ++i;
  }
}

// Returns every name usable in an expression: variables, functions, constants.
std::vector<std::string> KnownNames(const mu::Parser& parser) {
  std::vector<std::string> names;
  for (const auto& [name, value] : parser.GetVar()) names.push_back(name);
  for (const auto& [name, function] : parser.GetFunDef()) names.push_back(name);
  for (const auto& [name, value] : parser.GetConst()) names.push_back(name);
  return names;
}

[[noreturn]] void FailToParse(const mu::Parser& parser, const mu::ParserError& error,
                              std::string_view text, std::string_view place) {
  // muParser appends a blank to the text and counts it; its positions begin at 0.
  const std::size_t offset =
      std::min(static_cast<std::size_t>(std::max(error.GetPos(), 0)), text.size());
  if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN && IsName(error.GetToken())) {
    Fail("{}: unknown name '{}' at character {} of '{}'{}", place, error.GetToken(), offset + 1,
         text, Suggestion(error.GetToken(), KnownNames(parser)));
  }
  std::string reason = error.GetMsg();
  for (const char* tail : {" found at position", " at position", " at expression position"}) {
    reason = reason.substr(0, reason.find(tail));
  }
  while (!reason.empty() && (reason.back() == '.' || reason.back() == '!')) reason.pop_back();
  Fail("{}: '{}' does not parse at character {}: {}", place, text, offset + 1, reason);
}

}  // namespace

Expression::Expression(std::string_view text, std::span<const Variable> variables,
                       std::string_view place)
    : text_(text), parser_(MakeParser()) {
  RefuseAssignment(text, place);
  for (const Variable& variable : variables) {
    if (!IsName(variable.name)) {
      Fail("{}: '{}' cannot name a quantity: {}", place, variable.name, kNameRule);
    }
    if (parser_->GetFunDef().contains(variable.name) ||
        parser_->GetConst().contains(variable.name)) {
      Fail("{}: '{}' cannot name a quantity: it is a function or constant of expressions", place,
           variable.name);
    }
    parser_->DefineVar(variable.name, variable.value);
  }
  try {
    parser_->SetExpr(text_);
    // The first evaluation compiles; later ones only read the compiled form.
    parser_->Eval();
  } catch (const mu::ParserError& error) {
    FailToParse(*parser_, error, text_, place);
  }
  if (parser_->GetNumResults() != 1) {
    Fail("{}: '{}' gives {} values separated by commas, not one", place, text_,
         parser_->GetNumResults());
  }
}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

double Expression::Evaluate() const { return parser_->Eval(); }

std::vector<std::string> Expression::NamesIn(std::string_view text, std::string_view place) {
  RefuseAssignment(text, place);
  const std::unique_ptr<mu::Parser> parser = MakeParser();
  std::vector<std::string> names;
  try {
    parser->SetExpr(std::string(text));
    for (const auto& [name, value] : parser->GetUsedVar()) names.push_back(name);
  } catch (const mu::ParserError& error) {
    FailToParse(*parser, error, text, place);
  }
  return names;
}

}  // namespace rhumb::core
