// Numbers of parameters and initial data. Everything is evaluated in quadruple precision and rounded once, so that the
// double nearest to `cos(5*pi/18)` comes out.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/names.hpp>
#include <noslip/core/option_name.hpp>

#include "model/legendre_map.hpp"
#include "model/rotation_values.hpp"
#include "model/scope.hpp"
#include "model/system_data.hpp"
#include "model/words.hpp"

namespace noslip {
namespace {

bool finite_as_double(quad x) { return std::isfinite(static_cast<double>(x)); }

/// Of a block in the state q, v, z.
std::size_t place_of(Role role) { return role == Role::position || role == Role::state ? 0 : role == Role::velocity ? 1 : 2; }

std::vector<std::string> names_of(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

std::string nearest_or_all(const std::string& name, const std::vector<std::string>& names, const std::string& what) {
  const std::string all = names.empty()        ? "there are no " + what
                          : names.size() <= 24 ? "the " + what + " are " + list_of(names)
                                               : "";
  const std::string guess = did_you_mean(name, names);
  if (guess.empty() || names.empty()) return all;
  return all.empty() ? guess : guess + " (" + all + ")";
}

/// The value of a parameter that is a size.
std::optional<Number> size_of(const SystemData& data, const std::string& name) {
  const bool is_size = std::find(data.sizes.begin(), data.sizes.end(), name) != data.sizes.end();
  return is_size ? data.size_values.value(name) : std::nullopt;
}

/// `places` of the parameters before; inputs follow from parameters alone.
DefaultValue default_value(Expr expression, const std::unordered_map<NodeId, std::size_t>& places) {
  DefaultValue result;
  const std::vector<Expr> symbols = symbols_of({&expression, 1});
  for (const Expr& symbol : symbols) result.parameters.push_back(places.at(symbol.id));
  // A tape takes the time of a sweep over its graph: in one of its own there is nothing else.
  Graph graph;
  Substitution copy(graph);
  result.function = Function<quad>({copy(symbols)}, {{copy(expression)}});
  return result;
}

std::vector<quad> evaluate_parameters(const SystemData& data, const Settings& settings) {
  std::vector<Problem> problems;
  const auto has = [](const std::vector<Parameter>& parameters, const std::string& name) {
    return std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& one) { return one.name == name; });
  };
  for (const auto& [name, value] : settings) {
    if (has(data.inputs, name)) {
      problems.push_back({"'" + name + "' is an input, not a parameter", {}, "use " + option("input", name + "=...")});
    } else if (!has(data.parameters, name)) {
      problems.push_back(
          {"unknown parameter '" + name + "'", {}, nearest_or_all(name, names_of(data.parameters), "parameters")});
    } else if (!finite_as_double(value)) {
      problems.push_back(
          {"parameter '" + name + "' cannot be " + to_text(static_cast<double>(value)), {}, "give a finite number"});
    } else if (const auto size = size_of(data, name); size && size->value() != value) {
      problems.push_back({"parameter '" + name + "' is a size of '" + data.name + "': it is " + to_text(*size) +
                              " and cannot be changed to " + to_text(static_cast<double>(value)) + " any more",
                          {},
                          "make the system with another size first (System::resized)"});
    }
  }
  refuse(std::move(problems));

  const std::size_t count = data.parameters.size();
  std::vector<quad> values(count + data.inputs.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto setting = i < count ? settings.find(data.parameters[i].name) : settings.end();
    if (setting != settings.end()) {
      values[i] = setting->second;
      continue;
    }
    std::vector<quad> given;
    for (const std::size_t parameter : data.default_values[i].parameters) given.push_back(values[parameter]);
    values[i] = data.default_values[i].function({given}).output(0)[0];
    if (!finite_as_double(values[i])) throw InputError({not_finite(data.defaults[i], values[i])});
  }
  return values;
}

InitialStateQuad evaluate_initial(const SystemData& data, std::span<const quad> parameters) {
  const Evaluation<quad> values = data.initial_values({parameters});
  const std::span<const quad> initial = values.output(0), given = values.output(1);
  // The entries of a matrix that is given by something not finite are not worth a word.
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!finite_as_double(given[i])) problems.push_back(not_finite(data.given[i], given[i]));
  }
  const bool has_matrices = problems.empty();
  const ParameterValue* before = nullptr;  // of a family, one is enough
  for (std::size_t i = 0; i < initial.size() && has_matrices; ++i) {
    if (finite_as_double(initial[i])) continue;
    if (!before || before->text.indices.empty() || before->text.text != data.initial[i].text.text) {
      problems.push_back(not_finite(data.initial[i], initial[i]));
    }
    before = &data.initial[i];
  }
  refuse(std::move(problems));
  InitialStateQuad state;
  auto next = initial.begin();
  state.t = *next++;
  for (auto [numbers, symbols] : {std::pair{&state.q, &data.q}, {&state.v, &data.v}, {&state.z, &data.z}}) {
    const auto end = next + static_cast<std::ptrdiff_t>(symbols->size());
    numbers->assign(next, end);
    next = end;
  }
  if (data.has_implicit_momenta && !data.starts_from_momenta) {
    const auto p = data.legendre->momenta({state.t, state.q, parameters}, state.v);
    if (!p) throw InputError({no_momenta(data.v, state.v)});
    state.z = *p;
  }
  return state;
}

