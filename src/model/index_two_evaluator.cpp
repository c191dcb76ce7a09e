// Rates and algebraic variables of a dae2 system. With G = g_t + g_y f, the hidden constraint:
//   z   from G(t, y, z) = 0 by Newton's method; G_z = g_y f_z is regular for a system of index 2
//   z'  from G_t + G_y f + G_z z' = 0
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/expr/derivative.hpp>
#include "model/description.hpp"
#include "model/evaluator.hpp"
#include "model/nearest.hpp"
#include "model/regularity.hpp"

namespace noslip {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Values {
  VectorXd f, g, hidden;   ///< hidden: G
  VectorXd g_t, hidden_t;  ///< derivatives
  MatrixXd g_y, hidden_y, hidden_z;

  bool all_finite() const {
    return f.allFinite() && g.allFinite() && hidden.allFinite() && g_t.allFinite() && hidden_t.allFinite() &&
           g_y.allFinite() && hidden_y.allFinite() && hidden_z.allFinite();
  }
};

VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
}

/// A number is known to a unit in its last place; one that is near zero, to that of 1.
VectorXd sizes(const std::vector<double>& values) { return as_vector(values).cwiseAbs().cwiseMax(1.0); }

constexpr double rounding_unit = 64 * std::numeric_limits<double>::epsilon();

/// How far g may be from zero for rounding alone.
VectorXd rounding_of_g(const Values& at, const InitialState& state) {
  const VectorXd rest = at.g - at.g_y * as_vector(state.q);
  return rounding_unit * (at.g_y.cwiseAbs() * sizes(state.q) + rest.cwiseAbs());
}

/// How far the hidden constraint may be from zero for rounding alone.
VectorXd rounding_of_hidden(const Values& at, const InitialState& state) {
  return rounding_unit *
         (at.g_y.cwiseAbs() * at.f.cwiseAbs() + at.g_t.cwiseAbs() + at.hidden_y.cwiseAbs() * sizes(state.q) +
          at.hidden_z.cwiseAbs() * sizes(state.z) + at.hidden_t.cwiseAbs() * std::max(1.0, std::abs(state.t)));
}

/// Largest of |values| / |units|; a zero is small whatever the unit.
double largest_ratio(const VectorXd& values, const VectorXd& units) {
  double result = 0;
  for (Index i = 0; i < values.size(); ++i) {
    if (values[i] != 0) result = std::max(result, std::abs(values[i] / units[i]));
  }
  return result;
}

class IndexTwoEvaluator : public ContinuousEvaluator {
 public:
  IndexTwoEvaluator(const System& system, std::vector<double> parameters)
      : ContinuousEvaluator(system, std::move(parameters)) {
    make_kernels();
  }

  ContinuousState evaluate(const InitialState& state, std::vector<Problem>& problems) const override;
  InitialState project(const InitialState& state) const override;
  void require_consistent(const InitialState& state) const override;

 private:
  void make_kernels();
  Values values(const InitialState& state) const;
  MatrixXd curvature(const InitialState& state, const VectorXd& multipliers) const;
  std::vector<Problem> not_finite_at_start(const Values& at) const;
  bool find_z(InitialState& state) const;
  const std::string& text_of(Index constraint) const {
    return system_.constraints()[static_cast<std::size_t>(constraint)].text;
  }
  std::string named_z(const std::vector<double>& z) const;

  Kernel<double> kernel_;  // outputs: everything in Values
  std::size_t outputs_ = 0;
  Kernel<double> curvature_kernel_;  // outputs: g_yy
  struct CurvatureEntry {
    int constraint, row, column;
  };
  std::vector<CurvatureEntry> curvature_entries_;
};

/// The derivatives live in a graph of their own: the system's may be in use by other threads.
void IndexTwoEvaluator::make_kernels() {
  Graph graph;
  Substitution copy(graph);
  std::vector<Tape::Input> given = inputs();
  for (Tape::Input& input : given) input.symbol = copy(input.symbol);
  const std::vector<Expr> t{copy(system_.t())}, y = copy(system_.q()), z = copy(system_.z());
  const std::vector<Expr> f = copy(system_.rates()), hidden = copy(system_.hidden_constraints());
  std::vector<Expr> g;
  for (const Constraint& constraint : system_.constraints()) g.push_back(copy(constraint.k));

  std::vector<Tape::Output> outputs;
  const auto slot = [&] { return static_cast<std::uint32_t>(given.size() + outputs.size()); };
  const auto add = [&](const std::vector<Expr>& expressions) {
    for (const Expr expression : expressions) outputs.push_back({expression, slot()});
  };
  add(f);
  add(g);
  add(hidden);
  const auto add_jacobian = [&](const std::vector<Expr>& functions, const std::vector<Expr>& variables) {
    std::vector<Expr> dense(functions.size() * variables.size(), graph.constant(0));
    for (const Entry& entry : jacobian(functions, variables)) {
      dense[static_cast<std::size_t>(entry.row) * variables.size() + static_cast<std::size_t>(entry.column)] =
          entry.value;
    }
    add(dense);
  };
  add_jacobian(g, t);
  add_jacobian(hidden, t);
  add_jacobian(g, y);
  add_jacobian(hidden, y);
  add_jacobian(hidden, z);
  outputs_ = outputs.size();
  kernel_ = Kernel<double>(Tape(given, outputs), Backend::interpreter);

  outputs.clear();
  for (std::size_t i = 0; i < g.size(); ++i) {
    for (const Entry& entry : hessian(g[i], y)) {
      outputs.push_back({entry.value, slot()});
      curvature_entries_.push_back({static_cast<int>(i), entry.row, entry.column});
    }
  }
  if (!outputs.empty()) curvature_kernel_ = Kernel<double>(Tape(given, outputs), Backend::interpreter);
}

