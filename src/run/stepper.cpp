// A program, a state, and the time.
#include <noslip/run/stepper.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/core/options.hpp>

#include "run/controls.hpp"
#include "run/initial_states.hpp"
#include "run/program_data.hpp"
#include "run/start_check.hpp"
#include "run/step_grid.hpp"

namespace noslip {

namespace {

constexpr char magic[] = "noslip state 1";

template <class T>
T checked_step(T h) {
  const auto size = std::fabs(static_cast<double>(h));
  if (auto problem = problem_with(option_named("step"), size)) throw InputError({*problem});
  return h;
}

}  // namespace

template <class T>
struct Stepper<T>::Data {
  Data(Program<T> of, T step, const Settings& set)
      : program(std::move(of)),
        usual(program.shared()),
        system(program.system()),
        parameter_count(system.parameters().size()),
        solver(program.data().continuous.template equations<T>()),
        check(program.data().start_functions),
        h(checked_step(step)),
        q_count(system.q().size()),
        v_count(system.v().size()),
        z_count(system.z().size()),
        lanes(static_cast<std::size_t>(program.lanes())) {
    const std::vector<quad> values = system.parameter_values_quad(set);
    parameters.assign(lanes, {values.begin(), values.end()});
    for (std::vector<T>* buffer : {&state, &first_state, &shown}) buffer->resize(program.data().recipe.state.size());
    accelerations.resize(v_count);
    multipliers.resize(system.multiplier_names().size());
    jumps.resize(lanes, T(0));
    if (program.data().steps) make_engine();
  }

  const ProgramData<T>& data() const { return program.data(); }
  const StepLayout& layout() const { return data().layout(); }

  void make_engine() {
    const MonitorFunctions<T>& monitored = data().monitored;
    engine = std::make_unique<LaneStepper<T>>(data().steps, data().problem(), data().key.options.tolerance,
                                              monitored.slots());
    engine->prepare_to_advance();
    scratch.resize(monitored.in_workspace.scratch_size());
    for (std::size_t l = 0; l < lanes; ++l) engine->set_parameters(static_cast<int>(l), parameters[l]);
  }

  void require_lane(int lane) const {
    if (lane >= 0 && lane < static_cast<int>(lanes)) return;
    throw InputError(fmt::format("there is no lane {}", lane), fmt::format("lanes are 0 to {}", lanes - 1));
  }

  void require_state() const {
    if (!problem.empty()) throw InputError(problem);
    if (!has_state) throw InputError("the stepper has no state", "set it before the first step");
  }

  void set_state(T time, std::span<const T> q, std::span<const T> v, std::span<const T> z, int lane) {
    require_lane(lane);
    const auto l = static_cast<std::size_t>(lane);
    const bool follows = system.has_implicit_momenta() && z.empty();
    system.require_shape(q.size(), v.size(), follows ? z_count : z.size());
    const auto end = std::copy(z.begin(), z.end(), std::copy(v.begin(), v.end(), std::copy(q.begin(), q.end(), state.begin())));
    std::fill(end, state.end(), T(0));
    solver.set_parameters(parameters[l]);
    if (follows || projects ||
        !check.is_certain(solver, time, std::span<const T>(state), parameters[l], accelerations, multipliers)) {
      set_with_all_checks(time, l, follows);
    } else {
      finish_state();
    }
    // Nothing is refused any more.
    t0 = time;
    count = 0;
    grid.reset();
    if (l == 0) std::copy(state.begin(), state.end(), first_state.begin());
    if (!engine) choose_order(time);
    engine->set_state(lane, state);
    jumps[l] = 0;
    if (l == 0) {
      controls.emplace(system, Control{}, time, std::span<const T>(parameters[0]));
      is_first = true;
    }
    has_state = true;
    problem.clear();
  }

  /// What the method carries on besides q, v and z: multipliers, as `multipliers` has them, and the work.
  void finish_state() {
    std::size_t next = q_count + v_count + z_count;
    const std::size_t end = state.size() - (data().recipe.has_work ? 1 : 0);
    for (std::size_t i = 0; next < end; ++next, ++i) state[next] = multipliers[i % multipliers.size()];
  }

  void set_with_all_checks(T time, std::size_t lane, bool momenta_follow) {
    Start<T> start{time, parameters[lane], state};
    start.state.resize(q_count + v_count + (momenta_follow ? 0 : z_count));
    if (momenta_follow) add_momenta(system, start);
    const std::vector<double> values(parameters[lane].begin(), parameters[lane].end());
    make_consistent(system, data().continuous.with_parameters(values), projects, start, nullptr);
    std::vector<T> a, lambda;
    data().complete(start, data().problem(), a, lambda);
    std::copy(start.state.begin(), start.state.end(), state.begin());
  }

