#include "run/controls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <noslip/core/option_name.hpp>
#include <noslip/model/sampled.hpp>

#include "model/state_blocks.hpp"
#include "run/input_names.hpp"
#include "run/linear_inputs.hpp"
#include "run/step_grid.hpp"

namespace noslip {

namespace {

constexpr double most_waiting = 1e6;   // samples that have been computed and do not act yet

/// Which input has this name; a problem where there is none, or where somebody gives it already.
class InputTable {
 public:
  InputTable(const System& system, std::vector<Problem>& problems)
      : system_(system), giver_(system.inputs().size()), problems_(problems) {}

  std::size_t size() const { return giver_.size(); }
  std::size_t find(const std::string& name) { return find_input(system_, name, problems_); }
  void give(std::size_t input, const std::string& by) {
    if (input == size()) return;
    if (!giver_[input].empty()) {
      problems_.push_back(
          {fmt::format("input '{}' is given by {} and by {}", system_.inputs()[input].name, giver_[input], by),
           {},
           "give it once"});
    }
    giver_[input] = by;
  }

 private:
  const System& system_;
  std::vector<std::string> giver_;
  std::vector<Problem>& problems_;
};

void check_series(const InputSeries& series, std::vector<Problem>& problems) {
  const auto refuse = [&](std::string what, std::string remedy) {
    problems.push_back({fmt::format("the series of input '{}' {}", series.input, what), {}, std::move(remedy)});
  };
  if (series.times.empty()) return refuse("is empty", "give at least one time and value");
  if (series.times.size() != series.values.size()) {
    return refuse(fmt::format("has {} times and {} values", series.times.size(), series.values.size()),
                  "give as many values as times");
  }
  for (std::size_t i = 0; i < series.times.size(); ++i) {
    const auto time = static_cast<double>(series.times[i]), value = static_cast<double>(series.values[i]);
    if (!std::isfinite(time) || !std::isfinite(value)) {
      return refuse(fmt::format("has the time {} and the value {}", to_text(time), to_text(value)),
                    "give finite numbers");
    }
    if (i > 0 && !(series.times[i] > series.times[i - 1])) {
      const auto before = static_cast<double>(series.times[i - 1]);
      return refuse(fmt::format("has the time {} after {}", to_text(time), to_text(before)),
                    "give times that increase");
    }
  }
}

void check_controller(const Controller& controller, std::vector<Problem>& problems) {
  if (!(controller.every > 0) || !std::isfinite(controller.every)) {
    problems.push_back({fmt::format("a controller cannot act every {}", to_text(controller.every)),
                        {},
                        "give the time between two samples, for example 0.01"});
  }
  if (!(controller.delay >= 0) || !std::isfinite(controller.delay)) {
    problems.push_back(
        {fmt::format("the delay of a controller cannot be {}", to_text(controller.delay)), {}, "give 0 or more"});
  }
  if (!controller.act) problems.push_back({"a controller has no function", {}, "set Controller::act"});
}

/// Are these times of a controller good ones, if it samples first at `begin`?
template <class T>
void require_times(T every, T delay, T begin) {
  const auto most = static_cast<double>(delay / every);
  if (!(most < most_waiting)) {
    throw InputError(fmt::format("the delay {} of a controller is {} times its period",
                                 to_text(static_cast<double>(delay)), to_short_text(most, 3)),
                     "sample less often, or delay less");
  }
  if (!(every > moment(begin))) {
    throw InputError(fmt::format("a controller cannot act every {} from t = {} on: such times are equal up to rounding",
                                 to_text(static_cast<double>(every)), to_text(static_cast<double>(begin))),
                     "sample less often, or start at a smaller time");
  }
}

/// The constants of a step in the times of a controller, and in the values before its first sample; by place.
std::vector<std::size_t> constants_of_times(const System& system, const Sampled& sampled) {
  std::vector<Expr> expressions{sampled.every, sampled.delay};
  std::vector<Expr> values;
  for (const Sampled::Value& value : sampled.values) values.push_back(value.value);
  for (const Sampled::Value& value : sampled.values) {
    const bool is_remembered = contain_any(values, {&value.last, 1}) != std::vector<bool>(values.size(), false);
    if (is_remembered) expressions.push_back(value.initial);
  }
  const std::vector<Expr> symbols = symbols_of(expressions);
  const std::vector<Parameter> constants = system.step_constants();
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < constants.size(); ++i) {
    const bool is_used = std::any_of(symbols.begin(), symbols.end(),
                                     [&](Expr symbol) { return symbol.id == constants[i].symbol.id; });
    if (is_used) places.push_back(i);
  }
  return places;
}

/// All values now, each with those above it in it.
template <class T>
Evaluation<T> values_of(const System& system, const Sampled& sampled) {
  Graph graph(system.graph());
  std::vector<Expr> values, last;
  for (const Sampled::Value& value : sampled.values) {
    Substitution above(graph);
    for (std::size_t i = 0; i < values.size(); ++i) above.replace(graph.counterpart(sampled.values[i].now), values[i]);
    values.push_back(above(graph.counterpart(value.value)));
    last.push_back(graph.counterpart(value.last));
  }
  return Evaluation<T>(Function<T>(
      {{system.t()}, entries_of({system.q(), system.v(), system.z()}), parameter_symbols(system), last}, {values}));
}

}  // namespace

