// Runs, numbers and ranges in words, for people.
#pragma once

#include <string>

#include "reproduce.hpp"

namespace noslip::papers {

/// What is run: system, methods, steps, with names of systems and methods as code in Markdown.
std::string words_of(const Run& run, bool quick);

/// What a check has measured, with the digits that its ranges need; `-` for NaN.
std::string number_text(const CheckResult& result);
/// "at most 2", "1 to 2", "1.5 within 0.1 %"; `-` for none.
std::string range_text(const std::optional<Range>& range);

}  // namespace noslip::papers
