// Velocities and momenta of a system with a Hamiltonian as numbers: v = H_p(t, q, p) and back.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <noslip/exec/function.hpp>
#include <noslip/model/system.hpp>

namespace noslip {

/// In quadruple precision, so that what comes out is exact to a double. Immutable, and for many threads.
class LegendreMap {
 public:
  /// `hamiltonian` is a function of t, q, the symbols p(x), one per velocity, and the constants of a step.
  LegendreMap(Expr hamiltonian, Expr t, std::span<const Expr> q, std::span<const std::string> velocity_names,
              const std::vector<Parameter>& constants);

  struct Point {
    quad t;
    std::span<const quad> q, parameters;
  };
  std::vector<quad> velocities(const Point& point, std::span<const quad> p) const;
  /// H_pp, row by row.
  std::vector<quad> inverse_mass(const Point& point, std::span<const quad> p) const;
  /// By Newton's method, from `guess` where there is one. Nothing where none was found.
  std::optional<std::vector<quad>> momenta(const Point& point, std::span<const quad> v,
                                           std::span<const quad> guess = {}) const;

 private:
  Evaluation<quad> at(const Point& point, std::span<const quad> p) const {
    return map_({point.t, point.q, p, point.parameters});
  }
  std::optional<std::vector<quad>> newton(const Point& point, std::span<const quad> v, std::vector<quad> p) const;

  std::size_t n_;
  Function<quad> map_;  // of t; q; p; parameters: H_p; H_pp
};

/// "x' = 2 and y' = 0.5", or just "the velocities" where there are many.
std::string velocities_text(const std::vector<Expr>& symbols, std::span<const quad> v);

/// What to say where the Legendre transform cannot be solved for p.
Problem no_momenta(const std::vector<Expr>& symbols, std::span<const quad> v);

}  // namespace noslip
