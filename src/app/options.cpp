#include "options.hpp"

#include <algorithm>
#include <type_traits>

#include <fmt/format.h>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/core/names.hpp>
#include <noslip/core/text_file.hpp>
#include <noslip/io/initial_row.hpp>
#include <noslip/io/input_series.hpp>
#include <noslip/method/method.hpp>
#include <noslip/model/sampled.hpp>
#include <noslip/model/system_text.hpp>
#include <noslip/run/given_options.hpp>
#include <noslip/run/rotations.hpp>
#include <noslip/run/run_fields.hpp>

#include "output.hpp"
#include "shorten.hpp"
#include "values.hpp"

namespace noslip::app {
namespace {

constexpr std::uintmax_t largest_table = 64'000'000;  // bytes of a file with points
constexpr std::uintmax_t largest_file = 64'000'000;   // bytes, as System::load has it
constexpr std::uintmax_t largest_series = 1'000'000'000;  // the same of read_csv

/// name=value, ... of one option, in the order given. Values stay text.
std::vector<std::pair<std::string, std::string>> assignments(Arguments& arguments, const std::string& option,
                                                             const std::string& example) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const std::string& text : arguments.texts(option)) {
    const auto sides = split_assignment(text);
    if (!sides) {
      arguments.problem(fmt::format("{} {}: expected name=value", option, shortened(text)),
                        fmt::format("for example {} {}", option, example));
    } else if (std::any_of(result.begin(), result.end(),
                           [&](const auto& known) { return known.first == sides->first; })) {
      arguments.problem(fmt::format("{} {}: '{}' is given twice", option, shortened(text), shortened(sides->first)),
                        "give it once");
    } else {
      result.push_back(*sides);
    }
  }
  return result;
}

/// A value of --set, --init or --input, or a problem.
std::optional<quad> assigned_value(Arguments& arguments, const std::string& option,
                                   const std::pair<std::string, std::string>& assignment, const Settings& names) {
  const Value value = evaluate(assignment.second, names);
  if (!value.number) {
    const bool has_several = assignment.second.find('=') != std::string::npos;
    arguments.problem(
        fmt::format("{} {}={}: {}", option, shortened(assignment.first), shortened(assignment.second), value.what),
        has_several ? fmt::format("repeat {} for each name", option) : value.remedy);
  }
  return value.number;
}

/// Does the controller of the system give this input its values?
bool is_controlled(const System& system, const std::string& input) {
  const Sampled* const sampled = system.sampled();
  return sampled != nullptr && std::any_of(sampled->values.begin(), sampled->values.end(), [&](const auto& value) {
           return value.input >= 0 && system.inputs()[static_cast<std::size_t>(value.input)].name == input;
         });
}

/// Values of the parameters, which expressions may use.
Settings known_values(const SystemChoice& choice) {
  Settings known;
  const std::vector<quad> values = choice.system.parameter_values_quad(choice.set);
  for (std::size_t i = 0; i < choice.system.parameters().size(); ++i) {
    known[choice.system.parameters()[i].name] = values[i];
  }
  return known;
}

/// FILE.csv or FILE.csv,linear: a file. A path need not end so: it may be a pipe.
bool names_a_series(const std::string& value) {
  const std::string file = split_outside_brackets(value, ',').front();
  return file != value || file.ends_with(".csv") || file.starts_with('/') || file.starts_with("./") ||
         file.starts_with("../");
}

void add_series(Arguments& arguments, const std::string& name, const std::string& value, SystemChoice& choice) {
  const std::size_t comma = value.rfind(',');
  const std::string file = value.substr(0, comma), word = comma < value.size() ? value.substr(comma + 1) : "";
  const std::string given = fmt::format("--input {}={}", shortened(name), shortened(value));
  if (arguments.verb() == "check" || arguments.verb() == "bench") {
    return arguments.problem(fmt::format("{}: {} takes values of inputs only", given, arguments.verb()),
                             fmt::format("for example --input {}=1", name));
  }
  if (comma < value.size() && word != "linear") {
    const std::string guess = did_you_mean(word, std::vector<std::string>{"linear"});
    return arguments.problem(fmt::format("{}: '{}' behind the comma is not known", given, shortened(word)),
                             guess.empty() ? "write FILE.csv, or FILE.csv,linear" : guess);
  }
  try {
    const std::string& text = choice.texts.read(file, largest_series);
    choice.control.series.push_back(parse_input_series(text, file, name, word == "linear"));
  } catch (const InputError& error) {
    arguments.problems(error);
  }
}

