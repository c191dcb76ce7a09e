// The derived equations of a system, written out as text or LaTeX.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <noslip/expr/shared.hpp>
#include <noslip/model/shown.hpp>

namespace noslip {

class Pen;

/// Writes expressions of a system. First it is told all of them (what it gives then is of no use), then `share` finds
/// the parts that get names, and from then on it writes.
class Writer {
 public:
  enum class Task { everything, outline };  ///< outline: nothing is written out

  Writer(const System& system, Task task);

  Graph& graph() { return *graph_; }  ///< a copy of the system's graph, for expressions that are made to be written
  bool writes_outline() const { return task_ == Task::outline; }
  std::string text(Expr expression);
  std::string latex(Expr expression);
  /// As it is written, with names for shared parts.
  Expr image(Expr expression) { return shared_ ? (*shared_)(graph_->counterpart(expression)) : expression; }
  Pen text_pen();
  Pen latex_pen();

  void share(std::size_t longest, std::span<const std::string> taken);
  const SharedParts* shared() const { return shared_ ? &*shared_ : nullptr; }

 private:
  std::optional<Expr> image_or_tell(Expr expression);  ///< empty while it is told

  Task task_;
  std::unique_ptr<Graph> graph_;
  std::vector<Expr> told_;
  std::vector<bool> is_told_;
  std::optional<SharedParts> shared_;
};

/// A notation, and who writes in it.
class Pen {
 public:
  Pen(Writer& writer, bool is_latex) : writer_(&writer), is_latex_(is_latex) {}

  bool is_latex() const { return is_latex_; }
  Writer& writer() const { return *writer_; }
  std::string write(Expr expression) const { return is_latex_ ? writer_->latex(expression) : writer_->text(expression); }

 private:
  Writer* writer_;
  bool is_latex_;
};

inline Pen Writer::text_pen() { return {*this, false}; }
inline Pen Writer::latex_pen() { return {*this, true}; }

std::vector<std::string> angles_of(const System& system);  ///< names
/// The coordinates of a mechanical system, where a matrix is one: "R (R11 ... R33)"
std::vector<std::string> position_names(const System& system);

/// L = ..., p = L_v, F = L_q + f, E = v . L_v - L
Equation lagrangian_equation(const System& system, Pen pen);
Equation hamiltonian_equation(const System& system, Pen pen);
std::vector<Equation> momentum_equations(const System& system, Pen pen);
std::vector<Equation> force_equations(const System& system, Pen pen);
Equation energy_equation(const System& system, Pen pen);
/// q' of the elements of groups, as functions of q and v
std::vector<Equation> position_equations(const System& system, Pen pen);
/// ad*_v p, by which momenta change in the frame of the body; none in a vector space, and only those that are not zero
std::vector<Equation> state_equations(const System& system, Pen pen);  ///< u' = ...
std::vector<Equation> turning_equations(const System& system, Pen pen);
/// d/dt p = f + r and g_t + g_y v = 0 of an odae system
std::vector<Equation> reaction_equations(const System& system, Pen pen);
std::vector<Equation> rate_constraint_equations(const System& system, Pen pen);
/// q' = H_p (on groups v = H_p; y' = v of an odae system) and p' = ad*_v p + F + K^T lambda + N where momenta are
/// implicit; empty otherwise
std::vector<Equation> velocity_equations(const System& system, Pen pen);
std::vector<Equation> momentum_rate_equations(const System& system, Pen pen);
/// k_i = 0, as derived (not as typed)
std::vector<Equation> constraint_equations(const System& system, Pen pen);
std::vector<Equation> holonomic_equations(const System& system, Pen pen);
/// X_a, the basis of the allowed velocities that the file gives, row by row; empty where it gives none
std::vector<Equation> basis_equations(const System& system, Pen pen);
/// M a = g + K^T lambda + N, row by row (on groups ad*_v p is part of g); nonideal reactions N are written with lambda
/// = -psi
std::vector<Equation> motion_equations(const System& system, Pen pen);
/// y' = f of a dae2 system, one per y; x' = Pi grad H of a skew-gradient system
std::vector<Equation> rate_equations(const System& system, Pen pen);
/// Pi = ... of a skew-gradient system: one row each as text, all in one as LaTeX, with \dot{x} = Pi grad H behind it
std::vector<Equation> matrix_equations(const System& system, Pen pen);
/// The contributions of one part of f to them; empty where the part is missing
std::vector<Equation> part_equations(const System& system, std::size_t part, Pen pen);
/// g_t + g_y f = 0 of a dae2 system, one per g
std::vector<Equation> hidden_equations(const System& system, Pen pen);
/// K a = gamma, row by row: the constraints differentiated once
std::vector<Equation> acceleration_constraints(const System& system, Pen pen);

}  // namespace noslip
