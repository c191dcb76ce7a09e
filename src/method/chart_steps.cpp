// Methods in local coordinates of a Lie group: in every step the method is applied, as it is, to the system in the
// coordinates xi of g_c tau(xi). (E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, called HLW,
// IV.5.3.) Orders, constraints, symplecticity and energy are what they are in coordinates. The centre g_c is the start
// of the step, xi0 = 0, or, so that symmetric methods stay symmetric (HLW, V.4.3), g0 tau(theta) with xi0 = -theta and
// xi1 = theta; theta is found with the unknowns of the step.
#include <cassert>

#include <noslip/method/method.hpp>
#include <noslip/model/chart.hpp>

#include "method/vectors.hpp"

namespace noslip {

namespace {

class Translation {
 public:
  Translation(const System& system, const System& chart_system, const StepRecipe& local, const Chart& chart)
      : system_(system),
        group_(system.group()),
        local_(local),
        map_(chart.map),
        N_(system.configuration().size()),
        n_(system.v().size()),
        states_(system.states().size()),
        recipe_(begin_recipe(system, local.state.size() > 2 * n_ + states_ + (local.has_work ? 1 : 0))),
        graph_(*recipe_.graph),
        put_(graph_),
        is_centred_(chart.centre == Chart::Centre::middle),
        theta_(is_centred_ ? new_symbols(graph_, "theta", n_) : zeros(graph_, n_)),
        q0_(recipe_.start(0, N_)),
        v0_(recipe_.start(N_ + states_, n_)),
        to_centre_(group_.increment(map_, q0_, theta_)),
        centre_(alias(q0_ + to_centre_)),
        turned_(group_.inverse_tangent_less_one(map_, -theta_) * v0_) {
    replace(put_, tail(local.parameters, chart_system.parameters().size() - N_), centre_);  // g_c is the last of them
    replace(put_, local.start(0, n_), -theta_);
    replace(put_, local.start(n_, states_), recipe_.start(N_, states_));
    replace(put_, local.start(n_ + states_, n_), alias(v0_ + turned_));
    replace(put_, local.accelerations, recipe_.accelerations);
    for (std::size_t i = 0; i < n_; ++i) put_.replace(local.state[i].low, graph_.constant(0));
    for (std::size_t i = 0; i < states_ + n_; ++i) put_.replace(local.state[n_ + i].low, recipe_.state[N_ + i].low);
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
    for (auto* definitions : {&result.before, &result.held_in_matrix}) {
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
      assert(next.before.empty() && !next.guesses_every_step);
      all.unknowns.insert(all.unknowns.end(), next.unknowns.begin(), next.unknowns.end());
      all.residuals.insert(all.residuals.end(), next.residuals.begin(), next.residuals.end());
      all.scale.insert(all.scale.end(), next.scale.begin(), next.scale.end());
      all.background.insert(all.background.end(), next.background.begin(), next.background.end());
      all.held_in_matrix.insert(all.held_in_matrix.end(), next.held_in_matrix.begin(), next.held_in_matrix.end());
    }
    recipe_.solves = {std::move(all)};
  }

  Expr at_start(Expr value) {
    if (!is_centred_) return value;
    Substitution put(graph_);
    replace(put, theta_, half_way());
    return put(value);
  }

  Vector half_way() { return recipe_.h * v0_ / 2; }

  /// The sums of all that a step adds to variables from `first` on.
  Vector changes(std::size_t first, std::size_t count) {
    Vector result;
    for (std::size_t i = first; i < first + count; ++i) {
      const StateVariable& variable = local_.state[i];
      if (variable.value.graph != nullptr) {
        result.push_back(put_(variable.value) - put_(variable.symbol));
        continue;
      }
      const Expr increment = put_(variable.increment);
      result.push_back(variable.added_last.graph == nullptr ? increment : increment + put_(variable.added_last));
    }
    return result;
  }

  void move_state() {
    const Vector move = changes(0, n_), xi = alias(move - theta_), change = turned_ + changes(n_ + states_, n_);
    if (is_centred_) {
      recipe_.solves.back().seek(theta_, half_way(), theta_, false);
      recipe_.solves.back().require(theta_ - move / 2);
    }
    recipe_.move(0, to_centre_ + group_.increment(map_, centre_, xi));
    recipe_.move(N_, changes(n_, states_));
    recipe_.move(N_ + states_, change + group_.tangent_less_one(map_, xi) * alias(v0_ + change));
    const std::size_t others = 2 * n_ + states_;
    recipe_.move(N_ + states_ + n_, changes(others, local_.state.size() - others));  // multipliers and work
  }

  const System& system_;
  const Group& group_;
  const StepRecipe& local_;
  const Retraction map_;
  const std::size_t N_, n_, states_;  // numbers of an element of the group, velocities, states
  StepRecipe recipe_;
  Graph& graph_;
  Substitution put_;
  const bool is_centred_;
  const Vector theta_, q0_, v0_, to_centre_, centre_;
  const Vector turned_;  // velocity of xi at the start, less v0
};

}  // namespace

StepRecipe Method::record_on_group(const System& system, const Chart& chart) const {
  const System local_system = in_chart(system, chart.map);
  const StepRecipe local = record(local_system);
  return Translation(system, local_system, local, chart).run();
}

}  // namespace noslip
