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

}  // namespace noslip::papers
