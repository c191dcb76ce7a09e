// General overdetermined systems, y' = v(t, y, z), d/dt p(t, y, z) = f(t, y, z) + r(t, y, lambda), 0 = g(t, y),
// 0 = g_t + g_y v (L. O. Jay, Specialized partitioned additive Runge-Kutta methods for systems of overdetermined DAEs
// with holonomic constraints (2007), eq. (2.11)).
#include <algorithm>

#include <noslip/core/names.hpp>
#include <noslip/expr/degree.hpp>
#include <noslip/expr/derivative.hpp>

#include "model/builder.hpp"
#include "model/equations.hpp"
#include "model/evaluator.hpp"
#include "model/kind/show.hpp"
#include "model/words.hpp"

namespace noslip {
namespace {

class OdaeBuilder final : public Builder {
 public:
  using Builder::Builder;

 private:
  void own_symbols() override {
    data_.velocity_names = texts_of(text_.z.texts);
    data_.v = symbols(data_.velocity_names);
    data_.multiplier_names = texts_of(text_.lambda.texts);
    data_.z = symbols(data_.multiplier_names);
  }
  void equations() override;
  void initial() override {
    initial_values(text_.y0, data_.coordinates, "y");
    initial_values(text_.z0, data_.velocity_names, "z");
    initial_values(text_.lambda0, data_.multiplier_names, "lambda");
  }
  std::vector<std::string> exact_names() const override {
    std::vector<std::string> names = data_.coordinates;
    for (const auto* more : {&data_.velocity_names, &data_.multiplier_names}) {
      names.insert(names.end(), more->begin(), more->end());
    }
    return names;
  }
  bool multipliers_in_invariants() const override { return true; }
  void constraints();
};

void OdaeBuilder::equations() {
  if (data_.v.empty()) {
    complain("no variables z", text_.place, "add a line such as z = [\"z1\", \"z2\"]");
    return;
  }
  Rule differential;
  differential.allowed = "v, p and f may use t, y, z and the parameters only: reactions belong into r";
  Rule reaction;
  reaction.allowed = "r may use t, y, lambda and the parameters only";
  reaction.algebraic = false;
  reaction.multipliers = true;
  data_.velocities = list(text_.v, "v", differential, data_.coordinates, "y");
  data_.momenta = text_.p.is_given ? list(text_.p, "p", differential, data_.velocity_names, "z") : data_.v;
  static const TextList none;
  const TextList& f = text_.f.rows.empty() ? none : text_.f.rows.front();
  data_.forces = list(f, "f", differential, data_.velocity_names, "z");
  const bool needs_reactions = !data_.z.empty() || text_.r.is_given;
  data_.position_reactions = needs_reactions ? list(text_.r, "r", reaction, data_.velocity_names, "z")
                                             : std::vector<Expr>(data_.v.size(), zero());
  constraints();
}

void OdaeBuilder::constraints() {
  Rule rule;
  rule.allowed = "g may use t, y and the parameters only: it is differentiated to get g_t + g_y v = 0";
  rule.algebraic = false;
  Gradients slopes(*data_.graph, data_.q);
  for (const Text& each : text_.g) {
    if (const auto g = position_constraint(each, rule, "constraint '" + shown_text(each) + "'")) {
      data_.holonomic.push_back({shown_text(each), *g, slopes(*g)});
    }
  }
  const std::size_t equations = text_.g.size(), unknowns = text_.lambda.size();
  if (equations != unknowns) {
    complain(counted(equations, "constraint") + " g for " + counted(unknowns, "multiplier") + " lambda",
             equations > unknowns ? text_.g[unknowns].place() : text_.lambda[equations].place(),
             "there have to be as many constraints g as multipliers lambda");
  }
  if (const std::size_t n = std::min(data_.q.size(), data_.v.size()); equations > n) {
    complain("more constraints g (" + std::to_string(equations) + ") than variables " +
                 (data_.q.size() == n ? "y" : "z") + " (" + std::to_string(n) + ")",
             text_.g[n].place());
  }
}

/// Problems of a system whose p lacks a z, or whose constraints and reactions have nothing to act on.
void require_reactions(const SystemText& text, const SystemData& data, std::vector<Problem>& problems) {
  for (std::size_t i = 0; i < data.v.size(); ++i) {
    if (touches(data.momenta, std::span(&data.v[i], 1))) continue;
    problems.push_back({"p_z is singular: p does not contain '" + data.velocity_names[i] + "'", text.p.place,
                        "d/dt p has to determine every z"});
  }
  for (std::size_t i = 0; i < data.velocity_level.size(); ++i) {
    if (touches(std::span(&data.velocity_level[i].k, 1), data.v)) continue;
    problems.push_back({"the derivative of constraint '" + data.holonomic[i].text + "' does not contain z",
                        text.g[i].place(), "g_y v_z has to have full rank"});
  }
  for (std::size_t i = 0; i < data.z.size(); ++i) {
    if (touches(data.position_reactions, std::span(&data.z[i], 1))) continue;
    problems.push_back({"no reaction r contains '" + data.multiplier_names[i] + "'", text.lambda[i].place(),
                        "r_lambda has to have full rank"});
  }
}

void find_structure_of_odae(SystemData& data) {
  Structure& structure = data.structure;
  std::vector<Expr> entries;
  structure.diagonal_mass = true;
  for (std::size_t i = 0; i < data.mass.size(); ++i) {
    for (std::size_t j = 0; j < data.mass.size(); ++j) {
      if (i != j && !data.mass[i][j].is_zero()) structure.diagonal_mass = false;
      entries.push_back(data.mass[i][j]);
    }
  }
  const std::vector<Expr> time{data.t};
  const std::vector<bool> smooth = are_smooth(data.momenta, data.v);
  structure.constant_mass = !touches(entries, data.q) && !touches(entries, data.v) && !touches(entries, time) &&
                            std::find(smooth.begin(), smooth.end(), false) == smooth.end();

  std::vector<Expr> everything;
  for (const auto* part : {&data.velocities, &data.momenta, &data.forces, &data.position_reactions}) {
    everything.insert(everything.end(), part->begin(), part->end());
  }
  for (const HolonomicConstraint& constraint : data.holonomic) everything.push_back(constraint.g);
  structure.depends_on_time = touches(everything, time);
  structure.cyclic = absent_positions(data, everything);
}

/// With k = g_t + g_y v, the motion satisfies
///   p_z z' = f + r(lambda) - p_y v - p_t,    k_z z' = -(k_y v + k_t).
void derive_odae(SystemData& data) {
  data.offers.momenta = data.offers.multiplier_variables = true;
  data.blocks = {{Role::position, "y", "values of y", data.coordinates, data.coordinates},
                 {Role::velocity, "z", "of z", data.velocity_names, data.velocity_names},
                 {Role::multiplier, "lambda", "of lambda", data.multiplier_names, data.multiplier_names}};
  data.position_rates = data.velocities;
  Graph& graph = *data.graph;
  const std::size_t n = data.v.size();
  data.mass.assign(n, SparseRow(graph, n));
  for (const Entry& entry : jacobian(data.momenta, data.v)) {
    data.mass[static_cast<std::size_t>(entry.row)].append(static_cast<std::size_t>(entry.column), entry.value);
  }
  const std::vector<Expr> transport = change_in_motion(data, data.momenta, data.velocities);
  for (std::size_t i = 0; i < n; ++i) data.acceleration_rhs.push_back(data.forces[i] - transport[i]);

  std::vector<Expr> g;
  for (const HolonomicConstraint& constraint : data.holonomic) g.push_back(constraint.g);
  const std::vector<Expr> k = change_in_motion(data, g, data.velocities);
  Substitution at_zero(graph);
  for (const Expr z : data.v) at_zero.replace(z, graph.constant(0));
  Gradients slopes(graph, data.v);
  for (std::size_t r = 0; r < k.size(); ++r) {
    Constraint rate{data.holonomic[r].text, k[r], ConstraintKind::nonlinear, slopes(k[r])};
    if (!touches(rate.K.values(), data.v) && is_smooth(k[r], data.v)) {
      rate.kind = at_zero(k[r]).is_zero() ? ConstraintKind::linear : ConstraintKind::affine;
    }
    data.velocity_level.push_back(std::move(rate));
  }
  for (const Expr change : change_in_motion(data, k, data.velocities)) data.constraint_rhs.push_back(-change);
  find_structure_of_odae(data);
}

Shown show_odae(const System& system, Writer& writer) {
  Shown shown;
  shown.variables = {
      {"y", system.coordinates()}, {"z", system.velocity_names()}, {"lambda", system.multiplier_names()}};
  shown.moving_one = "variable z";
  shown.moving_many = "variables z";
  shown.residual_label = "largest |g|, |g_t + g_y v|";
  add_section(shown, "Rates, y' = v(t, y, z)", system, writer, velocity_equations);
  add_section(shown, "Momenta, d/dt p(t, y, z) = f(t, y, z) + r(t, y, lambda)", system, writer, reaction_equations);
  if (!system.holonomic().empty()) {
    add_section(shown, "Constraints, g(t, y) = 0", system, writer, holonomic_equations);
    add_section(shown, "Their derivatives, g_t + g_y v = 0", system, writer, rate_constraint_equations);
  }
  shown.entries = {{"z", names_as_list(system.velocity_names())},
                   {"velocities", texts_by_name(writer, system.coordinates(), system.velocities())},
                   {"momenta", text_list(writer, system.momenta())},
                   {"forces", text_list(writer, system.forces())},
                   {"reactions", text_list(writer, system.position_reactions())},
                   {"equations", equation_texts(reaction_equations(system, writer.text_pen()))},
                   {"differentiated_constraints", equation_texts(rate_constraint_equations(system, writer.text_pen()))}};
  const Structure& structure = system.structure();
  shown.facts = {{"constant_mass", "p_z constant", structure.constant_mass, ""},
                 {"diagonal_mass", "p_z diagonal", structure.diagonal_mass, ""},
                 {"depends_on_time", "depends on time", structure.depends_on_time, ""},
                 {"cyclic", "variables y that appear nowhere", structure.cyclic, ""}};
  return shown;
}

class OdaeKind final : public Kind {
 public:
  const char* name() const override { return "odae"; }