  /// Programs without a state of reference, and orders that turn out to be bad where the motion starts.
  void choose_order(T time) {
    ProgramKey key = usual->key;
    key.order_at = order_here(time);
    program = Program<T>(find_program<T>(key));
    make_engine();
  }

  StepStart order_here(T time) const {
    Start<T> start{time, parameters[0], first_state};
    start.state.resize(q_count + v_count + z_count);
    std::vector<T> a, lambda;
    data().complete(start, data().problem(), a, lambda);
    const auto in_double = [](const std::vector<T>& values) {
      return std::vector<double>(values.begin(), values.end());
    };
    return {static_cast<double>(time), static_cast<double>(size_of(h)), in_double(start.parameters),
            in_double(start.state), in_double(a), in_double(lambda)};
  }

  T time() const { return grid ? grid->time(count) : t0 + T(count) * h; }

  void go_on_from(T now) {
    t0 = now;
    count = 0;
    grid.reset();
  }

  T energy_in(std::size_t lane) {
    const MonitorFunctions<T>& monitored = data().monitored;
    if (!monitored.has_energy) return std::numeric_limits<double>::quiet_NaN();
    evaluate();
    return value(0, lane);
  }

  void evaluate() {
    T* const workspace = engine->workspace();
    const T now = time();
    for (std::size_t l = 0; l < lanes; ++l) workspace[static_cast<std::size_t>(layout().t) * lanes + l] = now;
    data().monitored.in_workspace(workspace, scratch.data());
  }
  T value(std::size_t i, std::size_t lane) const {
    return engine->workspace()[(static_cast<std::size_t>(layout().size) + i) * lanes + lane];
  }

  /// Parameters or inputs of a lane change; what that does to the energy is work.
  template <class Change>
  void change(std::size_t lane, const Change& make) {
    const T before = has_state ? energy_in(lane) : T(0);
    make(std::span<T>(parameters[lane]));
    if (!engine) return;
    engine->set_parameters(static_cast<int>(lane), parameters[lane]);
    if (!has_state) return;
    const T jump = energy_in(lane) - before;
    if (jump != 0 && is_finite(jump)) jumps[lane] += jump;
  }

  /// Valid until the next call.
  std::span<const T> part(int lane, std::size_t first, std::size_t size) {
    require_state();
    if (lanes == 1 && !engine->has_angles()) {
      return {engine->workspace() + static_cast<std::size_t>(layout().state) + first, size};
    }
    engine->copy_state(lane, shown);
    return std::span<const T>(shown).subspan(first, size);
  }

  std::span<const T> multipliers_in(int lane) {
    if (multipliers.empty()) return {};
    const auto l = static_cast<std::size_t>(lane);
    engine->copy_folded_state(lane, state);
    if (system.offers().given_multipliers) {
      return std::span<const T>(state).subspan(q_count + v_count, z_count);
    }
    solver.set_parameters(parameters[l]);
    if (system.offers().multiplier_variables) {
      std::copy_n(state.begin() + static_cast<std::ptrdiff_t>(q_count + v_count), z_count, multipliers.begin());
    }
    solver.solve(time(), std::span<const T>(state), accelerations, multipliers);
    if (count == 0) return multipliers;
    const std::vector<bool>& own = data().has_end_multiplier;
    for (std::size_t r = 0; r < own.size(); ++r) {
      if (own[r]) {
        multipliers[r] =
            engine->workspace()[(static_cast<std::size_t>(layout().end_multipliers) + r) * lanes + l];
      }
    }
    return multipliers;
  }

  /// What a saved state has to be one of.
  std::string identity() const {
    const char* const digits = std::is_same_v<T, double> ? "double" : std::is_same_v<T, quad> ? "quad" : "long";
    return fmt::format("'{}' with {} ({}, {} lanes, tolerance {})", system.name(), data().method->traits().name, digits,
                       lanes, to_text(data().key.options.tolerance));
  }

  /// Single numbers that are saved.
  template <class Visit>
  void visit_all(const Visit& visit) {
    visit(h), visit(t0), visit(count), visit(steps_made), visit(is_first);
  }
  template <class Visit>
  void visit_all(const Visit& visit) const {
    visit(h), visit(t0), visit(count), visit(steps_made), visit(is_first);
  }

