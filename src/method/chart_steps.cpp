// Methods in local coordinates of a Lie group: in every step the method is applied, as it is, to the system in the
// coordinates xi of g0 tau(xi), from xi = 0. (E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration,
// IV.5.3.) Orders, constraints, symplecticity and energy are what they are in coordinates; what comes from the symmetry
// of the step about its middle, or of the group, is not.
#include <noslip/method/method.hpp>
#include <noslip/model/chart.hpp>

namespace noslip {

namespace {

class Translation {
 public:
  Translation(const System& system, const System& chart, const StepRecipe& local, Retraction map)
      : system_(system),
        local_(local),
        map_(map),
        N_(system.q().size()),
        n_(system.v().size()),
        recipe_(begin_recipe(system, local.state.size() > 2 * n_ + (local.has_work ? 1 : 0))),
        graph_(*recipe_.graph),
        put_(graph_) {
    for (std::size_t i = 0; i < N_; ++i) {  // g0 is the last of the parameters
      put_.replace(local.parameters[chart.parameters().size() - N_ + i], recipe_.state[i].symbol);
    }
    for (std::size_t i = 0; i < n_; ++i) {
      put_.replace(local.state[i].symbol, graph_.constant(0));
      put_.replace(local.state[i].low, graph_.constant(0));
      put_.replace(local.state[n_ + i].symbol, recipe_.state[N_ + i].symbol);
      put_.replace(local.state[n_ + i].low, recipe_.state[N_ + i].low);
      put_.replace(local.accelerations[i], recipe_.accelerations[i]);
    }
  }

  StepRecipe run() {
    for (const Solve& solve : local_.solves) recipe_.solves.push_back(moved(solve));
    move_state();
    for (const Expr& value : local_.end_multipliers) recipe_.end_multipliers.push_back(moved(value));
    return std::move(recipe_);
  }

 private:
  Expr moved(Expr value) { return value.graph == nullptr ? value : put_(value); }

  Solve moved(const Solve& solve) {
    Solve result = solve;
    for (auto* definitions : {&result.before, &result.held}) {
      for (Definition& definition : *definitions) {
        definition = {put_(definition.symbol), put_(definition.value)};
      }
    }
    for (Unknown& unknown : result.unknowns) {
      unknown.symbol = put_(unknown.symbol);
      unknown.first_guess = put_(unknown.first_guess);
      unknown.next_guess = put_(unknown.next_guess);
    }
    for (auto* values : {&result.residuals, &result.scale}) *values = put_(*values);
    return result;
  }

  /// The sum of all that a step adds to a variable.
  Expr change(const StateVariable& variable) {
    if (variable.value.graph != nullptr) return put_(variable.value) - put_(variable.symbol);
    const Expr increment = put_(variable.increment);
    return variable.late.graph == nullptr ? increment : increment + put_(variable.late);
  }

  void move_state() {
    const Group& group = system_.group();
    std::vector<Expr> q0, xi, rates, changes;
    for (std::size_t i = 0; i < N_; ++i) q0.push_back(recipe_.state[i].symbol);
    for (std::size_t i = 0; i < n_; ++i) {
      xi.push_back(graph_.alias(change(local_.state[i])));
      changes.push_back(change(local_.state[n_ + i]));
      rates.push_back(graph_.alias(recipe_.state[N_ + i].symbol + changes[i]));
    }
    const std::vector<Expr> increment = group.increment(map_, q0, xi);
    for (std::size_t i = 0; i < N_; ++i) recipe_.state[i].increment = increment[i];
    const std::vector<Expr> turned = times(group.tangent_less_one(map_, xi), rates);
    for (std::size_t i = 0; i < n_; ++i) recipe_.state[N_ + i].increment = changes[i] + turned[i];
    for (std::size_t i = 2 * n_; i < local_.state.size(); ++i) {  // multipliers and work
      recipe_.state[i - 2 * n_ + N_ + n_].increment = change(local_.state[i]);
    }
  }

  const System& system_;
  const StepRecipe& local_;
  const Retraction map_;
  const std::size_t N_, n_;
  StepRecipe recipe_;
  Graph& graph_;
  Substitution put_;
};

}  // namespace

StepRecipe Method::record_on_group(const System& system, const Chart& chart) const {
  const System local_system = in_chart(system, chart.map);
  const StepRecipe local = record(local_system);
  return Translation(system, local_system, local, chart.map).run();
}

}  // namespace noslip