void Control::check(const System& system) const {
  if (inputs.empty() && series.empty() && controllers.empty() && system.sampled() == nullptr) return;
  std::vector<Problem> problems;
  InputTable table(system, problems);
  if (const Sampled* sampled = system.sampled()) {
    for (const Sampled::Value& value : sampled->values) {
      if (value.input >= 0) table.give(static_cast<std::size_t>(value.input), "[sampled]");
    }
  }
  for (const auto& [name, value] : inputs) table.find(name);
  for (const InputSeries& given : series) {
    check_series(given, problems);
    if (inputs.contains(given.input)) {
      problems.push_back({fmt::format("input '{}' has a value and a series", given.input), {}, "give it once"});
    }
    table.give(table.find(given.input), "a series");
  }
  for (const Controller& given : controllers) {
    check_controller(given, problems);
    for (const std::string& name : given.inputs) table.give(table.find(name), "a controller");
    for (std::size_t i = 0; i < table.size() && given.inputs.empty(); ++i) table.give(i, "a controller");
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

InputPlaces::InputPlaces(const System& system, const Control& control) {
  const std::vector<Parameter>& inputs = system.inputs();
  const auto has_linear = [&](const std::string& name) {
    return std::any_of(control.series.begin(), control.series.end(), [&](const InputSeries& series) {
      return series.is_linear && linear_name(series.input) == name;
    });
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    first.push_back(system.parameters().size() + i);
    is_linear.push_back(has_linear(inputs[i].name));
    if (is_linear.back()) i += 2;
  }
}

template <class T>
Controls<T>::Controls(const System& system, const Control& control, T t0, std::span<const T> parameters)
    : system_(system),
      places_(system, control),
      first_input_(system.parameters().size()),
      q_count_(system.q().size()),
      v_count_(system.v().size()),
      input_count_(system.inputs().size()),
      t0_(t0),
      before_(input_count_) {
  std::vector<Problem> none;  // Control::check has reported them
  const auto find = [&](const std::string& name) { return find_input(system, name, none); };
  if (const Sampled* sampled = system.sampled()) {
    Clock clock;
    clock.gives.resize(input_count_, false);
    for (const Sampled::Value& value : sampled->values) {
      sampled_inputs_.push_back(value.input);
      if (value.input >= 0) clock.gives[static_cast<std::size_t>(value.input)] = true;
    }
    sampled_.emplace(values_of<T>(system, *sampled));
    times_depend_on_ = constants_of_times(system, *sampled);
    clocks_.push_back(std::move(clock));
  }
  for (const InputSeries& given : control.series) {
    const std::size_t input = find(given.is_linear ? linear_name(given.input) : given.input);
    Series series{first_input_ + input, given.is_linear, {}, {}};
    series.times.assign(given.times.begin(), given.times.end());
    series.values.assign(given.values.begin(), given.values.end());
    series_.push_back(std::move(series));
  }
  for (const Controller& given : control.controllers) {
    Clock clock{T(given.every), T(given.delay), 0, 0, given.act, std::vector<bool>(input_count_, given.inputs.empty())};
    for (const std::string& name : given.inputs) clock.gives[find(name)] = true;
    clocks_.push_back(std::move(clock));
  }
  restart(t0, parameters);
}

template <class T>
bool Controls<T>::has_other_times(std::span<const T> parameters) const {
  return sampled_ && (times_at_.empty() || std::any_of(times_depend_on_.begin(), times_depend_on_.end(),
                                                       [&](std::size_t i) { return parameters[i] != times_at_[i]; }));
}

template <class T>
void Controls<T>::use(const SampledTimes& times, std::span<const T> parameters) {
  clocks_.front().every = T(times.every);
  clocks_.front().delay = T(times.delay);
  first_.assign(times.last.begin(), times.last.end());
  times_at_.assign(parameters.begin(), parameters.end());
}

template <class T>
void Controls<T>::restart(T t0, std::span<const T> parameters) {
  std::optional<SampledTimes> times;
  if (has_other_times(parameters)) times = sampled_times(system_, std::vector<quad>(parameters.begin(), parameters.end()));
  for (const Clock& clock : clocks_) {
    const bool is_new = times && &clock == &clocks_.front();
    require_times(is_new ? T(times->every) : clock.every, is_new ? T(times->delay) : clock.delay, t0);
  }
  // Nothing is refused any more.
  if (times) use(*times, parameters);
  last_ = first_;
  t0_ = t0;
  has_acted_ = false;
  for (Clock& clock : clocks_) {
    clock.begin = t0;
    clock.samples = 0, clock.first = clock.waiting = 0;
    make_room(clock);
  }
  for (Series& series : series_) series.next = 0;
}

template <class T>
void Controls<T>::follow(std::span<const T> parameters) {
  if (!has_other_times(parameters)) return;
  const SampledTimes times = sampled_times(system_, std::vector<quad>(parameters.begin(), parameters.end()));
  Clock& clock = clocks_.front();
  const T next = sample_time(clock);
  require_times(T(times.every), T(times.delay), next);
  if (clock.every != T(times.every)) {
    clock.begin = next;
    clock.samples = 0;
  }
  use(times, parameters);
  if (!has_acted_) last_ = first_;
}

/// For all samples that may wait at once.
template <class T>
void Controls<T>::make_room(Clock& clock) const {
  clock.ring.resize(static_cast<std::size_t>(clock.delay / clock.every) + 2);
  for (auto& computed : clock.ring) computed.inputs.resize(input_count_);
}

template <class T>
typename Controls<T>::Clock::Computed& Controls<T>::free_entry(Clock& clock) const {
  if (clock.waiting == clock.ring.size()) {  // the times have changed since there was room
    std::rotate(clock.ring.begin(), clock.ring.begin() + static_cast<std::ptrdiff_t>(clock.first), clock.ring.end());
    clock.first = 0;
    clock.ring.resize(2 * clock.ring.size());
    for (auto& computed : clock.ring) computed.inputs.resize(input_count_);
  }
  return clock.entry(clock.waiting);
}

template <class T>
std::string Controls<T>::what_is_not_finite(std::span<const T> parameters) const {
  for (std::size_t i = 0; i < input_count_; ++i) {
    const T value = parameters[first_input_ + i];
    if (!is_finite(value)) {
      return fmt::format("input '{}' is {}", system_.inputs()[i].name, to_text(static_cast<double>(value)));
    }
  }
  return {};
}

template <class T>
T Controls<T>::rounding(T t) const {
  return moment(std::max(size_of(t), size_of(t0_)));
}

template <class T>
T Controls<T>::next(T t) const {
  const T now = t + rounding(t);
  T first = std::numeric_limits<double>::infinity();
  for (const Clock& clock : clocks_) {
    first = std::min(first, sample_time(clock));
    if (clock.waiting > 0) first = std::min(first, clock.entry(0).at);
  }
  for (const Series& series : series_) {
    for (std::size_t i = series.next; i < series.times.size(); ++i) {
      if (series.times[i] > now) {
        first = std::min(first, series.times[i]);
        break;
      }
    }
  }
  return first;
}

template <class T>
bool Controls<T>::is_due(T t) const {
  const T now = t + rounding(t);
  const auto clock_is_due = [&](const Clock& clock) {
    return sample_time(clock) <= now || (clock.waiting > 0 && clock.entry(0).at <= now);
  };
  const auto series_is_due = [&](const Series& series) {
    return series.next < series.times.size() && series.times[series.next] <= now;
  };
  return std::any_of(clocks_.begin(), clocks_.end(), clock_is_due) ||
         std::any_of(series_.begin(), series_.end(), series_is_due);
}

template <class T>
void Controls<T>::compute(Clock& clock, T t, std::span<const T> state, std::span<const T> parameters,
                          std::span<T> inputs) {
  if (!clock.function) {
    sampled_->set(0, t).set(1, state).set(2, parameters).set(3, last_).run();
    const std::span<const T> now = sampled_->output(0);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (sampled_inputs_[i] >= 0) inputs[static_cast<std::size_t>(sampled_inputs_[i])] = now[i];
    }
    std::copy(now.begin(), now.end(), last_.begin());
    return;
  }
  q_.assign(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(q_count_));
  v_.assign(state.begin() + static_cast<std::ptrdiff_t>(q_count_),
            state.begin() + static_cast<std::ptrdiff_t>(q_count_ + v_count_));
  places_.read(t, parameters, inputs_);
  clock.function(static_cast<double>(t), q_, v_, inputs_);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const std::size_t place = places_.first[i] - first_input_;
    if (clock.gives[place]) inputs[place] = T(inputs_[i]);
  }
}