  /// What is due before a step; false if an input is not finite.
  bool control() {
    if (controls->is_empty()) return true;
    const T now = time();
    engine->copy_state(0, state);
    change(0, [&](std::span<T> values) { controls->act(now, std::span<const T>(state), values); });
    what = controls->what_is_not_finite(parameters[0]);
    if (!what.empty()) return false;
    if (!grid || count == grid->count) {
      const T end = controls->next(now);
      t0 = now;
      count = 0;
      grid.emplace(now, end, h);
    }
    return true;
  }

  bool step() {
    if (!controls->is_empty() && (!grid || count == grid->count) && !control()) return false;
    const T now = time(), size = grid ? grid->h : h;
    bool is_good = engine->step(now, size);
    if (is_first) {
      is_first = false;
      if (lanes == 1 && engine->pivoted_iterations() > 0 && data().is_fused() && !data().key.order_at) {
        is_good = step_in_another_order(now, size);
      }
    }
    if (is_good || engine->lanes() > 1) {
      ++count;
      ++steps_made;
    }
    return is_good;
  }

  bool step_in_another_order(T now, T size) {
    const Program<T> before = program;
    const std::unique_ptr<LaneStepper<T>> engine_before = std::move(engine);
    choose_order(now);
    engine->set_state(0, first_state);
    if (engine->step(now, size) && engine->pivoted_iterations() == 0) return true;
    program = before;
    make_engine();
    engine->set_state(0, first_state);
    return engine->step(now, size);
  }

  Program<T> program;
  std::shared_ptr<const ProgramData<T>> usual;
  System system;
  std::size_t parameter_count;
  MotionSolver<T> solver;
  StartCheck<T> check;
  std::unique_ptr<LaneStepper<T>> engine;
  std::optional<Controls<T>> controls;
  std::optional<StepGrid<T>> grid;  ///< where controls say when steps begin
  T h, t0 = 0;
  long long count = 0, steps_made = 0;  ///< since t0, and since the stepper was made
  std::size_t q_count, v_count, z_count, lanes;
  std::vector<std::vector<T>> parameters;  ///< by lane: parameters, then inputs
  std::vector<T> state, first_state, shown, accelerations, multipliers, scratch, jumps;
  bool projects = false, has_state = false, is_first = true;
  std::string what;              ///< is wrong with the inputs
  std::vector<Problem> problem;  ///< of the initial state of the system
};

template <class T>
Stepper<T>::Stepper(Program<T> program, double step, const Settings& set)
    : data_(std::make_unique<Data>(std::move(program), T(step), set)) {
  if (data_->lanes > 1 && data_->system.sampled() != nullptr) {
    throw InputError(fmt::format("'{}' has a controller ([sampled]), and lanes have none", data_->system.name()),
                     "use one lane, or remove [sampled] and set the inputs");
  }
  try {
    const std::vector<quad> values(data_->parameters[0].begin(), data_->parameters[0].end());
    const InitialStateQuad initial = data_->system.initial_state_quad(values);
    const auto in_t = [](const std::vector<quad>& numbers) { return std::vector<T>(numbers.begin(), numbers.end()); };
    const std::vector<T> q = in_t(initial.q), v = in_t(initial.v), z = in_t(initial.z);
    for (std::size_t l = 0; l < data_->lanes; ++l) data_->set_state(T(initial.t), q, v, z, static_cast<int>(l));
  } catch (const InputError& error) {
    data_->problem = error.problems();
  }
}
template <class T>
Stepper<T>::~Stepper() = default;
template <class T>
Stepper<T>::Stepper(Stepper&&) noexcept = default;
template <class T>
Stepper<T>& Stepper<T>::operator=(Stepper&&) noexcept = default;

template <class T>
const Program<T>& Stepper<T>::program() const {
  return data_->program;
}

template <class T>
void Stepper<T>::set_state(T t, std::span<const T> q, std::span<const T> v, std::span<const T> z, int lane) {
  data_->set_state(t, q, v, z, lane);
}

template <class T>
void Stepper<T>::set_state(const InitialState& state, int lane) {
  const auto in_t = [](const std::vector<double>& numbers) { return std::vector<T>(numbers.begin(), numbers.end()); };
  data_->set_state(T(state.t), in_t(state.q), in_t(state.v), in_t(state.z), lane);
}

template <class T>
void Stepper<T>::project_states(bool projects) {
  data_->projects = projects;
}

namespace {

template <class T>
void require_numbers(std::span<const T> values, std::size_t wanted, const char* what) {
  if (values.size() != wanted) {
    throw InputError(fmt::format("{} values for {} {}", values.size(), wanted, what), "give one for each");
  }
  for (const T& value : values) {
    if (is_finite(value)) continue;
    throw InputError(fmt::format("one of the {} is {}", what, to_text(static_cast<double>(value))),
                     "give finite numbers");
  }
}

}  // namespace

template <class T>
void Stepper<T>::set_parameters(std::span<const T> values, int lane) {
  data_->require_lane(lane);
  require_numbers(values, data_->parameter_count, "parameters");
  data_->change(static_cast<std::size_t>(lane),
                [&](std::span<T> all) { std::copy(values.begin(), values.end(), all.begin()); });
}

template <class T>
void Stepper<T>::set_inputs(std::span<const T> values, int lane) {
  data_->require_lane(lane);
  require_numbers(values, data_->system.inputs().size(), "inputs");
  data_->change(static_cast<std::size_t>(lane), [&](std::span<T> all) {
    std::copy(values.begin(), values.end(), all.begin() + static_cast<std::ptrdiff_t>(data_->parameter_count));
  });
}

template <class T>
void Stepper<T>::set_input(std::size_t input, T value, int lane) {
  data_->require_lane(lane);
  const std::size_t inputs = data_->system.inputs().size();
  if (input >= inputs) {
    throw InputError(fmt::format("there is no input {}", input), fmt::format("the system has {} inputs", inputs));
  }
  require_numbers(std::span<const T>(&value, 1), 1, "inputs");
  data_->change(static_cast<std::size_t>(lane),
                [&](std::span<T> all) { all[data_->parameter_count + input] = value; });
}

template <class T>
void Stepper<T>::set_input(std::string_view name, T value, int lane) {
  std::vector<std::string> names;
  const std::vector<Parameter>& inputs = data_->system.inputs();
  const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const Parameter& input) { return input.name == name; });
  if (found != inputs.end()) return set_input(static_cast<std::size_t>(found - inputs.begin()), value, lane);
  for (const Parameter& input : inputs) names.push_back(input.name);
  throw InputError(fmt::format("unknown input '{}'", name),
                   names.empty() ? "the system has no [inputs]" : "the inputs are " + list_of(names));
}

