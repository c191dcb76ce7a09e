// From texts to expressions, with every problem on the way collected.
#include <algorithm>
#include <set>

#include <noslip/core/names.hpp>
#include <noslip/expr/derivative.hpp>
#include "model/scope.hpp"
#include "model/system_data.hpp"

namespace noslip {
namespace {

// Every method needs dense matrices of this size; far beyond it an input is a mistake, not a system.
constexpr std::size_t most_coordinates = 2000;

class Builder {
 public:
  Builder(const Description& description, SystemData& data, std::vector<Problem>& problems)
      : description_(description), data_(data), problems_(problems), names_(*data.graph, description, problems) {}

  void run() {
    data_.name = description_.name;
    data_.description = description_.description;
    data_.source = description_.source;
    if (!symbols()) return;
    parameters();
    lagrangian();
    constraints();
    forces();
    invariants();
    exact();
    initial();
  }

 private:
  void complain(std::string what, Place place, std::string remedy = {}) {
    problems_.push_back({std::move(what), std::move(place), std::move(remedy)});
  }

  Expr zero() { return data_.graph->constant(0); }

  bool symbols() {
    if (description_.coordinates.empty()) {
      complain("no coordinates", description_.place, "add a line such as coordinates = [\"x\", \"y\"]");
      return false;
    }
    data_.coordinates = names_.coordinates();
    data_.t = data_.graph->symbol("t");
    for (const std::string& name : data_.coordinates) {
      data_.q.push_back(data_.graph->symbol(name));
      data_.v.push_back(data_.graph->symbol(name + "'"));
    }
    return true;
  }

  void parameters() {
    Rule rule;
    rule.allowed = "the default of a parameter may use the parameters above it only";
    rule.state = rule.time = false;
    for (std::size_t i = 0; i < description_.parameters.size(); ++i) {
      const auto& [name, value] = description_.parameters[i];
      rule.parameters = i;
      const Expr expression = names_.parse(value, rule).value_or(zero());
      data_.parameters.push_back({name.text, data_.graph->symbol(name.text), expression});
      data_.defaults.push_back({"parameter '" + name.text + "'", value, expression});
    }
  }

  void lagrangian() {
    data_.lagrangian = zero();
    if (!description_.has_lagrangian) {
      complain("no lagrangian", description_.place, "add a line such as lagrangian = \"1/2*m*x'^2 - m*g*x\"");
      return;
    }
    if (!description_.lagrangian.document) return;
    if (const auto expression = names_.parse(description_.lagrangian, Rule{})) {
      data_.lagrangian = *expression;
      const std::vector<Expr> symbols = symbols_of(std::span(&*expression, 1));
      if (std::none_of(data_.v.begin(), data_.v.end(),
                       [&](Expr v) { return std::find(symbols.begin(), symbols.end(), v) != symbols.end(); })) {
        complain("the Lagrangian contains no velocity", description_.lagrangian.place(),
                 "velocities are written with a prime, for example 1/2*m*x'^2");
      }
    }
  }

  void constraints() {
    Substitution at_rest(*data_.graph);
    for (const Expr v : data_.v) at_rest.replace(v, zero());
    const std::set<NodeId> velocities = ids(data_.v);
    for (const Phrase& phrase : description_.constraints) {
      const auto k = names_.parse(phrase, Rule{}, true);
      if (!k) continue;
      const std::string quoted = "constraint '" + phrase.text + "'";
      if (!touches(std::span(&*k, 1), velocities)) {
        if (k->is_constant()) {
          complain(quoted + (k->is_zero() ? " says nothing: it always holds" : " can never hold"), phrase.place());
        } else {
          complain(quoted + " contains no velocity: it is a position constraint", phrase.place(),
                   "position constraints belong under `holonomic`");
        }
        continue;
      }
      Constraint constraint{phrase.text, *k, ConstraintKind::nonlinear, gradient(*k, data_.v)};
      if (!touches(constraint.K, velocities)) {
        constraint.kind = at_rest(*k).is_zero() ? ConstraintKind::linear : ConstraintKind::affine;
      }
      data_.constraints.push_back(std::move(constraint));
    }
    if (const std::size_t n = description_.coordinates.size(); n > 0 && description_.constraints.size() > n) {
      complain("more constraints (" + std::to_string(description_.constraints.size()) + ") than coordinates (" +
                   std::to_string(n) + ")",
               description_.constraints[n].place());
    }
  }

