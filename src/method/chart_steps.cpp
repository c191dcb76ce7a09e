// Methods in local coordinates of a Lie group: in every step the method is applied, as it is, to the system in the
// coordinates xi of g_c tau(xi). (E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, called HLW,
// IV.5.3.) Orders, constraints, symplecticity and energy are what they are in coordinates. The centre g_c is the start
// of the step, xi0 = 0, or, so that symmetric methods stay symmetric (HLW, V.4.3), g0 tau(theta) with xi0 = -theta and
// xi1 = theta; theta is found with the unknowns of the step.
#include <cassert>

#include <noslip/method/method.hpp>
#include <noslip/model/chart.hpp>

#include "method/coefficients.hpp"
#include "method/group_points.hpp"

namespace noslip {

namespace {

using Vector = std::vector<Expr>;

class Translation {
 public:
  Translation(const System& system, const System& chart_system, const StepRecipe& local, const Chart& chart)
      : system_(system),
        group_(system.group()),
        local_(local),
        map_(chart.map),
        N_(system.q().size()),
        n_(system.v().size()),
        recipe_(begin_recipe(system, local.state.size() > 2 * n_ + (local.has_work ? 1 : 0))),
        graph_(*recipe_.graph),
        put_(graph_),
        is_centred_(chart.centre == Chart::Centre::middle),
        theta_(n_, graph_.constant(0)) {
    if (is_centred_) theta_ = new_symbols(graph_, "theta", static_cast<int>(n_));
    for (std::size_t i = 0; i < N_; ++i) q0_.push_back(recipe_.state[i].symbol);
    for (std::size_t i = 0; i < n_; ++i) v0_.push_back(recipe_.state[N_ + i].symbol);
    const Vector to_centre = group_.increment(map_, q0_, theta_);
    for (std::size_t i = 0; i < N_; ++i) {  // g_c is the last of the parameters
      centre_.push_back(graph_.alias(q0_[i] + to_centre[i]));
      put_.replace(local.parameters[chart_system.parameters().size() - N_ + i], centre_[i]);
    }
    const Vector back = negative(theta_);
    turned_ = times(group_.inverse_tangent_less_one(map_, back), v0_);
    for (std::size_t i = 0; i < n_; ++i) {
      put_.replace(local.state[i].symbol, back[i]);
      put_.replace(local.state[i].low, graph_.constant(0));
      put_.replace(local.state[n_ + i].symbol, graph_.alias(v0_[i] + turned_[i]));
      put_.replace(local.state[n_ + i].low, recipe_.state[N_ + i].low);
      put_.replace(local.accelerations[i], recipe_.accelerations[i]);
    }
    if (!is_centred_ || local.solves.empty()) return;
    // What is evaluated before the unknowns are known must not contain theta, which is one of them.
    for (const Definition& definition : local.solves.front().before) {
      put_.replace(definition.symbol, graph_.alias(put_(definition.value)));
    }
  }

  StepRecipe run() {
    for (const Solve& solve : local_.solves) recipe_.solves.push_back(moved(solve));
    if (is_centred_) solve_at_once();
    move_state();
    for (const Expr& value : local_.end_multipliers) recipe_.end_multipliers.push_back(moved(value));
    return std::move(recipe_);
  }

 private:
  Expr moved(Expr value) { return value.graph == nullptr ? value : put_(value); }

  Solve moved(const Solve& solve) {
    Solve result = solve;
    if (is_centred_ && &solve == &local_.solves.front()) result.before.clear();
    for (auto* definitions : {&result.before, &result.held}) {
      for (Definition& definition : *definitions) {
        definition = {put_(definition.symbol), put_(definition.value)};
      }
    }
    for (Unknown& unknown : result.unknowns) {
      unknown.symbol = put_(unknown.symbol);
      // Where the search begins, theta is not known.
      unknown.first_guess = at_start(put_(unknown.first_guess));
      unknown.next_guess = put_(unknown.next_guess);
    }
    for (auto* values : {&result.residuals, &result.scale, &result.background}) *values = put_(*values);
    return result;
  }

  /// Everything depends on theta, and theta on everything.
  void solve_at_once() {
    Solve all = std::move(recipe_.solves.front());
    for (std::size_t i = 1; i < recipe_.solves.size(); ++i) {
      Solve& next = recipe_.solves[i];
      assert(next.before.empty() && !next.guesses_anew);
      all.unknowns.insert(all.unknowns.end(), next.unknowns.begin(), next.unknowns.end());
      all.residuals.insert(all.residuals.end(), next.residuals.begin(), next.residuals.end());
      all.scale.insert(all.scale.end(), next.scale.begin(), next.scale.end());
      all.background.insert(all.background.end(), next.background.begin(), next.background.end());
      all.held.insert(all.held.end(), next.held.begin(), next.held.end());
    }
    recipe_.solves = {std::move(all)};
  }

  Expr at_start(Expr value) {
    if (!is_centred_) return value;
    Substitution put(graph_);
    for (std::size_t i = 0; i < n_; ++i) put.replace(theta_[i], half_way(i));
    return put(value);
  }

  Expr half_way(std::size_t i) { return recipe_.h * v0_[i] / 2; }

  /// The sum of all that a step adds to a variable.
  Expr change(const StateVariable& variable) {
    if (variable.value.graph != nullptr) return put_(variable.value) - put_(variable.symbol);
    const Expr increment = put_(variable.increment);
    return variable.late.graph == nullptr ? increment : increment + put_(variable.late);
  }

  void move_state() {
    Vector xi, rates, changes;
    for (std::size_t i = 0; i < n_; ++i) {
      const Expr move = change(local_.state[i]);
      xi.push_back(graph_.alias(move - theta_[i]));
      changes.push_back(turned_[i] + change(local_.state[n_ + i]));
      rates.push_back(graph_.alias(v0_[i] + changes[i]));
      if (!is_centred_) continue;
      recipe_.solves.back().unknowns.push_back({theta_[i], half_way(i), theta_[i], false});
      recipe_.solves.back().residuals.push_back(theta_[i] - move / 2);
    }
    const Vector to_centre = group_.increment(map_, q0_, theta_), onward = group_.increment(map_, centre_, xi);
    for (std::size_t i = 0; i < N_; ++i) recipe_.state[i].increment = to_centre[i] + onward[i];
    const Vector turned = times(group_.tangent_less_one(map_, xi), rates);
    for (std::size_t i = 0; i < n_; ++i) recipe_.state[N_ + i].increment = changes[i] + turned[i];
    for (std::size_t i = 2 * n_; i < local_.state.size(); ++i) {  // multipliers and work
      recipe_.state[i - 2 * n_ + N_ + n_].increment = change(local_.state[i]);
    }
  }

  const System& system_;
  const Group& group_;
  const StepRecipe& local_;
  const Retraction map_;
  const std::size_t N_, n_;  // numbers of a position, velocities
  StepRecipe recipe_;
  Graph& graph_;
  Substitution put_;
  const bool is_centred_;
  Vector theta_, q0_, v0_, centre_;
  Vector turned_;  // velocity of xi at the start, less v0
};

}  // namespace

StepRecipe Method::record_on_group(const System& system, const Chart& chart) const {
  const System local_system = in_chart(system, chart.map);
  const StepRecipe local = record(local_system);
  return Translation(system, local_system, local, chart).run();
}

}  // namespace noslip