/// Momenta beside the velocities of a state whose values are about to be replaced.
class MomentumKeeper {
 public:
  MomentumKeeper(const SystemData& data, const InitialStateQuad& state, const Settings& overrides,
                 std::span<const quad> parameters)
      : data_(data), parameters_(parameters), before_(state.z) {
    if (!data.has_hamiltonian || overrides.empty()) return;
    const auto names_one_of = [&](const std::vector<Expr>& symbols) {
      return std::any_of(symbols.begin(), symbols.end(), [&](Expr x) { return overrides.count(x.name()) != 0; });
    };
    const bool has_momentum = names_one_of(data.p), has_velocity = names_one_of(data.v);
    if (has_momentum && has_velocity) {
      throw InputError("initial momenta and velocities are both given", "give one of them: the other follows from it");
    }
    keeps_momenta_ = has_momentum || (data.starts_from_momenta && !has_velocity);
    if (!keeps_momenta_ && !data.has_implicit_momenta) return;
    if (parameters.size() != data.defaults.size()) {
      throw InputError("momenta of '" + data.name + "' depend on its parameters",
                       "give the parameter values to with_initial");
    }
    if (keeps_momenta_) momenta = data.has_implicit_momenta ? state.z : found_for(state);
  }

  void update(InitialStateQuad& state) const {
    if (keeps_momenta_) {
      state.v = data_.legendre->velocities({state.t, state.q, parameters_}, momenta);
      if (data_.has_implicit_momenta) state.z = momenta;
    } else if (data_.has_implicit_momenta) {
      state.z = found_for(state);
    }
  }

  std::vector<quad> momenta;  ///< where they are kept

 private:
  std::vector<quad> found_for(const InitialStateQuad& state) const {
    const auto found = data_.legendre->momenta({state.t, state.q, parameters_}, state.v, before_);
    if (!found) throw InputError({no_momenta(data_.v, state.v)});
    return *found;
  }

  const SystemData& data_;
  std::span<const quad> parameters_;
  std::vector<quad> before_;
  bool keeps_momenta_ = false;
};

/// Matrices among the positions, by the numbers that give them.
class GivenMatrices {
 public:
  GivenMatrices(const SystemData& data, const InitialStateQuad& state) : data_(data) {
    for (const Factor& factor : data.factors) {
      if (factor.is_matrix()) matrices_.push_back({&factor, given_numbers(factor, state.q)});
    }
  }

  /// Does a matrix hold this coordinate?
  bool hold(std::size_t coordinate) const {
    return std::any_of(matrices_.begin(), matrices_.end(), [&](const Matrix& matrix) {
      return coordinate >= matrix.factor->first && coordinate < matrix.factor->first + matrix.factor->size;
    });
  }

  /// The matrix that has this name, or an entry of this name.
  const Factor* named(const std::string& name) const {
    for (const Matrix& matrix : matrices_) {
      const auto first = data_.coordinates.begin() + static_cast<std::ptrdiff_t>(matrix.factor->first);
      const auto end = first + static_cast<std::ptrdiff_t>(matrix.factor->size);
      if (name == matrix.factor->name || std::find(first, end, name) != end) return matrix.factor;
    }
    return nullptr;
  }