template <class T>
void Stepper<T>::set_step(T h) {
  checked_step(h);
  data_->go_on_from(data_->time());
  data_->h = h;
}

template <class T>
bool Stepper<T>::step() {
  data_->require_state();
  return data_->step();
}

template <class T>
long long Stepper<T>::advance(long long steps) {
  data_->require_state();
  Data& data = *data_;
  long long done = 0;
  const auto one_by_one = [&](long long most) {
    for (; done < most; ++done) {
      if (!data.step() && (data.lanes == 1 || data.engine->all_have_failed())) return false;
    }
    return true;
  };
  if (data.is_first && steps > 0 && !one_by_one(1)) return done;
  if (!data.controls->is_empty()) {
    one_by_one(steps);
    return done;
  }
  const long long more = data.engine->advance(data.t0, data.h, data.count, steps - done);
  data.count += more;
  data.steps_made += more;
  return done + more;
}

template <class T>
T Stepper<T>::t() const {
  return data_->time();
}
template <class T>
T Stepper<T>::step_size() const {
  return data_->grid ? data_->grid->h : data_->h;
}
template <class T>
long long Stepper<T>::steps() const {
  return data_->count;
}

template <class T>
std::span<const T> Stepper<T>::q(int lane) const {
  data_->require_lane(lane);
  return data_->part(lane, 0, data_->q_count);
}
template <class T>
std::span<const T> Stepper<T>::v(int lane) const {
  data_->require_lane(lane);
  return data_->part(lane, data_->q_count, data_->v_count);
}
template <class T>
std::span<const T> Stepper<T>::z(int lane) const {
  data_->require_lane(lane);
  return data_->part(lane, data_->q_count + data_->v_count, data_->z_count);
}
template <class T>
std::span<const T> Stepper<T>::parameters(int lane) const {
  data_->require_lane(lane);
  return std::span<const T>(data_->parameters[static_cast<std::size_t>(lane)]).first(data_->parameter_count);
}
template <class T>
std::span<const T> Stepper<T>::inputs(int lane) const {
  data_->require_lane(lane);
  return std::span<const T>(data_->parameters[static_cast<std::size_t>(lane)]).subspan(data_->parameter_count);
}

template <class T>
std::span<const T> Stepper<T>::multipliers(int lane) const {
  data_->require_lane(lane);
  data_->require_state();
  return data_->multipliers_in(lane);
}

template <class T>
T Stepper<T>::energy(int lane) const {
  data_->require_lane(lane);
  data_->require_state();
  return data_->energy_in(static_cast<std::size_t>(lane));
}

