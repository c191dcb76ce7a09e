#include "run/scrutiny.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/branches.hpp"

namespace noslip {

namespace {

constexpr int most_sane_iterations = 15;  // that a step at a sane size needs
// A step that changes much more than the one before it is taken again at once, in parts.
constexpr double sudden = 4, notable = 0.01;  // times the change before, plus so much of the largest state so far
constexpr int most_sudden_steps = 32;         // that are looked at in a run
// It is a jump, and no motion, if the state becomes so much larger than ever before and parts of the step say
// otherwise.
constexpr double jump = 1000, disagreement = 0.9;
constexpr double largest_error = 0.1;  // of a step, relative to its change: beyond, it does not follow the motion
constexpr double least_change = 1e-6;  // of the state, that such an error is looked for in
constexpr double units_of_rest = 64;   // rounding errors of positions per step that may be the speed of a system at rest
constexpr double notable_noise = 1e4;  // units in the last place of the state that an iteration may leave
// So many steps, and such a part of all, may be solved with pivoting, which is as exact, but slow.
constexpr long long few_steps = 2;
constexpr double few_of_all = 0.01;
constexpr long long steps_per_sample = 8;      // and per rough step, at least: short runs are looked at in proportion
constexpr double forgets = 0.9;                // how much of the usual change of a step is left after another step
constexpr double most_corners = 10;            // steps across corners whose errors may add up
constexpr std::size_t most_constants = 1024;   // that are kept for steps to be taken again
constexpr double large_energy_error = 0.1;     // relative to the energies of the run
constexpr double notable_energy_error = 0.01;  // the same

}  // namespace

template <class T>
Scrutiny<T>::Scrutiny(const System& system, const RunSetup<T>& setup, const RunOptions& options)
    : system_(system),
      setup_(setup),
      options_(options),
      order_(setup.program->method->traits().order_on(system)),
      state_count_(setup.start.state.size()),
      q_count_(system.q().size()),
      solved_count_(static_cast<std::size_t>(setup.layout().solved_count())),
      followed_count_(setup.recipe().first_multiplier > 0 ? std::min(setup.recipe().first_multiplier, solved_count_)
                                                        : solved_count_),
      has_energy_(system.has_energy()),
      has_corners_(setup.recipe().has_corners) {
  is_fused_ = setup.program->is_fused();
  for (const Factor& factor : system.factors()) {
    if (factor.group.empty()) continue;
    const std::size_t count = factor.is_matrix() ? 3 : 1;  // the last of its velocities turn
    rotations_.emplace_back(q_count_ + factor.first_velocity + factor.dimension - count, count);
  }
  std::size_t places = Place::rough;
  for (RoughStep& rough : roughest_) rough.step.place = places++;
  std::vector<T>& states = setup.tools->states;
  states.resize(std::max(states.size(), places * state_count_));
  largest_ = sizes_of(setup.start.state);
  constants_.push_back(setup.start.parameters);
}

template <class T>
void Scrutiny<T>::restart(std::span<const T> parameters, double balance) {
  balance_before_ = balance;
  if (!std::equal(parameters.begin(), parameters.end(), constants_.back().begin())) {
    if (constants_.size() == most_constants) thin_out();
    constants_.emplace_back(parameters.begin(), parameters.end());
  }
}

/// Only what steps that may be taken again need is kept.
template <class T>
void Scrutiny<T>::thin_out() {
  std::vector<Step*> steps{&last_, &worst_};
  for (Step& step : samples_) steps.push_back(&step);
  for (RoughStep& rough : roughest_) steps.push_back(&rough.step);
  std::sort(steps.begin(), steps.end(), [](const Step* a, const Step* b) { return a->constants < b->constants; });
  std::vector<std::vector<T>> kept;
  std::size_t before = constants_.size();
  for (Step* step : steps) {
    if (step->constants != before) kept.push_back(std::move(constants_[step->constants]));
    before = step->constants;
    step->constants = kept.size() - 1;
  }
  if (before + 1 != constants_.size()) kept.push_back(std::move(constants_.back()));
  constants_ = std::move(kept);
  used_ = constants_.size();
}

template <class T>
void Scrutiny<T>::use(const Step& step) {
  if (!stepper_) {
    stepper_ = &setup_.stepper_beside();
  } else if (used_ == step.constants) {
    return;
  }
  used_ = step.constants;
  const std::vector<T>& parameters = constants_[used_];
  stepper_->set_parameters(parameters);
  if (gradients_) gradients_->set(parameters);
}

template <class T>
typename Scrutiny<T>::Step Scrutiny<T>::kept(std::size_t place, T t, T h, std::span<const T> before) {
  std::copy(before.begin(), before.end(), state(place).begin());
  return {place, t, h, constants_.size() - 1};
}

template <class T>
template <class Size>
typename Scrutiny<T>::Sizes Scrutiny<T>::largest(const Size& size) const {
  Sizes sizes;
  for (std::size_t i = 0; i < q_count_; ++i) sizes.positions = std::max(sizes.positions, size(i));
  for (std::size_t i = q_count_; i < followed_count_; ++i) sizes.rest = std::max(sizes.rest, size(i));
  return sizes;
}

template <class T>
typename Scrutiny<T>::Sizes Scrutiny<T>::sizes_of(std::span<const T> state) const {
  return largest([&](std::size_t i) { return size_of(state[i]); });
}

template <class T>
typename Scrutiny<T>::Sizes Scrutiny<T>::change_of(std::span<const T> before, std::span<const T> after) const {
  return largest([&](std::size_t i) { return size_of(after[i] - before[i]); });
}

template <class T>
typename Scrutiny<T>::Move Scrutiny<T>::move_of(T h, std::span<const T> before, std::span<const T> after) const {
  Move move{change_of(before, after), {}, sizes_of(after)};
  if (steps_ == 0) return move;
  const T ratio = h / last_.h;
  const std::span<const T> earlier = state(Place::last);
  move.bend = largest(
      [&](std::size_t i) { return size_of((after[i] - before[i]) - ratio * (before[i] - earlier[i])); });
  return move;
}

/// How much the rate of change in this step differs from that in the step before, beside what steps change usually:
/// about h times the rate of the fastest motion where steps follow it, and 1 or more where they do not.
template <class T>
void Scrutiny<T>::remember_if_rough(T t, T h, std::span<const T> before, const Move& move) {
  usual_change_ = {std::max(T(forgets) * usual_change_.positions, move.change.positions),
                   std::max(T(forgets) * usual_change_.rest, move.change.rest)};
  const auto relative = [](T part, T whole) { return whole > 0 ? static_cast<double>(part / whole) : 0.0; };
  const double rough =
      std::max(relative(move.bend.positions, usual_change_.positions), relative(move.bend.rest, usual_change_.rest));
  if (rough <= roughest_.front().roughness) return;
  roughest_.front() = {rough, kept(roughest_.front().step.place, t, h, before)};
  for (std::size_t i = 0; i + 1 < roughest_.size() && roughest_[i].roughness > roughest_[i + 1].roughness; ++i) {
    std::swap(roughest_[i], roughest_[i + 1]);
  }
}

template <class T>
void Scrutiny<T>::warn(const char* code, T t, std::string message) {
  const auto is_known = [&](const Warning& warning) { return warning.code == code; };
  if (std::any_of(warnings_.begin(), warnings_.end(), is_known)) return;
  warnings_.push_back({code, std::move(message), static_cast<double>(t)});
}

template <class T>
void Scrutiny<T>::warn_of_step(T t, const Finding& finding) {
  if (finding.is_solved && finding.error <= largest_error) return;
  const std::string change = finding.is_solved
                                 ? fmt::format("change a step by {:.0f} %", 100 * std::min(finding.error, 9.99))
                                 : "have no solution";
  warn("step", t,
       fmt::format("step size {} does not follow the motion: at t = {} smaller ones {}; use a smaller step",
                   to_short_text(static_cast<double>(options_.step)), to_short_text(static_cast<double>(t)), change));
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
void Scrutiny<T>::look_at_branch(const Step& step) {
  use(step);
  if (!gradients_) {
    Graph graph(system_.graph());
    std::vector<Expr> entries;
    for (const std::vector<Expr>& gradient : branch_gradients(system_, graph)) {
      entries.insert(entries.end(), gradient.begin(), gradient.end());
      gradient_sizes_.push_back(gradient.size());
    }
    gradients_.emplace(system_, entries, constants_[used_]);
  }
  const std::optional<Finding> finding = divide(step);
  if (!finding) return;
  bool agrees = finding->is_solved;
  const T end = step.t + step.h;
  for (const std::size_t parts : {Place::twice, Place::thrice}) {
    if (!agrees) break;
    const std::span<const T> entries = (*gradients_)(end, state(Place::once));
    const std::vector<T> whole(entries.begin(), entries.end());
    const std::span<const T> in_parts = (*gradients_)(end, state(parts));
    std::size_t first = 0;
    for (const std::size_t size : gradient_sizes_) {
      T product = 0;
      for (std::size_t i = first; i < first + size; ++i) product += whole[i] * in_parts[i];
      agrees = agrees && !(product < 0);
      first += size;
    }
  }
  if (agrees) return;
  warn("branch", step.t,
       fmt::format("the step from t = {} ends on another solution of the constraints than smaller steps do; use a "
                   "smaller step",
                   to_short_text(static_cast<double>(step.t))));
}

template <class T>
std::string Scrutiny<T>::look(T t, T h, std::span<const T> before, std::span<const T> after, double balance) {
  const LaneStepper<T>& stepper = *setup_.stepper;
  const int iterations = stepper.effort();
  if (iterations > most_sane_iterations) {
    warn("iterations", t,
         fmt::format("Newton needed {} iterations in the step from t = {}; use a smaller step", iterations,
                     to_short_text(static_cast<double>(t))));
  }
  if (stepper.noise() > T(notable_noise) * epsilon<T>()) {
    warn("pivoting", t,
         fmt::format("the equations of the step from t = {} are nearly singular: rounding leaves an error of {:.0e} in "
                     "their solution; use more digits, or a smaller step",
                     to_short_text(static_cast<double>(t)), static_cast<double>(stepper.noise())));
  }
  if (is_fused_ && stepper.pivoted_iterations() > pivoted_iterations_) {
    if (pivoted_steps_++ == 0) first_pivoted_ = t;
    pivoted_iterations_ = stepper.pivoted_iterations();
  }
  if (!rotations_.empty()) look_at_turns(t, h, after);
  if (stepper.has_reversed() && reversed_again_ < most_sudden_steps) {
    ++reversed_again_;
    look_at_branch(kept(Place::now, t, h, before));
  }
  const Move move = move_of(h, before, after);
  const Sizes& change = move.change;
  // Positions that begin at zero move as far as the velocities carry them.
  const T reach = largest_.positions + size_of(h) * largest_.rest;
  const bool is_sudden = steps_ > 0 && (change.positions > T(sudden) * last_change_.positions + T(notable) * reach ||
                                        change.rest > T(sudden) * last_change_.rest + T(notable) * largest_.rest);
  if (is_sudden && taken_again_ < most_sudden_steps) {
    ++taken_again_;
    const std::optional<Finding> finding = divide(kept(Place::now, t, h, before));
    const bool is_beyond = change.positions > T(jump) * reach ||
                           (largest_.rest > 0 && change.rest > T(jump) * largest_.rest && q_count_ < followed_count_);
    if (finding) warn_of_step(t, *finding);
    if (is_beyond && !(finding && finding->is_solved && finding->error <= disagreement)) return "the state jumps";
  }
  const bool is_sample = (steps_ & (steps_ + 1)) == 0;
  if (is_sample) {
    const std::size_t place = Place::rough + roughest_.size() + samples_.size();
    std::vector<T>& states = setup_.tools->states;
    states.resize(std::max(states.size(), (place + 1) * state_count_));
    samples_.push_back(kept(place, t, h, before));
  }
  remember_if_rough(t, h, before, move);
  const double change_of_balance = std::fabs(balance - balance_before_);
  if (change_of_balance > largest_change_of_balance_) {
    largest_change_of_balance_ = change_of_balance;
    worst_ = kept(Place::worst, t, h, before);
  }
  balance_before_ = balance;
  ++steps_;
  all_changes_ = {all_changes_.positions + change.positions, all_changes_.rest + change.rest};
  last_change_ = change;
  last_ = kept(Place::last, t, h, before);
  largest_ = {std::max(largest_.positions, move.after.positions), std::max(largest_.rest, move.after.rest)};
  return {};
}

template <class T>
template <class See>
bool Scrutiny<T>::take(const Step& step, int parts, See see) {
  use(step);
  const T h = step.h / T(parts);
  stepper_->set_state(0, state(step.place));
  for (int i = 0; i < parts; ++i) {
    if (!stepper_->step(step.t + T(i) * h, h)) return false;
    see(i);
  }
  return true;
}

template <class T>
double Scrutiny<T>::balance_at(T t, std::span<const T> at) {
  const T work = setup_.layout().work_count > 0 ? at[solved_count_] : T(0);
  StateFunctions<T>& energy = setup_.tools->energy;
  energy.set(constants_[used_]);
  return static_cast<double>(energy(t, at)[0] - work);
}

template <class T>
std::optional<typename Scrutiny<T>::Finding> Scrutiny<T>::divide(const Step& step) {
  const auto leave = [&](std::size_t place) { stepper_->copy_state(0, state(place)); };
  if (!take(step, 1, [&](int) { leave(Place::once); })) return std::nullopt;
  Finding finding;
  finding.is_solved = take(step, 2, [&](int part) { leave(part == 0 ? Place::middle : Place::twice); }) &&
                      take(step, 3, [&](int part) { if (part == 2) leave(Place::thrice); });
  if (!finding.is_solved) return finding;
  // The way there counts, not only where it ends: at a turning point that is near the start.
  const auto way = [](T straight, T there, T on) { return std::max(straight, there + on); };
  const std::span<const T> before = state(step.place), whole_step = state(Place::once), half_way = state(Place::middle),
                           by_halves = state(Place::twice), by_thirds = state(Place::thrice);
  const Sizes size = sizes_of(before), straight = change_of(before, whole_step), there = change_of(before, half_way),
              on = change_of(half_way, by_halves);
  const Sizes change = {way(straight.positions, there.positions, on.positions),
                        way(straight.rest, there.rest, on.rest)};
  // Where steps are far too large, two sizes may agree by chance: a third one is asked.
  const Sizes half = change_of(whole_step, by_halves), third = change_of(whole_step, by_thirds);
  const Sizes error = {std::max(half.positions, third.positions), std::max(half.rest, third.rest)};
  // Where a motion begins or turns its steps are short: their errors matter beside those of the others.
  // A corner or a jump costs its step the order, however small it is: there the whole run is what the error is beside.
  const T fewer_steps = has_corners_ ? std::min(T(steps_), T(most_corners)) : T(steps_);
  const auto relative = [fewer_steps](T part, T whole, T all, T least) {
    const T way_of_a_step = std::max(whole, all / std::max(fewer_steps, T(1)));
    return way_of_a_step > least ? static_cast<double>(part / way_of_a_step) : 0.0;
  };
  const T least_of_rest = std::max(T(least_change) * size.rest, speed_at_rest(step));
  finding.error =
      std::max(relative(error.positions, change.positions, all_changes_.positions, T(least_change) * size.positions),
               relative(error.rest, change.rest, all_changes_.rest, least_of_rest));
  return finding;
}

/// Steps correct the rounding errors of position constraints, which takes velocities also where nothing moves.
template <class T>
T Scrutiny<T>::speed_at_rest(const Step& step) const {
  if (system_.holonomic().empty()) return T(0);
  return T(units_of_rest) * epsilon<T>() * sizes_of(state(step.place)).positions / size_of(step.h);
}

template <class T>
double Scrutiny<T>::gain_by_halves(const Step& step) {
  const double before = balance_at(step.t, state(step.place)), end = static_cast<double>(step.t + step.h);
  const double by_one = balance_at(T(end), state(Place::once)) - before;
  const double by_two = balance_at(T(end), state(Place::twice)) - before;
  return std::fabs(by_one / by_two);
}

template <class T>
double Scrutiny<T>::kinetic_at(T t, std::span<const T> at) {
  if (system_.momenta().empty()) return 0;
  StateFunctions<T>& momenta = setup_.tools->momenta;
  momenta.set(constants_[used_]);
  const std::span<const T> p = momenta(t, at);
  double twice = 0;
  for (std::size_t i = 0; i < p.size(); ++i) twice += std::fabs(static_cast<double>(p[i] * at[q_count_ + i]));
  return twice / 2;
}

template <class T>
void Scrutiny<T>::look_at_energy(const Monitored& balance) {
  const auto kinetic_of = [this](const Step& step) {
    use(step);
    return kinetic_at(step.t, state(step.place));
  };
  double most = kinetic_of(last_);
  for (const Step& step : samples_) most = std::max(most, kinetic_of(step));
  double here = kinetic_of(worst_);
  // The error of the run beside its energies, and that of the worst step beside those that it has.
  const double initial = std::fabs(balance.initial), error = balance.max_abs_error;
  double size = 0;
  const auto is_notable = [&] {
    size = initial + std::max(most, here);
    return error > notable_energy_error * size || largest_change_of_balance_ > notable_energy_error * (initial + here);
  };
  if (!is_notable()) return;
  const std::optional<Finding> finding = divide(worst_);
  if (finding) here = std::max(here, kinetic_at(worst_.t + worst_.h, state(Place::once)));
  std::vector<T> at_rest(state(worst_.place).begin(), state(worst_.place).end());
  std::fill_n(at_rest.begin() + static_cast<std::ptrdiff_t>(q_count_), system_.v().size(), speed_at_rest(worst_));
  here = std::max(here, kinetic_at(worst_.t, at_rest));
  if (!is_notable()) return;
  const double promised = std::pow(2.0, order_);
  const double gain = finding && finding->is_solved ? gain_by_halves(worst_) : promised;
  std::string what;
  if (has_corners_) {
    what = ": the equations have corners or jumps (sign, abs, min, max), where the method loses its order";
  } else if (gain < std::sqrt(promised)) {
    const std::string change =
        gain < 1 ? "does not make the error smaller"
                 : fmt::format("makes the error {:.1f} times smaller instead of {:.0f} times", gain, promised);
    what = fmt::format(", and at t = {} half the step {}", to_short_text(static_cast<double>(worst_.t)), change);
  } else if (error > large_energy_error * size) {
    what = fmt::format(", beside energies of {:.1e}", size);
  } else {
    return;
  }
  warn("energy", worst_.t, fmt::format("the energy balance is off by {:.1e}{}; use a smaller step", error, what));
}

template <class T>
std::vector<Warning> Scrutiny<T>::conclude(const Monitored& balance) {
  const auto most = static_cast<std::size_t>(1 + steps_ / steps_per_sample);
  if (samples_.size() > most) samples_.resize(most);
  const std::size_t rough = std::min({roughest_.size(), most, static_cast<std::size_t>(steps_)});
  for (std::size_t i = roughest_.size() - rough; i < roughest_.size(); ++i) samples_.push_back(roughest_[i].step);
  std::stable_sort(samples_.begin(), samples_.end(), [](const Step& a, const Step& b) { return a.t < b.t; });
  const auto is_same = [](const Step& a, const Step& b) { return a.t == b.t; };
  samples_.erase(std::unique(samples_.begin(), samples_.end(), is_same), samples_.end());
  for (const Step& step : samples_) {
    const std::optional<Finding> finding = divide(step);
    if (finding) warn_of_step(step.t, *finding);
  }
  if (pivoted_steps_ > few_steps && static_cast<double>(pivoted_steps_) > few_of_all * static_cast<double>(steps_)) {
    warn("pivoting", first_pivoted_,
         fmt::format("{} of {} steps were solved with pivoting, from t = {} on: in the order of the first step their "
                     "equations are nearly singular. They are solved, but slowly; start the run closer to there",
                     pivoted_steps_, steps_, to_short_text(static_cast<double>(first_pivoted_))));
  }
  if (has_energy_ && largest_change_of_balance_ > 0) look_at_energy(balance);
  return std::move(warnings_);
}

template <class T>
void Scrutiny<T>::carry(Archive& archive) {
  archive(warnings_, constants_, steps_, taken_again_, reversed_again_, pivoted_steps_, pivoted_iterations_,
          first_pivoted_, largest_, last_change_, usual_change_, all_changes_, last_, samples_, roughest_, worst_,
          balance_before_, largest_change_of_balance_);
  // The states of these steps; what a step taken again leaves in the places before is of no use.
  std::vector<T>& states = setup_.tools->states;
  const std::size_t first = Place::last * state_count_,
                    end = (Place::rough + roughest_.size() + samples_.size()) * state_count_;
  states.resize(std::max(states.size(), end));
  for (std::size_t i = first; i < end; ++i) archive(states[i]);
  if (archive.loads()) stepper_ = nullptr;  // it has parameters of another time
}

template class Scrutiny<double>;
template class Scrutiny<long double>;
template class Scrutiny<quad>;

}  // namespace noslip
