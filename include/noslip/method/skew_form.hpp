// Equations in skew-gradient form, x' = Pi(x) grad H(x) with Pi skew-symmetric: what energy-preserving methods start
// from. A system of this kind is one as it stands; a mechanical system with constraints linear in the velocities
// becomes one in adapted coordinates x = (q, rho) (E. Celledoni, M. Farre Puiggali, E. H. Hoiseth, D. Martin de Diego,
// Energy-preserving integrators applied to nonholonomic systems (2019), sec. 2.2 and 3.3):
//
//   v = X(q) y,   rho = X^T p,   p = L_v(q, v),   H(q, rho) = rho . y - L(q, X y)                                (16)
//   q'     = X H_rho
//   rho_a' = -X_a . H_q + p . (DX_a[X_b] - DX_b[X_a]) (H_rho)_b                                             (8), (17)
//   H_q = -L_q - grad_q(p . X y),   H_rho = y                                                                    (18)
//
// where X_1, X_2, ... span the velocities that the constraints allow: the basis of the system file, or the last columns
// of Q in a QR factorisation of K(q)^T. With the sum of the second and third line written out,
//
//   rho_a' = X_a . L_q + p . DX_a[v]
//
// The quasi-velocities y solve (X^T M X) y = rho - X^T L_v(q, 0). Few of them are written out. Many stay symbols with
// these equations, which a step solves along with its own: the solution as an expression grows with the third power of
// their number, and its derivatives with the fifth.
#pragma once

#include <string>
#include <vector>

#include <noslip/method/recipe.hpp>

namespace noslip {

enum class Coordinates {
  adapted,   ///< (q, rho): constraints hold by the choice of coordinates
  canonical  ///< (q, p): constraints stay, with their reactions; X is the identity
};
enum class BasisDerivatives { exact, differences };

/// Templates: expressions of the recipe's graph in symbols of their own, to be put at the points of a step.
struct SkewForm {
  std::vector<Expr> x;          ///< symbols: a point
  std::vector<Expr> direction;  ///< symbols: a vector
  /// H(x). With quasi-velocities that are symbols it contains those at two points, y and y_end, and its difference
  /// between these points, both y being the same at its ends, is that of H.
  Expr energy;
  std::vector<Expr> gradient;   ///< grad H(x)
  std::vector<Expr> rates;      ///< Pi(x) grad H(x)
  std::vector<Expr> product;    ///< Pi(x) direction
  /// Pi(x) (grad H(x) + e) in two steps: `shift` is what a correction e, in the place of `direction`, adds to the
  /// gradient where p . X y is not differentiated any more; `flow` is the product, with the shift in the place of
  /// `direction` and its own first part, the velocity that results, in the place of `velocity`.
  std::vector<Expr> shift, flow;

  /// The first of x are positions, so many; what is left are momenta. Zero where there is no such difference.
  std::size_t positions = 0;
  std::vector<Expr> y, y_end;                ///< symbols: quasi-velocities that are not written out; otherwise empty
  std::vector<Expr> y_equations;             ///< vanish where y belongs to x
  std::vector<Expr> velocities;              ///< v(x), one per position
  std::vector<Expr> quasi_velocities;        ///< y with X y = `velocity`
  /// What is stored as the low parts of v where `direction` has to be kept of the momenta: its velocities, or, with y as
  /// symbols, the components themselves.
  std::vector<Expr> kept;
  std::vector<Expr> velocity, momenta;       ///< symbols: v; X^T L_v(q, v)
  bool has_scalar_mass = false;              ///< momenta are velocities times a number
  std::vector<Expr> force, forced;           ///< symbols: a force f on q; X^T f, its effect on the momenta
  std::vector<std::vector<Expr>> reactions;  ///< rows of K(q) where constraints stay; empty otherwise

  std::vector<Definition> before;  ///< signs of the basis and momenta at the start of a step
  bool has_signs = false;          ///< among them
  std::vector<Expr> start;         ///< x at the start of a step, in the state and what `before` names
  std::vector<Expr> start_y;       ///< y there, empty where it is written out
  std::vector<Expr> start_low;     ///< what rounding has kept from the momenta so far, one per momentum

  /// Expressions without what `before` names, in the state alone.
  std::vector<Expr> in_state(Graph& graph, const std::vector<Expr>& expressions) const;
  /// x' at the start of a step in the state alone, for first guesses.
  std::vector<Expr> rates_at_start(Graph& graph) const;
};

/// So many quasi-velocities are written out. The results are the same either way; this is where the step takes as long.
inline constexpr std::size_t most_written_out = 4;
/// The same in canonical coordinates, where y off the constraints is harder to guess and there are more of them.
inline constexpr std::size_t most_canonical_written_out = 8;

/// Why a system has no such form; empty where it has one.
std::string why_no_skew_form(const System& system);

SkewForm skew_form(const System& system, StepRecipe& recipe, Coordinates coordinates = Coordinates::adapted,
                   BasisDerivatives derivatives = BasisDerivatives::exact,
                   std::size_t most_quasi_velocities = most_written_out);

/// The templates at one point of a step.
class SkewPoint {
 public:
  /// `y` are its quasi-velocities where the form has them as symbols.
  SkewPoint(const SkewForm& form, Graph& graph, std::vector<Expr> x, std::vector<Expr> y = {});

  const std::vector<Expr>& x() const { return x_; }
  Expr gradient(std::size_t i) { return put_(form_.gradient[i]); }
  std::vector<Expr> put(const std::vector<Expr>& functions) { return put_(functions); }  ///< any functions of form.x
  std::vector<Expr> rates() { return put_(form_.rates); }
  std::vector<Expr> velocities() { return put_(form_.velocities); }
  std::vector<Expr> y_equations() { return put_(form_.y_equations); }
  std::vector<Expr> quasi_velocities(const std::vector<Expr>& velocities);  ///< does not need those of x
  std::vector<Expr> kept(const std::vector<Expr>& momenta);
  std::vector<Expr> momenta(const std::vector<Expr>& velocities);  ///< does not need those of x
  std::vector<Expr> product(const std::vector<Expr>& direction);
  std::vector<Expr> shift(const std::vector<Expr>& correction);
  std::vector<Expr> flow(const std::vector<Expr>& shift, const std::vector<Expr>& velocity);
  std::vector<Expr> forced(const std::vector<Expr>& force);
  std::vector<std::vector<Expr>> reactions();

 private:
  std::vector<Expr> with(const std::vector<Expr>& symbols, const std::vector<Expr>& values,
                         const std::vector<Expr>& expressions);

  const SkewForm& form_;
  Graph& graph_;
  std::vector<Expr> x_, y_;
  Substitution put_;
};

}  // namespace noslip
