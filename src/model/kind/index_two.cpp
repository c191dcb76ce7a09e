// General systems of index 2, y' = f(t, y, z), 0 = g(t, y), where f is a sum of parts.
#include <fmt/format.h>

#include <noslip/core/names.hpp>

#include "model/builder.hpp"
#include "model/equations.hpp"
#include "model/evaluator.hpp"
#include "model/kind/show.hpp"
#include "model/words.hpp"

namespace noslip {
namespace {

constexpr std::size_t part_count = part_names.size();

class IndexTwoBuilder final : public Builder {
 public:
  using Builder::Builder;

 private:
  void own_symbols() override {
    data_.multiplier_names = texts_of(text_.z.texts);
    data_.z = symbols(data_.multiplier_names);
  }
  void equations() override {
    parts();
    algebraic_constraints();
  }
  void initial() override {
    initial_values(text_.y0, data_.coordinates, "y");
    initial_values(text_.z0, data_.multiplier_names, "z");
  }
  std::vector<std::string> exact_names() const override {
    std::vector<std::string> names = data_.coordinates;
    names.insert(names.end(), data_.multiplier_names.begin(), data_.multiplier_names.end());
    return names;
  }

  bool has_multipliers_as_z() const override { return true; }
  void parts();
  void algebraic_constraints();
};

void IndexTwoBuilder::parts() {
  const std::size_t n = data_.q.size();
  const std::vector<TextList>& given = text_.f.rows;
  data_.parts.assign(part_count, {});
  if (!text_.f.is_given) {
    complain("no right-hand side f", text_.place,
             "add a line such as f = [[], [\"...\", \"...\"]]: the parts A, B, C, C* and D, each with one text per y");
    return;
  }
  if (given.size() > part_count) {
    complain(counted(given.size(), "part") + " of f are too many", given[part_count].place,
             "at most five are known: A, B, C, C* and D");
  }
  bool is_empty = true;
  for (std::size_t m = 0; m < given.size(); ++m) {
    const TextList& part = given[m];
    if (part.texts.empty()) continue;
    is_empty = false;
    if (part.texts.size() != n) {
      const std::string name = m < part_count ? std::string("part ") + part_names[m] : "a part";
      complain(name + " of f has " + counted(part.texts.size(), "text") + " for " + counted(n, "variable") + " y",
               part.place, "give one text per variable y, or [] for a part that is missing");
    }
    std::vector<Expr> rates;
    for (const Text& each : part.texts) rates.push_back(names_.parse(each, Rule{}).value_or(zero()));
    if (m < part_count && rates.size() == n) data_.parts[m] = std::move(rates);
  }
  if (is_empty) {
    complain("all parts of f are missing", text_.f.place,
             "put the right-hand side into part B: f = [[], [\"...\", \"...\"]]");
  }
}

void IndexTwoBuilder::algebraic_constraints() {
  Rule rule;
  rule.allowed = "g may use t, y and the parameters only: 0 = g(t, y) of a system of index 2 does not contain z";
  rule.algebraic = false;
  for (const Text& each : text_.g) {
    if (const auto g = position_constraint(each, rule, "constraint '" + shown_text(each) + "'")) {
      data_.constraints.push_back({shown_text(each), *g, ConstraintKind::algebraic, {}});
    }
  }
  const std::size_t equations = text_.g.size(), unknowns = text_.z.size();
  if (equations != unknowns) {
    const bool more_equations = equations > unknowns;
    complain(counted(equations, "constraint") + " g for " + counted(unknowns, "variable") + " z",
             more_equations ? text_.g[unknowns].place() : text_.z[equations].place(),
             "a system of index 2 has as many constraints g as variables z");
  }
  if (const std::size_t n = data_.q.size(); equations > n) {
    complain("more constraints g (" + std::to_string(equations) + ") than variables y (" + std::to_string(n) + ")",
             text_.g[n].place());
  }
}

/// A system whose hidden constraints lack z cannot be of index 2: problems with the places of g and z.
void require_index_two(const SystemText& text, const SystemData& data, std::vector<Problem>& problems) {
  const std::string remedy = "g_y f_z has to be regular: each derivative of g has to determine some of z";
  for (std::size_t i = 0; i < data.hidden_constraints.size(); ++i) {
    if (touches(std::span(&data.hidden_constraints[i], 1), data.z)) continue;
    problems.push_back({"the system is not of index 2: the derivative of constraint '" + data.constraints[i].text +
                            "' does not contain z",
                        text.g[i].place(), remedy});
  }
  for (std::size_t i = 0; i < data.z.size() && problems.empty(); ++i) {
    if (touches(data.hidden_constraints, std::span(&data.z[i], 1))) continue;
    problems.push_back(
        {"the system is not of index 2: no derivative of a constraint contains '" + data.multiplier_names[i] + "'",
         text.z[i].place(), remedy});
  }
}

/// The hidden constraint is what d/dt g = 0 says: g_t + g_y f = 0.
void derive_index_two(SystemData& data) {
  data.offers.parts = data.offers.multiplier_variables = data.offers.given_multipliers = true;
  data.blocks = {{Role::position, "y", "values of y", data.coordinates, data.coordinates},
                 {Role::multiplier, "z", "of z", data.multiplier_names, data.multiplier_names}};
  Graph& graph = *data.graph;
  const std::size_t n = data.q.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Expr> terms;
    for (const std::vector<Expr>& part : data.parts) {
      if (!part.empty()) terms.push_back(part[i]);
    }
    data.position_rates.push_back(sum(graph, terms));
  }
  std::vector<Expr> g;
  for (const Constraint& constraint : data.constraints) g.push_back(constraint.k);
  data.hidden_constraints = change_in_motion(data, g, data.position_rates);

