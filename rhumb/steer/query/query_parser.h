// The terms of a query: text -> target, requirement or change.
//
//   target       expression "=" number ["+-" number]
//   requirement  expression relation number | number relation expression [relation number]
//                | expression relation expression | expression "=" number "+-" number
//                | expression "in" "[" number "," number "]"
//   change       name ("+" | "-") number ["%"] | name "*" number [("+" | "-") number]
//   relation     "<" | "<=" | ">" | ">="
//
// "==" means "=", and "±" means "+-". expression_parser.h has the expressions.
#pragma once

#include <string_view>

#include "rhumb/steer/query/query.h"

namespace rhumb::steer {

// Errors quote the text, give the column and name the expected input. All numbers are finite; a
// requirement's low bound may still exceed its high bound. Expressions keep their text without
// surrounding blanks.
Target ParseTarget(std::string_view text);
Requirement ParseRequirement(std::string_view text);
Change ParseChange(std::string_view text);

}  // namespace rhumb::steer
