// What a row of numbers holds. One table of columns serves data files, JSON documents, sections and pictures.
//
//   RowReader read(row_columns(system));   // t, x, theta, x', theta', lambda1, energy, constraint (run/row_reader.hpp)
//   sink->write(read(sample));             // a file of any format (io/row_sink.hpp)
#pragma once

#include <span>
#include <string>
#include <vector>

#include <noslip/model/system.hpp>

namespace noslip {

/// What a column means, and so where its numbers come from.
enum class ColumnKind {
  // what a sample of a run holds
  time,
  coordinate,
  velocity,
  state,  ///< of first order (System::states): in Sample::q, behind the coordinates
  multiplier,
  energy,
  work,
  input,
  constraint,  ///< the largest residual (Sample::max_constraint)
  output,
  // functions of it
  momentum,
  invariant,
  exact,  ///< the [exact] solution at the time of the sample
  expression,
  // what whoever writes the rows fills in: a run or an orbit out of several, a number of an event
  label,
};

struct Column {
  std::string name;  ///< in headers and pictures, and how users ask for it
  ColumnKind kind = ColumnKind::expression;
  std::size_t index = 0;                ///< among those of its kind: of Sample::q, of System::invariants, ...
  std::string key = {};                 ///< name among those of its kind alone: x of the velocity x'
  std::string text = {};                ///< of an expression: System::expression
  std::string unit = {};                ///< System::unit; empty: not known
  std::vector<std::string> words = {};  ///< if not empty, a value is the place of a word in this list

  /// True if samples hold it, so that no system is needed to read it.
  bool is_stored() const { return kind < ColumnKind::momentum; }
};

/// All columns of these kinds, kind after kind. A system without energy has no such column, and `work` is there only if
/// something does work, or if the energy contains an input. Invariants are left out where momenta have no closed form.
/// Names are different: a name that is taken by a coordinate or a velocity gets trailing underscores.
std::vector<Column> columns_of(const System& system, const std::vector<ColumnKind>& kinds);

/// Everything that a sample holds: the columns of data files.
std::vector<Column> row_columns(const System& system);

/// The same columns with other positions (run/rotations.hpp), of these names.
std::vector<Column> with_positions(const std::vector<Column>& columns, std::span<const std::string> positions);

/// A column for every text: a coordinate, a velocity or an input by its name, otherwise an expression.
std::vector<Column> columns_of_texts(const System& system, const std::vector<std::string>& texts);

/// One of these columns by its name; everything else is an expression.
Column column_of_text(std::span<const Column> known, const std::string& text);

/// Place of the column with this name; columns.size() if there is none.
std::size_t find_column(std::span<const Column> columns, const std::string& name);
/// Places of all columns of a kind, ascending.
std::vector<std::size_t> places_of(std::span<const Column> columns, ColumnKind kind);
std::vector<std::string> names_of(std::span<const Column> columns);
std::vector<std::string> names_of(std::span<const Column> columns, ColumnKind kind);

}  // namespace noslip
