#include "model/legendre_map.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <noslip/core/names.hpp>
#include <noslip/expr/derivative.hpp>
#include <noslip/solve/dense.hpp>
#include "model/scope.hpp"
#include "model/system_data.hpp"

namespace noslip {
namespace {

quad largest(std::span<const quad> values) {
  quad most = 0;
  for (const quad x : values) {
    const quad size = x < 0 ? -x : x;
    if (!(size <= most)) most = size;  // a NaN stays
  }
  return most;
}

}  // namespace

LegendreMap::LegendreMap(Expr hamiltonian, Expr t, std::span<const Expr> q, std::span<const std::string> velocity_names,
                         const std::vector<Parameter>& parameters)
    : n_(velocity_names.size()) {
  // In a graph of its own: the system's may be in use by other threads.
  Graph graph;
  Substitution copy(graph);
  std::vector<Tape::Input> inputs;
  const auto read = [&](Expr symbol) { inputs.push_back({symbol, static_cast<std::uint32_t>(inputs.size())}); };
  read(copy(t));
  for (const Expr symbol : q) read(copy(symbol));
  std::vector<Expr> p;
  for (const std::string& name : velocity_names) p.push_back(graph.symbol(momentum_name(name)));
  for (const Expr symbol : p) read(symbol);
  for (const Parameter& parameter : parameters) read(copy(parameter.symbol));
  std::vector<Tape::Output> outputs;
  const auto write = [&](Expr f) {
    outputs.push_back({f, static_cast<std::uint32_t>(inputs.size() + outputs.size())});
  };
  const std::vector<Expr> velocities = gradient(copy(hamiltonian), p);
  for (const Expr velocity : velocities) write(velocity);
  for (const std::vector<Expr>& row : symmetric_jacobian(graph, velocities, p)) {
    for (const Expr entry : row) write(entry);
  }
  kernel_ = Kernel<quad>(Tape(inputs, outputs), Backend::interpreter);
}

std::vector<quad> LegendreMap::run(const Point& point, std::span<const quad> p) const {
  std::vector<quad> workspace{point.t};
  for (const auto& values : {point.q, p, point.parameters}) {
    workspace.insert(workspace.end(), values.begin(), values.end());
  }
  const std::size_t first = workspace.size();
  workspace.resize(first + n_ + n_ * n_);
  std::vector<quad> scratch(kernel_.scratch_size());
  kernel_(workspace.data(), scratch.data());
  return {workspace.begin() + static_cast<std::ptrdiff_t>(first), workspace.end()};
}

std::vector<quad> LegendreMap::velocities(const Point& point, std::span<const quad> p) const {
  std::vector<quad> result = run(point, p);
  result.resize(n_);
  return result;
}

std::vector<quad> LegendreMap::inverse_mass(const Point& point, std::span<const quad> p) const {
  const std::vector<quad> result = run(point, p);
  return {result.begin() + static_cast<std::ptrdiff_t>(n_), result.end()};
}

namespace {

/// Nothing where velocities that differ by rounding belong to momenta that differ as a whole: at the speed of light.
std::optional<std::vector<quad>> determined(DenseSolver<quad>& factors, std::span<const quad> v,
                                            const std::vector<quad>& p) {
  std::vector<quad> change(p.size(), quad(1e-16) * (1 + largest(v)));
  factors.solve(change);
  const quad size = largest(change);
  const bool is_singular = !is_finite(size);  // which is said elsewhere, with the names
  return is_singular || size <= quad(1e-2) * (1 + largest(p)) ? std::optional(p) : std::nullopt;
}

}  // namespace

/// Steps are shortened where a full one would lead away; the last ones are taken until rounding stops them.
std::optional<std::vector<quad>> LegendreMap::newton(const Point& point, std::span<const quad> v,
                                                     std::vector<quad> p) const {
  constexpr int most_iterations = 200;
  const quad precision = 1e-28;
  DenseSolver<quad> dense(static_cast<int>(n_));
  const auto residual_of = [&](const std::vector<quad>& values) {
    std::vector<quad> residual(n_);
    for (std::size_t i = 0; i < n_; ++i) residual[i] = values[i] - v[i];
    return residual;
  };
  std::vector<quad> values = run(point, p), residual = residual_of(values);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const quad error = largest(residual);
    if (!is_finite(error)) return std::nullopt;
    const quad allowed = precision * (1 + largest(v));
    for (std::size_t i = 0; i < n_ * n_; ++i) {
      dense.entry(static_cast<int>(i / n_), static_cast<int>(i % n_)) = values[n_ + i];
    }
    dense.factorise();
    if (error == 0) return determined(dense, v, p);
    std::vector<quad> step = residual;
    dense.solve(step);
    const bool can_step = is_finite(largest(step));
    bool is_better = false;
    for (quad part = 1; can_step && part > quad(1e-9) && !is_better; part /= 2) {
      std::vector<quad> trial = p;
      for (std::size_t i = 0; i < n_; ++i) trial[i] -= part * step[i];
      const std::vector<quad> there = run(point, trial);
      const std::vector<quad> rest = residual_of(there);
      is_better = largest(rest) < error;
      if (!is_better) continue;
      p = trial;
      values = there;
      residual = rest;
    }
    if (!is_better) return error <= allowed ? determined(dense, v, p) : std::nullopt;
  }
  return std::nullopt;
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
