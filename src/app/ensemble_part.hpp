// What the file of a part (--part) says of its ensemble: everything that noslip merge needs beside the rows.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/io/row_source.hpp>

#include "ensemble_options.hpp"

namespace noslip::app {

struct EnsemblePart {
  std::size_t part = 0, parts = 0;                            ///< K/N
  std::size_t first = 0, count = 0, members = 0;              ///< of the part; of the whole ensemble
  std::vector<std::pair<std::string, std::string>> identity;  ///< what all parts have in common, in words
  RowFile file;  ///< as that of the whole ensemble is opened, but for its name
  std::vector<double> times;
  std::string reductions;  ///< --reduce
  std::string reduced;     ///< Reducer::carry
  std::string system, method;
  double step = 0;
  std::size_t done = 0, failed = 0;  ///< fewer than `count` if it was interrupted
  long long steps = 0;
  std::vector<MemberFailure> failures;
  std::vector<Warning> warnings;

  void carry(Archive& archive);
};

/// The record of its files.
std::string record_of_part(const Ensemble& ensemble, const EnsembleChoice& choice, const EnsembleTable& table,
                           const RowFile& file);
/// InputError if the file is not that of a part.
EnsemblePart part_in(const RowSource& source);

}  // namespace noslip::app