template <class T>
void Controls<T>::put(const Series& series, std::size_t entry, std::span<T> parameters) const {
  parameters[series.first] = series.values[entry];
  if (!series.is_linear) return;
  const bool has_next = entry + 1 < series.times.size();
  const T rate =
      has_next ? (series.values[entry + 1] - series.values[entry]) / (series.times[entry + 1] - series.times[entry])
               : T(0);
  parameters[series.first + 1] = rate;
  parameters[series.first + 2] = series.times[entry];
}

template <class T>
bool Controls<T>::act(T t, std::span<const T> state, std::span<T> parameters) {
  const std::span<T> inputs = parameters.subspan(first_input_, input_count_);
  if (!has_acted_) follow(parameters);  // what is remembered at first may be an input that was set since
  std::copy(inputs.begin(), inputs.end(), before_.begin());
  const T now = t + rounding(t);
  for (Series& series : series_) {
    const std::size_t before = series.next;
    while (series.next < series.times.size() && series.times[series.next] <= now) ++series.next;
    if (series.next > before) put(series, series.next - 1, parameters);
    if (series.next == 0 && !has_acted_) {  // the first value holds before its time, too
      parameters[series.first] = series.values.front();
      if (series.is_linear) parameters[series.first + 1] = T(0);
    }
  }
  for (Clock& clock : clocks_) {
    for (; sample_time(clock) <= now; ++clock.samples) {
      auto& computed = free_entry(clock);
      computed.at = sample_time(clock) + clock.delay;
      std::copy(inputs.begin(), inputs.end(), computed.inputs.begin());
      compute(clock, t, state, parameters, computed.inputs);
      ++clock.waiting;
    }
    for (; clock.waiting > 0 && clock.entry(0).at <= now; --clock.waiting) {
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (clock.gives[i]) inputs[i] = clock.entry(0).inputs[i];
      }
      clock.first = (clock.first + 1) % clock.ring.size();
    }
  }
  has_acted_ = true;
  return !std::equal(inputs.begin(), inputs.end(), before_.begin());
}

