// A Lagrangian and a Hamiltonian of the same system, compared at random states.
#pragma once

#include <random>

#include <fmt/format.h>

#include "model/help.hpp"

namespace noslip::test {

inline std::string quoted_list(const std::vector<std::string>& texts) {
  std::string result = "[";
  for (const std::string& text : texts) result += (result.size() > 1 ? ", " : "") + ("\"" + text + "\"");
  return result + "]";
}

struct Pair {
  System lagrange, hamilton;

  Pair(const std::string& lagrangian, const std::string& hamiltonian, const std::string& coordinates,
       const std::string& rest, const std::vector<std::string>& constraints,
       const std::vector<std::string>& constraints_in_momenta)
      : lagrange(System::parse(fmt::format("coordinates = {}\nlagrangian = \"{}\"\nconstraints = {}\n{}", coordinates,
                                           lagrangian, quoted_list(constraints), rest))),
        hamilton(System::parse(fmt::format("coordinates = {}\nhamiltonian = \"{}\"\nconstraints = {}\n{}", coordinates,
                                           hamiltonian, quoted_list(constraints_in_momenta), rest))) {}

  /// Accelerations, multipliers, energy, constraints and derivatives at random states, on the constraints or not.
  void expect_equal(int count, double tolerance = 1e-13) const {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1, 1);
    const std::vector<double> parameters = lagrange.parameter_values();
    const Continuous first(lagrange, parameters), second(hamilton, parameters);
    for (int trial = 0; trial < count; ++trial) {
      std::map<std::string, double> values{{"t", number(random)}};
      for (const Expr q : lagrange.q()) values[q.name()] = number(random);
      for (const Expr v : lagrange.v()) values[v.name()] = 0.5 * number(random);
      const InitialState state = lagrange.with_initial(lagrange.initial_state(parameters), values);
      const InitialState same = hamilton.with_initial(hamilton.initial_state(parameters), values, parameters);
      EXPECT_EQ(state.v, same.v);
      std::vector<Problem> problems;
      const ContinuousState a = first.evaluate(state, problems), b = second.evaluate(same, problems);
      for (const Problem& problem : problems) FAIL() << to_text(problem);
      expect_near(a.accelerations, b.accelerations, tolerance);
      expect_near(a.multipliers, b.multipliers, tolerance);
      expect_near(a.constraints, b.constraints, tolerance);
      EXPECT_NEAR(a.energy, b.energy, tolerance * (1 + std::abs(a.energy)));
    }
  }

  static void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    double scale = 1;
    for (const double x : a) scale = std::max(scale, std::abs(x));
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * scale) << i;
  }
};

inline const char* const relativistic_lagrangian = "-m*c^2*sqrt(1 - (x'^2 + y'^2 + z'^2)/c^2) - x^2*y - z*t";
inline const char* const relativistic_hamiltonian = "sqrt(m^2*c^4 + c^2*(p(x)^2 + p(y)^2 + p(z)^2)) + x^2*y + z*t";
inline const char* const relativistic_rest = "[parameters]\nm = 0.8\nc = 1.5\n[forces]\ny = \"-x'\"";

inline std::string relativistic_text(const std::string& initial = "") {
  return fmt::format(
      "coordinates = ['x', 'y', 'z']\nhamiltonian = \"{}\"\nconstraints = [\"z' = y*x'\"]\n{}\n[initial]\n{}",
      relativistic_hamiltonian, relativistic_rest, initial);
}

/// A dense metric of six coordinates that depends on q; L is quadratic in v with exact inverses by hand: M = S (1 + u
/// u^T) with the scale S = 1 + s*a^2 and a constant vector u, so that M^-1 = (1 - u u^T/(1 + u.u))/S.
struct DenseSix {
  std::string names = "['a', 'b', 'c', 'd', 'g', 'f']";
  std::vector<std::string> letters = {"a", "b", "c", "d", "g", "f"};
  std::vector<int> u = {1, -2, 1, 3, -1, 2};  // u.u = 20

  std::string along(const std::string& left, const std::string& right) const {
    std::string sum = "0";
    for (std::size_t i = 0; i < u.size(); ++i) sum += fmt::format(" + {}*{}{}{}", u[i], left, letters[i], right);
    return "(" + sum + ")";
  }
  std::string squares(const std::string& left, const std::string& right) const {
    std::string sum = "0";
    for (const std::string& letter : letters) sum += fmt::format(" + {}{}{}^2", left, letter, right);
    return "(" + sum + ")";
  }
  std::string lagrangian() const {
    return fmt::format("(1 + s*a^2)/2*({} + {}^2) - cos(b)*c", squares("", "'"), along("", "'"));
  }
  std::string hamiltonian() const {
    return fmt::format("({} - {}^2/21)/(2*(1 + s*a^2)) + cos(b)*c", squares("p(", ")"), along("p(", ")"));
  }
  std::string momentum(std::size_t i) const {
    return fmt::format("(1 + s*a^2)*({}' + {}*{})", letters[i], u[i], along("", "'"));
  }
};

}  // namespace noslip::test
