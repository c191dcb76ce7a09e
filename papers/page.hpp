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

/// A number of a check in few digits, `-` for NaN; a range as "at most 2", "1 to 2", "1.5 within 0.1 %".
std::string number_text(double x);
std::string range_text(const std::optional<Range>& range);

}  // namespace noslip::papers
