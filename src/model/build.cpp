// From texts to expressions, with every problem on the way collected.
#include <algorithm>
#include <unordered_set>

#include <noslip/core/names.hpp>
#include "model/builder.hpp"

namespace noslip {
namespace {

// Every method needs dense matrices of this size; far beyond it an input is a mistake, not a system.
constexpr std::size_t most_coordinates = 2000;

std::vector<std::string> texts_of(const std::vector<Phrase>& phrases) {
  std::vector<std::string> result;
  for (const Phrase& phrase : phrases) result.push_back(phrase.text);
  return result;
}

}  // namespace

bool touches(std::span<const Expr> expressions, std::span<const Expr> symbols) {
  std::unordered_set<NodeId> wanted;
  for (const Expr symbol : symbols) wanted.insert(symbol.id);
  const std::vector<Expr> found = symbols_of(expressions);
  return std::any_of(found.begin(), found.end(), [&](Expr symbol) { return wanted.count(symbol.id) != 0; });
}

void Builder::run() {
  data_.kind = description_.kind;
  data_.name = description_.name;
  data_.description = description_.description;
  data_.source = description_.source;
  if (is_skew_gradient()) required_parts();
  if (!symbols()) return;
  parameters();
  switch (data_.kind) {
    case SystemKind::mechanical: mechanical(); break;
    case SystemKind::dae2: index_two(); break;
    case SystemKind::odae: overdetermined(); break;
    case SystemKind::skew_gradient: skew_gradient(); break;
  }
  invariants();
  data_.definitions = names_.definitions();
  angles();
  exact();
  initial();
}

bool Builder::symbols() {
  if (description_.coordinates.empty()) {
    if (is_mechanical()) {
      complain("no coordinates", description_.place, "add a line such as coordinates = [\"x\", \"y\"]");
    } else if (is_skew_gradient()) {
      complain("no variables x", description_.place, "add a line such as x = [\"x1\", \"x2\"]");
    } else {
      complain("no variables y", description_.place, "add a line such as y = [\"y1\", \"y2\"]");
    }
    return false;
  }
  data_.coordinates = texts_of(description_.coordinates);
  data_.t = data_.graph->symbol("t");
  for (const std::string& name : data_.coordinates) {
    data_.q.push_back(data_.graph->symbol(name));
  }
  const auto add_symbols = [&](const std::vector<std::string>& names, std::vector<Expr>& symbols) {
    for (const std::string& name : names) symbols.push_back(data_.graph->symbol(name));
  };
  if (is_mechanical()) {
    velocities();
    for (std::size_t i = 1; i <= description_.constraints.size() + description_.holonomic.size(); ++i) {
      data_.multiplier_names.push_back("lambda" + std::to_string(i));
    }
  } else {
    if (is_odae()) {
      data_.velocity_names = texts_of(description_.z);
      add_symbols(data_.velocity_names, data_.v);
    }
    data_.multiplier_names = texts_of(is_odae() ? description_.lambda : description_.z);
    add_symbols(data_.multiplier_names, data_.z);
  }
  return true;
}

void Builder::velocities() {
  std::vector<std::shared_ptr<const Group>> groups;
  std::size_t first = 0;
  int plain = 0;
  const auto merge_plain = [&] {  // neighbours are one vector space
    if (plain > 0) groups.push_back(vector_space(plain));
    plain = 0;
  };
  for (const FactorPhrases& factor : description_.factors) {
    const auto dimension = static_cast<std::size_t>(factor.group->dimension());
    const bool is_plain = factor.velocity.empty();
    data_.factors.push_back({is_plain ? "" : factor.group->name(), factor.name.text, first, factor.names.size(),
                             data_.v.size(), dimension, texts_of(factor.at_start)});
    first += factor.names.size();
    if (is_plain) {
      ++plain;
    } else {
      merge_plain();
      groups.push_back(factor.group);
    }
    for (const Phrase& name : factor.velocity) {
      data_.velocity_names.push_back(name.text);
      data_.v.push_back(data_.graph->symbol(name.text));
    }
    if (!is_plain) continue;
    data_.velocity_names.push_back(factor.names.front().text);
    data_.v.push_back(data_.graph->symbol(factor.names.front().text + "'"));
  }
  merge_plain();
  data_.group = product(std::move(groups));
  data_.position_rates = data_.group->is_vector_space() ? data_.v : times(data_.group->frame(data_.q), data_.v);
}

void Builder::parameters() {
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

void Builder::invariants() {
  std::set<std::string> seen;
  for (const auto& [name, value] : description_.invariants) {
    if (name.text.empty()) complain("an invariant needs a name", name.place());
    if (!seen.insert(name.text).second) complain("invariant '" + name.text + "' is given twice", name.place());
    Rule rule;
    rule.multipliers = is_odae();
    if (const auto expression = names_.parse(value, rule)) data_.invariants.emplace_back(name.text, *expression);
  }
}

void Builder::exact() {
  Rule rule;
  rule.allowed = "an exact solution may use t and the parameters only";
  rule.state = false;
  std::vector<std::string> variables = data_.coordinates;
  if (!is_mechanical()) {
    variables.insert(variables.end(), data_.velocity_names.begin(), data_.velocity_names.end());
    variables.insert(variables.end(), data_.multiplier_names.begin(), data_.multiplier_names.end());
  }
  std::set<std::string> seen;
  for (const auto& [name, value] : description_.exact) {
    if (!seen.insert(name.text).second) complain("'" + name.text + "' is given twice", name.place());
    const auto expression = names_.parse(value, rule);
    if (variable(name, variables) && expression) data_.exact.emplace_back(name.text, *expression);
  }
}

std::optional<std::size_t> Builder::variable(const Phrase& name, const std::vector<std::string>& variables) {
  const auto found = std::find(variables.begin(), variables.end(), name.text);
  if (found != variables.end()) return static_cast<std::size_t>(found - variables.begin());
  const bool are_velocities = is_on_group() && variables == data_.velocity_names;
  const std::string one = are_velocities ? "velocity" : is_mechanical() ? "coordinate" : "variable";
  const std::string many = are_velocities ? "velocities" : one + "s";
  const std::string guess = did_you_mean(name.text, variables);
  complain("unknown " + one + " '" + name.text + "'", name.place(),
           !guess.empty()                                 ? guess
           : !variables.empty() && variables.size() <= 12 ? "the " + many + " are " + list_of(variables)
                                                          : "");
  return std::nullopt;
}

void build(const Description& description, SystemData& data, std::vector<Problem>& problems) {
  if (!description.is_readable) return;
  if (const std::size_t n = description.coordinates.size(); n > most_coordinates) {
    const std::string what = description.kind == SystemKind::mechanical      ? " coordinates"
                             : description.kind == SystemKind::skew_gradient ? " variables x"
                                                                             : " variables y";
    problems.push_back({std::to_string(n) + what + " are too many", description.coordinates.front().place(),
                        "at most " + std::to_string(most_coordinates) + " are accepted"});
    return;
  }
  Builder(description, data, problems).run();
}

}  // namespace noslip
