// A Hamiltonian in place of the Lagrangian: v = H_p(t, q, p), L = p . v - H.
//
// Where H is quadratic in p, H = c + b . p + p . A p / 2, the Legendre transform has a closed form:
//   p = A^-1 (v - b),   L = (v - b) . A^-1 (v - b) / 2 - c
// and the system is a Lagrangian one from there on. Elsewhere, and where A^-1 would be a large expression of t and q, p
// stays a symbol.
#include <algorithm>

#include <noslip/core/names.hpp>
#include <noslip/expr/degree.hpp>
#include <noslip/expr/derivative.hpp>

#include "model/kind/mechanical_builder.hpp"
#include "model/symbolic_inverse.hpp"

namespace noslip {
SparseMatrix symmetric_jacobian(Graph& graph, std::span<const Expr> functions, std::span<const Expr> variables) {
  SparseMatrix result(functions.size(), SparseRow(graph, variables.size()));
  std::vector<std::vector<Entry>> right(functions.size());  // of the diagonal, by row
  for (const Entry& entry : jacobian(functions, variables)) {
    // The two triangles are equal in value, not always in form; one form is kept.
    if (entry.column > entry.row) continue;
    result[static_cast<std::size_t>(entry.row)].append(static_cast<std::size_t>(entry.column), entry.value);
    if (entry.column < entry.row) right[static_cast<std::size_t>(entry.column)].push_back(entry);
  }
  for (std::size_t i = 0; i < right.size(); ++i) {
    for (const Entry& entry : right[i]) result[i].append(static_cast<std::size_t>(entry.row), entry.value);
  }
  return result;
}

void MechanicalBuilder::hamiltonian() {
  data_.lagrangian = data_.hamiltonian = zero();
  data_.has_hamiltonian = true;
  for (const std::string& name : data_.velocity_names) data_.p.push_back(data_.graph->symbol(momentum_name(name)));
  if (text_.lagrangian.is_given) {
    complain("`lagrangian` and `hamiltonian` are both given", text_.hamiltonian.place(), "remove one of them");
  }
  if (!text_.hamiltonian.document) return;
  Rule rule;
  rule.allowed =
      "a Hamiltonian is a function of t, the coordinates and their momenta: write " +
      (data_.group->is_vector_space() ? std::string("p(x), not x'")
                                      : "p(" + data_.velocity_names.front() + "), not " + data_.v.front().name());
  rule.velocities = false;
  const auto expression = names_.parse(text_.hamiltonian, rule);
  if (!expression) return;
  data_.hamiltonian = *expression;
  if (!touches(std::span(&*expression, 1), data_.p)) {
    complain("the Hamiltonian contains no momentum", text_.hamiltonian.place(),
             "momenta are written p(x), for example p(x)^2/(2*m)");
    return;
  }
  legendre_transform();
}

void MechanicalBuilder::legendre_transform() {
  Graph& graph = *data_.graph;
  const std::size_t n = data_.v.size();
  data_.momentum_velocities = gradient(data_.hamiltonian, data_.p);
  data_.inverse_mass = dense(symmetric_jacobian(graph, data_.momentum_velocities, data_.p));
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<Expr>& row = data_.inverse_mass[i];
    if (!std::all_of(row.begin(), row.end(), [](Expr entry) { return entry.is_zero(); })) continue;
    const std::string& name = data_.velocity_names[i];
    complain("H_pp is singular: the Hamiltonian has no term that is quadratic in the momentum of '" + name + "'",
             text_.hamiltonian.place(), "give '" + name + "' an inertia, for example p(" + name + ")^2/(2*m)");
  }
  if (!problems_.empty()) return;
  const auto inverse = symbolic_inverse(graph, data_.inverse_mass);
  if (!inverse) {
    complain("H_pp is singular: momenta do not follow from the velocities of " + list_of(data_.velocity_names),
             text_.hamiltonian.place(), "give every motion an inertia, or remove a coordinate");
    return;
  }
  data_.mass = SparseMatrix(inverse->begin(), inverse->end());

