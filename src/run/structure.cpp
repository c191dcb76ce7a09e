// Symmetry and symplecticity are measured in quadruple precision, where differences of two steps show derivatives to
// twenty digits; the variational principle through DiscreteLagrangian.
#include <noslip/run/structure.hpp>

#include <algorithm>
#include <cmath>
#include <span>

#include <Eigen/QR>
#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/expr/derivative.hpp>
#include <noslip/run/discrete_lagrangian.hpp>

#include "run/body_frame.hpp"
#include "run/setup.hpp"
#include "run/state_functions.hpp"

namespace noslip {

namespace {

using QuadNumbers = std::vector<quad>;
using Eigen::MatrixXd;

constexpr int steps_of_run = 10;

quad largest(const QuadNumbers& values) {
  quad most = 0;
  for (const quad x : values) most = std::max(most, size_of(x));
  return most;
}

QuadNumbers at(const StateFunctions<quad>& functions, quad t, const QuadNumbers& state) {
  const std::span<const quad> values = functions(t, state);
  return {values.begin(), values.end()};
}

class Measurement {
 public:
  Measurement(const System& system, const InitialState& initial, const RunOptions& options)
      : system_(system), options_(options), setup_(system, &initial, options, 1, 0), h_(options.step) {}

  StructureReport run() {
    const MethodTraits& traits = setup_.program->method->traits();
    StructureReport report;
    report.method = traits.name;
    report.step = static_cast<double>(options_.step);
    const bool is_free = system_.offers().lagrangian && system_.constraints().empty() &&
                         !system_.structure().has_forces && system_.nonideal().empty() && system_.states().empty();
    // Initial data are on the constraints to double precision, what a step leads to is so to quadruple precision.
    t_ = setup_.start.t + h_;
    if (!step(setup_.start.t, setup_.start.state, h_, start_) || !measure_symmetry(report)) return failed(report);
    if (is_free && !measure_symplecticity(report)) return failed(report);
    if (has_discrete_lagrangian(system_, *setup_.program->method)) report.variational = Defect{variational(), true};
    return report;
  }

 private:
  bool step(quad t, const QuadNumbers& state, quad h, QuadNumbers& next) {
    LaneStepper<quad>& stepper = *setup_.stepper;
    stepper.set_state(0, state);
    if (!stepper.step(t, h)) return false;
    next.resize(state.size());
    stepper.copy_state(0, next);
    return true;
  }

  StructureReport failed(const StructureReport& so_far) const {
    StructureReport report;
    report.method = so_far.method;
    report.step = so_far.step;
    report.outcome = {Status::failed, fmt::format("Newton did not converge with step {}; try a smaller step",
                                                  to_short_text(report.step))};
    return report;
  }

  bool measure_symmetry(StructureReport& report) {
    QuadNumbers there, back, difference;
    if (!step(t_, start_, h_, there) || !step(t_ + h_, there, -h_, back)) return false;
    // Multipliers that only tell where the next search begins are no part of the map.
    const std::size_t compared =
        system_.offers().multiplier_variables ? system_.q().size() + system_.v().size() : start_.size();
    for (std::size_t i = 0; i < compared; ++i) difference.push_back(back[i] - start_[i]);
    const quad defect = largest(difference) / std::max(quad(1), largest(start_));
    report.symmetry = {static_cast<double>(defect), setup_.program->method->traits().is_symmetric_on(system_)};
    return true;
  }

  /// Directions in the velocities of positions and in v along which position constraints and their derivatives stay as
  /// they are.
  MatrixXd tangents() const {
    Graph graph(system_.graph());
    const std::vector<Expr> q = graph.counterparts(system_.q()), v = graph.counterparts(system_.v());
    std::vector<Expr> conditions, variables = q;
    for (const HolonomicConstraint& constraint : system_.holonomic()) {
      conditions.push_back(graph.counterpart(constraint.g));
    }
    for (const Constraint& constraint : system_.velocity_level()) conditions.push_back(graph.counterpart(constraint.k));
    variables.insert(variables.end(), v.begin(), v.end());
    const auto positions = static_cast<Eigen::Index>(system_.q().size());
    const auto n = static_cast<Eigen::Index>(system_.dimension()), size = 2 * n;
    if (conditions.empty()) return MatrixXd::Identity(size, size);
    std::vector<Expr> entries;
    const std::vector<Entry> pattern = jacobian(conditions, variables);
    for (const Entry& entry : pattern) entries.push_back(entry.value);
    for (const std::vector<Expr>& row : system_.group().frame(q)) {
      entries.insert(entries.end(), row.begin(), row.end());
    }
    const StateFunctions<quad> evaluate(system_, entries, setup_.start.parameters);
    const std::span<const quad> values = evaluate(t_, start_);
    MatrixXd frame = MatrixXd::Zero(positions + n, size);  // (q', v') from the velocities and v'
    frame.bottomRightCorner(n, n).setIdentity();
    for (Eigen::Index i = 0; i < positions * n; ++i) {
      frame(i / n, i % n) = static_cast<double>(values[pattern.size() + static_cast<std::size_t>(i)]);
    }
    MatrixXd rows = MatrixXd::Zero(static_cast<Eigen::Index>(conditions.size()), positions + n);
    for (std::size_t e = 0; e < pattern.size(); ++e)
      rows(pattern[e].row, pattern[e].column) = static_cast<double>(values[e]);
    const MatrixXd along = rows * frame;
    const MatrixXd basis = along.transpose().householderQr().householderQ() * MatrixXd::Identity(size, size);
    return basis.rightCols(size - along.rows());
  }

