// What is wrong with options of a run, told to somebody who has written them.
#include <noslip/run/given_options.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/core/option_name.hpp>
#include <noslip/core/options.hpp>
#include <noslip/core/short_text.hpp>
#include <noslip/expr/short_list.hpp>

namespace noslip {
namespace {

/// Names of the variables that `init` may set beside velocities and time: coordinates, or y and z.
std::vector<std::string> variable_names(const System& system) {
  std::vector<std::string> names;
  for (const Block& block : system.blocks()) {
    if (system.offers().lagrangian && block.role != Role::position && block.role != Role::state) continue;
    names.insert(names.end(), block.given.begin(), block.given.end());
  }
  return names;
}

/// R or R11 of a rotation R.
bool is_matrix_or_entry(const System& system, const std::string& name) {
  for (const Factor& factor : system.factors()) {
    if (!factor.is_matrix()) continue;
    const auto first = system.coordinates().begin() + static_cast<std::ptrdiff_t>(factor.first);
    const auto end = first + static_cast<std::ptrdiff_t>(factor.size);
    if (name == factor.name || std::find(first, end, name) != end) return true;
  }
  return false;
}

/// The rotation of which this is a component in files with quaternions.
const Factor* matrix_of_quaternion(const System& system, const std::string& name) {
  for (const Factor& factor : system.factors()) {
    for (const char* const component : {"_w", "_x", "_y", "_z"}) {
      if (factor.is_matrix() && name == factor.name + component) return &factor;
    }
  }
  return nullptr;
}

bool is_among(const std::vector<Parameter>& parameters, const std::string& name) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name == name; });
}

const char* variable_word(const System& system) { return system.offers().lagrangian ? "coordinate" : "variable"; }

/// "x, y and z"; of a long list some.
std::string names_text(const std::vector<std::string>& names) {
  return names.size() <= 24 ? list_of(names) : short_list(names);
}

std::vector<std::string> names_among(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> velocities_of(const System& system) {
  std::vector<std::string> names;
  if (!system.offers().lagrangian) return names;
  for (const Expr velocity : system.v()) names.push_back(velocity.name());
  return names;
}

/// "use --init x=1"
std::string use(const char* option, const std::string& name, const std::string& written) {
  return "use " + option_entry(option, name, written);
}

/// A number as the run has it.
quad as_in_run(quad x, Precision precision) {
  switch (precision) {
    case Precision::long_double: return static_cast<long double>(x);
    case Precision::quadruple: return x;
    case Precision::double_precision: break;
  }
  return static_cast<double>(x);
}

}  // namespace

std::vector<Problem> problems_with_parameters(const System& system, const Settings& set) {
  std::vector<Problem> problems;
  const std::vector<std::string> names = names_among(system.parameters());
  for (const auto& [name, value] : set) {
    if (contains(names, name)) continue;
    std::string remedy = did_you_mean(name, names);
    if (is_among(system.inputs(), name)) {
      remedy = fmt::format("'{}' is an input: {}", name, use("input", name, "..."));
    } else if (contains(velocities_of(system), name)) {
      remedy = fmt::format("'{}' is a velocity: {}", name, use("init", name, "..."));
    } else if (contains(variable_names(system), name)) {
      remedy = fmt::format("'{}' is a {}: {}", name, variable_word(system), use("init", name, "..."));
    } else if (remedy.empty()) {
      remedy = names.empty() ? "it has no parameters" : fmt::format("its parameters are {}", names_text(names));
    }
    problems.push_back(
        {fmt::format("{} {}: {} has no parameter '{}'", option("set"), shortened(name), system.name(), shortened(name)), {}, remedy});
  }
  return problems;
}

