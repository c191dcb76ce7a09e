// Reproductions as a page to read: pictures, verdicts, errata.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reproduce.hpp"

namespace noslip::papers {

/// Markdown. `picture_of` gives the path of the picture of an experiment as the page has to name it, empty for none.
std::string page_of(const std::vector<Reproduction>& all, bool quick,
                    const std::function<std::string(const Experiment&)>& picture_of);

/// A number with so many digits, `-` for NaN; what a check has measured, with the digits that its ranges need.
std::string number_text(double x, int digits);
std::string number_text(const CheckResult& result);
/// "at most 2", "1 to 2", "1.5 within 0.1 %"; `-` for none.
std::string range_text(const std::optional<Range>& range);

}  // namespace noslip::papers
