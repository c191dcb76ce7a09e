#include "run/switch_watch.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <noslip/core/option_name.hpp>
#include <noslip/core/short_text.hpp>
#include <noslip/expr/print.hpp>

#include "model/written_functions.hpp"
#include "run/step_grid.hpp"

namespace noslip {
namespace {

constexpr std::size_t longest_quantity = 200;  // characters of a message
constexpr double at_an_end = 1e-9;             // part of a step in which a change is at its end

std::vector<Expr> all_state(Graph& graph, const System& system) {
  std::vector<Expr> symbols{graph.counterpart(system.t())};
  for (const auto& some : {system.q(), system.v(), system.z()}) {
    for (const Expr& symbol : some) symbols.push_back(graph.counterpart(symbol));
  }
  return symbols;
}

/// Those of the equations of motion: a position constraint is differentiated twice on the way there, a Lagrangian or a
/// Hamiltonian once by the positions (and momenta).
std::vector<Switch> switches_of_motion(Graph& graph, const System& system, std::span<const Expr> state) {
  std::vector<Expr> plain, once, twice;
  for (const HolonomicConstraint& constraint : system.holonomic()) twice.push_back(constraint.g);
  const Expr energy = system.has_hamiltonian() || system.offers().skew_form ? system.hamiltonian() : system.lagrangian();
  for (const Expr& function : written_functions(system)) {
    if (std::find(twice.begin(), twice.end(), function) != twice.end()) continue;
    const bool is_energy = function == energy || function == system.lagrangian() || function == system.energy();
    (is_energy ? once : plain).push_back(function);
  }
  std::vector<Switch> all;
  const std::span<const Expr> moving = state.subspan(1);
  int derivatives = 0;
  for (const auto* functions : {&plain, &once, &twice}) {
    for (Switch one : switches_of(graph.counterparts(*functions), state)) {
      const bool counts = derivatives == 2 || contain_any({&one.quantity, 1}, moving).front();
      if (counts) one.smoothness = std::max(one.smoothness - derivatives, -1);
      const auto same = std::find_if(all.begin(), all.end(), [&](const Switch& other) {
        return other.quantity == one.quantity && other.piece == one.piece;
      });
      if (same == all.end()) {
        all.push_back(one);
      } else {
        same->smoothness = std::min(same->smoothness, one.smoothness);
      }
    }
    ++derivatives;
  }
  return all;
}

}  // namespace

template <class T>
SwitchWatch<T>::SwitchWatch(const System& system, std::span<const T> parameters, const std::string& method, int order)
    : graph_(system.graph()), method_(method), order_(order) {
  const std::vector<Expr> state = all_state(graph_, system);
  std::vector<Expr> known = state;
  for (const Parameter& constant : system.step_constants()) known.push_back(graph_.counterpart(constant.symbol));
  std::vector<Expr> pieces, quantities;
  for (const Switch& one : switches_of_motion(graph_, system, state)) {
    if (!contain_only({&one.quantity, 1}, known).front()) continue;
    const bool has_ends = one.table && one.table->outside() == Table::Outside::hold;
    const bool loses = order > one.smoothness + 2;
    const int at_ends = one.table && one.table->kind() == Table::Kind::cubic ? one.smoothness - 2 : one.smoothness;
    if (!loses && !(has_ends && order > at_ends + 2)) continue;
    const std::string text = to_text(one.quantity, longest_quantity);
    const bool is_whole = one.kind == Switch::Kind::whole;
    switches_.push_back({text, is_whole ? fmt::format("sin(pi*({}))", text) : text, is_whole,
                         loses ? one.smoothness : at_ends, one.table, !loses});
    pieces.push_back(one.piece);
    quantities.push_back(one.quantity);
  }
  if (switches_.empty()) return;
  pieces.insert(pieces.end(), quantities.begin(), quantities.end());
  functions_.emplace(system, pieces, parameters, Backend::automatic);
}

template <class T>
std::vector<T> SwitchWatch<T>::evaluate(T t, std::span<const T> state) const {
  const std::span<const T> values = (*functions_)(t, state);
  return {values.begin(), values.end()};
}

template <class T>
void SwitchWatch<T>::restart(std::span<const T> parameters) {
  functions_->set(parameters);
  here_.clear();
}

template <class T>
bool SwitchWatch<T>::is_passed(const Watched& watched, T from, T to) const {
  if (!(from < to || to < from)) return false;
  const auto is_outside = [&](T interval) { return interval <= 0 || interval >= T(watched.table->size()); };
  return !watched.has_smooth_points || is_outside(from) || is_outside(to);
}

template <class T>
std::optional<T> SwitchWatch<T>::part_of_step(std::size_t number, std::span<const T> there) const {
  const Watched& watched = switches_[number];
  const std::size_t count = switches_.size();
  const T from = here_[number], to = there[number], x0 = here_[count + number], x1 = there[count + number];
  T place = 0;
  if (watched.is_whole || watched.table) {
    if (size_of(to - from) != 1) return std::nullopt;
    place = std::max(from, to);
    if (watched.table) place = T(watched.table->x(static_cast<std::size_t>(place) - 1));
  }
  return x1 == x0 ? T(0) : std::clamp((place - x0) / (x1 - x0), T(0), T(1));
}

template <class T>
void SwitchWatch<T>::look(T t, T h, std::span<const T> before, std::span<const T> after) {
  if (here_.empty()) here_ = evaluate(t, before);
  const std::span<const T> there = (*functions_)(t + h, after);
  bool has_changed = false;
  const bool is_first_step = steps_ == 0;
  for (std::size_t i = 0; i < switches_.size(); ++i) {
    const Watched& watched = switches_[i];
    if (!is_passed(watched, here_[i], there[i])) continue;
    const std::optional<T> part = part_of_step(i, there);
    const bool is_at_end =
        part && (*part <= T(at_an_end) || *part >= T(1 - at_an_end) || std::min(*part, 1 - *part) * h <= moment(t));
    if (is_at_end) continue;
    const T time = t + part.value_or(0) * h;
    if (is_first_step && (!has_changed || time < first_time_)) {
      first_ = i;
      first_time_ = time;
      if (watched.table) {
        const T interval = here_[i] < there[i] ? here_[i] + 1 : here_[i];
        first_place_ = T(watched.table->x(static_cast<std::size_t>(interval) - 1));
      }
    }
    has_changed = true;
  }
  steps_ += has_changed ? 1 : 0;
  here_.assign(there.begin(), there.end());
}

template <class T>
std::vector<Warning> SwitchWatch<T>::warnings() const {
  if (steps_ == 0) return {};
  const Watched& first = switches_[first_];
  const auto t = static_cast<double>(first_time_);
  std::string what, event = first.event;
  if (first.table) {
    const std::string place = to_text(static_cast<double>(first_place_));
    what = fmt::format("{}({}) passes its point {}", first.table->name(), first.text, place);
    event = fmt::format("{} = {}", first.event, place);
  } else {
    what = fmt::format("{} {}", first.text, first.is_whole ? "passes a whole number" : "changes its sign");
  }
  const std::string others = steps_ == 1 ? "" : fmt::format(", the first of {} such steps", steps_);
  const char* const kind = first.smoothness < 0    ? "a jump or a corner"
                           : first.smoothness == 0 ? "a corner"
                                                   : "a jump in a higher derivative";
  return {{"switches",
           fmt::format("{} at t = {}, inside a step{}: the equations have {} there, and {} loses its order {}; let a "
                       "step end there: {} \"{}\" with {}",
                       what, to_short_text(t), others, kind, method_, order_, option("event"), event, option("land")),
           t}};
}

template <class T>
void SwitchWatch<T>::carry(Archive& archive) {
  archive(here_, steps_, first_, first_time_, first_place_);
}

template class SwitchWatch<double>;
template class SwitchWatch<long double>;
template class SwitchWatch<quad>;

}  // namespace noslip
