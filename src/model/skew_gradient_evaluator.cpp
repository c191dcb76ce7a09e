// The rates and the energy of a skew-gradient system at one state; there is nothing to solve.
#include <cmath>

#include <fmt/format.h>

#include "model/evaluator.hpp"
#include "model/skew_symmetry.hpp"
#include "model/system_data.hpp"

namespace noslip {
namespace {

/// Parameters that follow from each other are known to double precision here.
constexpr double rounding_of_parameters = 1e-12;

class SkewGradientEvaluator : public ContinuousEvaluator {
 public:
  SkewGradientEvaluator(const System& system, std::vector<double> parameters)
      : ContinuousEvaluator(system, std::move(parameters)),
        function_(state_blocks(system), {{system.energy()}, system.position_rates()}) {
    // In a graph of its own: the system's may be in use by other threads.
    Graph graph;
    Substitution copy(graph);
    const std::vector<Expr> symbols = copy(entries_of(state_blocks(system_)));
    symmetry_ = std::make_shared<SkewSymmetry>(copied(copy, system_.structure_matrix()), symbols);
  }

  std::shared_ptr<const ContinuousEvaluator> with_parameters(std::vector<double> parameters) const override {
    return copy_with(*this, std::move(parameters));
  }
  ContinuousState evaluate(const InitialState& state, std::vector<Problem>& problems) const override {
    require_shape(state);
    const Evaluation<double> here = at(function_, state);
    const std::span<const double> rates = here.output(1);
    ContinuousState result;
    result.energy = here.output(0)[0];
    std::vector<Problem> found = not_finite(state);
    if (found.empty()) found = not_finite_at_start(result.energy, rates);
    if (found.empty()) {
      found = asymmetries(state);
      result.rates.assign(rates.begin(), rates.end());
    }
    problems.insert(problems.end(), found.begin(), found.end());
    return result;
  }

  InitialState project(const InitialState& state) const override {
    require_shape(state);
    refuse(not_finite(state));
    return state;
  }

  ContinuousState require_consistent(const InitialState& state) const override {
    std::vector<Problem> problems;
    ContinuousState result = evaluate(state, problems);
    refuse(std::move(problems));
    return result;
  }

 private:
  std::vector<Problem> not_finite_at_start(double energy, std::span<const double> rates) const {
    std::vector<Problem> problems;
    const auto check = [&](double value, const std::string& what) {
      if (std::isfinite(value)) return;
      problems.push_back(
          {what + " is not finite at the initial state", {}, "check the initial values and the parameters"});
    };
    check(energy, "the Hamiltonian");
    for (std::size_t i = 0; i < rates.size(); ++i) check(rates[i], "the rate of '" + system_.coordinates()[i] + "'");
    return problems;
  }

  /// What holds for the default parameters need not hold for others.
  std::vector<Problem> asymmetries(const InitialState& state) const {
    std::vector<Problem> problems;
    const std::vector<double> given = numbers(state);
    const std::vector<quad> exact(given.begin(), given.end());
    for (const SkewSymmetry::Defect& defect : symmetry_->defects(exact, rounding_of_parameters)) {
      problems.push_back(
          {fmt::format("entries ({0}, {1}) and ({1}, {0}) of the structure add up to {2} at the initial "
                       "state, not to zero",
                       defect.row + 1, defect.column + 1, to_short_text(static_cast<double>(defect.sum))),
           {},
           "the matrix has to be skew-symmetric for these parameters, too"});
    }
    return problems;
  }

  Function<double> function_;  // energy; rates
  std::shared_ptr<const SkewSymmetry> symmetry_;
};

}  // namespace

std::shared_ptr<const ContinuousEvaluator> skew_gradient_evaluator(const System& system,
                                                                   std::vector<double> parameters) {
  return std::make_shared<SkewGradientEvaluator>(system, std::move(parameters));
}

}  // namespace noslip
