// Adapted coordinates of a mechanical system; and a skew-gradient system as it is.
#include <noslip/method/skew_form.hpp>

#include <algorithm>
#include <cassert>

#include <noslip/expr/derivative.hpp>

#include "method/closed_momenta.hpp"
#include "method/coefficients.hpp"
#include "method/householder.hpp"

namespace noslip {

namespace {

using Vector = std::vector<Expr>;
using Matrix = std::vector<Vector>;

bool contains(std::span<const Expr> expressions, const Expr& symbol) {
  const Vector used = symbols_of(expressions);
  return std::find(used.begin(), used.end(), symbol) != used.end();
}

/// The number mu of a mass matrix mu I, which may depend on q; unset for other matrices.
Expr scalar_mass(const Matrix& mass) {
  for (std::size_t i = 0; i < mass.size(); ++i) {
    for (std::size_t j = 0; j < mass.size(); ++j) {
      if (i == j ? mass[i][i] != mass[0][0] : !mass[i][j].is_zero()) return {};
    }
  }
  return mass[0][0];
}

/// A^-1 b for a definite symmetric A, as A = L D L^T: pivots on the diagonal are safe.
Vector definite_solve(Graph& graph, Matrix A, Vector b) {
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
    q_ = new_symbols(graph_, "point.q", system.dimension());
    choose_basis(coordinates, derivatives);
  }

  SkewForm make() {
    const auto size = static_cast<int>(basis_->size());
    const Vector rho = new_symbols(graph_, "point.rho", size);
    const Vector dq = new_symbols(graph_, "direction.q", system_.dimension());
    const Vector drho = new_symbols(graph_, "direction.rho", size);
    const Vector at_rest = at(system_.momenta(), Vector(n_, zero()));
    const Vector projected_rest = basis_->project(at_rest);
    Vector kinetic_momenta;
    for (std::size_t a = 0; a < rho.size(); ++a) kinetic_momenta.push_back(rho[a] - projected_rest[a]);
    const Vector y = quasi_velocities(kinetic_momenta);
    form_.velocity_change = basis_->combine(quasi_velocities(drho));
    const Vector v = aliases(basis_->combine(y));
    AdaptedMomentum p{aliases(at(system_.momenta(), v)), {}};
    form_.has_scalar_mass = is_orthonormal_;
    if (is_orthonormal_ && all_zero(at_rest)) p.rho = rho;
    Graph slopes(system_.graph());
    const Vector force = at(gradient(slopes.counterpart(system_.lagrangian()), slopes.counterparts(system_.q())), v);

    form_.positions = n_;
    form_.x = joined(q_, rho);
    form_.direction = joined(dq, drho);
    form_.velocities = v;
    const Expr rest_energy = at({system_.energy()}, Vector(n_, zero())).front();
    form_.energy = dot(graph_, kinetic_momenta, y) / Number(2) + rest_energy;

    Vector by_q = basis_->slopes(p, y);
    for (std::size_t i = 0; i < n_; ++i) by_q[i] = -force[i] - by_q[i];
    form_.gradient = joined(by_q, y);

    form_.rates = joined(v, sum_of(basis_->project(force), basis_->turning(p, v)));

    const Vector moved = aliases(basis_->combine(drho));
    Vector pull = basis_->slopes(p, drho);
    for (std::size_t i = 0; i < n_; ++i) pull[i] = -dq[i] - pull[i];
    form_.product = joined(moved, sum_of(basis_->project(pull), basis_->turning(p, moved)));

    form_.velocity = new_symbols(graph_, "point.v", system_.dimension());
    form_.shift = joined(sum_of(dq, basis_->slopes(p, drho)), drho);
    Vector pushed = force;
    for (std::size_t i = 0; i < n_; ++i) pushed[i] = pushed[i] - dq[i];
    form_.flow =
        joined(basis_->combine(sum_of(y, drho)), sum_of(basis_->project(pushed), basis_->turning(p, form_.velocity)));
    form_.momenta = basis_->project(at(system_.momenta(), form_.velocity));
    form_.force = new_symbols(graph_, "point.force", system_.dimension());
    form_.forced = basis_->project(form_.force);
    begin();
    return std::move(form_);
  }

 private:
  Expr zero() { return graph_.constant(0); }

  static Vector joined(Vector first, const Vector& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }

  static Vector sum_of(Vector first, const Vector& second) {
    for (std::size_t i = 0; i < first.size(); ++i) first[i] = first[i] + second[i];
    return first;
  }

  static bool all_zero(const Vector& values) {
    return std::all_of(values.begin(), values.end(), [](const Expr& value) { return value.is_zero(); });
  }

  Vector aliases(Vector values) {
    for (Expr& value : values) value = graph_.alias(value);
    return values;
  }

  /// Expressions of the system at the point's q and these velocities.
  Vector at(const Vector& expressions, const Vector& v) {
    Substitution put(graph_);
    for (std::size_t i = 0; i < n_; ++i) {
      put.replace(system_.q()[i], q_[i]);
      put.replace(system_.v()[i], v[i]);
    }
    return put(expressions);
  }