void apply_inputs(Arguments& arguments, const std::vector<std::pair<std::string, std::string>>& given,
                  SystemChoice& choice) {
  if (given.empty()) return;
  const Settings parameters = known_values(choice);
  const std::vector<Parameter>& inputs = choice.system.inputs();
  for (const auto& [name, value] : given) {
    const auto found =
        std::find_if(inputs.begin(), inputs.end(), [&name = name](const Parameter& input) { return input.name == name; });
    if (found == inputs.end()) {
      arguments.add(problem_with_input_name(choice.system, name, value));
    } else if (names_a_series(value)) {
      add_series(arguments, name, value, choice);
    } else if (const auto number = assigned_value(arguments, "--input", {name, value}, parameters)) {
      choice.control.inputs[name] = *number;
      const auto place = choice.system.parameters().size() + static_cast<std::size_t>(found - inputs.begin());
      choice.parameters[place] = static_cast<double>(*number);
    }
  }
  arguments.refuse_problems();
  choice.control.check(choice.system);
}

void apply_initial(Arguments& arguments, const std::vector<std::pair<std::string, std::string>>& given,
                   SystemChoice& choice) {
  const std::vector<quad> values = choice.system.parameter_values_quad(choice.set);
  const Settings parameters = known_values(choice);
  for (const auto& assignment : given) {
    const auto wrong = problem_with_initial_name(choice.system, assignment.first, assignment.second);
    arguments.add(wrong);
    if (wrong) continue;
    if (const auto value = assigned_value(arguments, "--init", assignment, parameters)) choice.init[assignment.first] = *value;
  }
  try {
    const InitialStateQuad start =
        choice.system.with_initial(choice.system.initial_state_quad(values), choice.init, values);
    choice.initial = to_double(start);
    choice.begin = start.t;
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) {
      if (problem.remedy.ends_with("rotation vector")) problem.remedy += ", or a whole state with --init-from FILE";
    }
    arguments.problems(InputError(std::move(problems)));
  }
}

/// --init-from: what is kept of the file is the row. Inputs that --input gives are taken from there.
void apply_initial_row(Arguments& arguments, const std::vector<std::pair<std::string, std::string>>& inputs,
                       SystemChoice& choice) {
  if (!arguments.takes("--init-from") || !arguments.has("--init-from")) return;
  const std::string given = arguments.text("--init-from"), key = "--init-from " + given;
  try {
    const RowChoice from = row_choice(given);
    NamedNumbers row = choice.texts.has(key) ? named_numbers(choice.texts.read(key, largest_file))
                                             : read_named_row(from.file, from.row);
    if (!choice.texts.has(key)) choice.texts.put(key, to_text(row));
    InitialRow start = initial_row(choice.system, row, choice.system.parameter_values_quad(choice.set), from.file);
    choice.system = choice.system.starting_at(std::move(start.state));
    for (const auto& [name, value] : start.inputs) {
      const bool is_given = std::any_of(inputs.begin(), inputs.end(), [&, &name = name](const auto& input) { return input.first == name; });
      if (!is_given && !is_controlled(choice.system, name)) choice.control.inputs[name] = choice.row_inputs[name] = value;
    }
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) {
      if (problem.place.file.empty()) problem.what.insert(0, "--init-from: ");
    }
    arguments.problems(InputError(std::move(problems)));
  }
  arguments.refuse_problems();
  for (std::size_t i = 0; i < choice.system.inputs().size(); ++i) {
    const auto value = choice.control.inputs.find(choice.system.inputs()[i].name);
    if (value == choice.control.inputs.end()) continue;
    choice.parameters[choice.system.parameters().size() + i] = static_cast<double>(value->second);
  }
}