template <class T>
T Stepper<T>::work(int lane) const {
  data_->require_lane(lane);
  data_->require_state();
  const StepLayout& layout = data_->layout();
  const T own = layout.work_count > 0 ? data_->engine->state(lane, layout.solved_count()) : T(0);
  return own + data_->jumps[static_cast<std::size_t>(lane)];
}

template <class T>
T Stepper<T>::residual(int lane) const {
  data_->require_lane(lane);
  data_->require_state();
  data_->evaluate();
  const MonitorFunctions<T>& monitored = data_->data().monitored;
  T largest = 0;
  for (std::size_t r = 0; r < monitored.constraint_count; ++r) {
    const T size = size_of(data_->value(monitored.names.size() + r, static_cast<std::size_t>(lane)));
    largest = size <= largest ? largest : size;  // a NaN counts
  }
  return largest;
}

template <class T>
Outcome Stepper<T>::outcome(int lane) const {
  data_->require_lane(lane);
  if (!data_->problem.empty()) return {Status::failed, to_text(data_->problem.front())};
  if (!data_->what.empty()) {
    return {Status::failed,
            fmt::format("{} at t = {}", data_->what, to_short_text(static_cast<double>(data_->time())))};
  }
  if (!data_->engine || !data_->engine->failed(lane)) return {};
  return {Status::failed, fmt::format("Newton did not converge at t = {} with step {}; try a smaller step",
                                      to_short_text(static_cast<double>(data_->time())),
                                      to_short_text(static_cast<double>(step_size())))};
}

template <class T>
double Stepper<T>::iterations_mean() const {
  return data_->steps_made > 0
             ? static_cast<double>(data_->engine->total_iterations()) / static_cast<double>(data_->steps_made)
             : 0;
}

template <class T>
std::string Stepper<T>::save() const {
  data_->require_state();
  const Data& data = *data_;
  ByteWriter to;
  to.put_text(magic);
  to.put_text(data.identity());
  const std::optional<StepStart>& order = data.data().key.order_at;
  to.put(order.has_value());
  if (order) {
    to.put(order->t);
    to.put(order->h);
    for (const std::vector<double>* values :
         {&order->parameters, &order->state, &order->accelerations, &order->multipliers}) {
      to.put(static_cast<std::uint64_t>(values->size()));
      to.put_all(std::span<const double>(*values));
    }
  }
  to.put(data.data().steps->fingerprint);
  data.visit_all([&](const auto& value) { to.put(value); });
  for (const std::vector<T>& values : data.parameters) to.put_all(std::span<const T>(values));
  to.put_all(std::span<const T>(data.jumps));
  to.put_all(std::span<const T>(data.first_state));
  to.put(data.grid.has_value());
  if (data.grid) to.put(*data.grid);
  data.controls->save(to);
  data.engine->save(to);
  return to.take();
}

template <class T>
void Stepper<T>::load(std::string_view saved) {
  ByteReader from(saved);
  if (from.get_text() != magic) throw InputError("this is not a saved state of a stepper");
  const std::string identity = from.get_text();
  if (identity != data_->identity()) {
    throw InputError(fmt::format("the saved state is one of {}", identity),
                     fmt::format("this stepper is one of {}", data_->identity()));
  }
  // Into a copy, which takes this one's place when everything has been read.
  ProgramKey key = data_->usual->key;
  key.order_at.reset();
  if (from.get<bool>()) {
    StepStart& order = key.order_at.emplace();
    from.get(order.t);
    from.get(order.h);
    for (std::vector<double>* values : {&order.parameters, &order.state, &order.accelerations, &order.multipliers}) {
      values->resize(from.get_count());
      from.get_all(std::span(*values));
    }
  }
  auto data = std::make_unique<Data>(Program<T>(find_program<T>(key)), data_->h, Settings{});
  data->usual = data_->usual;
  data->projects = data_->projects;
  if (from.get<std::uint64_t>() != data->data().steps->fingerprint) {
    throw InputError("the saved state belongs to another version of the system, of the method or of noslip",
                     "start again from its positions and velocities");
  }
  data->visit_all([&](auto& value) { from.get(value); });
  for (std::vector<T>& values : data->parameters) from.get_all(std::span(values));
  from.get_all(std::span(data->jumps));
  from.get_all(std::span(data->first_state));
  if (from.get<bool>()) from.get(data->grid.emplace());
  data->controls.emplace(data->system, Control{}, data->t0, std::span<const T>(data->parameters[0]));
  data->controls->load(from);
  data->engine->load(from);
  if (!from.is_at_end()) throw InputError("the saved state has more bytes than it should have", "save it again");
  data->has_state = true;
  data_ = std::move(data);
}

template class Stepper<double>;
template class Stepper<long double>;
template class Stepper<quad>;

}  // namespace noslip