  void choose_basis(Coordinates coordinates, BasisDerivatives derivatives) {
    const Vector rest(n_, zero());
    Matrix rows;
    for (const Constraint& constraint : system_.constraints()) rows.push_back(at(constraint.K, rest));
    if (coordinates == Coordinates::canonical) {
      form_.reactions = rows;
      rows.clear();
    }
    if (coordinates == Coordinates::adapted && !system_.basis().empty()) {
      for (const Vector& column : system_.basis()) columns_.push_back(at(column, rest));
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
    Vector unit(basis_->size(), zero());
    unit[a] = graph_.constant(1);
    return basis_->combine(unit);
  }

  /// y with (X^T M X) y = X^T M v.
  Vector quasi_velocities(const Vector& kinetic_momenta) {
    const Vector rest(n_, zero());
    Matrix mass;
    for (const Vector& row : system_.mass()) mass.push_back(at(row, rest));
    const Expr number = scalar_mass(mass);
    if (is_orthonormal_ && number.graph != nullptr) {
      Vector y;
      for (const Expr& momentum : kinetic_momenta) y.push_back(momentum / number);
      return y;
    }
    is_orthonormal_ = false;
    Matrix images, metric(basis_->size());
    for (std::size_t a = 0; a < basis_->size(); ++a) {
      const Vector X = column(a);
      Vector image;
      for (const Vector& row : mass) image.push_back(dot(graph_, row, X));
      images.push_back(image);
      for (std::size_t b = 0; b <= a; ++b) metric[a].push_back(graph_.alias(dot(graph_, X, images[b])));
    }
    return definite_solve(graph_, std::move(metric), kinetic_momenta);
  }

  /// Signs and momenta at the start of the step.
  void begin() {
    Vector q0, v0, v_low;
    Substitution at_start(graph_);
    for (std::size_t i = 0; i < n_; ++i) {
      q0.push_back(recipe_.state[i].symbol);
      v0.push_back(recipe_.state[n_ + i].symbol);
      v_low.push_back(recipe_.state[n_ + i].low);
      at_start.replace(q_[i], q0[i]);
    }
    for (const Definition& sign : signs_) form_.before.push_back({sign.symbol, at_start(sign.value)});
    const auto name = [&](const std::string& stem, const Vector& momenta) {
      const Vector symbols = new_symbols(graph_, stem, static_cast<int>(momenta.size()));
      for (std::size_t a = 0; a < momenta.size(); ++a) form_.before.push_back({symbols[a], momenta[a]});
      return symbols;
    };
    form_.start = joined(q0, name("start.rho", SkewPoint(form_, graph_, q0).momenta(v0)));
    Vector low;
    for (const Vector& row : system_.mass()) low.push_back(dot(graph_, at(row, Vector(n_, zero())), v_low));
    form_.start_low = name("start.low", at_start(basis_->project(low)));
  }

  const System& system_;
  StepRecipe& recipe_;
  Graph& graph_;
  std::size_t n_;
  Vector q_;
  Matrix columns_;
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
  form.x = new_symbols(graph, "point.x", system.dimension());
  form.direction = new_symbols(graph, "direction.x", system.dimension());
  Substitution put(graph);
  for (std::size_t i = 0; i < form.x.size(); ++i) put.replace(system.q()[i], form.x[i]);
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
  Vector corrected = form.gradient;
  for (std::size_t i = 0; i < corrected.size(); ++i) corrected[i] = corrected[i] + form.direction[i];
  form.flow = times(corrected);
  for (std::size_t i = 0; i < form.x.size(); ++i) form.start.push_back(recipe.state[i].symbol);
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
    if (contains(constraint.K, system.t())) {
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

std::vector<Expr> SkewForm::rates_at_start(Graph& graph) const {
  std::vector<Definition> known;
  const auto in_state = [&](const Vector& expressions) {
    Substitution meanings(graph);
    for (const Definition& definition : known) meanings.replace(definition.symbol, definition.value);
    return meanings(expressions);
  };
  for (const Definition& definition : before)
    known.push_back({definition.symbol, in_state({definition.value}).front()});
  return in_state(SkewPoint(*this, graph, start).rates());
}

SkewPoint::SkewPoint(const SkewForm& form, Graph& graph, std::vector<Expr> x)
    : form_(form), graph_(graph), x_(std::move(x)), put_(graph) {
  for (std::size_t i = 0; i < x_.size(); ++i) put_.replace(form.x[i], x_[i]);
}

std::vector<Expr> SkewPoint::with(const std::vector<Expr>& symbols, const std::vector<Expr>& values,
                                  const std::vector<Expr>& expressions) {
  Substitution put(graph_);
  for (std::size_t i = 0; i < x_.size(); ++i) put.replace(form_.x[i], x_[i]);
  for (std::size_t i = 0; i < values.size(); ++i) put.replace(symbols[i], values[i]);
  return put(expressions);
}

std::vector<Expr> SkewPoint::product(const std::vector<Expr>& direction) {
  return with(form_.direction, direction, form_.product);
}

std::vector<Expr> SkewPoint::shift(const std::vector<Expr>& correction) {
  return with(form_.direction, correction, form_.shift);
}

std::vector<Expr> SkewPoint::flow(const std::vector<Expr>& shift, const std::vector<Expr>& velocity) {
  std::vector<Expr> symbols = form_.direction, values = shift;
  symbols.insert(symbols.end(), form_.velocity.begin(), form_.velocity.end());
  values.insert(values.end(), velocity.begin(), velocity.end());
  return with(symbols, values, form_.flow);
}

std::vector<Expr> SkewPoint::velocity_change(const std::vector<Expr>& momenta) {
  const std::vector<Expr> symbols(form_.direction.begin() + static_cast<std::ptrdiff_t>(form_.positions),
                                  form_.direction.end());
  return with(symbols, momenta, form_.velocity_change);
}

std::vector<Expr> SkewPoint::momenta(const std::vector<Expr>& velocities) {
  return with(form_.velocity, velocities, form_.momenta);
}

std::vector<Expr> SkewPoint::forced(const std::vector<Expr>& force) { return with(form_.force, force, form_.forced); }

std::vector<std::vector<Expr>> SkewPoint::reactions() {
  std::vector<std::vector<Expr>> rows;
  for (const std::vector<Expr>& row : form_.reactions) rows.push_back(put_(row));
  return rows;
}

}  // namespace noslip