System find_system(const std::string& name, Settings& settings, SystemChoice& choice) {
  if (choice.texts.has(name) || names_a_system_file(name)) {
    const auto read = [&](const std::string& file) { return choice.texts.read(file, largest_table); };
    choice.text = with_points(choice.texts.read(name, largest_file), name, read);
    return System::parse(choice.text, name).resized(settings);
  }
  choice.text = catalogue_text(name, settings);
  return System::parse(choice.text, name).resized(settings);
}

}  // namespace

void declare_system(Arguments& arguments) {
  arguments.positional("SYSTEM", "a name of the catalogue (see noslip systems) or the path of a system file");
  arguments.declare();
}

SystemChoice choose_system(Arguments& arguments, FileTexts texts) {
  SystemChoice choice;
  choice.texts = std::move(texts);
  for (const auto& assignment : assignments(arguments, "--set", "m=2")) {
    if (const auto value = assigned_value(arguments, "--set", assignment, {})) choice.set[assignment.first] = *value;
  }
  const auto initial = assignments(arguments, "--init", "x=1"), inputs = assignments(arguments, "--input", "tau=2");
  if (!arguments.has("SYSTEM")) {
    arguments.problem("no system is given", "name one of the catalogue (noslip systems) or the path of a system file");
    arguments.refuse_problems();
  }
  try {
    choice.system = find_system(arguments.text("SYSTEM"), choice.set, choice);
  } catch (const InputError& error) {
    arguments.problems(error);
    arguments.refuse_problems();
  }
  for (const Problem& wrong : problems_with_parameters(choice.system, choice.set)) arguments.add(wrong);
  arguments.refuse_problems();
  choice.parameters = choice.system.parameter_values(choice.set);
  apply_initial_row(arguments, inputs, choice);
  apply_initial(arguments, initial, choice);
  apply_inputs(arguments, inputs, choice);
  arguments.refuse_problems();
  return choice;
}

void read_run_fields(Arguments& arguments, RunOptions& options) {
  for (const RunField& field : run_fields()) {
    const std::string name = fmt::format("--{}", field.option);
    if (!arguments.takes(name)) continue;
    std::visit(
        [&]<class T>(RunMember<T> member) {
          T& value = options.*member;
          if constexpr (std::is_same_v<T, bool>) {
            value = arguments.has(name);
          } else if constexpr (std::is_same_v<T, std::string>) {
            value = arguments.text(name, value);
          } else if constexpr (std::is_enum_v<T>) {
            value = arguments.choice(name, value);
          } else if constexpr (std::is_integral_v<T>) {
            value = static_cast<T>(arguments.whole_number(name).value_or(value));
          } else {
            value = static_cast<T>(arguments.number(name).value_or(value));
          }
        },
        field.member);
  }
  arguments.add(problem_with_precision(options.backend, options.precision));
}

Backend chosen_backend(Arguments& arguments) { return arguments.choice("--backend", Backend::automatic); }

std::optional<Precision> chosen_precision(Arguments& arguments, Backend backend) {
  if (!arguments.has("--precision")) return std::nullopt;
  const Precision precision = arguments.choice("--precision", Precision::double_precision);
  arguments.add(problem_with_precision(backend, precision));
  return precision;
}

quad chosen_step(Arguments& arguments) { return arguments.number("--step").value_or(0); }

void require_method(Arguments& arguments, const std::string& name) {
  try {
    find_method(name);
  } catch (const InputError& error) {
    arguments.problems(error);
  }
}

std::vector<std::string> chosen_methods(Arguments& arguments, const std::string& otherwise) {
  const std::vector<std::string> methods = split_list(arguments.text("--method", otherwise));
  for (const std::string& method : methods) {
    if (method.empty()) {
      arguments.problem(fmt::format("--method {}: a name is missing between the commas", arguments.text("--method")),
                        "for example --method gauss:2,gauss:3");
    } else {
      require_method(arguments, method);
    }
  }
  return methods;
}

}  // namespace noslip::app
