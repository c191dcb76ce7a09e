// The rates and the energy of a skew-gradient system at one state; there is nothing to solve.
#include <cmath>

#include <fmt/format.h>

#include "model/system_data.hpp"
#include "model/evaluator.hpp"
#include "model/skew_symmetry.hpp"

namespace noslip {
namespace {

/// Parameters that follow from each other are known to double precision here.
constexpr double rounding_of_parameters = 1e-12;

class SkewGradientEvaluator : public ContinuousEvaluator {
 public:
  SkewGradientEvaluator(const System& system, std::vector<double> parameters)
      : ContinuousEvaluator(system, std::move(parameters)) {
    std::vector<Tape::Output> outputs;
    const auto write = [&](Expr value) {
      outputs.push_back({value, static_cast<std::uint32_t>(input_count() + outputs.size())});
    };
    write(system_.energy());
    for (const Expr rate : system_.position_rates()) write(rate);
    kernel_ = Kernel<double>(Tape(inputs(), outputs), Backend::interpreter);
    // In a graph of its own: the system's may be in use by other threads.
    Graph graph;
    Substitution copy(graph);
    std::vector<Tape::Input> given = inputs();
    for (Tape::Input& input : given) input.symbol = copy(input.symbol);
    ExprMatrix matrix;
    for (const std::vector<Expr>& row : system_.structure_matrix()) matrix.push_back(copy(row));
    symmetry_ = std::make_unique<SkewSymmetry>(matrix, given);
  }

  ContinuousState evaluate(const InitialState& state, std::vector<Problem>& problems) const override {
    require_shape(state);
    std::vector<double> work = workspace(state, 1 + state.q.size());
    std::vector<double> scratch(kernel_.scratch_size());
    kernel_(work.data(), scratch.data());
    const auto energy = work.begin() + static_cast<std::ptrdiff_t>(input_count());
    ContinuousState result;
    result.energy = *energy;
    std::vector<Problem> found = not_finite(state);
    if (found.empty()) found = not_finite_at_start({energy, work.end()});
    if (found.empty()) {
      found = asymmetries(state);
      result.rates.assign(energy + 1, work.end());
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
  std::vector<Problem> not_finite_at_start(const std::vector<double>& energy_and_rates) const {
    std::vector<Problem> problems;
    for (std::size_t i = 0; i < energy_and_rates.size(); ++i) {
      if (std::isfinite(energy_and_rates[i])) continue;
      const std::string what = i == 0 ? "the Hamiltonian" : "the rate of '" + system_.coordinates()[i - 1] + "'";
      problems.push_back(
          {what + " is not finite at the initial state", {}, "check the initial values and the parameters"});
    }
    return problems;
  }

  /// What holds for the default parameters need not hold for others.
  std::vector<Problem> asymmetries(const InitialState& state) const {
    std::vector<Problem> problems;
    const std::vector<double> given = workspace(state, 0);
    const std::vector<quad> numbers(given.begin(), given.end());
    for (const SkewSymmetry::Defect& defect : symmetry_->defects(numbers, rounding_of_parameters)) {
      problems.push_back(
          {fmt::format("entries ({0}, {1}) and ({1}, {0}) of the structure add up to {2} at the initial "
                       "state, not to zero",
                       defect.row + 1, defect.column + 1, to_short_text(static_cast<double>(defect.sum))),
           {},
           "the matrix has to be skew-symmetric for these parameters, too"});
    }
    return problems;
  }

  Kernel<double> kernel_;  // outputs: energy, rates
  std::unique_ptr<SkewSymmetry> symmetry_;
};

}  // namespace

std::shared_ptr<const ContinuousEvaluator> skew_gradient_evaluator(const System& system,
                                                                   std::vector<double> parameters) {
  return std::make_shared<SkewGradientEvaluator>(system, std::move(parameters));
}

}  // namespace noslip
