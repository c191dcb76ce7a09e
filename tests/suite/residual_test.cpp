// Every step satisfies the equations of its method: they are evaluated in quadruple precision from the recipe, apart
// from whatever the engine eliminates, compiles and iterates.
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <gtest/gtest.h>

#include <noslip/expr/rounding.hpp>

#include "suite/bare_stepper.hpp"
#include "suite/members.hpp"

namespace noslip {
namespace {

/// The equations of a recipe and the new state, in quadruple precision.
class OwnEquations {
 public:
  explicit OwnEquations(const StepRecipe& recipe) {
    Graph graph;
    std::vector<std::pair<Expr, Expr>> known;
    const auto put = [&](Expr expression) {
      Substitution meanings(graph);
      for (const auto& [symbol, value] : known) meanings.replace(symbol, value);
      return meanings(expression);
    };
    std::vector<Expr> equations;
    for (const Solve& solve : recipe.solves) {
      for (const Definition& definition : solve.before) known.emplace_back(definition.symbol, put(definition.value));
      for (const Definition& definition : solve.held_in_matrix)
        known.emplace_back(definition.symbol, put(definition.value));
      for (const Expr& residual : solve.residuals) equations.push_back(put(residual));
    }
    for (const StateVariable& variable : recipe.state) {
      if (variable.value.graph != nullptr) {
        next_.push_back(put(variable.value));
        continue;
      }
      Expr next = put(variable.symbol) + graph.symbol(variable.low.name()) + put(variable.increment);
      if (variable.added_last.graph != nullptr) next = next + put(variable.added_last);
      next_.push_back(next);
    }
    count_ = equations.size();
    std::vector<Expr> all = equations;
    all.insert(all.end(), next_.begin(), next_.end());
    std::vector<Tape::Input> inputs;
    for (const Expr& symbol : symbols_of(all)) {
      slots_[symbol.name()] = inputs.size();
      inputs.push_back({symbol, static_cast<std::uint32_t>(inputs.size())});
    }
    std::vector<Tape::Output> outputs;
    const std::vector<Expr> sizes = rounding_sizes(all);
    for (const std::vector<Expr>* list : {&std::as_const(all), &sizes}) {
      for (const Expr& f : *list) {
        outputs.push_back({f, static_cast<std::uint32_t>(inputs.size() + outputs.size())});
      }
    }
    values_.resize(inputs.size() + outputs.size());
    first_ = inputs.size();
    all_ = all.size();
    kernel_ = Kernel<quad>(Tape(inputs, outputs), Backend::interpreter);
    scratch_.resize(kernel_.scratch_size());
  }

  void set(const Expr& symbol, double value) {
    const auto place = slots_.find(symbol.name());
    if (place != slots_.end()) values_[place->second] = value;
  }
  /// The largest residual, in units of the rounding errors of its equation.
  double residual() {
    kernel_(values_.data(), scratch_.data());
    // An equation between numbers that are all what rounding has left of others (v2 = 0) is measured by the others.
    least_size_ = 0;
    for (std::size_t i = 0; i < count_; ++i)
      least_size_ = std::max(least_size_, quad(1e-3) * values_[first_ + all_ + i]);
    double largest = 0;
    for (std::size_t i = 0; i < count_; ++i) largest = std::max(largest, in_units(values_[first_ + i], i));
    return largest;
  }
  double error_of_next(std::size_t i, double stored) const {
    return in_units(values_[first_ + count_ + i] - quad(stored), count_ + i);
  }

 private:
  double in_units(quad value, std::size_t i) const {
    if (value == 0) return 0;
    const quad size = std::max(values_[first_ + all_ + i], least_size_);
    return std::fabs(static_cast<double>(value / size)) / std::numeric_limits<double>::epsilon();
  }

  std::vector<Expr> next_;
  std::map<std::string, std::size_t> slots_;
  std::vector<quad> values_, scratch_;
  std::size_t count_ = 0, first_ = 0, all_ = 0;
  quad least_size_ = 0;
  Kernel<quad> kernel_;
};

class EveryStep : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryStep, SolvesTheEquationsOfItsMethod) {
  constexpr int steps = 4;
  for (const System& system : testing::systems_for(GetParam())) {
    const double h = testing::without_controller(system, 0.05);
    const StepRecipe recipe = find_method(GetParam())->record(system);
    std::vector<Expr> unknowns;
    for (const Solve& solve : recipe.solves) {
      for (const Unknown& unknown : solve.unknowns) unknowns.push_back(unknown.symbol);
    }
    std::vector<double> state;
    StepLayout layout;
    LaneStepper<double> stepper = testing::bare_stepper(system, recipe, h, state, unknowns, &layout);
    OwnEquations equations(recipe);
    const double t0 = system.initial_state(system.parameter_values()).t;
    for (int n = 0; n < steps; ++n) {
      const double* workspace = stepper.workspace();
      for (std::size_t i = 0; i < recipe.parameters.size(); ++i) {
        equations.set(recipe.parameters[i], workspace[layout.parameters + static_cast<int>(i)]);
      }
      for (std::size_t i = 0; i < recipe.state.size(); ++i) {
        equations.set(recipe.state[i].symbol, workspace[layout.state + static_cast<int>(i)]);
        equations.set(recipe.state[i].low, workspace[layout.compensation + static_cast<int>(i)]);
      }
      equations.set(recipe.t, t0 + n * h);
      equations.set(recipe.h, h);
      ASSERT_TRUE(stepper.step(t0 + n * h, h)) << system.name() << ", step " << n;
      for (std::size_t i = 0; i < unknowns.size(); ++i) {
        equations.set(unknowns[i], workspace[layout.observed + static_cast<int>(i)]);
      }
      EXPECT_LT(equations.residual(), 1000) << system.name() << ", step " << n;
      for (std::size_t i = 0; i < recipe.state.size() && !stepper.has_angles(); ++i) {
        EXPECT_LT(equations.error_of_next(i, workspace[layout.state + static_cast<int>(i)]), 100)
            << system.name() << ", step " << n << ", " << recipe.state[i].symbol.name();
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryStep, ::testing::ValuesIn(testing::all_methods()),
                         [](const auto& instance) { return testing::test_name(instance.param); });

}  // namespace
}  // namespace noslip