Values IndexTwoEvaluator::values(const InitialState& state) const {
  std::vector<double> work = workspace(state, outputs_);
  std::vector<double> scratch(kernel_.scratch_size());
  kernel_(work.data(), scratch.data());
  const auto n = static_cast<Index>(state.q.size()), m = static_cast<Index>(state.z.size());
  OutputReader read(work.data() + input_count());
  Values result;
  result.f = read.vector(n);
  result.g = read.vector(m);
  result.hidden = read.vector(m);
  result.g_t = read.vector(m);
  result.hidden_t = read.vector(m);
  result.g_y = read.matrix(m, n);
  result.hidden_y = read.matrix(m, n);
  result.hidden_z = read.matrix(m, m);
  return result;
}

/// The sum of multiplier * g_yy over the constraints.
MatrixXd IndexTwoEvaluator::curvature(const InitialState& state, const VectorXd& multipliers) const {
  const auto n = static_cast<Index>(state.q.size());
  MatrixXd result = MatrixXd::Zero(n, n);
  std::vector<double> work = workspace(state, curvature_entries_.size());
  std::vector<double> scratch(curvature_kernel_.scratch_size());
  curvature_kernel_(work.data(), scratch.data());
  for (std::size_t i = 0; i < curvature_entries_.size(); ++i) {
    const CurvatureEntry& entry = curvature_entries_[i];
    result(entry.row, entry.column) += multipliers[entry.constraint] * work[input_count() + i];
  }
  return result;
}

std::vector<Problem> IndexTwoEvaluator::not_finite_at_start(const Values& at) const {
  std::vector<Problem> problems;
  const auto report = [&](const std::string& what) {
    problems.push_back(
        {what + " is not finite at the initial state", {}, "check the initial values and the parameters"});
  };
  for (Index i = 0; i < at.f.size(); ++i) {
    if (!std::isfinite(at.f[i])) report("the rate f of '" + system_.coordinates()[static_cast<std::size_t>(i)] + "'");
  }
  for (Index i = 0; i < at.g.size(); ++i) {
    if (!std::isfinite(at.g[i])) {
      report("constraint '" + text_of(i) + "'");
    } else if (!at.g_y.row(i).allFinite() || !std::isfinite(at.g_t[i])) {
      report("a derivative of constraint '" + text_of(i) + "'");
    }
  }
  if (!problems.empty()) return problems;
  for (Index i = 0; i < at.hidden.size(); ++i) {
    if (!std::isfinite(at.hidden[i]) || !std::isfinite(at.hidden_t[i]) || !at.hidden_y.row(i).allFinite() ||
        !at.hidden_z.row(i).allFinite()) {
      report("a derivative of the hidden constraint of '" + text_of(i) + "'");
    }
  }
  return problems;
}

/// Newton's method for the hidden constraint from state.z, with shortened steps where a full one would lead away.
/// False where it does not arrive; state.z then is as far as it got.
bool IndexTwoEvaluator::find_z(InitialState& state) const {
  constexpr int most_iterations = 100;
  Values at = values(state);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!at.all_finite()) return false;
    const VectorXd units = rounding_of_hidden(at, state);
    const double error = largest_ratio(at.hidden, units);
    if (error == 0) return true;
    const VectorXd step = solve_scaled(at.hidden_z, -at.hidden);
    if (!step.allFinite()) return error <= 1;
    bool is_better = false;
    for (double part = 1; part > 1e-9 && !is_better; part /= 2) {
      InitialState trial = state;
      for (std::size_t i = 0; i < trial.z.size(); ++i) trial.z[i] += part * step[static_cast<Index>(i)];
      const Values there = values(trial);
      is_better = there.hidden.allFinite() && largest_ratio(there.hidden, units) < error;
      if (is_better) {
        state = std::move(trial);
        at = there;
      } else if (error <= 1) {
        return true;
      }
    }
    if (!is_better) return error <= 1;
  }
  return largest_ratio(at.hidden, rounding_of_hidden(at, state)) <= 1;
}

