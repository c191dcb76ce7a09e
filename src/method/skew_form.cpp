// Adapted coordinates of a mechanical system; and a skew-gradient system as it is.
#include <noslip/method/skew_form.hpp>

#include <algorithm>
#include <cassert>

#include <noslip/expr/derivative.hpp>

#include "method/closed_momenta.hpp"
#include "method/householder.hpp"
#include "method/vectors.hpp"

namespace noslip {

namespace {

bool contains(std::span<const Expr> expressions, const Expr& symbol) {
  const Vector used = symbols_of(expressions);
  return std::find(used.begin(), used.end(), symbol) != used.end();
}

/// The number mu of a mass matrix mu I, which may depend on q; unset for other matrices.
Expr scalar_mass(const SparseMatrix& mass) {
  for (std::size_t i = 0; i < mass.size(); ++i) {
    const SparseRow& row = mass[i];
    if (row.places().size() != 1 || row.places()[0] != i || row.values()[0] != mass[0][0]) return {};
  }
  return mass[0][0];
}

/// A^-1 b for a definite symmetric A, as A = L D L^T: pivots on the diagonal are safe.
Vector definite_solve(Graph& graph, ExprMatrix A, Vector b) {
  const std::size_t n = b.size();
  Vector inverse_pivots;
  for (std::size_t k = 0; k < n; ++k) {
    inverse_pivots.push_back(graph.alias(Number(1) / A[k][k]));
    for (std::size_t i = k + 1; i < n; ++i) {
      if (A[i][k].is_zero()) continue;
      const Expr factor = graph.alias(A[i][k] * inverse_pivots[k]);
      for (std::size_t j = k + 1; j <= i; ++j) A[i][j] = A[i][j] - factor * A[j][k];
      b[i] = b[i] - factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    Expr remainder = b[k];
    for (std::size_t i = k + 1; i < n; ++i) remainder = remainder - A[i][k] * b[i];
    b[k] = graph.alias(remainder * inverse_pivots[k]);
  }
  return b;
}

class MechanicalForm {
 public:
  MechanicalForm(const System& system, StepRecipe& recipe, Coordinates coordinates, BasisDerivatives derivatives,
                 std::size_t most_quasi_velocities)
      : system_(system), recipe_(recipe), graph_(*recipe.graph), n_(system.configuration().size()) {
    q_ = new_symbols(graph_, "point.q", n_);
    choose_basis(coordinates, derivatives);
    mass_ = mass_at_point();
    scalar_mass_ = is_reflected_ ? scalar_mass(mass_) : Expr{};
    is_written_out_ = has_scalar_mass() || basis_->size() <= most_quasi_velocities || has_constant_metric();
  }

  SkewForm make() {
    const Vector rho = new_symbols(graph_, "point.rho", basis_->size());
    const Vector dq = new_symbols(graph_, "direction.q", n_);
    const Vector drho = new_symbols(graph_, "direction.rho", basis_->size());
    const Vector at_rest = at(system_.momenta(), rest());
    const Vector kinetic_momenta = rho - basis_->project(at_rest);
    const Vector y = is_written_out_ ? solved(kinetic_momenta) : new_symbols(graph_, "point.y", basis_->size());
    const Vector v = alias(basis_->combine(y));
    AdaptedMomentum p{alias(at(system_.momenta(), v)), {}};
    form_.has_scalar_mass = has_scalar_mass();
    if (has_scalar_mass() && all_zero(at_rest)) p.rho = rho;
    Graph slopes(system_.graph());
    const Vector q = slopes.counterparts(system_.configuration());
    const Vector force = at(gradient(slopes.counterpart(system_.lagrangian()), q), v);

    form_.positions = n_;
    form_.x = joined(q_, rho);
    form_.direction = joined(dq, drho);
    form_.velocities = v;
    const Expr rest_energy = at({system_.energy()}, rest()).front();
    if (is_written_out_) {
      form_.kept = basis_->combine(solved(drho));
      form_.energy = dot(graph_, kinetic_momenta, y) / Number(2) + rest_energy;
    } else {
      // With A = X^T M X and rho = A y at both points, rho1.y1 - rho0.y0 = (y0 + y1).(rho1 - rho0) - y0.(A1 - A0) y1.
      form_.kept = is_reflected_ ? basis_->combine(drho) : joined(drho, zeros(graph_, n_ - drho.size()));
      form_.y = y;
      form_.y_end = new_symbols(graph_, "point.y_end", y.size());
      form_.y_equations = basis_->project(p.p) - rho;
      const Vector p_end = at(system_.momenta(), alias(basis_->combine(form_.y_end))) - at_rest;
      form_.energy =
          (dot(graph_, y + form_.y_end, kinetic_momenta) - dot(graph_, v, p_end)) / Number(2) + rest_energy;
    }

    form_.gradient = joined(-force - basis_->slopes(p, y), y);
    form_.rates = joined(v, basis_->project(force) + basis_->turning(p, v));

    const Vector moved = alias(basis_->combine(drho)), pull = -dq - basis_->slopes(p, drho);
    form_.product = joined(moved, basis_->project(pull) + basis_->turning(p, moved));

    form_.velocity = new_symbols(graph_, "point.v", n_);
    form_.quasi_velocities = is_reflected_ ? basis_->project(form_.velocity) : in_columns(form_.velocity);
    form_.shift = joined(dq + basis_->slopes(p, drho), drho);
    form_.flow = joined(basis_->combine(y + drho), basis_->project(force - dq) + basis_->turning(p, form_.velocity));
    form_.momenta = basis_->project(at(system_.momenta(), form_.velocity));
    form_.force = new_symbols(graph_, "point.force", n_);
    form_.forced = basis_->project(form_.force);
    begin();
    return std::move(form_);
  }

 private:
  Vector rest() { return zeros(graph_, n_); }

  static bool all_zero(const Vector& values) {
    return std::all_of(values.begin(), values.end(), [](const Expr& value) { return value.is_zero(); });
  }

  /// Expressions of the system at the point's q and these velocities.
  Vector at(const Vector& expressions, const Vector& v) {
    Substitution put(graph_);
    replace(put, system_.q(), q_);
    replace(put, system_.v(), v);
    return put(expressions);
  }

  void choose_basis(Coordinates coordinates, BasisDerivatives derivatives) {
    ExprMatrix rows;
    for (const Constraint& constraint : system_.constraints()) rows.push_back(at(constraint.K.dense(), rest()));
    if (coordinates == Coordinates::canonical) {
      form_.reactions = rows;
      rows.clear();
    }
    if (coordinates == Coordinates::adapted && !system_.basis().empty()) {
      for (const Vector& column : system_.basis()) columns_.push_back(at(column, rest()));
      is_constant_ = !any_contains(columns_);
    } else {
      HouseholderBasis reflected = householder_basis(graph_, rows, q_);
      basis_ = std::move(reflected.basis);
      signs_ = std::move(reflected.signs);
      is_reflected_ = true;
      is_constant_ = !any_contains(rows);
    }
    if (basis_ && derivatives == BasisDerivatives::exact) return;
    if (basis_) {
      for (std::size_t a = 0; a < basis_->size(); ++a) columns_.push_back(column(a));
    }
    basis_ = derivatives == BasisDerivatives::exact ? matrix_basis(graph_, columns_, q_)
                                                    : differenced_basis(graph_, columns_, q_, recipe_.h);
  }

  Vector column(std::size_t a) {
    Vector unit = zeros(graph_, basis_->size());
    unit[a] = graph_.constant(1);
    return basis_->combine(unit);
  }

  /// Does an entry depend on the positions?
  bool any_contains(const Vectors& rows) const {
    return std::any_of(rows.begin(), rows.end(), [&](const Vector& row) { return any_contains(row); });
  }
  bool any_contains(const Vector& entries) const {
    if (entries.empty()) return false;
    const std::vector<bool> found = contain_any(entries, q_);
    return std::find(found.begin(), found.end(), true) != found.end();
  }

  bool has_scalar_mass() const { return scalar_mass_.graph != nullptr; }
  bool has_constant_metric() const { return is_constant_ && !any_contains(values_of(mass_)); }

  /// y with (X^T M X) y = X^T M v.
  Vector solved(const Vector& kinetic_momenta) {
    if (has_scalar_mass()) return kinetic_momenta / scalar_mass_;
    const std::size_t r = basis_->size();
    if (is_reflected_ && r == n_ && is_diagonal()) {
      Vector y;
      for (std::size_t i = 0; i < n_; ++i) {
        y.push_back(graph_.alias(kinetic_momenta[i] * graph_.alias(Number(1) / mass_[i][i])));
      }
      return y;
    }
    Vectors images, metric(r);
    for (std::size_t a = 0; a < r; ++a) {
      const Vector X = column(a);
      images.push_back(times(mass_, X));
      for (std::size_t b = 0; b <= a; ++b) metric[a].push_back(graph_.alias(dot(graph_, X, images[b])));
    }
    return definite_solve(graph_, std::move(metric), kinetic_momenta);
  }

  bool is_diagonal() const {
    for (std::size_t i = 0; i < n_; ++i) {
      if (mass_[i].places().size() != 1 || mass_[i].places()[0] != i) return false;
    }
    return true;
  }

  /// y with X y = v, X being given by its columns.
  Vector in_columns(const Vector& v) {
    Vectors products(columns_.size());
    for (std::size_t a = 0; a < columns_.size(); ++a) {
      for (std::size_t b = 0; b <= a; ++b) products[a].push_back(graph_.alias(dot(graph_, columns_[a], columns_[b])));
    }
    return definite_solve(graph_, std::move(products), columns_ * v);
  }

  SparseMatrix mass_at_point() {
    Substitution put(graph_);
    replace(put, system_.q(), q_);
    replace(put, system_.v(), rest());
    return copied(put, graph_, system_.mass());
  }

  /// Signs and momenta at the start of the step.
  void begin() {
    const std::size_t first = system_.q().size();  // of the velocities
    const Vector q0 = recipe_.start(0, n_), v0 = recipe_.start(first, n_);
    Vector v_low;
    for (std::size_t i = 0; i < n_; ++i) v_low.push_back(recipe_.state[first + i].low);
    Substitution at_start(graph_);
    replace(at_start, q_, q0);
    form_.has_signs = !signs_.empty();
    for (const Definition& sign : signs_) form_.before.push_back({sign.symbol, at_start(sign.value)});
    const auto name = [&](const std::string& stem, const Vector& momenta) {
      const Vector symbols = new_symbols(graph_, stem, momenta.size());
      for (std::size_t a = 0; a < momenta.size(); ++a) form_.before.push_back({symbols[a], momenta[a]});
      return symbols;
    };
    SkewPoint here(form_, graph_, q0);
    form_.start = joined(q0, name("start.rho", here.momenta(v0)));
    if (!is_written_out_) form_.start_y = name("start.y", here.quasi_velocities(v0));
    const Vector low = is_written_out_ ? basis_->project(times(mass_, v_low))
                       : is_reflected_ ? basis_->project(v_low)
                                       : head(v_low, basis_->size());
    form_.start_low = name("start.low", at_start(low));
  }

  const System& system_;
  StepRecipe& recipe_;
  Graph& graph_;
  std::size_t n_;
  Vector q_;
  ExprMatrix columns_;
  std::unique_ptr<Basis> basis_;
  std::vector<Definition> signs_;
  bool is_reflected_ = false;  ///< the basis is orthonormal
  bool is_constant_ = false;   ///< it does not depend on q
  SparseMatrix mass_;
  Expr scalar_mass_;  ///< unset where the mass is no number
  bool is_written_out_ = true;
  SkewForm form_;
};

/// A system that is given as x' = Pi(x) grad H(x). The upper triangle of Pi stands for both, so that it is
/// skew-symmetric to the last digit.
SkewForm given_form(const System& system, StepRecipe& recipe) {
  Graph& graph = *recipe.graph;
  SkewForm form;
  form.x = new_symbols(graph, "point.x", system.q().size());
  form.direction = new_symbols(graph, "direction.x", system.q().size());
  Substitution put(graph);
  replace(put, system.q(), form.x);
  form.energy = put(system.hamiltonian());
  form.gradient = gradient(form.energy, form.x);
  const auto times = [&](const Vector& d) {
    Vector result;
    for (std::size_t i = 0; i < d.size(); ++i) {
      Vector terms;
      for (std::size_t j = 0; j < i; ++j) terms.push_back(-(put(system.structure_matrix()[j][i]) * d[j]));
      for (std::size_t j = i + 1; j < d.size(); ++j) terms.push_back(put(system.structure_matrix()[i][j]) * d[j]);
      result.push_back(sum(graph, terms));
    }
    return result;
  };
  form.rates = times(form.gradient);
  form.product = times(form.direction);
  form.shift = form.direction;
  form.flow = times(form.gradient + form.direction);
  form.start = recipe.start(0, form.x.size());
  return form;
}

}  // namespace

std::string why_no_skew_form(const System& system) {
  if (system.offers().skew_form) return {};
  if (!system.offers().lagrangian) {
    return "it integrates mechanical and skew-gradient systems; for index-2 systems take srk-gauss, for "
           "overdetermined ones gauss";
  }
  for (const FirstOrderState& state : system.states()) {
    std::vector<Expr> kept{system.lagrangian()};
    for (const Constraint& constraint : system.constraints()) kept.push_back(constraint.k);
    if (!contains(kept, state.symbol)) continue;
    return "the Lagrangian or a constraint contains the state '" + state.name +
           "': then there is no energy to keep; take gauss";
  }
  if (!system.holonomic().empty()) {
    return "its adapted coordinates keep constraints of velocities, not of positions (holonomic); take gauss or "
           "lobatto-ab";
  }
  for (const Constraint& constraint : system.constraints()) {
    if (constraint.kind != ConstraintKind::linear) {
      return "constraint '" + constraint.text + "' is " + to_text(constraint.kind) +
             " in the velocities: energy is kept where all constraints are linear and homogeneous; take gauss";
    }
    if (contains(constraint.K.values(), system.t())) {
      return "constraint '" + constraint.text + "' contains the time: then there is no energy to keep; take gauss";
    }
  }
  if (system.has_implicit_momenta()) {
    return "it needs momenta in closed form: " + why_no_closed_momenta(system) + "; take gauss";
  }
  if (!system.structure().quadratic_in_v) {
    return "it needs an energy that is quadratic in the velocities; take gauss";
  }
  const Expr energy = system.lagrangian();
  if (contains({&energy, 1}, system.t())) return "the Lagrangian contains the time: no energy is kept; take gauss";
  if (!system.nonideal().empty()) return "it does not take nonideal reactions; take gauss or lobatto-ab";
  return {};
}

SkewForm skew_form(const System& system, StepRecipe& recipe, Coordinates coordinates, BasisDerivatives derivatives,
                   std::size_t most_quasi_velocities) {
  if (system.offers().skew_form) return given_form(system, recipe);
  return MechanicalForm(system, recipe, coordinates, derivatives, most_quasi_velocities).make();
}

Vector SkewForm::in_state(Graph& graph, const Vector& expressions) const {
  Substitution in_state(graph);  // a definition contains none that follows it
  for (const Definition& definition : before) in_state.replace(definition.symbol, in_state(definition.value));
  return in_state(expressions);
}

Vector SkewForm::rates_at_start(Graph& graph) const {
  return in_state(graph, SkewPoint(*this, graph, start, start_y).rates());
}

SkewPoint::SkewPoint(const SkewForm& form, Graph& graph, Vector x, Vector y)
    : form_(form), graph_(graph), x_(std::move(x)), y_(std::move(y)), put_(graph) {
  replace(put_, form.x, x_);
  replace(put_, form.y, y_);
}

Vector SkewPoint::with(const Vector& symbols, const Vector& values, const Vector& expressions) {
  Substitution put(graph_);
  replace(put, form_.x, x_);
  replace(put, form_.y, y_);
  replace(put, symbols, values);
  return put(expressions);
}

Vector SkewPoint::product(const Vector& direction) { return with(form_.direction, direction, form_.product); }

Vector SkewPoint::shift(const Vector& correction) { return with(form_.direction, correction, form_.shift); }

Vector SkewPoint::flow(const Vector& shift, const Vector& velocity) {
  return with(joined(form_.direction, form_.velocity), joined(shift, velocity), form_.flow);
}

Vector SkewPoint::quasi_velocities(const Vector& velocities) {
  return with(form_.velocity, velocities, form_.quasi_velocities);
}

Vector SkewPoint::kept(const Vector& momenta) {
  return with(tail(form_.direction, form_.positions), momenta, form_.kept);
}

Vector SkewPoint::momenta(const Vector& velocities) { return with(form_.velocity, velocities, form_.momenta); }

Vector SkewPoint::forced(const Vector& force) { return with(form_.force, force, form_.forced); }

Vectors SkewPoint::reactions() {
  Vectors rows;
  for (const Vector& row : form_.reactions) rows.push_back(put_(row));
  return rows;
}

}  // namespace noslip
