// Mechanical systems: a Lagrangian or a Hamiltonian, constraints and forces, on vector spaces and Lie groups.
#include <noslip/model/shown.hpp>

#include "model/evaluator.hpp"
#include "model/kind/mechanical_builder.hpp"

namespace noslip {
namespace {

class MechanicalKind final : public Kind {
 public:
  const char* name() const override { return "mechanical"; }

  const KindWords& words() const override {
    static const KindWords words = {
        .variable = "coordinate",
        .positions = "coordinates",
        .example = "coordinates = [\"x\", \"y\"]",
        .example_name = "x",
        .a_position = "a coordinate",
        .none_of_positions = "no coordinate",
        .restricts_nothing = "it cannot restrict a motion: remove it",
        .an_algebraic = "",
        .multipliers_in = "multipliers may be used under [nonideal], and in definitions for it",
        .inputs_act_in = "[forces]",
        .has_velocities = true,
    };
    return words;
  }

  std::span<const Key> keys() const override {
    static const Key keys[] = {
        {"coordinates", CoordinateTexts{&SystemText::coordinates}},
        {"lagrangian", OneText{&SystemText::lagrangian}},
        {"hamiltonian", OneText{&SystemText::hamiltonian}},
        {"constraints", Strings{&SystemText::constraints, "strings", "a constraint", "put it in brackets", false, true}},
        {"holonomic", Strings{&SystemText::holonomic, "strings", "a constraint", "put it in brackets", false, true}},
        {"forces", NamedTexts{&SystemText::forces, nullptr, true}},
        {"nonideal", NamedTexts{&SystemText::nonideal, nullptr, true}},
        {"states", NamedTexts{&SystemText::states, "give each state its derivative, for example u = \"(command - u)/lag\"",
                              true}},
        {"basis", RowTexts{&SystemText::basis, "row", "write basis = [[\"...\", \"...\"]]: one row per vector field"}},
        {"angles", Strings{&SystemText::angles, "names", "an angle", "write angles = [\"theta\"]"}},
    };
    return keys;
  }

  std::span<const Key> initial_keys() const override {
    static const Key keys[] = {{"q", InitialValues{&SystemText::q0, "coordinate"}, "q0"},
                               {"v", InitialValues{&SystemText::v0, "coordinate"}, "v0"},
                               {"p", InitialValues{&SystemText::p0, "coordinate"}, "p0"},
                               {"states", InitialValues{&SystemText::states0, "state"}, "states0"}};
    return keys;
  }

  std::string initial_names(const SystemText& text) const override {
    if (text.hamiltonian.is_given) return text.states.empty() ? "t, q, v or p" : "t, q, v or p, and states";
    return text.states.empty() ? "t, q and v" : "t, q, v and states";
  }

  const char* consists_of() const override {
    return "it has coordinates, a lagrangian or a hamiltonian, constraints and forces";
  }

  void build(const SystemText& text, SystemData& data, std::vector<Problem>& problems) const override {
    std::vector<FactorTexts> factors = factors_of(text.coordinates, problems);
    std::vector<Text> positions;
    for (const FactorTexts& factor : factors) {
      if (!factor.group) return;
      positions.insert(positions.end(), factor.names.begin(), factor.names.end());
    }
    for (const NamedText& state : text.states) {
      if (positions.empty()) break;  // which is refused
      factors.push_back(state_factor(state.name));
      positions.push_back(state.name);
    }
    if (!can_be_built(text, positions, words(), problems)) return;
    MechanicalBuilder(*this, text, std::move(positions), std::move(factors), data, problems).run();
  }

  void derive(SystemData& data) const override { derive_mechanical(data); }

  void check(const SystemText& text, const SystemData& data, std::vector<Problem>& problems) const override {
    if (text.basis.is_given) require_linear_constraints(text, data, problems);
  }

  std::shared_ptr<const ContinuousEvaluator> evaluator(const System& system,
                                                       std::vector<double> parameters) const override {
    return mechanical_evaluator(system, std::move(parameters));
  }

  Shown shown(const System& system, Writer& writer) const override { return mechanical_shown(system, writer); }

  std::vector<Expr> written(const SystemData& data) const override {
    std::vector<Expr> result{data.lagrangian};
    for (const FirstOrderState& state : data.states) result.push_back(state.rate);
    result.insert(result.end(), data.applied_forces.begin(), data.applied_forces.end());
    result.insert(result.end(), data.nonideal.begin(), data.nonideal.end());
    for (const std::vector<Expr>& row : data.basis) result.insert(result.end(), row.begin(), row.end());
    return result;
  }
};

}  // namespace

const Kind& mechanical_kind() {
  static const MechanicalKind kind;
  return kind;
}

}  // namespace noslip
