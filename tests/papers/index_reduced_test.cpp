// Equations with reduced index, and the solvers for them, against what is known of the disk and the sleigh.
#include <cmath>

#include <gtest/gtest.h>

#include <noslip/catalogue/catalogue.hpp>

#include "papers/adaptive.hpp"

namespace noslip::papers {
namespace {

const std::map<std::string, double> light = {{"g", 9.8}, {"m", 0.001}, {"a", 0.04}, {"J", 0.01}};

IndexReduced disk() { return {catalogue_system("rolling-disk"), {}}; }

/// q, v and lambda of the disk of Hilden 2009, sec. 2.3.1, at a time.
std::vector<double> disk_at(double t) {
  constexpr double R = 0.25, omega = 2, Omega = 1;
  const double c = std::cos(omega * t), s = std::sin(omega * t);
  return {R / omega * s, R / omega * (1 - c), omega * t,    Omega * t, R * c, R * s, omega,
          Omega,         -R * omega * s,      R * omega * c};
}

TEST(IndexReduced, RatesOfTheDiskAreThoseOfHilden2009) {
  IndexReduced problem = disk();
  for (const double t : {0.0, 0.3, 1.7}) {
    const std::vector<double> y = disk_at(t);
    std::vector<double> rate(10), residual(10);
    problem.rates(t, y, rate);
    const double c = std::cos(2 * t), s = std::sin(2 * t);
    const double expected[] = {0.25 * c, 0.25 * s, 2, 1, -0.5 * s, 0.5 * c, 0, 0, -c, -s};  // (2.12)
    for (int i = 0; i < 10; ++i) EXPECT_NEAR(rate[i], expected[i], 1e-14) << i;
    problem.residual(t, y, rate, residual);
    for (const double r : residual) EXPECT_NEAR(r, 0, 1e-14);
    for (const double k : problem.constraints(t, y)) EXPECT_NEAR(k, 0, 1e-15);
    EXPECT_NEAR(problem.energy(t, y), 2.53125, 1e-14);
  }
}

TEST(IndexReduced, StartHasTheMultipliersOfTheContinuousProblem) {
  const System system = catalogue_system("rolling-disk");
  const std::vector<double> y = disk().start(system.initial_state(system.parameter_values()));
  ASSERT_EQ(y.size(), 10U);
  EXPECT_NEAR(y[8], 0, 1e-15);
  EXPECT_NEAR(y[9], 0.5, 1e-15);
}

TEST(IndexReduced, NewtonMatrixIsTheDerivativeOfTheResidual) {
  IndexReduced problem(catalogue_system("sleigh"), light);
  const std::size_t n = static_cast<std::size_t>(problem.size());
  ASSERT_EQ(n, 7U);
  std::vector<double> y = {1, 0.2, 0.4, 0.7, -0.3, 1.1, 0.02}, rate = {0.5, 0.1, -0.2, 0.3, 0.9, -0.4, 0.6};
  std::vector<double> matrix(n * n), plus(n), minus(n);
  constexpr double c = 3, t = 0.5, h = 1e-6;
  problem.newton_matrix(t, y, rate, c, matrix);
  for (std::size_t j = 0; j < n; ++j) {
    const auto moved = [&](double by, std::vector<double>& r) {
      std::vector<double> y1 = y, rate1 = rate;
      y1[j] += by;
      rate1[j] += c * by;
      problem.residual(t, y1, rate1, r);
    };
    moved(h, plus);
    moved(-h, minus);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(matrix[j * n + i], (plus[i] - minus[i]) / (2 * h), 1e-8);
  }
}

using SolverFunction = AdaptiveResult (*)(IndexReduced&, std::vector<double>, const AdaptiveOptions&,
                                          const AdaptiveSink&);

/// Largest error of q and v along the way, and the largest residual of a constraint.
struct Errors {
  double state = 0, constraint = 0;
  double steps = 0;
};

Errors solve_disk(SolverFunction solver, double tolerance) {
  IndexReduced problem = disk();
  Errors errors;
  const AdaptiveResult result =
      solver(problem, disk_at(0), {tolerance, tolerance * 1e-3, 0, 10}, [&](double t, std::span<const double> y) {
        const std::vector<double> exact = disk_at(t);
        for (std::size_t i = 0; i < 8; ++i) errors.state = std::max(errors.state, std::fabs(y[i] - exact[i]));
        for (const double k : problem.constraints(t, y)) errors.constraint = std::max(errors.constraint, std::fabs(k));
      });
  EXPECT_EQ(result.problem, "");
  errors.steps = static_cast<double>(result.steps);
  return errors;
}

TEST(Solvers, FollowTheDiskAsTheirTolerancesSay) {
  for (const SolverFunction solver : {dormand_prince, backward_differences, second_backward_differences}) {
    const Errors coarse = solve_disk(solver, 1e-5), fine = solve_disk(solver, 1e-8);
    EXPECT_LT(coarse.state, 2e-2);
    EXPECT_LT(fine.state, coarse.state / 20);
    EXPECT_LT(fine.state, 2e-4);
    EXPECT_GT(fine.steps, coarse.steps);
    // Nothing holds them on the constraint.
    EXPECT_GT(fine.constraint, 1e-13);
  }
}

TEST(Solvers, OrderOfThePair) {
  // The error of a solution goes with the tolerance as steps^-5.
  const Errors coarse = solve_disk(dormand_prince, 1e-6), fine = solve_disk(dormand_prince, 1e-10);
  const double order = std::log(coarse.state / fine.state) / std::log(fine.steps / coarse.steps);
  EXPECT_NEAR(order, 5, 0.8);
}

TEST(Solvers, EndExactlyAtTheEnd) {
  for (const SolverFunction solver : {dormand_prince, backward_differences, second_backward_differences}) {
    IndexReduced problem = disk();
    double last = -1;
    solver(problem, disk_at(0), {1e-4, 1e-7, 0, 0.7}, [&](double t, std::span<const double>) {
      EXPECT_GT(t, last);
      last = t;
    });
    EXPECT_DOUBLE_EQ(last, 0.7);
  }
}

}  // namespace
}  // namespace noslip::papers