template <class T>
void Controls<T>::save(ByteWriter& to) const {
  to.put(t0_);
  to.put(has_acted_);
  to.put_all(std::span<const T>(last_));
  for (const Series& series : series_) to.put(static_cast<std::uint64_t>(series.next));
  for (const Clock& clock : clocks_) {
    to.put(clock.every);
    to.put(clock.delay);
    to.put(clock.begin);
    to.put(clock.samples);
    to.put(static_cast<std::uint64_t>(clock.waiting));
    for (std::size_t i = 0; i < clock.waiting; ++i) {
      to.put(clock.entry(i).at);
      to.put_all(std::span<const T>(clock.entry(i).inputs));
    }
  }
}

template <class T>
void Controls<T>::load(ByteReader& from, T t) {
  times_at_.clear();
  from.get(t0_);
  from.get(has_acted_);
  from.get_all(std::span(last_));
  for (Series& series : series_) {
    series.next = static_cast<std::size_t>(from.get<std::uint64_t>());
    require_saved(series.next <= series.times.size());
  }
  for (Clock& clock : clocks_) {
    from.get(clock.every);
    from.get(clock.delay);
    from.get(clock.begin);
    require_saved(clock.delay >= 0);
    require_times(clock.every, clock.delay, T(0));
    make_room(clock);
    from.get(clock.samples);
    require_counter(clock.samples);
    const T next = sample_time(clock);
    require_saved(is_finite(next) && next > t - clock.every);  // samples that are due are made one by one
    clock.first = 0;
    const std::size_t waiting = from.get_count();
    for (clock.waiting = 0; clock.waiting < waiting; ++clock.waiting) free_entry(clock);
    for (std::size_t i = 0; i < clock.waiting; ++i) {
      from.get(clock.entry(i).at);
      from.get_all(std::span(clock.entry(i).inputs));
    }
  }
}

template class Controls<double>;
template class Controls<long double>;
template class Controls<quad>;

}  // namespace noslip
