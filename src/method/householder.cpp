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
#include "method/householder.hpp"

#include <optional>

#include <fmt/format.h>

#include <noslip/expr/derivative.hpp>

namespace noslip {

namespace {

struct Reflection {
  Vector w;
  Expr tau;
  std::vector<Entry> slopes;  ///< dw_row/dq_column
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

class Householder final : public Basis {
 public:
  Householder(Graph& graph, const Vectors& constraints, const Vector& q, std::vector<Definition>& signs)
      : graph_(graph), n_(q.size()) {
    Vectors columns = constraints;
    for (std::size_t k = 0; k < constraints.size(); ++k) {
      reflections_.push_back(reflection(columns[k], k, signs));
      reflections_.back().slopes = jacobian(reflections_.back().w, q);
      for (std::size_t c = k + 1; c < columns.size(); ++c) {
        columns[c] = alias(reflected(reflections_.back(), columns[c]));
      }
    }
  }

  std::size_t size() const override { return n_ - reflections_.size(); }

  Vector combine(const Vector& y) const override { return carried_back(y, 0); }

  Vector project(const Vector& z) const override {
    Vector u = z;
    for (const Reflection& H : reflections_) u = reflected(H, u);
    return tail(u, reflections_.size());
  }

  Vector turning(const AdaptedMomentum& p, const Vector& d) const override {
    const Vectors u = carried(p);
    Vector result = zeros(graph_, n_);
    for (std::size_t k = 0; k < reflections_.size(); ++k) {
      const Reflection& H = reflections_[k];
      result = reflected(H, result);
      Vector dw = zeros(graph_, n_);
      for (const Entry& entry : H.slopes) dw[entry.row] = dw[entry.row] + entry.value * d[entry.column];
      const Expr along = H.tau * dot(graph_, H.w, u[k]), across = H.tau * dot(graph_, dw, u[k]);
      result = result + (along * dw - across * H.w);
    }
    return tail(result, reflections_.size());
  }

  Vector slopes(const AdaptedMomentum& p, const Vector& y) const override {
    const Vectors u = carried(p);
    Vector result = zeros(graph_, n_);
    for (std::size_t k = 0; k < reflections_.size(); ++k) {
      const Reflection& H = reflections_[k];
      const Vector z = carried_back(y, k + 1);
      const Expr first = H.tau * dot(graph_, H.w, u[k]), second = H.tau * dot(graph_, H.w, z);
      for (const Entry& entry : H.slopes) {
        const Expr factor = first * z[entry.row] - second * u[k][entry.row];
        result[entry.column] = result[entry.column] + entry.value * factor;
      }
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
    result.w = zeros(graph_, n_);
    for (std::size_t j = k + 1; j < n_; ++j) result.w[j] = column[j];
    result.w[k] = graph_.alias(pivot + s * norm);
    result.tau = graph_.alias(Number(1) / (norm * (norm + s * pivot)));
    return result;
  }

  /// H z
  Vector reflected(const Reflection& H, const Vector& z) const {
    const Expr factor = H.tau * dot(graph_, H.w, z);
    return z - factor * H.w;
  }

  /// H_(first+1) ... H_m (0, y), counted from one: all reflections for first = 0, none for first = m.
  Vector carried_back(const Vector& y, std::size_t first) const {
    Vector z = joined(zeros(graph_, reflections_.size()), y);
    for (std::size_t k = reflections_.size(); k-- > first;) z = reflected(reflections_[k], z);
    return z;
  }

  /// u_k = H_k ... H_1 p; of p = X rho that is H_(k+1) ... H_m (0, rho).
  Vectors carried(const AdaptedMomentum& p) const {
    Vectors result;
    Vector u = p.p;
    for (std::size_t k = 0; k < reflections_.size(); ++k) {
      if (p.rho.empty()) u = reflected(reflections_[k], u);
      result.push_back(p.rho.empty() ? u : carried_back(p.rho, k + 1));
    }
    return result;
  }

  Graph& graph_;
  std::size_t n_;
  std::vector<Reflection> reflections_;
};

}  // namespace

HouseholderBasis householder_basis(Graph& graph, const Vectors& constraints, const Vector& q) {
  HouseholderBasis result;
  result.basis = std::make_unique<Householder>(graph, constraints, q, result.signs);
  return result;
}

}  // namespace noslip