  const KindWords& words() const override {
    static const KindWords words = [] {
      KindWords own = words_of_variables("y");
      own.a_position = "a differential variable";
      own.an_algebraic = "a differential variable";
      own.multipliers_in = "multipliers may be used in r and in invariants";
      return own;
    }();
    return words;
  }

  std::span<const Key> keys() const override {
    static const Key keys[] = {
        {"y", Strings{&SystemText::y, "names", "a variable", "write y = [\"y1\", \"y2\"]", true}},
        {"z", Strings{&SystemText::z, "names", "a variable", "write z = [\"z1\", \"z2\"]", true}},
        {"lambda", Strings{&SystemText::lambda, "names", "a multiplier", "write lambda = [\"lambda1\"]", true}},
        {"v", Expressions{&SystemText::v}},
        {"p", Expressions{&SystemText::p}},
        {"f", Expressions{&SystemText::f}},
        {"r", Expressions{&SystemText::r}},
        {"g", Strings{&SystemText::g, "strings", "a constraint", "put it in brackets", true}},
    };
    return keys;
  }

  std::span<const Key> initial_keys() const override {
    static const Key keys[] = {{"y", InitialValues{&SystemText::y0, "variable"}, "y0"},
                               {"z", InitialValues{&SystemText::z0, "variable"}, "z0"},
                               {"lambda", InitialValues{&SystemText::lambda0, "multiplier"}, "lambda0"}};
    return keys;
  }

