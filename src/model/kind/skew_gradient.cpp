// Skew-gradient systems, x' = Pi(x) grad H(x).
#include <noslip/core/names.hpp>
#include <noslip/expr/derivative.hpp>
#include <noslip/expr/print.hpp>

#include "model/builder.hpp"
#include "model/equations.hpp"
#include "model/evaluator.hpp"
#include "model/kind/show.hpp"
#include "model/skew_symmetry.hpp"

namespace noslip {
namespace {

/// For H and Pi alike. Time is not among the variables: H would not be constant.
Rule rule_for(const std::string& what) {
  Rule rule;
  rule.allowed = what + " may use x and the parameters only: a system of kind skew-gradient does not depend on time";
  rule.time = false;
  return rule;
}

class SkewGradientBuilder final : public Builder {
 public:
  using Builder::Builder;

 private:
  void required() override;
  void equations() override;
  void initial() override { initial_values(text_.x0, data_.coordinates, "x"); }
  std::vector<std::string> exact_names() const override { return data_.coordinates; }
  bool has_energy() const override { return true; }
  void structure_matrix();
};

void SkewGradientBuilder::required() {
  if (!text_.hamiltonian.is_given) {
    complain("no hamiltonian", text_.place, "add a line such as hamiltonian = \"(x1^2 + x2^2)/2\"");
  }
  if (!text_.structure.is_given) {
    complain("no structure", text_.place,
             "add the skew-symmetric matrix by rows, for example structure = [[\"0\", \"1\"], [\"-1\", \"0\"]]");
  }
}

void SkewGradientBuilder::equations() {
  data_.hamiltonian = zero();
  if (text_.hamiltonian.document) {
    const auto expression = names_.parse(text_.hamiltonian, rule_for("the Hamiltonian"));
    if (expression) {
      data_.hamiltonian = *expression;
      if (!touches(std::span(&*expression, 1), data_.q)) {
        complain("the Hamiltonian contains none of the variables x", text_.hamiltonian.place(),
                 data_.q.size() <= 12 ? "they are " + list_of(data_.coordinates) : "");
      }
    }
  }
  if (text_.structure.is_given) structure_matrix();
}

void SkewGradientBuilder::structure_matrix() {
  const std::size_t n = data_.q.size();
  const std::string variables = counted(n, "variable", "variables") + " x";
  const std::string order = n <= 12 ? ", in the order of x: " + list_of(data_.coordinates) : ", in the order of x";
  if (text_.structure.rows.size() != n) {
    complain("the structure has " + counted(text_.structure.rows.size(), "row", "rows") + " for " + variables,
             text_.structure.place, "give one row per variable" + order);
  }
  const Rule rule = rule_for("the structure");
  std::vector<std::vector<Expr>> rows;
  for (const TextList& row : text_.structure.rows) {
    if (row.texts.size() != n) {
      complain("row " + std::to_string(rows.size() + 1) + " of the structure has " +
                   counted(row.texts.size(), "entry", "entries") + " for " + variables,
               row.place, "give one entry per variable" + order);
    }
    rows.emplace_back();
    for (const Text& each : row.texts) rows.back().push_back(names_.parse(each, rule).value_or(zero()));
  }
  // What is wrong so far could make numbers of it that mean nothing.
  if (problems_.empty()) data_.structure_matrix = std::move(rows);
}

void derive_skew_gradient(SystemData& data) {
  data.offers.parts = data.offers.skew_form = data.offers.energy = true;
  data.blocks = {{Role::position, "x", "values of x", data.coordinates, data.coordinates}};
  Graph& graph = *data.graph;
  data.energy = data.hamiltonian;
  const std::vector<Expr> slopes = gradient(data.hamiltonian, data.q);
  for (const std::vector<Expr>& row : data.structure_matrix) data.position_rates.push_back(dot(graph, row, slopes));
  data.parts.assign(part_names.size(), {});
  data.parts[1] = data.position_rates;

  std::vector<Expr> everything;
  for (const std::vector<Expr>& row : data.structure_matrix) {
    everything.insert(everything.end(), row.begin(), row.end());
  }
  data.structure.constant_matrix = !touches(everything, data.q);
  everything.push_back(data.hamiltonian);
  data.structure.cyclic = absent_positions(data, everything);
}

Shown show_skew_gradient(const System& system, Writer& writer) {
  Shown shown;
  shown.variables = {{"x", system.coordinates()}};
  shown.angles = angles_of(system);
  const auto hamiltonian = [&](Pen pen) { return std::vector{hamiltonian_equation(system, pen)}; };
  shown.sections = {{"Hamiltonian", hamiltonian(writer.text_pen()), hamiltonian(writer.latex_pen())}};
  add_section(shown, "Structure, Pi(x), row by row", system, writer, matrix_equations);
  add_section(shown, "Differential equations, x' = Pi(x) grad H(x)", system, writer, rate_equations);
  shown.entries = {{"hamiltonian", {writer.text(system.hamiltonian())}},
                   {"structure", text_rows(writer, system.structure_matrix())},
                   {"rates", texts_by_name(writer, system.coordinates(), system.position_rates())},
                   {"equations", equation_texts(rate_equations(system, writer.text_pen()))},
                   {"energy", {writer.text(system.energy())}}};
  const Structure& structure = system.structure();
  shown.facts = {{"constant_matrix", "matrix Pi constant", structure.constant_matrix, ""},
                 {"depends_on_time", "", structure.depends_on_time, ""},
                 {"angles", shown.angles.empty() ? "" : "angles, 2 pi periodic", shown.angles, ""},
                 {"cyclic", "variables that appear nowhere", structure.cyclic, ""}};
  return shown;
}

class SkewGradientKind final : public Kind {
 public:
  const char* name() const override { return "skew-gradient"; }