std::string IndexTwoEvaluator::named_z(const std::vector<double>& z) const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < z.size(); ++i)
    texts.push_back(fmt::format("{} = {}", system_.multiplier_names()[i], z[i]));
  return list_of(texts);
}

ContinuousState IndexTwoEvaluator::evaluate(const InitialState& state, std::vector<Problem>& problems) const {
  require_shape(state);
  Values at = values(state);
  ContinuousState result;
  result.energy = std::numeric_limits<double>::quiet_NaN();
  result.constraints.assign(at.g.begin(), at.g.end());
  result.max_constraint = at.g.size() == 0 ? 0 : at.g.cwiseAbs().maxCoeff();

  const auto check_index = [&] {
    result.constraint_rank = scaled_rank(at.hidden_z);
    return not_of_index_two(at.hidden_z, system_.constraints());
  };
  std::vector<Problem> found = not_finite(state);
  if (found.empty()) found = not_finite_at_start(at);
  if (found.empty()) found = check_index();
  if (found.empty()) {
    InitialState solved = state;
    if (find_z(solved)) {
      at = values(solved);
      found = check_index();
    } else {
      found.push_back({"no z near the initial " + named_z(state.z) + " satisfies the hidden constraint",
                       {},
                       "start from other values of z, or with other values of y"});
    }
    if (found.empty()) {
      const VectorXd rates = solve_scaled(at.hidden_z, -(at.hidden_t + at.hidden_y * at.f));
      result.multipliers = solved.z;
      result.rates.assign(at.f.begin(), at.f.end());
      result.multiplier_rates.assign(rates.begin(), rates.end());
    }
  }
  problems.insert(problems.end(), found.begin(), found.end());
  return result;
}

void IndexTwoEvaluator::require_consistent(const InitialState& state) const {
  std::vector<Problem> problems;
  const ContinuousState solution = evaluate(state, problems);
  const Values at = values(state);
  const VectorXd g_rounding = rounding_of_g(at, state), hidden_rounding = rounding_of_hidden(at, state);
  const auto is_violated = [](double value, double rounding) {
    return std::isfinite(value) && std::abs(value) > rounding;
  };
  bool is_on_g = true;
  for (Index i = 0; i < at.g.size(); ++i) {
    if (!is_violated(at.g[i], g_rounding[i])) continue;
    is_on_g = false;
    problems.push_back(
        {"constraint '" + text_of(i) + "' is violated by " + to_short_text(std::abs(at.g[i])) + " at the initial state",
         {},
         "give consistent y, or use --project to take the nearest"});
  }
  constexpr std::size_t most_shown = 4;
  const bool is_known = is_on_g && !solution.multipliers.empty() && state.z.size() <= most_shown;
  for (Index i = 0; i < at.hidden.size(); ++i) {
    if (!is_violated(at.hidden[i], hidden_rounding[i])) continue;
    problems.push_back({"the hidden constraint g_t + g_y f = 0 of '" + text_of(i) + "' is violated by " +
                            to_short_text(std::abs(at.hidden[i])) + " at the initial state",
                        {},
                        is_known ? "give " + named_z(solution.multipliers) +
                                       " (which --project finds from here), or the value of another branch"
                                 : "give consistent z, or use --project to find one from here"});
  }
  refuse(std::move(problems));
}

InitialState IndexTwoEvaluator::project(const InitialState& state) const {
  require_shape(state);
  refuse(not_finite(state));
  const auto moved = [&](const VectorXd& y) {
    InitialState there = state;
    there.q.assign(y.begin(), y.end());
    return there;
  };
  const auto n = static_cast<Index>(state.q.size());
  NearestProblem nearest;
  nearest.metric = MatrixXd::Identity(n, n);
  nearest.values = [&](const VectorXd& y) -> NearestProblem::Values {
    const InitialState there = moved(y);
    const Values at = values(there);
    return {at.g, at.g_y, rounding_of_g(at, there)};
  };
  if (!curvature_entries_.empty()) {
    nearest.curvature = [&](const VectorXd& y, const VectorXd& multipliers) {
      return curvature(moved(y), multipliers);
    };
  }
  const auto y = nearest_point(nearest, as_vector(state.q));
  if (!y) {
    throw InputError("no y that satisfies the constraints was found near the given one",
                     "start closer to the constraints, or check that they can be satisfied at this time");
  }
  InitialState result = moved(*y);
  std::vector<Problem> problems;
  const ContinuousState solution = evaluate(result, problems);
  refuse(std::move(problems));
  result.z = solution.multipliers;
  return result;
}

}  // namespace

std::shared_ptr<const ContinuousEvaluator> index_two_evaluator(const System& system, std::vector<double> parameters) {
  return std::make_shared<IndexTwoEvaluator>(system, std::move(parameters));
}

}  // namespace noslip
