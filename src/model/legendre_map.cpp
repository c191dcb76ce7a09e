#include "model/legendre_map.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/expr/derivative.hpp>
#include <noslip/solve/dense.hpp>
#include <noslip/solve/newton.hpp>

#include "model/scope.hpp"
#include "model/system_data.hpp"

namespace noslip {
namespace {

/// H_p(t, q, p) = v for p.
class MomentumEquations {
 public:
  MomentumEquations(const Function<quad>& map, const LegendreMap::Point& point, std::span<const quad> v)
      : at_(map), v_(v), residual_(v.size()), dense_(static_cast<int>(v.size())) {
    at_.set(0, point.t).set(1, point.q).set(3, point.parameters);
  }

  quad error() const { return error_; }
  quad error(std::span<const quad> p) {
    at_.set(2, p).run();
    for (std::size_t i = 0; i < v_.size(); ++i) residual_[i] = at_.output(0)[i] - v_[i];
    return largest_size<quad>(residual_);
  }

  bool correct(std::span<const quad> p, std::span<quad> step) {
    error_ = error(p);
    const std::size_t n = v_.size();
    for (std::size_t i = 0; i < n * n; ++i) {
      dense_.entry(static_cast<int>(i / n), static_cast<int>(i % n)) = at_.output(1)[i];
    }
    dense_.factorise();
    std::copy(residual_.begin(), residual_.end(), step.begin());
    dense_.solve(step);
    return true;
  }

  /// False where velocities that differ by rounding belong to momenta that differ as a whole: at the speed of light.
  bool determine(std::span<const quad> p) const {
    std::vector<quad> change(p.size(), quad(1e-16) * (1 + largest_size(v_)));
    dense_.solve(change);
    const quad size = largest_size<quad>(change);
    const bool is_singular = !is_finite(size);  // which is said elsewhere, with the names
    return is_singular || size <= quad(1e-2) * (1 + largest_size(p));
  }

 private:
  Evaluation<quad> at_;
  std::span<const quad> v_;
  std::vector<quad> residual_;
  DenseSolver<quad> dense_;
  quad error_ = 0;
};

}  // namespace

LegendreMap::LegendreMap(Expr hamiltonian, Expr t, std::span<const Expr> q, std::span<const std::string> velocity_names,
                         const std::vector<Parameter>& constants)
    : n_(velocity_names.size()) {
  // In a graph of its own: the system's may be in use by other threads.
  Graph graph;
  Substitution copy(graph);
  ExprMatrix inputs{{copy(t)}, copy(q), {}, {}};
  std::vector<Expr>& p = inputs[2];
  for (const std::string& name : velocity_names) p.push_back(graph.symbol(momentum_name(name)));
  for (const Parameter& constant : constants) inputs[3].push_back(copy(constant.symbol));
  const std::vector<Expr> velocities = gradient(copy(hamiltonian), p);
  map_ = Function<quad>(inputs, {velocities, entries_of(symmetric_jacobian(graph, velocities, p))});
}

std::vector<quad> LegendreMap::velocities(const Point& point, std::span<const quad> p) const {
  const Evaluation<quad> here = at(point, p);
  return {here.output(0).begin(), here.output(0).end()};
}

std::vector<quad> LegendreMap::inverse_mass(const Point& point, std::span<const quad> p) const {
  const Evaluation<quad> here = at(point, p);
  return {here.output(1).begin(), here.output(1).end()};
}

/// The last steps are taken until rounding stops them.
std::optional<std::vector<quad>> LegendreMap::newton(const Point& point, std::span<const quad> v,
                                                     std::vector<quad> p) const {
  const quad allowed = quad(1e-28) * (1 + largest_size(v));
  MomentumEquations equations(map_, point, v);
  NewtonOptions<quad> options;
  options.most_iterations = 200;
  options.shortest_part = 1e-9;
  const NewtonResult<quad> result = Newton<quad>(n_)(p, equations, options);
  if (result.end == NewtonEnd::exhausted || !(result.error <= allowed)) return std::nullopt;
  return equations.determine(p) ? std::optional(p) : std::nullopt;
}

std::optional<std::vector<quad>> LegendreMap::momenta(const Point& point, std::span<const quad> v,
                                                      std::span<const quad> guess) const {
  std::vector<std::vector<quad>> starts;
  if (guess.size() == n_) starts.emplace_back(guess.begin(), guess.end());
  starts.emplace_back(n_, quad(0));
  // H_pp may vanish at p = 0; the velocities have the right signs at least.
  starts.emplace_back(v.begin(), v.end());
  for (std::vector<quad>& start : starts) {
    if (auto found = newton(point, v, std::move(start))) return found;
  }
  return std::nullopt;
}

std::string velocities_text(const std::vector<Expr>& symbols, std::span<const quad> v) {
  constexpr std::size_t most_shown = 8;
  if (v.size() > most_shown) return "the velocities";
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < v.size(); ++i) {
    texts.push_back(fmt::format("{} = {}", symbols[i].name(), static_cast<double>(v[i])));
  }
  return list_of(texts);
}

Problem no_momenta(const std::vector<Expr>& symbols, std::span<const quad> v) {
  return {"no momenta were found for " + velocities_text(symbols, v) +
              ": H_p(t, q, p) = v has no solution there, or H_pp is singular",
          {},
          "give other velocities, or give the momenta p"};
}

}  // namespace noslip
