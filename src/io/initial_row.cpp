#include <noslip/io/initial_row.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/names.hpp>
#include <noslip/core/option_name.hpp>
#include <noslip/core/text_file.hpp>
#include <noslip/exec/value_text.hpp>
#include <noslip/io/row_source.hpp>
#include <noslip/lie/quaternion.hpp>
#include <noslip/model/csv_reader.hpp>
#include <noslip/run/columns.hpp>
#include <noslip/run/rotations.hpp>

namespace noslip {

namespace {

constexpr std::uintmax_t largest_document = std::uintmax_t{1} << 30;

using Document = nlohmann::json;

std::optional<quad> number_in(const std::string& text) { return evaluate(text).number; }

/// Place of a row, counted from 0.
std::size_t place_of_row(const std::string& file, std::optional<long long> row, std::size_t count, const char* rows) {
  const auto all = static_cast<long long>(count);
  const long long wanted = row.value_or(-1), place = wanted < 0 ? all + wanted : wanted - 1;
  if (wanted != 0 && place >= 0 && place < all) return static_cast<std::size_t>(place);
  throw InputError(fmt::format("'{}' has no {} {}", file, rows, wanted),
                   count == 0 ? fmt::format("there is no {} at all", rows)
                              : fmt::format("{}s are counted from 1 to {}; -1 is the last one", rows, count));
}

NamedNumbers row_of_csv(const std::string& file, std::optional<long long> row) {
  const CsvTable table = read_csv(file);
  if (!table.has_names()) {
    throw InputError(fmt::format("'{}' does not name its columns", file), "the first line has the names, as in t,x,x'");
  }
  const std::size_t place = place_of_row(file, row, table.row_count(), "row");
  NamedNumbers numbers;
  for (std::size_t i = 0; i < table.column_count(); ++i) {
    numbers.emplace_back(table.names()[i], static_cast<double>(table.column(i)[place]));
  }
  return numbers;
}

NamedNumbers row_of_source(const std::string& file, std::optional<long long> row) {
  const std::unique_ptr<RowSource> source = open_row_source(file);
  if (source->file().members) {
    throw InputError(fmt::format("'{}' has the members of an ensemble, not states of a run", file),
                     "give a file that noslip run has written");
  }
  std::size_t count = source->row_count().value_or(0);
  if (!source->row_count()) count = source->read([](std::span<const double>) { return true; });
  const std::size_t place = place_of_row(file, row, count, "row");
  NamedNumbers numbers;
  std::size_t at = 0;
  source->read([&](std::span<const double> values) {
    if (at++ < place) return true;
    for (std::size_t i = 0; i < values.size(); ++i) numbers.emplace_back(source->file().columns[i].name, values[i]);
    return false;
  });
  return numbers;
}

/// Numbers of an object, with the digits of `texts` where it has more of them.
void add_numbers(const Document& state, const char* key, const char* texts, const char* suffix, NamedNumbers& to) {
  if (!state.contains(key) || !state[key].is_object()) return;
  for (const auto& [name, value] : state[key].items()) {
    quad number = value.is_number() ? quad(value.get<double>()) : quad(std::numeric_limits<double>::quiet_NaN());
    if (state.contains(texts) && state[texts].contains(name) && state[texts][name].is_string()) {
      number = number_in(state[texts][name].get<std::string>()).value_or(number);
    }
    to.emplace_back(name + suffix, number);
  }
}

NamedNumbers state_of_json(const std::string& file, std::optional<long long> row) {
  const std::string text = read_text_file(file, largest_document);
  const Document document = Document::parse(text, nullptr, false);
  if (document.is_discarded() || !document.is_object() || !document.contains("q")) {
    throw InputError(fmt::format("'{}' is not a JSON document of a run", file),
                     fmt::format("write one with {}, or give a data file", option("json")));
  }
  Document state = document;
  if (row) {
    const Document at = document.value("at", Document::array());
    state = at[place_of_row(file, row, at.size(), "state in `at`")];
  }
  NamedNumbers numbers;
  if (state.contains("t") && state["t"].is_number()) {
    quad t = state["t"].get<double>();
    if (state.contains("t_text")) t = number_in(state["t_text"].get<std::string>()).value_or(t);
    numbers.emplace_back("t", t);
  }
  add_numbers(state, "q", "q_text", "", numbers);
  add_numbers(state, "states", "states_text", "", numbers);
  add_numbers(state, "v", "v_text", "'", numbers);
  add_numbers(state, "v", "v_text", "", numbers);  // of groups, without a prime
  add_numbers(state, "inputs", "", "", numbers);
  const Document names = document.value("multiplier_names", Document::array());
  const Document values = state.value("multipliers", Document::array());
  for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i) {
    if (values[i].is_number()) numbers.emplace_back(names[i].get<std::string>(), values[i].get<double>());
  }
  return numbers;
}

/// Looks up what a row has, and remembers what is missing.
class RowNumbers {
 public:
  explicit RowNumbers(const NamedNumbers& row) : row_(row) {}

