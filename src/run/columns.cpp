// From the names of a system to the columns of its rows.
#include <noslip/run/columns.hpp>

#include <algorithm>
#include <utility>

namespace noslip {

namespace {

/// A change of an input that is part of the energy is work.
bool may_do_work(const System& system) {
  if (system.structure().does_work) return true;
  if (!system.has_energy()) return false;
  const Expr energy = system.energy();
  const std::vector<Expr> symbols = symbols_of(std::span(&energy, 1));
  return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
    return std::any_of(system.inputs().begin(), system.inputs().end(),
                       [&](const Parameter& input) { return input.symbol.id == symbol.id; });
  });
}

/// Of every column, in the order of the kind; only those that the system has.
std::vector<Column> columns_of_kind(const System& system, ColumnKind kind) {
  std::vector<Column> columns;
  const auto add = [&](const std::string& name, const std::string& key) {
    columns.push_back({name, kind, columns.size(), key});
    if (kind <= ColumnKind::state || kind == ColumnKind::input) columns.back().unit = system.unit(name);
  };
  const std::vector<std::string>& velocities = system.velocity_names();
  switch (kind) {
    case ColumnKind::time: add("t", "t"); break;
    case ColumnKind::coordinate:
      for (const std::string& name : configuration_names(system)) add(name, name);
      break;
    case ColumnKind::velocity:
      for (std::size_t i = 0; i < system.v().size(); ++i) add(system.v()[i].name(), velocities[i]);
      break;
    case ColumnKind::state:
      for (const FirstOrderState& state : system.states()) add(state.name, state.name);
      for (Column& column : columns) column.index += system.configuration().size();
      break;
    case ColumnKind::multiplier:
      for (const std::string& name : system.multiplier_names()) add(name, name);
      break;
    case ColumnKind::energy:
      if (system.has_energy()) add("energy", "energy");
      break;
    case ColumnKind::work:
      if (may_do_work(system)) add("work", "work");
      break;
    case ColumnKind::input:
      for (const Parameter& input : system.inputs()) add(input.name, input.name);
      break;
    case ColumnKind::constraint: add("constraint", "constraint"); break;
    case ColumnKind::output:
      for (const auto& [name, expression] : system.outputs()) add(name, name);
      break;
    case ColumnKind::momentum:
      for (std::size_t i = 0; i < system.momenta().size(); ++i) add("p(" + velocities[i] + ")", velocities[i]);
      break;
    case ColumnKind::invariant:
      if (system.has_implicit_momenta()) break;
      for (const auto& [name, expression] : system.invariants()) add(name, name);
      break;
    case ColumnKind::exact:
      for (const auto& [name, expression] : system.exact()) add("exact(" + name + ")", name);
      break;
    case ColumnKind::expression:
    case ColumnKind::label: break;  // the caller says which ones there are
  }
  return columns;
}

void add_with_new_name(std::vector<Column>& columns, Column column) {
  const bool keeps_its_name = column.kind <= ColumnKind::state;
  while (!keeps_its_name && find_column(columns, column.name) < columns.size()) column.name += '_';
  columns.push_back(std::move(column));
}

}  // namespace

std::vector<Column> columns_of(const System& system, const std::vector<ColumnKind>& kinds) {
  std::vector<Column> columns;
  for (const ColumnKind kind : kinds) {
    for (Column& column : columns_of_kind(system, kind)) add_with_new_name(columns, std::move(column));
  }
  return columns;
}

std::vector<Column> row_columns(const System& system) {
  return columns_of(system, {ColumnKind::time, ColumnKind::coordinate, ColumnKind::velocity, ColumnKind::state,
                             ColumnKind::multiplier, ColumnKind::energy, ColumnKind::work, ColumnKind::input,
                             ColumnKind::constraint, ColumnKind::output});
}

std::vector<Column> with_positions(const std::vector<Column>& columns, std::span<const std::string> positions) {
  std::vector<Column> result;
  bool is_done = false;
  const std::size_t coordinates = places_of(columns, ColumnKind::coordinate).size();
  for (const Column& column : columns) {
    if (column.kind == ColumnKind::state) {
      add_with_new_name(result, column);
      result.back().index += positions.size() - coordinates;
    } else if (column.kind != ColumnKind::coordinate) {
      add_with_new_name(result, column);
    } else if (!std::exchange(is_done, true)) {
      for (std::size_t i = 0; i < positions.size(); ++i) {
        result.push_back({positions[i], ColumnKind::coordinate, i, positions[i]});
      }
    }
  }
  return result;
}

std::vector<Column> columns_of_texts(const System& system, const std::vector<std::string>& texts) {
  const std::vector<Column> known =
      columns_of(system, {ColumnKind::coordinate, ColumnKind::velocity, ColumnKind::state, ColumnKind::input});
  std::vector<Column> columns;
  for (const std::string& text : texts) columns.push_back(column_of_text(known, text));
  return columns;
}

Column column_of_text(std::span<const Column> known, const std::string& text) {
  const std::size_t place = find_column(known, text);
  return place < known.size() ? known[place] : Column{text, ColumnKind::expression, 0, text, text};
}

std::size_t find_column(std::span<const Column> columns, const std::string& name) {
  const auto has_name = [&](const Column& column) { return column.name == name; };
  return static_cast<std::size_t>(std::find_if(columns.begin(), columns.end(), has_name) - columns.begin());
}

std::vector<std::size_t> places_of(std::span<const Column> columns, ColumnKind kind) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].kind == kind) places.push_back(i);
  }
  return places;
}

std::vector<std::string> names_of(std::span<const Column> columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

std::vector<std::string> names_of(std::span<const Column> columns, ColumnKind kind) {
  std::vector<std::string> names;
  for (const std::size_t place : places_of(columns, kind)) names.push_back(columns[place].name);
  return names;
}

}  // namespace noslip