  /// Adds the names and the numbers of the matrix that begins at this coordinate.
  template <class Add>
  void at(std::size_t coordinate, const Add& add) {
    for (Matrix& matrix : matrices_) {
      if (matrix.factor->first != coordinate) continue;
      for (std::size_t i = 0; i < matrix.numbers.size(); ++i) add(matrix.factor->given[i], &matrix.numbers[i]);
    }
  }

  /// Matrices of which nothing is replaced stay as they are, to the last bit.
  void update(InitialStateQuad& state, const Settings& overrides) const {
    for (const Matrix& matrix : matrices_) {
      const auto& given = matrix.factor->given;
      if (std::any_of(given.begin(), given.end(), [&](const auto& name) { return overrides.count(name) != 0; })) {
        set_element(*matrix.factor, matrix.numbers, state.q);
      }
    }
  }

 private:
  struct Matrix {
    const Factor* factor;
    std::vector<quad> numbers;
  };
  const SystemData& data_;
  std::vector<Matrix> matrices_;
};

void apply_overrides(const SystemData& data, InitialStateQuad& state, const Settings& overrides,
                     std::span<const quad> parameters) {
  if (state.q.size() != data.q.size() || state.v.size() != data.v.size() || state.z.size() != data.z.size()) {
    throw InputError("a state that is not one of '" + data.name + "'", "take it from System::initial_state");
  }
  std::map<std::string, decltype(&state.t)> places;
  std::vector<std::string> names;
  const auto add = [&](const std::string& name, auto* place) {
    places[name] = place;
    names.push_back(name);
  };
  MomentumKeeper keeper(data, state, overrides, parameters);
  keeper.momenta.resize(data.p.size());
  GivenMatrices matrices(data, state);
  for (std::size_t i = 0; i < std::max(data.q.size(), data.v.size()); ++i) {
    if (i < data.q.size() && !matrices.hold(i)) add(data.coordinates[i], &state.q[i]);
    matrices.at(i, add);
    if (i < data.v.size()) add(data.v[i].name(), &state.v[i]);
    if (i < data.p.size()) add(data.p[i].name(), &keeper.momenta[i]);
  }
  if (!data.has_implicit_momenta) {
    for (std::size_t i = 0; i < data.z.size(); ++i) add(data.z[i].name(), &state.z[i]);
  }
  add("t", &state.t);
  std::vector<Problem> problems;
  for (const auto& [name, value] : overrides) {
    const auto found = places.find(name);
    if (const Factor* factor = matrices.named(name)) {
      problems.push_back(
          {name == factor->name ? "the initial value of " + name + " is not one number"
                                : "the initial value of " + name + " cannot be replaced alone: it is an " +
                                      "entry of the matrix " + factor->name,
           {},
           "give " + list_of(factor->given) + ", " +
               (factor->columns() == 4 ? "its translation and its rotation vector" : "its rotation vector")});
    } else if (found == places.end()) {
      problems.push_back({"unknown initial value '" + name + "'", {}, nearest_or_all(name, names, "initial values")});
    } else if (!finite_as_double(value)) {
      problems.push_back({"the initial value of " + name + " cannot be " + to_text(static_cast<double>(value)),
                          {},
                          "give a finite number"});
    } else {
      *found->second = value;
    }
  }
  matrices.update(state, overrides);
  refuse(std::move(problems));
  if (data.has_hamiltonian && !overrides.empty()) keeper.update(state);
}

}  // namespace

Problem not_finite(const ParameterValue& value, quad result) {
  Problem problem{
      value.what + " is not finite: '" + shown_text(value.text) + "' is " + to_text(static_cast<double>(result)),
      value.text.place(), "check the values of the parameters in it"};
  return problem;
}

void System::require_shape(std::size_t q, std::size_t v, std::size_t z) const {
  if (q == data_->q.size() && v == data_->v.size() && z == data_->z.size()) return;
  const std::size_t given[] = {q, v, z}, needed[] = {data_->q.size(), data_->v.size(), data_->z.size()};
  std::vector<std::string> has, wants;
  bool has_more = false;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto block = std::find_if(data_->blocks.begin(), data_->blocks.end(),
                                    [&](const Block& each) { return place_of(each.role) == i; });
    if (block == data_->blocks.end()) {
      has_more |= given[i] > 0;
      continue;
    }
    has.push_back(std::to_string(given[i]) + " " + block->count);
    wants.push_back(std::to_string(needed[i]));
  }
  throw InputError(
      "the initial state has " + list_of(has),
      "system '" + data_->name + "' has " + list_of(wants) + (has_more || has.size() == 1 ? ", and nothing else" : ""));
}

