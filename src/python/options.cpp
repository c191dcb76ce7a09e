#include "options.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include <noslip/core/option_name.hpp>
#include <noslip/core/options.hpp>
#include <noslip/io/row_sink.hpp>
#include <noslip/method/method.hpp>
#include <noslip/model/sampled.hpp>
#include <noslip/run/given_options.hpp>
#include <noslip/run/run_fields.hpp>

#include "call.hpp"
#include "callbacks.hpp"
#include "values.hpp"

namespace noslip::python {

py::object Given::operator[](const std::string& keyword) const {
  PyObject* const found = PyDict_GetItemString(options_.ptr(), keyword.c_str());
  return found == nullptr ? py::none() : py::reinterpret_borrow<py::object>(found);
}

bool Given::flag(const std::string& name) {
  return is_true((*this)[keyword_of(name)]);
}

std::string Given::text(const std::string& name, const std::string& otherwise) {
  const py::object value = (*this)[keyword_of(name)];
  if (value.is_none()) return otherwise;
  if (PyUnicode_Check(value.ptr())) return text_of(value);
  refuse(problems, fmt::format("{}={}: that is not a text", keyword_of(name), shown(value)), "give a text");
  return otherwise;
}

std::optional<quad> Given::any_number(const std::string& name) {
  const std::string keyword = keyword_of(name);
  const py::object value = (*this)[keyword];
  return value.is_none() ? std::nullopt : number_of(value, keyword, problems);
}

std::optional<quad> Given::number(const std::string& name) {
  const auto value = any_number(name);
  if (!value) return std::nullopt;
  if (auto wrong = problem_with_given(option_named(name), written_as(name), *value)) return problems.push_back(*std::move(wrong)), std::nullopt;
  return value;
}

std::optional<long long> Given::whole(const std::string& name) {
  const auto value = number(name);
  return value ? std::optional(static_cast<long long>(*value)) : std::nullopt;
}

std::optional<std::size_t> Given::choice(const std::string& name) {
  const std::string given = text(name, "");
  if (!has(keyword_of(name))) return std::nullopt;
  if (auto wrong = problem_with_choice(option_named(name), given)) return problems.push_back(*std::move(wrong)), std::nullopt;
  const std::vector<std::string> choices = option_named(name).choice_names();
  return static_cast<std::size_t>(std::find(choices.begin(), choices.end(), given) - choices.begin());
}

std::string Given::written_as(const std::string& name) const { return written((*this)[keyword_of(name)]); }

std::string Given::file(const std::string& keyword) const {
  const py::object value = (*this)[keyword];
  return value.is_none() ? std::string() : path_of(value);
}

std::vector<std::string> Given::data_files() const {
  std::vector<std::string> names;
  const py::object output = (*this)["output"];
  if (py::isinstance<py::list>(output) || py::isinstance<py::tuple>(output)) {
    for (const py::handle name : output) names.push_back(path_of(name));
  } else if (!output.is_none()) {
    names.push_back(path_of(output));
  }
  for (const std::string& name : names) row_format_of(name);  // refuses endings that say nothing
  return names;
}

namespace {

void read_fields(Given& given, RunOptions& options) {
  for (const RunField& field : run_fields()) {
    const std::string name(field.option);
    if (!given.has(keyword_of(name))) continue;
    std::visit(
        [&]<class T>(RunMember<T> member) {
          T& value = options.*member;
          if constexpr (std::is_same_v<T, bool>) {
            value = given.flag(name);
          } else if constexpr (std::is_same_v<T, std::string>) {
            value = given.text(name, value);
          } else if constexpr (std::is_enum_v<T>) {
            if (const auto place = given.choice(name)) value = static_cast<T>(*place);
          } else if constexpr (std::is_integral_v<T>) {
            if (const auto number = given.whole(name)) value = static_cast<T>(*number);
          } else {
            if (const auto number = given.number(name)) value = static_cast<T>(*number);
          }
        },
        field.member);
  }
  if (const auto wrong = problem_with_precision(options.backend, options.precision)) given.problems.push_back(*wrong);
}

void read_end(Given& given) {
  if (given.has("until") != given.has("steps")) return;
  refuse(given.problems,
         given.has("until") ? fmt::format("{} and {} are both given", option("until"), option("steps")) : "the end of the run is missing",
         fmt::format("give one of {} and {}", option("until", "T"), option("steps", "N")));
}

}  // namespace

namespace {

/// Of a row: those that neither the caller nor the controller of the system gives.
void add_inputs(const System& model, const Settings& inputs, Control& control) {
  const auto has_series = [&](const std::string& name) {
    const auto is_own = [&](const InputSeries& series) { return series.input == name; };
    const auto has_it = [&](const Controller& controller) {
      return std::find(controller.inputs.begin(), controller.inputs.end(), name) != controller.inputs.end();
    };
    return std::any_of(control.series.begin(), control.series.end(), is_own) ||
           std::any_of(control.controllers.begin(), control.controllers.end(), has_it);
  };
  const Sampled* const sampled = model.sampled();
  for (const auto& [name, value] : inputs) {
    const auto is_own = [&, &name = name](const Sampled::Value& own) {
      return own.input >= 0 && model.inputs()[static_cast<std::size_t>(own.input)].name == name;
    };
    const bool is_controlled = sampled != nullptr && std::any_of(sampled->values.begin(), sampled->values.end(), is_own);
    if (!is_controlled && !has_series(name)) control.inputs.try_emplace(name, value);
  }
}

}  // namespace

InitialRow row_of_python(const py::object& given, const System& system, const Settings& set) {
  NamedNumbers row;
  std::string name = "init_from";
  std::vector<Problem> problems;
  const bool is_file = PyUnicode_Check(given.ptr()) || py::hasattr(given, "__fspath__");
  if (is_file) {
    const RowChoice from = row_choice(path_of(given));
    name = from.file;
    row = read_named_row(from.file, from.row);
  } else {
    const py::object named = py::hasattr(given, "to_dict") ? given.attr("to_dict")() : given;
    for (const auto& [key, value] : settings_of(named, "init_from", problems)) row.emplace_back(key, value);
  }
  refuse_all(std::move(problems));
  return initial_row(system, row, system.parameter_values_quad(set), name);
}

void read_system(Chosen& chosen, const PySystem& system, Given& given) {
  chosen.options.set = settings_of(given["set"], "set", given.problems);
  chosen.system = chosen.options.set.empty() ? system : Call()([&] { return system.resized(chosen.options.set); });
  Settings inputs;
  if (given.has("init_from")) {
    InitialRow row = row_of_python(given["init_from"], chosen.system.system(), chosen.options.set);
    chosen.system = chosen.system.starting_at(std::move(row.state));
    inputs = std::move(row.inputs);
  }
  const System& model = chosen.system.system();
  if (std::vector<Problem> wrong = problems_with_parameters(model, chosen.options.set); !wrong.empty()) throw InputError(std::move(wrong));
  chosen.parameters = model.parameter_values(chosen.options.set);
  Settings names;
  if (given.has("init") || given.has("inputs")) {
    const std::vector<quad> values = model.parameter_values_quad(chosen.options.set);
    for (std::size_t i = 0; i < model.parameters().size(); ++i) names[model.parameters()[i].name] = values[i];
  }
  chosen.options.init = settings_of(given["init"], "init", given.problems, names);
  for (const auto& [name, value] : chosen.options.init) {
    const py::object initial = given["init"];
    const auto wrong = problem_with_initial_name(model, name, initial.contains(name) ? written(initial[py::str(name)]) : to_text(static_cast<double>(value)));
    if (wrong) given.problems.push_back(*wrong);
  }
  chosen.has_functions |= read_inputs(given["inputs"], model, names, chosen.options.control, given.problems);
  add_inputs(model, inputs, chosen.options.control);
  for (std::size_t i = 0; i < model.inputs().size(); ++i) {
    const auto input = chosen.options.control.inputs.find(model.inputs()[i].name);
    if (input != chosen.options.control.inputs.end()) {
      chosen.parameters[model.parameters().size() + i] = static_cast<double>(input->second);
    }
  }
}

Chosen read_run(const PySystem& system, Given& given, bool needs_end) {
  Chosen chosen;
  RunOptions& options = chosen.options;
  read_fields(given, options);
  if (!given.has("step")) {
    refuse(given.problems, fmt::format("{} is missing", option("step")),
           with_option_names(fmt::format("{}, for example `step {}`", option_named("step").give, option_named("step").example)));
  }
  if (needs_end) read_end(given);
  options.at = numbers_of(given["at"], "at", given.problems);
  const bool has_event_functions = read_events(given["events"], options.events, given.problems);
  try {
    read_system(chosen, system, given);
  } catch (const InputError& error) {
    given.problems.insert(given.problems.end(), error.problems().begin(), error.problems().end());
  }
  chosen.has_functions |= has_event_functions;
  if (given.problems.empty()) return chosen;  // whoever integrates looks at the method
  try {
    find_method(options.method);
  } catch (const InputError& error) {
    given.problems.insert(given.problems.begin(), error.problems().begin(), error.problems().end());
  }
  return chosen;
}

void check_end(const Chosen& chosen, const Given& given) {
  const System& model = chosen.system.system();
  const std::vector<quad> values = model.parameter_values_quad(chosen.options.set);
  const quad start = model.with_initial(model.initial_state_quad(values), chosen.options.init, values).t;
  noslip::check_end(chosen.options, start, given.written_as("until"), given.written_as("step"));
}

}  // namespace noslip::python
