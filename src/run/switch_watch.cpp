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

}  // namespace

template <class T>
SwitchWatch<T>::SwitchWatch(const System& system, std::span<const T> parameters, const std::string& method, int order)
    : graph_(system.graph()), method_(method), order_(order) {
  const std::vector<Expr> state = all_state(graph_, system);
  std::vector<Expr> known = state;
  for (const Parameter& constant : system.step_constants()) known.push_back(graph_.counterpart(constant.symbol));
  const std::vector<Expr> written = written_functions(system);
  std::vector<Expr> pieces, quantities;
  for (const Switch& one : switches_of(graph_.counterparts(written), state)) {
    if (order <= (one.is_corner ? 2 : 1) || !contain_only({&one.quantity, 1}, known).front()) continue;
    const std::string text = to_text(one.quantity, longest_quantity);
    const bool is_whole = one.kind == Switch::Kind::whole;
    switches_.push_back({text, is_whole ? fmt::format("sin(pi*({}))", text) : text, is_whole, one.is_corner});
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
void SwitchWatch<T>::look(T t, T h, std::span<const T> before, std::span<const T> after) {
  if (here_.empty()) here_ = evaluate(t, before);
  const std::span<const T> there = (*functions_)(t + h, after);
  const std::size_t count = switches_.size();
  bool has_changed = false;
  for (std::size_t i = 0; i < count; ++i) {
    const T from = here_[i], to = there[i];
    if (!(from < to || to < from)) continue;
    // Where the quantity passes zero, or the whole number in between.
    const T x0 = here_[count + i], x1 = there[count + i];
    const T place = switches_[i].is_whole ? std::max(from, to) : T(0);
    const T part = x1 == x0 ? T(0) : (place - x0) / (x1 - x0);
    const bool is_single = !switches_[i].is_whole || size_of(to - from) == 1;
    const bool is_at_end = is_single && (part <= T(at_an_end) || part >= T(1 - at_an_end) ||
                                         std::min(part, 1 - part) * h <= moment(t));
    if (is_at_end) continue;
    has_changed = true;
    const T time = t + std::clamp(part, T(0), T(1)) * h;
    if (steps_ > 0 && !(time < first_time_)) continue;
    if (steps_ == 0 || t <= first_time_) {
      first_ = i;
      first_time_ = time;
    }
  }
  steps_ += has_changed ? 1 : 0;
  here_.assign(there.begin(), there.end());
}

template <class T>
std::vector<Warning> SwitchWatch<T>::warnings() const {
  if (steps_ == 0) return {};
  const Watched& first = switches_[first_];
  const auto t = static_cast<double>(first_time_);
  const std::string what = first.is_whole ? fmt::format("{} passes a whole number", first.text)
                                          : fmt::format("{} changes its sign", first.text);
  const std::string others = steps_ == 1 ? "" : fmt::format(" (the first of {} such steps)", steps_);
  return {{"switches",
           fmt::format("{} at t = {}, inside a step{}: the equations have a {} there, and {} loses its order {}; let a "
                       "step end there: {} \"{}\" with {}",
                       what, to_short_text(t), others, first.is_corner ? "corner" : "jump or a corner", method_, order_,
                       option("event"), first.event, option("land")),
           t}};
}

template <class T>
void SwitchWatch<T>::carry(Archive& archive) {
  archive(here_, steps_, first_, first_time_);
}

template class SwitchWatch<double>;
template class SwitchWatch<long double>;
template class SwitchWatch<quad>;

}  // namespace noslip