  const KindWords& words() const override {
    static const KindWords words = words_of_variables("x");
    return words;
  }

  std::span<const Key> keys() const override {
    static const Key keys[] = {
        {"x", Strings{&SystemText::x, "names", "a variable", "write x = [\"x1\", \"x2\"]", true}},
        {"hamiltonian", OneText{&SystemText::hamiltonian}},
        {"structure",
         RowTexts{&SystemText::structure, "row", "write structure = [[\"0\", \"1\"], [\"-1\", \"0\"]]", true}},
        {"angles", Strings{&SystemText::angles, "names", "an angle", "write angles = [\"theta\"]"}},
    };
    return keys;
  }

  std::span<const Key> initial_keys() const override {
    static const Key keys[] = {{"x", InitialValues{&SystemText::x0, "variable"}, "x0"}};
    return keys;
  }

  const char* consists_of() const override {
    return "it has x' = Pi(x) grad H(x), given by x, hamiltonian and structure, the matrix Pi";
  }

  bool is_meant(const std::function<bool(const char*)>& has_key) const override {
    return has_key("structure") || (has_key("x") && !has_key("y"));
  }

  void build(const SystemText& text, SystemData& data, std::vector<Problem>& problems) const override {
    build_variables<SkewGradientBuilder>(*this, text, text.x, data, problems);
    require_skew_symmetry(text, data, problems);
  }

  void derive(SystemData& data) const override { derive_skew_gradient(data); }

  std::shared_ptr<const ContinuousEvaluator> evaluator(const System& system,
                                                       std::vector<double> parameters) const override {
    return skew_gradient_evaluator(system, std::move(parameters));
  }

  Shown shown(const System& system, Writer& writer) const override { return show_skew_gradient(system, writer); }

  std::vector<Expr> written(const SystemData& data) const override {
    std::vector<Expr> result{data.energy};
    result.insert(result.end(), data.position_rates.begin(), data.position_rates.end());
    for (const std::vector<Expr>& row : data.structure_matrix) result.insert(result.end(), row.begin(), row.end());
    return result;
  }
};

}  // namespace

const Kind& skew_gradient_kind() {
  static const SkewGradientKind kind;
  return kind;
}

}  // namespace noslip
