// The experiments of Hilden 2009 by chapter.
#pragma once

#include <vector>

#include "experiment.hpp"

namespace noslip::papers {

std::vector<Experiment> hilden_orders();      ///< table 2.1, figures 2.2 to 2.4 and 3.4, section 4.2.2
std::vector<Experiment> hilden_disk();        ///< figures 2.1 and 4.1 to 4.5
std::vector<Experiment> hilden_sleigh();      ///< table 4.1, figures 4.7 to 4.10, 4.18 and 4.19
std::vector<Experiment> hilden_oscillator();  ///< figures 4.11 to 4.17

}  // namespace noslip::papers
