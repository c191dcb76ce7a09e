// The options of noslip ensemble: which members, and what is kept of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <noslip/ensemble/ensemble.hpp>

#include "options.hpp"

namespace noslip::app {

struct EnsembleChoice {
  EnsembleOptions options;
  std::shared_ptr<const Members> members;
  std::vector<GridAxis> axes;  ///< of --grid; otherwise empty
  std::size_t part = 0, parts = 0;  ///< of --part; otherwise 0
};

/// Everything but the system; problems where something is wrong.
EnsembleOptions read_ensemble_options(Arguments& arguments);

/// --members, --grid, or --sample with --seed and --vary; and --part, which chooses some of them. Throws all problems.
void choose_members(Arguments& arguments, EnsembleChoice& choice);

}  // namespace noslip::app
