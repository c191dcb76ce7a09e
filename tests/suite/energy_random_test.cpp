// Energy-preserving methods on systems that nobody has chosen: masses that depend on q, gyroscopic terms, potentials of
// polynomials, sines and exponentials, and one to three constraints.
#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

#include "suite/energy_cases.hpp"
#include "suite/random_text.hpp"
#include "support/slope.hpp"

namespace noslip {
namespace {

using testing::EnergyCase;
using testing::options;

class RandomSystem : private testing::RandomText {
 public:
  using RandomText::RandomText;

  EnergyCase make(int n, int m) {
    set_coordinates(n);
    std::ostringstream coordinates, lagrangian, constraints;
    for (int i = 0; i < n; ++i) {
      const std::string x = name(i);
      coordinates << (i == 0 ? "'" : ", '") << x << "'";
      // Diagonally dominant, so that the mass matrix is positive definite.
      lagrangian << (i == 0 ? "(" : " + (") << number(1, 2) << " + 0.3*" << wave() << ")*" << x << "'^2/2";
      if (i > 0) lagrangian << " + 0.2*" << wave() << "*" << name(i - 1) << "'*" << x << "'";
      lagrangian << " + " << number(-0.5, 0.5) << "*" << any() << "*" << x << "'";
      lagrangian << " - " << x << "^2/2 - " << number(0.1, 0.3) << "*" << x << "^4";
    }
    lagrangian << " - " << number(-1, 1) << "*" << wave() << " - " << number(0.1, 0.3) << "*exp(" << number(0.3, 0.6)
               << "*" << q() << ") - " << number(-0.2, 0.2) << "*" << q() << "*" << q() << "*" << q();
    // Velocities of m coordinates, the first or the last, by the others.
    const bool first = below(2) == 0;
    for (int r = 0; r < m; ++r) {
      constraints << (r == 0 ? "\"" : ", \"") << name(first ? r : n - 1 - r) << "' = ";
      for (int j = 0; j < n - m; ++j) {
        constraints << (j == 0 ? "" : " + ") << any() << "*" << name(first ? m + j : j) << "'";
      }
      constraints << "\"";
    }
    text_ = "coordinates = [" + coordinates.str() + "]\nlagrangian = \"" + lagrangian.str() + "\"\nconstraints = [" +
            constraints.str() + "]\n";
    EnergyCase result{"random", System::parse(text_), {}};
    for (int i = 0; i < n; ++i) {
      result.start.q.push_back(value(-1, 1));
      result.start.v.push_back(value(-1, 1));
    }
    return result;
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

struct Shape {
  int coordinates, constraints;
};

class RandomSystems : public ::testing::TestWithParam<Shape> {};

TEST_P(RandomSystems, KeepEnergyAndConstraints) {
  for (unsigned seed = 1; seed <= 2; ++seed) {
    RandomSystem random(seed);
    const EnergyCase each = random.make(GetParam().coordinates, GetParam().constraints);
    for (const std::string method : {"gonzalez", "avf", "itoh-abe", "energy:2", "gonzalez-full"}) {
      RunOptions o = options(method, 0.05, 400);
      o.project = true;
      const Trajectory end = testing::run(each, o);
      ASSERT_EQ(end.outcome.status, Status::done) << method << ": " << end.outcome.message << "\n" << random.text();
      EXPECT_LT(end.energy.max_abs_error, 1e-14 * std::max(1.0, std::fabs(end.energy.initial))) << method << "\n"
                                                                                                << random.text();
      if (method == "gonzalez-full") continue;
      EXPECT_LT(end.constraints.max_abs, 2e-15) << method << "\n" << random.text();
    }
  }
}

TEST_P(RandomSystems, HaveTheOrdersOfTheMethods) {
  constexpr double end = 0.5;
  RandomSystem random(11);
  const EnergyCase each = random.make(GetParam().coordinates, GetParam().constraints);
  const auto run = [&](const std::string& method, long long steps, Precision precision) {
    RunOptions o = options(method, end / static_cast<double>(steps), steps);
    o.project = true;
    o.precision = precision;
    return testing::run(each, o).last_quad;
  };
  const QuadState exact = run("gauss:6", 40, Precision::quadruple);
  for (const auto& [method, order] : {std::pair{"gonzalez", 2}, {"energy:2", 4}}) {
    testing::Slope slope(1e-16);
    for (long long steps = 8; steps <= 512 && !slope.is_settled(); steps *= 2) {
      const QuadState here = run(method, steps, Precision::long_double);
      double error = 0;
      for (std::size_t i = 0; i < here.q.size(); ++i) {
        error = std::max(error, std::fabs(static_cast<double>(here.q[i] - exact.q[i])));
        error = std::max(error, std::fabs(static_cast<double>(here.v[i] - exact.v[i])));
      }
      slope.add(error);
    }
    EXPECT_NEAR(slope.value(), order, 0.15) << method << "\n" << random.text();
  }
}

INSTANTIATE_TEST_SUITE_P(All, RandomSystems,
                         ::testing::Values(Shape{3, 1}, Shape{3, 2}, Shape{4, 1}, Shape{4, 2}, Shape{4, 3}),
                         [](const auto& instance) {
                           return std::to_string(instance.param.coordinates) + "_coordinates_" +
                                  std::to_string(instance.param.constraints) + "_constraints";
                         });

}  // namespace
}  // namespace noslip