  const quad* find(const std::string& name) const {
    const auto found = std::find_if(row_.begin(), row_.end(), [&](const auto& each) { return each.first == name; });
    return found == row_.end() ? nullptr : &found->second;
  }
  bool has_all(std::span<const std::string> names) const {
    return std::all_of(names.begin(), names.end(), [&](const auto& name) { return find(name) != nullptr; });
  }
  quad take(const std::string& name) {
    const quad* const number = find(name);
    if (number == nullptr) {
      missing_.push_back(name);
      return 0;
    }
    if (!std::isfinite(static_cast<double>(*number))) unknown_.push_back(name);
    return *number;
  }
  void refuse(const std::string& file, const std::string& system) const {
    std::vector<Problem> problems;
    const auto add = [&](const std::vector<std::string>& names, const char* what, const std::string& remedy) {
      if (names.empty()) return;
      constexpr std::size_t most = 12;
      const std::vector<std::string> some(names.begin(),
                                          names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size())));
      problems.push_back(
          {fmt::format("'{}' {} {}{} of '{}'", file, what, list_of(some), names.size() > most ? ", ..." : "", system),
           {},
           remedy});
    };
    add(missing_, "is no state: it has no",
        "a row has all coordinates and velocities: do not leave any out with " + option("columns"));
    add(unknown_, "has no finite value for", "choose another row");
    if (!problems.empty()) throw InputError(std::move(problems));
  }

 private:
  const NamedNumbers& row_;
  std::vector<std::string> missing_, unknown_;
};

/// Entries of matrices, which a file may have as quaternions.
std::vector<quad> positions_of(const System& system, RowNumbers& row) {
  const QuaternionOutput quaternions(system.factors(), configuration_names(system), system.velocity_names());
  std::vector<quad> q;
  if (!quaternions.has_rotations() || row.has_all(system.coordinates()) || !row.has_all(quaternions.names())) {
    for (const std::string& name : system.coordinates()) q.push_back(row.take(name));
    return q;
  }
  auto name = quaternions.names().begin();
  for (const Factor& factor : system.factors()) {
    if (!factor.is_matrix()) {
      for (std::size_t i = 0; i < factor.size; ++i) q.push_back(row.take(*name++));
      continue;
    }
    std::vector<quad> translation;
    for (std::size_t i = 0; i < 3 && factor.columns() == 4; ++i) translation.push_back(row.take(*name++));
    std::array<quad, 4> quaternion;
    for (quad& part : quaternion) part = row.take(*name++);
    const std::array<quad, 9> rotation = rotation_of(quaternion);
    for (std::size_t i = 0; i < 3; ++i) {
      q.insert(q.end(), rotation.begin() + static_cast<std::ptrdiff_t>(3 * i),
               rotation.begin() + static_cast<std::ptrdiff_t>(3 * i + 3));
      if (!translation.empty()) q.push_back(translation[i]);
    }
  }
  for (const std::string& state : state_names(system)) q.push_back(row.take(state));
  return q;
}

}  // namespace

RowChoice row_choice(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {text, std::nullopt};
  const char* const begin = text.data() + colon + 1;
  const char* const end = text.data() + text.size();
  long long row = 0;
  const auto [rest, error] = std::from_chars(begin, end, row);
  if (begin == end || rest != end || error != std::errc()) return {text, std::nullopt};
  return {text.substr(0, colon), row};
}

NamedNumbers read_named_row(const std::string& file, std::optional<long long> row) {
  const DefaultArithmetic arithmetic;
  if (file.ends_with(".json")) return state_of_json(file, row);
  if (file.ends_with(".npz") || file.ends_with(".h5")) return row_of_source(file, row);
  if (file.ends_with(".csv")) return row_of_csv(file, row);
  throw InputError(fmt::format("'{}' is not a file of states by its ending", file),
                   "give FILE.csv, FILE.npz, FILE.h5 or FILE.json, and a row as in run.csv:1");
}

InitialRow initial_row(const System& system, const NamedNumbers& numbers, std::vector<quad> parameters,
                       const std::string& name) {
  const DefaultArithmetic arithmetic;
  RowNumbers row(numbers);
  InitialRow result;
  result.state = system.as_written().initial_state_quad(parameters);
  InitialStateQuad& state = result.state;
  if (row.find("t") != nullptr) state.t = row.take("t");
  state.q = positions_of(system, row);
  const std::vector<Column> columns = row_columns(system);
  const auto take_all = [&](ColumnKind kind, std::vector<quad>& to) {
    to.clear();
    for (const std::string& column : names_of(columns, kind)) to.push_back(row.take(column));
  };
  take_all(ColumnKind::velocity, state.v);
  if (system.offers().multiplier_variables) take_all(ColumnKind::multiplier, state.z);
  row.refuse(name, system.name());
  if (system.has_implicit_momenta()) {
    Settings velocities;
    for (std::size_t i = 0; i < state.v.size(); ++i) velocities[system.v()[i].name()] = state.v[i];
    state = system.with_initial(std::move(state), velocities, parameters);
  }
  for (const Parameter& input : system.inputs()) {
    const quad* const value = row.find(input.name);
    if (value != nullptr && std::isfinite(static_cast<double>(*value))) result.inputs[input.name] = *value;
  }
  return result;
}

std::string to_text(const NamedNumbers& row) {
  std::string text;
  for (const auto& [name, value] : row) text += fmt::format("{} {}\n", to_text(value), name);
  return text;
}

NamedNumbers named_numbers(const std::string& text) {
  NamedNumbers row;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size()), space = text.find(' ', begin);
    row.emplace_back(text.substr(space + 1, end - space - 1),
                     number_in(text.substr(begin, space - begin)).value_or(std::numeric_limits<double>::quiet_NaN()));
    begin = end + 1;
  }
  return row;
}

}  // namespace noslip