  std::vector<Expr> entries;
  for (const std::vector<Expr>& row : data_.inverse_mass) entries.insert(entries.end(), row.begin(), row.end());
  std::vector<Expr> moving = data_.q;
  moving.push_back(data_.t);
  const auto is_small = [&](const std::vector<std::size_t>& block) {
    if (block.size() <= largest_closed_block) return true;
    // A matrix of numbers and parameters is inverted once and for all.
    return std::none_of(block.begin(), block.end(),
                        [&](std::size_t row) { return touches(data_.inverse_mass[row], moving); });
  };
  const auto blocks = coupled_blocks(data_.inverse_mass);
  data_.has_implicit_momenta = !std::all_of(blocks.begin(), blocks.end(), is_small) || touches(entries, data_.p) ||
                               !is_smooth(data_.hamiltonian, data_.p);
  if (data_.has_implicit_momenta) {
    data_.z = data_.p;
    data_.lagrangian = dot(graph, data_.p, data_.v) - data_.hamiltonian;
    return;
  }

  Substitution without_momenta(graph);
  for (const Expr p : data_.p) without_momenta.replace(p, zero());
  std::vector<Expr> w;  // v - b
  for (std::size_t i = 0; i < n; ++i) w.push_back(data_.v[i] - without_momenta(data_.momentum_velocities[i]));
  std::vector<Expr> terms, momenta;
  for (std::size_t i = 0; i < n; ++i) {
    momenta.push_back(dot(graph, data_.mass[i], w));
    // Every product once: the derivatives of L are then as short as a Lagrangian written by hand has them.
    terms.push_back(data_.mass[i][i] * powi(w[i], 2) / 2);
    for (std::size_t j = 0; j < i; ++j) terms.push_back(data_.mass[i][j] * w[i] * w[j]);
  }
  data_.lagrangian = sum(graph, terms) - without_momenta(data_.hamiltonian);
  data_.mass.clear();
  names_.replace_momenta(momenta);
}

void MechanicalBuilder::initial_velocities() {
  const InitialTexts& given = text_.p0;
  if (!given.is_given) {
    initial_values(text_.v0, data_.velocity_names, "v");
    for (std::size_t i = 0; i < data_.z.size(); ++i) {
      // Newton's method finds them later; see LegendreMap.
      data_.initial.push_back({"the initial value of " + data_.z[i].name(), Text::whole("p", "0"), zero()});
    }
    return;
  }
  if (text_.v0.is_given) {
    complain("initial v and initial p are both given", given.place, "give one of them: the other follows from it");
    return;
  }
  if (!data_.has_hamiltonian) {
    complain("initial p belongs to systems with a hamiltonian", given.place, "give the velocities v instead");
    return;
  }
  data_.starts_from_momenta = true;
  const std::size_t n = data_.v.size(), first = data_.initial.size();
  initial_values(given, data_.velocity_names, "p");
  if (!problems_.empty()) return;  // H_p may not exist
  const std::vector<ParameterValue> p(data_.initial.begin() + static_cast<std::ptrdiff_t>(first), data_.initial.end());
  Substitution at_start(*data_.graph);
  at_start.replace(data_.t, data_.initial[0].expression);
  for (std::size_t i = 0; i < data_.q.size(); ++i) at_start.replace(data_.q[i], data_.initial[1 + i].expression);
  for (std::size_t i = 0; i < n; ++i) at_start.replace(data_.p[i], p[i].expression);
  data_.initial.resize(first);
  for (std::size_t i = 0; i < n; ++i) {
    data_.initial.push_back({"the initial value of " + data_.v[i].name() + ", which follows from p,", p[i].text,
                             at_start(data_.momentum_velocities[i])});
  }
  if (data_.has_implicit_momenta) data_.initial.insert(data_.initial.end(), p.begin(), p.end());
}

}  // namespace noslip