  const char* consists_of() const override {
    return "it has y' = v(t, y, z), d/dt p(t, y, z) = f(t, y, z) + r(t, y, lambda) and 0 = g(t, y), given by y, z, "
           "lambda, v, p, f, r and g";
  }

  bool is_meant(const std::function<bool(const char*)>& has_key) const override {
    return has_key("lambda") || has_key("r") || has_key("v");
  }

  void build(const SystemText& text, SystemData& data, std::vector<Problem>& problems) const override {
    build_variables<OdaeBuilder>(*this, text, text.y, data, problems);
  }

  void derive(SystemData& data) const override { derive_odae(data); }

  void check(const SystemText& text, const SystemData& data, std::vector<Problem>& problems) const override {
    require_reactions(text, data, problems);
  }

  std::shared_ptr<const ContinuousEvaluator> evaluator(const System& system,
                                                       std::vector<double> parameters) const override {
    return odae_evaluator(system, std::move(parameters));
  }

  Shown shown(const System& system, Writer& writer) const override { return show_odae(system, writer); }

  std::vector<Expr> written(const SystemData& data) const override {
    std::vector<Expr> result;
    for (const auto* part : {&data.forces, &data.momenta, &data.velocities, &data.position_reactions}) {
      result.insert(result.end(), part->begin(), part->end());
    }
    return result;
  }
};

}  // namespace

const Kind& odae_kind() {
  static const OdaeKind kind;
  return kind;
}

}  // namespace noslip