  void forces() {
    data_.applied_forces.assign(data_.q.size(), zero());
    for (const auto& [name, value] : description_.forces) {
      const auto expression = names_.parse(value, Rule{});
      const auto coordinate = coordinate_of(name);
      if (expression && coordinate) data_.applied_forces[*coordinate] = *expression;
    }
  }

  void invariants() {
    std::set<std::string> seen;
    for (const auto& [name, value] : description_.invariants) {
      if (name.text.empty()) complain("an invariant needs a name", name.place());
      if (!seen.insert(name.text).second) complain("invariant '" + name.text + "' is given twice", name.place());
      if (const auto expression = names_.parse(value, Rule{})) data_.invariants.emplace_back(name.text, *expression);
    }
  }

  void exact() {
    Rule rule;
    rule.allowed = "an exact solution may use t and the parameters only";
    rule.state = false;
    std::set<std::string> seen;
    for (const auto& [name, value] : description_.exact) {
      if (!seen.insert(name.text).second) complain("'" + name.text + "' is given twice", name.place());
      const auto expression = names_.parse(value, rule);
      if (coordinate_of(name) && expression) data_.exact.emplace_back(name.text, *expression);
    }
  }

  void initial() {
    const auto t = names_.parse(description_.t0, initial_rule_);
    data_.initial.push_back({"the initial time", description_.t0, t.value_or(zero())});
    initial_values(description_.q0, description_.q0_by_name, description_.q0_place, "");
    initial_values(description_.v0, description_.v0_by_name, description_.v0_place, "'");
  }

  void initial_values(const std::vector<NamedPhrase>& values, bool by_name, const Place& place,
                      const std::string& prime) {
    const std::size_t first = data_.initial.size();
    const std::size_t n = data_.coordinates.size();
    for (const std::string& name : data_.coordinates) {
      data_.initial.push_back({"the initial value of " + name + prime, Phrase::whole(name + prime, "0"), zero()});
    }
    const std::string letter = prime.empty() ? "q" : "v";
    if (!by_name && values.size() != n) {
      complain("initial " + letter + " has " + std::to_string(values.size()) + " value" +
                   (values.size() == 1 ? "" : "s") + " for " + std::to_string(n) + " coordinate" + (n == 1 ? "" : "s"),
               place, n <= 12 ? "the order is " + list_of(data_.coordinates) : "");
    }
    std::set<std::size_t> seen;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto expression = names_.parse(values[i].value, initial_rule_);
      const auto coordinate = by_name ? coordinate_of(values[i].name) : std::optional<std::size_t>(i);
      if (!coordinate || *coordinate >= n) continue;
      if (!seen.insert(*coordinate).second) {
        complain("'" + values[i].name.text + "' is given twice", values[i].name.place());
      }
      data_.initial[first + *coordinate].phrase = values[i].value;
      data_.initial[first + *coordinate].expression = expression.value_or(zero());
    }
  }

  std::optional<std::size_t> coordinate_of(const Phrase& name) {
    const auto coordinate = names_.coordinate(name.text);
    if (!coordinate) {
      const std::string guess = did_you_mean(name.text, names_.coordinates());
      complain("unknown coordinate '" + name.text + "'", name.place(),
               !guess.empty()                      ? guess
               : names_.coordinates().size() <= 12 ? "the coordinates are " + list_of(names_.coordinates())
                                                   : "");
    }
    return coordinate;
  }

  static std::set<NodeId> ids(std::span<const Expr> symbols) {
    std::set<NodeId> result;
    for (const Expr symbol : symbols) result.insert(symbol.id);
    return result;
  }

  static bool touches(std::span<const Expr> expressions, const std::set<NodeId>& symbols) {
    const std::vector<Expr> found = symbols_of(expressions);
    return std::any_of(found.begin(), found.end(), [&](Expr symbol) { return symbols.count(symbol.id) != 0; });
  }

  const Description& description_;
  SystemData& data_;
  std::vector<Problem>& problems_;
  Names names_;
  const Rule initial_rule_{"an initial value may use the parameters only", false, false};
};

}  // namespace

void build(const Description& description, SystemData& data, std::vector<Problem>& problems) {
  if (!description.has_coordinates) return;
  if (const std::size_t n = description.coordinates.size(); n > most_coordinates) {
    problems.push_back({std::to_string(n) + " coordinates are too many", description.coordinates.front().place(),
                        "at most " + std::to_string(most_coordinates) + " are accepted"});
    return;
  }
  Builder(description, data, problems).run();
}

}  // namespace noslip