InitialStateQuad to_quad(const InitialState& state) {
  return {
      state.t, {state.q.begin(), state.q.end()}, {state.v.begin(), state.v.end()}, {state.z.begin(), state.z.end()}};
}

InitialState to_double(const InitialStateQuad& exact) {
  InitialState state;
  state.t = static_cast<double>(exact.t);
  for (const quad q : exact.q) state.q.push_back(static_cast<double>(q));
  for (const quad v : exact.v) state.v.push_back(static_cast<double>(v));
  for (const quad z : exact.z) state.z.push_back(static_cast<double>(z));
  return state;
}

void compile_values(SystemData& data) {
  std::vector<Expr> constants;
  std::unordered_map<NodeId, std::size_t> places;
  for (const Parameter& parameter : data.parameters) {
    data.default_values.push_back(default_value(parameter.default_value, places));
    places.emplace(parameter.symbol.id, constants.size());
    constants.push_back(parameter.symbol);
  }
  for (const Parameter& input : data.inputs) {
    data.default_values.push_back(default_value(input.default_value, places));
  }
  for (const Parameter& input : data.inputs) constants.push_back(input.symbol);
  ExprMatrix outputs(2);
  for (const ParameterValue& value : data.initial) outputs[0].push_back(value.expression);
  for (const ParameterValue& value : data.given) outputs[1].push_back(value.expression);
  data.initial_values = Function<quad>({constants}, outputs);
  std::vector<Expr> of_controller;
  for (const ParameterValue& number : data.sampled_numbers) of_controller.push_back(number.expression);
  if (data.sampled) data.sampled_values = Function<quad>({constants}, {of_controller});
}

std::vector<quad> System::parameter_values_quad(const Settings& settings) const {
  const DefaultArithmetic arithmetic;
  return evaluate_parameters(*data_, settings);
}

std::vector<double> System::parameter_values(const Settings& settings) const {
  const DefaultArithmetic arithmetic;
  std::vector<double> values;
  for (const quad value : evaluate_parameters(*data_, settings)) values.push_back(static_cast<double>(value));
  return values;
}

InitialStateQuad System::initial_state_quad(std::span<const quad> parameter_values) const {
  const DefaultArithmetic arithmetic;
  require_parameter_count(parameter_values.size());
  return start_ ? *start_ : evaluate_initial(*data_, parameter_values);
}

InitialState System::initial_state(std::span<const double> parameter_values) const {
  const DefaultArithmetic arithmetic;
  require_parameter_count(parameter_values.size());
  return to_double(initial_state_quad(std::vector<quad>(parameter_values.begin(), parameter_values.end())));
}

System System::starting_at(InitialStateQuad state) const {
  require_shape(state.q.size(), state.v.size(), state.z.size());
  System other = *this;
  other.start_ = std::make_shared<const InitialStateQuad>(std::move(state));
  return other;
}

System System::as_written() const {
  System other = *this;
  other.start_.reset();
  return other;
}

InitialState System::with_initial(InitialState state, const Settings& overrides,
                                  std::span<const double> parameter_values) const {
  const DefaultArithmetic arithmetic;
  InitialStateQuad exact = to_quad(state);
  apply_overrides(*data_, exact, overrides, std::vector<quad>(parameter_values.begin(), parameter_values.end()));
  return to_double(exact);
}

InitialStateQuad System::with_initial(InitialStateQuad state, const Settings& overrides,
                                      std::span<const quad> parameter_values) const {
  const DefaultArithmetic arithmetic;
  apply_overrides(*data_, state, overrides, parameter_values);
  return state;
}

void System::require_parameter_count(std::size_t count) const {
  const std::size_t parameters = data_->parameters.size(), inputs = data_->inputs.size();
  if (count == parameters + inputs) return;
  throw InputError(std::to_string(count) + " parameter values for " + std::to_string(parameters) + " parameters" +
                       (inputs == 0 ? "" : " and " + counted(inputs, "input")) + " of '" + data_->name + "'",
                   "take them from System::parameter_values");
}

}  // namespace noslip
