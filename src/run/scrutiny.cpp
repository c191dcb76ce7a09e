#include "run/scrutiny.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <noslip/expr/degree.hpp>

namespace noslip {

namespace {

constexpr int most_iterations = 15;  // that a step at a sane size needs
// A step that changes much more than the one before it is taken again at once, in parts.
constexpr double sudden = 4, notable = 0.01;  // times the change before, plus so much of the largest state so far
constexpr int most_sudden_steps = 32;         // that are looked at in a run
// It is a jump, and no motion, if the state becomes so much larger than ever before and parts of the step say
// otherwise.
constexpr double jump = 1000, disagreement = 0.9;
constexpr double largest_error = 0.1;  // of a step, relative to its change: beyond, it does not follow the motion
constexpr double least_change = 1e-6;  // of the state, that such an error is looked for in
constexpr double notable_energy_error = 0.01;  // relative to the energy and the momenta times velocities

template <class T>
T size_of(T x) {
  return x < 0 ? -x : x;
}

/// Without corners and jumps in the state and the unknowns.
bool is_smooth_step(const StepRecipe& recipe) {
  std::vector<Expr> functions, variables;
  for (const StateVariable& variable : recipe.state) {
    variables.push_back(variable.symbol);
    for (const Expr& part : {variable.increment, variable.late, variable.value}) {
      if (part.graph != nullptr) functions.push_back(part);
    }
  }
  for (const Solve& solve : recipe.solves) {
    for (const Unknown& unknown : solve.unknowns) variables.push_back(unknown.symbol);
    for (const Definition& definition : solve.before) functions.push_back(definition.value);
    for (const Definition& definition : solve.held) functions.push_back(definition.value);
    functions.insert(functions.end(), solve.residuals.begin(), solve.residuals.end());
  }
  const std::vector<bool> smooth = are_smooth(functions, variables);
  return std::find(smooth.begin(), smooth.end(), false) == smooth.end();
}

}  // namespace

template <class T>
Scrutiny<T>::Scrutiny(const System& system, const RunSetup<T>& setup, const RunOptions& options)
    : system_(system),
      setup_(setup),
      options_(options),
      order_(setup.method->traits().order_on(system)),
      q_count_(system.q().size()),
      solved_count_(static_cast<std::size_t>(setup.program->layout.solved_count())),
      followed_count_(setup.recipe.first_multiplier > 0 ? std::min(setup.recipe.first_multiplier, solved_count_)
                                                        : solved_count_),
      has_energy_(system.has_energy()),
      is_smooth_(is_smooth_step(setup.recipe)) {
  const std::vector<StepPlan<T>>& plans = setup.program->plans;
  is_fused_ = std::all_of(plans.front().solves.begin(), plans.front().solves.end(),
                          [](const SolveProgram<T>& solve) { return solve.fused; });
  for (const Factor& factor : system.factors()) {
    if (factor.group.empty()) continue;
    const std::size_t count = factor.is_matrix() ? 3 : 1;  // the last of its velocities turn
    rotations_.emplace_back(q_count_ + factor.first_velocity + factor.dimension - count, count);
  }
  largest_ = sizes_of(setup.start.state);
}

template <class T>
typename Scrutiny<T>::Sizes Scrutiny<T>::sizes_of(std::span<const T> state) const {
  Sizes sizes;
  for (std::size_t i = 0; i < followed_count_; ++i) {
    T& size = i < q_count_ ? sizes.positions : sizes.rest;
    size = std::max(size, size_of(state[i]));
  }
  return sizes;
}

template <class T>
typename Scrutiny<T>::Sizes Scrutiny<T>::change_of(std::span<const T> before, std::span<const T> after) const {
  Sizes sizes;
  for (std::size_t i = 0; i < followed_count_; ++i) {
    T& size = i < q_count_ ? sizes.positions : sizes.rest;
    size = std::max(size, size_of(after[i] - before[i]));
  }
  return sizes;
}

template <class T>
void Scrutiny<T>::warn(const char* code, T t, std::string message) {
  const auto is_known = [&](const Warning& warning) { return warning.code == code; };
  if (std::any_of(warnings_.begin(), warnings_.end(), is_known)) return;
  warnings_.push_back({code, std::move(message), static_cast<double>(t)});
}

template <class T>
void Scrutiny<T>::warn_of_step(T t, double error) {
  warn("step", t,
       fmt::format("step size {} does not follow the motion: at t = {} half of it changes a step by {:.0f} %; use a "
                   "smaller step",
                   to_short_text(static_cast<double>(options_.step)), to_short_text(static_cast<double>(t)),
                   100 * std::min(error, 9.99)));
}

template <class T>
void Scrutiny<T>::look_at_turns(T t, T h, std::span<const T> after) {
  for (const auto& [first, count] : rotations_) {
    T square = 0;
    for (std::size_t i = 0; i < count; ++i) square += after[first + i] * after[first + i];
    const double turn = std::sqrt(static_cast<double>(square)) * std::fabs(static_cast<double>(h));
    if (turn <= 3.14159265358979) continue;
    warn("turns", t,
         fmt::format("a body turns by {:.1f} rad in the step from t = {}; more than pi cannot be told from less: use a "
                     "smaller step",
                     turn, to_short_text(static_cast<double>(t))));
  }
}

template <class T>
std::string Scrutiny<T>::look(T t, T h, std::span<const T> before, std::span<const T> after, double balance) {
  const Stepper<T>& stepper = *setup_.stepper;
  if (stepper.iterations_of_a_solve() > most_iterations) {
    warn("iterations", t,
         fmt::format("Newton needed {} iterations in the step from t = {}; use a smaller step",
                     stepper.iterations_of_a_solve(), to_short_text(static_cast<double>(t))));
  }
  if (is_fused_ && stepper.pivoted_iterations() > 0) {
    warn("pivoting", t,
         fmt::format("the equations of the step from t = {} are nearly singular in the order of the first step and "
                     "were solved with pivoting; results may have fewer digits",
                     to_short_text(static_cast<double>(t))));
  }
  if (!rotations_.empty()) look_at_turns(t, h, after);
  const Sizes change = change_of(before, after);
  // Positions that begin at zero move as far as the velocities carry them.
  const T reach = largest_.positions + size_of(h) * largest_.rest;
  const bool is_sudden = steps_ > 0 && (change.positions > T(sudden) * last_change_.positions + T(notable) * reach ||
                                        change.rest > T(sudden) * last_change_.rest + T(notable) * largest_.rest);
  const bool is_sample = (steps_ & (steps_ + 1)) == 0;
  const double change_of_balance = std::fabs(balance - balance_before_);
  if (is_sample) samples_.push_back({t, h, {before.begin(), before.end()}});
  if (change_of_balance > largest_change_of_balance_) {
    largest_change_of_balance_ = change_of_balance;
    worst_ = {t, h, {before.begin(), before.end()}};
  }
  balance_before_ = balance;
  ++steps_;
  std::string reason;
  if (is_sudden && taken_again_ < most_sudden_steps) {
    ++taken_again_;
    const std::optional<Finding> finding = halve({t, h, {before.begin(), before.end()}});
    const bool is_beyond = change.positions > T(jump) * reach ||
                           (largest_.rest > 0 && change.rest > T(jump) * largest_.rest && q_count_ < followed_count_);
    if (finding && is_beyond && finding->error > disagreement) reason = "the state jumps";
    if (finding && finding->error > largest_error) warn_of_step(t, finding->error);
  }
  last_change_ = change;
  const Sizes now = sizes_of(after);
  largest_ = {std::max(largest_.positions, now.positions), std::max(largest_.rest, now.rest)};
  return reason;
}

template <class T>
bool Scrutiny<T>::take(const Step& step, int parts, std::vector<T>& after) {
  if (!stepper_) {
    stepper_ = std::make_unique<Stepper<T>>(setup_.program, setup_.problem, static_cast<double>(options_.tolerance));
    stepper_->set_parameters(setup_.start.parameters);
  }
  const T h = step.h / T(parts);
  stepper_->set_state(0, step.before);
  for (int i = 0; i < parts; ++i) {
    if (!stepper_->step(step.t + T(i) * h, h)) return false;
  }
  after.resize(step.before.size());
  stepper_->copy_state(0, after);
  return true;
}

template <class T>
double Scrutiny<T>::balance_at(T t, std::span<const T> state) const {
  const T work = setup_.program->layout.work_count > 0 ? state[solved_count_] : T(0);
  return static_cast<double>((*energy_)(t, state)[0] - work);
}

template <class T>
std::optional<typename Scrutiny<T>::Finding> Scrutiny<T>::halve(const Step& step) {
  if (!take(step, 1, once_) || !take(step, 2, twice_)) return std::nullopt;
  Finding finding;
  const Sizes size = sizes_of(step.before), change = change_of(step.before, once_), error = change_of(once_, twice_);
  const auto relative = [](T part, T whole, T of) {
    return whole > T(least_change) * of ? static_cast<double>(part / whole) : 0.0;
  };
  finding.error = std::max(relative(error.positions, change.positions, size.positions),
                           relative(error.rest, change.rest, size.rest));
  if (has_energy_) {
    if (!energy_) {
      energy_.emplace(system_, std::vector<Expr>{system_.energy()}, setup_.start.parameters);
    }
    const double before = balance_at(step.t, step.before), end = static_cast<double>(step.t + step.h);
    const double once = balance_at(T(end), once_) - before, twice = balance_at(T(end), twice_) - before;
    finding.energy = std::fabs(once / twice);
  }
  return finding;
}

template <class T>
std::vector<Warning> Scrutiny<T>::conclude(const Monitored& balance) {
  for (const Step& step : samples_) {
    const std::optional<Finding> finding = halve(step);
    if (finding && finding->error > largest_error) warn_of_step(step.t, finding->error);
  }
  if (has_energy_ && !worst_.before.empty()) {
    const Step& step = worst_;
    double size = std::fabs(balance.initial);
    if (!system_.momenta().empty()) {
      const StateFunctions<T> momenta(system_, system_.momenta(), setup_.start.parameters);
      const std::span<const T> p = momenta(step.t, step.before);
      for (std::size_t i = 0; i < p.size(); ++i)
        size += std::fabs(static_cast<double>(p[i] * step.before[q_count_ + i]));
    }
    if (balance.max_abs_error > notable_energy_error * size) {
      const std::optional<Finding> finding = halve(step);
      const double promised = std::pow(2.0, order_);
      if (!is_smooth_) {
        warn("energy", step.t,
             fmt::format("the energy balance is off by {:.1e}: the equations have corners or jumps (sign, abs, min, "
                         "max), where the method loses its order; use a smaller step",
                         balance.max_abs_error));
      } else if (finding && finding->energy < std::sqrt(promised)) {
        warn("energy", step.t,
             fmt::format("the energy balance is off by {:.1e}, and at t = {} half the step makes the error {:.1f} "
                         "times smaller instead of {:.0f} times; use a smaller step",
                         balance.max_abs_error, to_short_text(static_cast<double>(step.t)), finding->energy, promised));
      }
    }
  }
  return std::move(warnings_);
}

template class Scrutiny<double>;
template class Scrutiny<long double>;
template class Scrutiny<quad>;

}  // namespace noslip
