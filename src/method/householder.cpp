// Q = H_1 ... H_m with H_k = I - tau_k w_k w_k^T, tau_k = 2/|w_k|^2, and X the last n - m columns of Q. With R the
// matrix K^T after the reflections before, r_k its k-th column from row k on:
//
//   w_k = r_k + s_k |r_k| e_k,   tau_k = 1/(|r_k| (|r_k| + s_k R_kk))
//
// With s_k the sign of R_kk nothing cancels. Algorithm 1 of Celledoni et al. 2019 differentiates Q and R step by step;
// what is needed of the derivatives are products, and for these H_k^T dH_k is enough, which is skew-symmetric by form:
//
//   H_k^T dH_k = tau_k (w_k dw_k^T - dw_k w_k^T)          (w_k need not have unit length: the change of |w_k| cancels)
//   p^T dQ = sum_k u_k^T (H_k^T dH_k) H_(k+1) ... H_m,    u_k = H_k ... H_1 p
//
// dw_k along a direction is one forward sweep over all w_k, a gradient of p . X y one backward sweep: neither needs the
// derivatives by all coordinates, which may be many. Where few coordinates enter the constraints (headings of wheels and
// blades), the derivatives by these serve both. Values that several others are made of have names (aliases), those of
// the sweeps too, so that the next derivative goes from name to name instead of expanding all of them.
#include "method/householder.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <noslip/expr/directions.hpp>

namespace noslip {

namespace {

struct Reflection {
  SparseRow w;
  Expr tau;
};

/// factor * sin(angle) or factor * cos(angle), up to a sign.
struct Component {
  Op op;
  Expr factor, angle;
};

std::optional<Component> component(Graph& graph, Expr e) {
  while (e.op() == Op::neg || e.op() == Op::alias) e = e.a();
  const auto is_wave = [](const Expr& f) { return f.op() == Op::sin || f.op() == Op::cos; };
  if (is_wave(e)) return Component{e.op(), graph.constant(1), e.a()};
  if (e.op() != Op::mul) return std::nullopt;
  if (is_wave(e.b())) return Component{e.b().op(), e.a(), e.b().a()};
  if (is_wave(e.a())) return Component{e.a().op(), e.b(), e.a().a()};
  return std::nullopt;
}

/// Sum of the squares; sin^2 + cos^2 is one, which directions of wheels and blades make common.
Expr squared_length(Graph& graph, std::span<const Expr> entries) {
  Vector terms;
  std::vector<bool> is_done(entries.size(), false);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (is_done[i]) continue;
    const auto first = component(graph, entries[i]);
    Expr term = powi(entries[i], 2);
    for (std::size_t j = i + 1; first && j < entries.size(); ++j) {
      const auto second = component(graph, entries[j]);
      if (is_done[j] || !second || first->op == second->op || first->factor != second->factor ||
          first->angle != second->angle) {
        continue;
      }
      is_done[j] = true;
      term = powi(first->factor, 2);
      break;
    }
    terms.push_back(term);
  }
  return sum(graph, terms);
}

/// So many coordinates are few: two sweeps are then no cheaper than the derivatives by each of them.
constexpr std::size_t few_coordinates = 3;

class Householder final : public Basis {
 public:
  Householder(Graph& graph, const Vectors& constraints, const Vector& q, std::vector<Definition>& signs)
      : graph_(graph), q_(q) {
    Vectors columns = constraints;
    for (std::size_t k = 0; k < constraints.size(); ++k) {
      reflections_.push_back(reflection(columns[k], k, signs));
      for (std::size_t c = k + 1; c < columns.size(); ++c) reflect(reflections_.back(), columns[c]);
    }
    for (const Reflection& H : reflections_) w_.insert(w_.end(), H.w.values().begin(), H.w.values().end());
    differentiate_by_few();
  }

  std::size_t size() const override { return q_.size() - reflections_.size(); }

  Vector combine(const Vector& y) const override {
    Vector z = behind_zeros(y);
    for (std::size_t k = reflections_.size(); k-- > 0;) reflect(reflections_[k], z);
    return z;
  }

  Vector project(const Vector& z) const override {
    Vector u = z;
    for (const Reflection& H : reflections_) reflect(H, u);
    return tail(u, reflections_.size());
  }

  Vector turning(const AdaptedMomentum& p, const Vector& d) const override {
    Vector result = zeros(graph_, q_.size());
    if (reflections_.empty()) return result;
    const Vectors u = carried(p);
    const Vector changes = change_along(d);
    auto dw = changes.begin();
    for (std::size_t k = 0; k < reflections_.size(); ++k) {
      const Reflection& H = reflections_[k];
      reflect(H, result);
      const auto places = H.w.places();
      const Expr along = name(H.tau * product(places, H.w.values(), u[k]));
      const Expr across = name(H.tau * product(places, {dw, dw + static_cast<std::ptrdiff_t>(places.size())}, u[k]));
      for (std::size_t i = 0; i < places.size(); ++i) {
        result[places[i]] = result[places[i]] + (along * dw[i] - across * H.w.values()[i]);
      }
      dw += static_cast<std::ptrdiff_t>(places.size());
    }
    return tail(result, reflections_.size());
  }

