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
  MechanicalForm(const System& system, StepRecipe& recipe, Coordinates coordinates, BasisDerivatives derivatives)
      : system_(system), recipe_(recipe), graph_(*recipe.graph), n_(system.q().size()) {
    q_ = new_symbols(graph_, "point.q", n_);
    choose_basis(coordinates, derivatives);
  }

  SkewForm make() {
    const Vector rho = new_symbols(graph_, "point.rho", basis_->size());
    const Vector dq = new_symbols(graph_, "direction.q", n_);
    const Vector drho = new_symbols(graph_, "direction.rho", basis_->size());
    const Vector at_rest = at(system_.momenta(), rest());
    const Vector kinetic_momenta = rho - basis_->project(at_rest);
    const Vector y = quasi_velocities(kinetic_momenta);
    form_.velocity_change = basis_->combine(quasi_velocities(drho));
    const Vector v = alias(basis_->combine(y));
    AdaptedMomentum p{alias(at(system_.momenta(), v)), {}};
    form_.has_scalar_mass = is_orthonormal_;
    if (is_orthonormal_ && all_zero(at_rest)) p.rho = rho;
    Graph slopes(system_.graph());
    const Vector force = at(gradient(slopes.counterpart(system_.lagrangian()), slopes.counterparts(system_.q())), v);

    form_.positions = n_;
    form_.x = joined(q_, rho);
    form_.direction = joined(dq, drho);
    form_.velocities = v;
    const Expr rest_energy = at({system_.energy()}, rest()).front();
    form_.energy = dot(graph_, kinetic_momenta, y) / Number(2) + rest_energy;

    form_.gradient = joined(-force - basis_->slopes(p, y), y);
    form_.rates = joined(v, basis_->project(force) + basis_->turning(p, v));

    const Vector moved = alias(basis_->combine(drho)), pull = -dq - basis_->slopes(p, drho);
    form_.product = joined(moved, basis_->project(pull) + basis_->turning(p, moved));

    form_.velocity = new_symbols(graph_, "point.v", n_);
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
    } else {
      HouseholderBasis reflected = householder_basis(graph_, rows, q_);
      basis_ = std::move(reflected.basis);
      signs_ = std::move(reflected.signs);
      is_orthonormal_ = true;
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

  /// y with (X^T M X) y = X^T M v.
  Vector quasi_velocities(const Vector& kinetic_momenta) {
    const SparseMatrix mass = mass_at_point();
    const Expr number = scalar_mass(mass);
    if (is_orthonormal_ && number.graph != nullptr) return kinetic_momenta / number;
    is_orthonormal_ = false;
    ExprMatrix images, metric(basis_->size());
    for (std::size_t a = 0; a < basis_->size(); ++a) {
      const Vector X = column(a);
      images.push_back(times(mass, X));
      for (std::size_t b = 0; b <= a; ++b) metric[a].push_back(graph_.alias(dot(graph_, X, images[b])));
    }
    return definite_solve(graph_, std::move(metric), kinetic_momenta);
  }

  SparseMatrix mass_at_point() {
    Substitution put(graph_);
    replace(put, system_.q(), q_);
    replace(put, system_.v(), rest());
    return copied(put, graph_, system_.mass());
  }

  /// Signs and momenta at the start of the step.
  void begin() {
    const Vector q0 = recipe_.start(0, n_), v0 = recipe_.start(n_, n_);
    Vector v_low;
    for (std::size_t i = 0; i < n_; ++i) v_low.push_back(recipe_.state[n_ + i].low);
    Substitution at_start(graph_);
    replace(at_start, q_, q0);
    for (const Definition& sign : signs_) form_.before.push_back({sign.symbol, at_start(sign.value)});
    const auto name = [&](const std::string& stem, const Vector& momenta) {
      const Vector symbols = new_symbols(graph_, stem, momenta.size());
      for (std::size_t a = 0; a < momenta.size(); ++a) form_.before.push_back({symbols[a], momenta[a]});
      return symbols;
    };
    form_.start = joined(q0, name("start.rho", SkewPoint(form_, graph_, q0).momenta(v0)));
    form_.start_low = name("start.low", at_start(basis_->project(times(mass_at_point(), v_low))));
  }

  const System& system_;
  StepRecipe& recipe_;
  Graph& graph_;
  std::size_t n_;
  Vector q_;
  ExprMatrix columns_;
  std::unique_ptr<Basis> basis_;
  std::vector<Definition> signs_;
  bool is_orthonormal_ = false;
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

SkewForm skew_form(const System& system, StepRecipe& recipe, Coordinates coordinates, BasisDerivatives derivatives) {
  if (system.offers().skew_form) return given_form(system, recipe);
  return MechanicalForm(system, recipe, coordinates, derivatives).make();
}

Vector SkewForm::rates_at_start(Graph& graph) const {
  Substitution in_state(graph);  // a definition contains none that follows it
  for (const Definition& definition : before) in_state.replace(definition.symbol, in_state(definition.value));
  return in_state(SkewPoint(*this, graph, start).rates());
}

SkewPoint::SkewPoint(const SkewForm& form, Graph& graph, Vector x)
    : form_(form), graph_(graph), x_(std::move(x)), put_(graph) {
  replace(put_, form.x, x_);
}

Vector SkewPoint::with(const Vector& symbols, const Vector& values, const Vector& expressions) {
  Substitution put(graph_);
  replace(put, form_.x, x_);
  replace(put, symbols, values);
  return put(expressions);
}

Vector SkewPoint::product(const Vector& direction) { return with(form_.direction, direction, form_.product); }

Vector SkewPoint::shift(const Vector& correction) { return with(form_.direction, correction, form_.shift); }

Vector SkewPoint::flow(const Vector& shift, const Vector& velocity) {
  return with(joined(form_.direction, form_.velocity), joined(shift, velocity), form_.flow);
}

Vector SkewPoint::velocity_change(const Vector& momenta) {
  return with(tail(form_.direction, form_.positions), momenta, form_.velocity_change);
}

Vector SkewPoint::momenta(const Vector& velocities) { return with(form_.velocity, velocities, form_.momenta); }

Vector SkewPoint::forced(const Vector& force) { return with(form_.force, force, form_.forced); }

Vectors SkewPoint::reactions() {
  Vectors rows;
  for (const Vector& row : form_.reactions) rows.push_back(put_(row));
  return rows;
}

}  // namespace noslip