  /// How positions and momenta before and after a step change along a direction, by central differences.
  struct Change {
    BodyFrame::Tangent before, after;
  };

  bool change_along(const BodyFrame& body, const StateFunctions<quad>& momenta, const Eigen::VectorXd& direction,
                    Change& change) {
    const quad reach = quad(1e-10);
    const auto positions = static_cast<std::ptrdiff_t>(system_.q().size());
    const std::size_t n = system_.v().size();
    const QuadNumbers g(start_.begin(), start_.begin() + positions);
    QuadNumbers q[2][2], p[2][2];  // [before, after][side]
    for (const int side : {0, 1}) {
      QuadNumbers state = start_, xi, next;
      for (std::size_t i = 0; i < 2 * n; ++i) {
        const quad shift = (side == 0 ? -reach : reach) * quad(direction[static_cast<Eigen::Index>(i)]);
        if (i < n) {
          xi.push_back(shift);
        } else {
          state[static_cast<std::size_t>(positions) + i - n] += shift;
        }
      }
      const QuadNumbers moved = body.moved(g, xi);
      std::copy(moved.begin(), moved.end(), state.begin());
      if (!step(t_, state, h_, next)) return false;
      q[0][side] = moved;
      q[1][side] = {next.begin(), next.begin() + positions};
      p[0][side] = at(momenta, t_, state);
      p[1][side] = at(momenta, t_ + h_, next);
    }
    int at = 0;
    for (BodyFrame::Tangent* tangent : {&change.before, &change.after}) {
      tangent->xi = body.between(q[at][0], q[at][1]);
      for (quad& component : tangent->xi) component /= 2 * reach;
      for (std::size_t i = 0; i < n; ++i) tangent->change.push_back((p[at][1][i] - p[at][0][i]) / (2 * reach));
      ++at;
    }
    return true;
  }

  bool measure_symplecticity(StructureReport& report) {
    const StateFunctions<quad> momenta(system_, system_.momenta(), setup_.start.parameters);
    const BodyFrame body(system_.group());
    const MatrixXd directions = tangents();
    std::vector<Change> changes(static_cast<std::size_t>(directions.cols()));
    for (Eigen::Index i = 0; i < directions.cols(); ++i) {
      if (!change_along(body, momenta, directions.col(i), changes[static_cast<std::size_t>(i)])) return false;
    }
    QuadNumbers next;
    if (!step(t_, start_, h_, next)) return false;
    const QuadNumbers p0 = at(momenta, t_, start_), p1 = at(momenta, t_ + h_, next);
    quad defect = 0, scale = 0;
    for (std::size_t a = 0; a < changes.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const quad before = body.form(p0, changes[a].before, changes[b].before);
        const quad after = body.form(p1, changes[a].after, changes[b].after);
        defect = std::max(defect, size_of(after - before));
        scale = std::max(scale, size_of(before));
      }
    }
    report.symplecticity =
        Defect{static_cast<double>(scale > 0 ? defect / scale : defect), setup_.program->method->traits().symplectic};
    return true;
  }

  double variational() const {
    std::vector<double> parameters(setup_.start.parameters.begin(), setup_.start.parameters.end());
    const DiscreteLagrangian discrete(system_, options_.method, parameters);
    const auto n = static_cast<std::ptrdiff_t>(system_.dimension());
    const auto first = start_.begin();
    const std::vector<double> q0(first, first + n), v0(first + n, first + 2 * n);
    const double h = static_cast<double>(options_.step);
    double t = static_cast<double>(t_), defect = 0;
    DiscreteStep before = discrete.step(t, q0, v0, h);
    for (int i = 1; i < steps_of_run; ++i) {
      t += h;
      const DiscreteStep after = discrete.step(t, before.q1, before.v1, h);
      for (std::size_t k = 0; k < q0.size(); ++k) {
        const double sum = before.gradient1[k] + after.gradient0[k] + before.force_plus[k] + after.force_minus[k];
        defect = std::max(defect, std::fabs(sum) / std::max(1.0, std::fabs(before.p1[k])));
      }
      before = after;
    }
    return defect;
  }

  const System& system_;
  const RunOptions& options_;
  RunSetup<quad> setup_;
  quad h_, t_ = 0;
  QuadNumbers start_;
};

}  // namespace

bool StructureReport::holds(double tolerance_quad, double tolerance_double) const {
  const auto vanishes = [](const Defect& defect, double tolerance) {
    return !defect.is_claimed || defect.value <= tolerance;  // a NaN is no small defect
  };
  return outcome.status == Status::done && vanishes(symmetry, tolerance_quad) &&
         vanishes(symplecticity.value_or(Defect{}), tolerance_quad) &&
         vanishes(variational.value_or(Defect{}), tolerance_double);
}

StructureReport measure_structure(const System& system, const InitialState& initial, const RunOptions& options) {
  const DefaultArithmetic arithmetic;
  RunOptions checked = options;
  checked.steps = 1;
  checked.check();
  return Measurement(system, initial, checked).run();
}

}  // namespace noslip