  std::vector<Expr> everything = g;
  for (const std::vector<Expr>& part : data.parts) everything.insert(everything.end(), part.begin(), part.end());
  data.structure.depends_on_time = touches(everything, std::span(&data.t, 1));
  data.structure.cyclic = absent_positions(data, everything);
}

Shown show_index_two(const System& system, Writer& writer) {
  Shown shown;
  shown.variables = {{"y", system.coordinates()}, {"z", system.multiplier_names()}};
  shown.moving_one = "variable y";
  shown.moving_many = "variables y";
  shown.residual_label = "largest |g|";
  add_section(shown, "Differential equations, y' = f(t, y, z)", system, writer, rate_equations);
  ShownValue::List parts;
  std::vector<std::string> given;
  for (std::size_t part = 0; part < system.parts().size(); ++part) {
    if (system.parts()[part].empty()) continue;
    shown.sections.push_back(
        {fmt::format("Part {} of f", part_names[part]), part_equations(system, part, writer.text_pen()), {}});
    parts.push_back(texts_by_name(writer, system.coordinates(), system.parts()[part]));
    given.emplace_back(part_names[part]);
  }
  if (!system.constraints().empty()) {
    add_section(shown, "Constraints, g(t, y) = 0", system, writer, constraint_equations);
    add_section(shown, "Hidden constraints, g_t + g_y f = 0", system, writer, hidden_equations);
  }
  shown.entries = {{"parts", {given, std::move(parts)}},
                   {"rates", texts_by_name(writer, system.coordinates(), system.position_rates())},
                   {"equations", equation_texts(rate_equations(system, writer.text_pen()))},
                   {"hidden_constraints", equation_texts(hidden_equations(system, writer.text_pen()))}};
  const Structure& structure = system.structure();
  shown.facts = {{"parts", "parts of f", given, given.empty() ? "none" : list_of(given)},
                 {"depends_on_time", "depends on time", structure.depends_on_time, ""},
                 {"cyclic", "variables that appear nowhere", structure.cyclic, ""}};
  return shown;
}

class IndexTwoKind final : public Kind {
 public:
  const char* name() const override { return "dae2"; }

  const KindWords& words() const override {
    static const KindWords words = [] {
      KindWords own = words_of_variables("y");
      own.a_position = "a differential variable";
      own.an_algebraic = "an algebraic variable";
      return own;
    }();
    return words;
  }

  std::span<const Key> keys() const override {
    static const Key keys[] = {
        {"y", Strings{&SystemText::y, "names", "a variable", "write y = [\"y1\", \"y2\"]", true}},
        {"z", Strings{&SystemText::z, "names", "a variable", "write z = [\"z1\"]", true}},
        {"f", RowTexts{&SystemText::f, "part",
                       "write f = [[], [\"...\", \"...\"]]: the parts A, B, C, C* and D, [] for a missing one", true}},
        {"g", Strings{&SystemText::g, "strings", "a constraint", "put it in brackets", true}},
    };
    return keys;
  }

  std::span<const Key> initial_keys() const override {
    static const Key keys[] = {{"y", InitialValues{&SystemText::y0, "variable"}, "y0"},
                               {"z", InitialValues{&SystemText::z0, "variable"}, "z0"}};
    return keys;
  }

  const char* consists_of() const override { return "it has y' = f(t, y, z) and 0 = g(t, y), given by y, z, f and g"; }

  bool is_meant(const std::function<bool(const char*)>&) const override { return true; }

  void build(const SystemText& text, SystemData& data, std::vector<Problem>& problems) const override {
    build_variables<IndexTwoBuilder>(*this, text, text.y, data, problems);
  }

  void derive(SystemData& data) const override { derive_index_two(data); }

  void check(const SystemText& text, const SystemData& data, std::vector<Problem>& problems) const override {
    require_index_two(text, data, problems);
  }

  std::shared_ptr<const ContinuousEvaluator> evaluator(const System& system,
                                                       std::vector<double> parameters) const override {
    return index_two_evaluator(system, std::move(parameters));
  }

  Shown shown(const System& system, Writer& writer) const override { return show_index_two(system, writer); }

  std::vector<Expr> written(const SystemData& data) const override {
    std::vector<Expr> result;
    for (const std::vector<Expr>& part : data.parts) result.insert(result.end(), part.begin(), part.end());
    return result;
  }
};

}  // namespace

const Kind& index_two_kind() {
  static const IndexTwoKind kind;
  return kind;
}

}  // namespace noslip
