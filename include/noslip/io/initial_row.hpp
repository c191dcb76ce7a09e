// What comes out goes in: a row of a data file, or a state of a `run --json` document, as an initial state.
//
//   const NamedNumbers row = read_named_row("run.csv", 1);
//   const InitialRow start = initial_row(system, row, system.parameter_values_quad({}), "run.csv");
//   integrate(system.starting_at(start.state), options);
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <noslip/core/given.hpp>
#include <noslip/model/system.hpp>

namespace noslip {

using NamedNumbers = std::vector<std::pair<std::string, quad>>;

/// FILE, or FILE:ROW.
struct RowChoice {
  std::string file;
  std::optional<long long> row;
};
RowChoice row_choice(const std::string& text);

/// A row by the names of its columns: of CSV, NPZ and HDF5 the last one, or `row` counted from 1 (-1: the last one); of
/// JSON the final state with all its digits, or the `row`-th state of `at`. InputError for what is not there; FileError
/// if the file cannot be read.
NamedNumbers read_named_row(const std::string& file, std::optional<long long> row);

struct InitialRow {
  InitialStateQuad state;
  Settings inputs;  ///< that the row has
};

/// All variables of the system from a row; matrices by their entries, or by quaternions. Without `t` the initial time
/// is that of the system. InputError, with all that is missing; `name` is what the file is called there.
InitialRow initial_row(const System& system, const NamedNumbers& row, std::vector<quad> parameters,
                       const std::string& name);

/// The row as a text with all digits, and back.
std::string to_text(const NamedNumbers& row);
NamedNumbers named_numbers(const std::string& text);

}  // namespace noslip