  Vector slopes(const AdaptedMomentum& p, const Vector& y) const override {
    if (reflections_.empty()) return zeros(graph_, q_.size());
    const Vectors u = carried(p), z = carried_back(y);
    Vector weights;  // of the w_k
    for (std::size_t k = 0; k < reflections_.size(); ++k) {
      const Reflection& H = reflections_[k];
      const Expr first = name(H.tau * product(H.w.places(), H.w.values(), u[k]));
      const Expr second = name(H.tau * product(H.w.places(), H.w.values(), z[k]));
      for (const std::size_t j : H.w.places()) weights.push_back(name(first * z[k][j] - second * u[k][j]));
    }
    if (by_few_.empty()) return weighted_gradient(graph_, weights, w_, q_);
    Vector result = zeros(graph_, q_.size());
    for (const auto& [i, slopes] : by_few_) {
      for (std::size_t j = 0; j < slopes.size(); ++j) result[i] = result[i] + slopes[j] * weights[j];
    }
    return result;
  }

 private:
  Reflection reflection(const Vector& column, std::size_t k, std::vector<Definition>& signs) {
    const Expr pivot = column[k];
    const Expr norm = graph_.alias(sqrt(squared_length(graph_, std::span(column).subspan(k))));
    Expr s = graph_.constant(1);
    if (pivot.is_constant()) {
      if (pivot.number().is_negative()) s = graph_.constant(-1);
    } else {
      s = graph_.symbol(fmt::format("step.sign{}", k + 1));
      signs.push_back({s, select(less(pivot, graph_.constant(0)), graph_.constant(-1), graph_.constant(1))});
    }
    Reflection result;
    result.w = SparseRow(graph_, q_.size());
    result.w.append(k, graph_.alias(pivot + s * norm));
    for (std::size_t j = k + 1; j < column.size(); ++j) result.w.append(j, column[j]);
    result.tau = graph_.alias(Number(1) / (norm * (norm + s * pivot)));
    return result;
  }

  void differentiate_by_few() {
    const Vector used = w_.empty() ? Vector{} : symbols_of(w_);
    std::vector<std::size_t> entering;
    for (std::size_t i = 0; i < q_.size() && entering.size() <= few_coordinates; ++i) {
      if (std::find(used.begin(), used.end(), q_[i]) != used.end()) entering.push_back(i);
    }
    if (entering.size() > few_coordinates) return;
    for (const std::size_t i : entering) {
      Vector unit = zeros(graph_, q_.size());
      unit[i] = graph_.constant(1);
      by_few_.emplace_back(i, derivatives_along(unit, w_, q_));
    }
  }

  /// Of w_, when q moves along d.
  Vector change_along(const Vector& d) const {
    if (by_few_.empty()) return derivatives_along(d, w_, q_);
    Vector result = zeros(graph_, w_.size());
    for (const auto& [i, slopes] : by_few_) result = result + d[i] * slopes;
    return result;
  }

  Expr name(Expr value) const { return graph_.alias(value); }

  /// Of a sparse vector and z.
  Expr product(std::span<const std::size_t> places, std::span<const Expr> values, const Vector& z) const {
    Vector terms;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Expr term = values[i] * z[places[i]];
      if (!term.is_zero()) terms.push_back(term);
    }
    return sum(graph_, terms);
  }

  /// z becomes H z.
  void reflect(const Reflection& H, Vector& z) const {
    const Expr factor = name(H.tau * product(H.w.places(), H.w.values(), z));
    if (factor.is_zero()) return;
    for (std::size_t i = 0; i < H.w.places().size(); ++i) {
      Expr& entry = z[H.w.places()[i]];
      entry = name(entry - factor * H.w.values()[i]);
    }
  }

  Vector behind_zeros(const Vector& y) const { return joined(zeros(graph_, reflections_.size()), y); }

  /// H_(k+1) ... H_m (0, y) for k = 1 ... m, the last without a reflection.
  Vectors carried_back(const Vector& y) const {
    Vectors result(reflections_.size());
    Vector z = behind_zeros(y);
    for (std::size_t k = reflections_.size(); k-- > 0;) {
      result[k] = z;
      if (k > 0) reflect(reflections_[k], z);
    }
    return result;
  }

  /// u_k = H_k ... H_1 p; of p = X rho that is H_(k+1) ... H_m (0, rho).
  Vectors carried(const AdaptedMomentum& p) const {
    if (!p.rho.empty()) return carried_back(p.rho);
    Vectors result;
    Vector u = p.p;
    for (const Reflection& H : reflections_) {
      reflect(H, u);
      result.push_back(u);
    }
    return result;
  }

  Graph& graph_;
  const Vector q_;
  std::vector<Reflection> reflections_;
  Vector w_;  ///< of all reflections, one after the other, without their zeros
  /// Derivatives of w_ by each coordinate that it contains, where these are few.
  std::vector<std::pair<std::size_t, Vector>> by_few_;
};

}  // namespace

HouseholderBasis householder_basis(Graph& graph, const Vectors& constraints, const Vector& q) {
  HouseholderBasis result;
  result.basis = std::make_unique<Householder>(graph, constraints, q, result.signs);
  return result;
}

}  // namespace noslip