std::optional<Problem> problem_with_initial_name(const System& system, const std::string& name, const std::string& written) {
  const std::vector<std::string> variables = variable_names(system), velocities = velocities_of(system);
  const bool is_mechanical = system.offers().lagrangian;
  std::vector<std::string> names = variables;
  names.push_back("t");
  names.insert(names.end(), velocities.begin(), velocities.end());
  if (system.has_hamiltonian()) {
    for (const std::string& velocity : system.velocity_names()) names.push_back(fmt::format("p({})", velocity));
  }
  // with_initial knows what to say about entries of matrices.
  if (contains(names, name) || is_matrix_or_entry(system, name)) return std::nullopt;
  if (const Factor* const matrix = matrix_of_quaternion(system, name)) {
    return Problem{fmt::format("{} {}: it is a component of the quaternion of {}", option("init"), name, matrix->name),
                   {},
                   fmt::format("give its rotation vector, {}, or a whole state with {}",
                               list_of({matrix->given.end() - 3, matrix->given.end()}), option("init-from", "FILE"))};
  }
  const bool is_rate = system.is_on_group() && name.ends_with('\'');  // x' of a group element: not x is meant
  std::string remedy = is_rate ? "" : did_you_mean(name, names);
  if (is_among(system.parameters(), name)) {
    remedy = fmt::format("'{}' is a parameter: {}", name, use("set", name, written));
  } else if (is_among(system.inputs(), name)) {
    remedy = fmt::format("'{}' is an input: {}", name, use("input", name, written));
  } else if (remedy.empty()) {
    remedy = fmt::format("its {}s are {}{}", variable_word(system), names_text(variables),
                         !is_mechanical              ? ""
                         : system.is_on_group()      ? ", its velocities " + names_text(velocities)
                         : system.has_hamiltonian()  ? "; x' is the velocity and p(x) the momentum of x"
                                                     : "; x' is the velocity of x");
  }
  return Problem{fmt::format("{} {}: {} has no {} '{}'", option("init"), shortened(name), system.name(), variable_word(system), shortened(name)),
                 {},
                 remedy};
}

std::optional<Problem> problem_with_input_name(const System& system, const std::string& name, const std::string& written) {
  const std::vector<std::string> names = names_among(system.inputs());
  if (contains(names, name)) return std::nullopt;
  std::string remedy = did_you_mean(name, names);
  if (is_among(system.parameters(), name)) {
    remedy = fmt::format("'{}' is a parameter: {}", name, use("set", name, shortened(written)));
  } else if (contains(variable_names(system), name)) {
    remedy = fmt::format("'{}' is a {}: {}", name, variable_word(system), use("init", name, shortened(written)));
  } else if (remedy.empty()) {
    remedy = names.empty() ? "its file has no [inputs]" : fmt::format("its inputs are {}", list_of(names));
  }
  return Problem{fmt::format("{} {}: {} has no input '{}'", option("input"), shortened(name), system.name(), shortened(name)), {}, remedy};
}

std::optional<Problem> problem_with_precision(Backend backend, Precision precision) {
  if (backend != Backend::jit || precision == Precision::double_precision) return std::nullopt;
  return Problem{fmt::format("{} computes in double precision, not in {}", option("backend", "jit"), choice_name("precision", precision)),
                 {},
                 fmt::format("use {}, or leave {} out", option("backend", "interpreter"), option("backend"))};
}

void check_end(const RunOptions& options, quad exact_start, const std::string& until, const std::string& step) {
  const double limit = option_named("steps").most;
  const quad start = as_in_run(exact_start, options.precision);
  const double shown = static_cast<double>(start);
  if (as_in_run(start + options.step, options.precision) == start) {
    throw InputError(fmt::format("{}: the step is lost in the rounding of the initial time {}", option("step", step), shown),
                     "use a larger step, or start at t = 0 with " + option_entry("init", "t", "0"));
  }
  if (options.steps > 0) return;
  if (!(as_in_run(options.until, options.precision) > start)) {
    throw InputError(fmt::format("{}: the end is not after the initial time {}", option("until", until), shown),
                     "give a later time, or a number of steps with " + option("steps"));
  }
  if ((options.until - start) / options.step > limit) {
    throw InputError(fmt::format("{} {}: that is more than 2^53 steps", option("until", until), option("step", step)),
                     "use a larger step or an earlier end");
  }
}

}  // namespace noslip
