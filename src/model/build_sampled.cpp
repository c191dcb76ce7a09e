// Inputs, which the outside gives, and the controller that gives some of them at its sample times.
#include <algorithm>
#include <tuple>

#include <noslip/core/names.hpp>

#include "model/builder.hpp"

namespace noslip {
namespace {

constexpr const char* energy_to_come = "the.energy";  // no name that a user may write

}  // namespace

void Builder::inputs() {
  Rule rule;
  rule.allowed = "the default of an input may use the parameters only";
  rule.state = rule.time = rule.inputs = false;
  for (const auto& [name, value] : text_.inputs) {
    const Expr expression = names_.parse(value, rule).value_or(zero());
    data_.inputs.push_back({name.text, data_.graph->symbol(name.text), expression});
    data_.defaults.push_back({"the default of input '" + name.text + "'", value, expression});
  }
}

std::vector<std::string> Builder::input_names() const {
  std::vector<std::string> names;
  for (const NamedText& input : text_.inputs) names.push_back(input.name.text);
  return names;
}

void Builder::sampled() {
  if (text_.sampled.empty()) {
    if (text_.sampled0.is_given) {
      complain("initial sampled without [sampled]", text_.sampled0.place, "remove it, or add a controller");
    }
    return;
  }
  const std::size_t before = problems_.size();
  data_.sampled.emplace();
  sample_times();
  sampled_values();
  initial_sampled();
  if (problems_.size() == before) values_reach_inputs();
}

void Builder::sample_times() {
  const std::vector<std::string> inputs = input_names();
  for (const auto& [key, target] : {std::pair{"every", &data_.sampled->every}, {"delay", &data_.sampled->delay}}) {
    *target = zero();
    ParameterValue number{std::string("`") + key + "` of [sampled]", Text::whole(key, "0"), zero()};
    bool is_given = false;
    for (const auto& [name, value] : text_.sampled) {
      if (name.text != key) continue;
      if (is_given) complain(std::string("`") + key + "` is given twice", name.place());
      if (std::find(inputs.begin(), inputs.end(), key) != inputs.end()) {
        complain(std::string("`") + key + "` of [sampled] is a time of the controller, not the input", name.place(),
                 "give the input another name");
      }
      is_given = true;
      Rule rule;
      rule.allowed = number.what + " may use the parameters only";
      rule.state = rule.time = rule.inputs = false;
      number.text = value;
      const auto expression = names_.parse(value, rule);
      if (!expression) continue;
      *target = number.expression = *expression;
      if (!symbols_of(std::span(&*expression, 1)).empty()) continue;
      const quad known = Function<quad>(ExprMatrix{}, {{*expression}})({}).output(0)[0];
      if (auto problem = problem_with_sample_time(number, known)) problems_.push_back(std::move(*problem));
    }
    if (!is_given && target == &data_.sampled->every) {
      complain("[sampled] without `every`", text_.sampled.front().name.place(),
               "add the time between two samples, for example every = 0.01");
    }
    data_.sampled_numbers.push_back(std::move(number));
  }
}

void Builder::sampled_values() {
  SampledRule own;
  for (const NamedText& invariant : text_.invariants) own.more.try_emplace(invariant.name.text, zero());
  for (const auto& [name, value] : data_.invariants) own.more[name] = value;
  if (has_energy()) own.more.try_emplace("energy", data_.graph->symbol(energy_to_come));
  Rule rule;
  rule.allowed = "values under [sampled] may use t, " + words_.positions +
                 (words_.has_velocities ? ", velocities" : "") + ", parameters, inputs and values above them";
  rule.algebraic = !has_multipliers_as_z();
  rule.sampled = &own;
  const std::vector<std::string> inputs = input_names();
  for (const NamedText& entry : text_.sampled) {
    if (!is_sampled_value(entry)) continue;
    const std::string& name = entry.name.text;
    const auto input = std::find(inputs.begin(), inputs.end(), name);
    const bool is_input = input != inputs.end();
    const Expr expression = names_.parse(entry.value, rule).value_or(zero());
    data_.sampled->values.push_back({name, is_input ? static_cast<int>(input - inputs.begin()) : -1, expression,
                                     data_.graph->symbol(now_name(name, is_input)),
                                     data_.graph->symbol(last_name(name)),
                                     is_input ? data_.graph->symbol(name) : zero(), entry.value.text});
    ++own.above;
  }
  if (own.above == 0) {
    complain("[sampled] gives no input a value", text_.sampled.front().name.place(),
             inputs.empty() ? "add [inputs], and the values of some of them here"
                            : "the inputs are " + list_of(inputs) + ": write " + inputs.front() + " = \"...\"");
  }
}

void Builder::initial_sampled() {
  std::vector<Sampled::Value>& values = data_.sampled->values;
  std::vector<std::string> names;
  for (const Sampled::Value& value : values) {
    names.push_back(value.name);
    data_.sampled_numbers.push_back(
        {"the initial value of " + value.last.name(), Text::whole(value.last.name(), "0"), value.initial});
  }
  const InitialTexts& given = text_.sampled0;
  if (!given.by_name || !given.vectors.empty()) {
    complain("initial sampled has to be a table of numbers and expressions", given.place,
             names.empty() ? "" : "write sampled = { " + names.front() + " = 0 }");
    return;
  }
  const std::size_t first = data_.sampled_numbers.size() - values.size();
  std::set<std::string> seen;
  for (const auto& [name, text] : given.values) {
    const auto expression = names_.parse(text, initial_rule());
    const auto found = std::find(names.begin(), names.end(), name.text);
    if (found == names.end()) {
      const std::string guess = did_you_mean(name.text, names);
      complain("unknown value '" + name.text + "' of [sampled]", name.place(),
               guess.empty() ? "the values are " + list_of(names) : guess);
      continue;
    }
    if (!seen.insert(name.text).second) complain("'" + name.text + "' is given twice", name.place());
    const auto i = static_cast<std::size_t>(found - names.begin());
    values[i].initial = expression.value_or(zero());
    data_.sampled_numbers[first + i].text = text;
    data_.sampled_numbers[first + i].expression = values[i].initial;
  }
}

/// A value that no input follows from does nothing: the name of an input is misspelt, or something was forgotten.
void Builder::values_reach_inputs() {
  const std::vector<Sampled::Value>& values = data_.sampled->values;
  std::vector<bool> is_used;
  for (const Sampled::Value& value : values) is_used.push_back(value.input >= 0);
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t user = 0; user < values.size(); ++user) {
      for (std::size_t i = 0; i < values.size() && is_used[user]; ++i) {
        const Expr symbols[] = {values[i].now, values[i].last};
        if (is_used[i] || !touches(std::span(&values[user].value, 1), symbols)) continue;
        is_used[i] = grows = true;
      }
    }
  }
  const std::vector<std::string> inputs = input_names();
  std::size_t row = 0;
  const auto is_wrong_already = [&](const Place& place) {
    return std::any_of(problems_.begin(), problems_.end(), [&](const Problem& problem) {
      return std::tie(problem.place.file, problem.place.line, problem.place.column) ==
             std::tie(place.file, place.line, place.column);
    });
  };
  for (const NamedText& entry : text_.sampled) {
    if (!is_sampled_value(entry) || is_used[row++] || is_wrong_already(entry.name.place())) continue;
    const std::string guess = did_you_mean(entry.name.text, inputs);
    complain("'" + entry.name.text + "' does nothing: it is not an input, and no input under [sampled] uses it",
             entry.name.place(),
             !guess.empty()   ? guess
             : inputs.empty() ? "add [inputs] with " + entry.name.text + " = 0"
                              : "the inputs are " + list_of(inputs));
  }
}

void derive_sampled(SystemData& data) {
  if (!data.sampled) return;
  Substitution derived(*data.graph);
  if (data.offers.energy) derived.replace(data.graph->symbol(energy_to_come), data.energy);
  if (data.offers.lagrangian && !data.has_implicit_momenta) {
    for (std::size_t i = 0; i < data.momenta.size(); ++i) {
      derived.replace(data.graph->symbol(momentum_name(data.velocity_names[i])), data.momenta[i]);
    }
  }
  std::vector<Expr> values;
  for (Sampled::Value& value : data.sampled->values) values.push_back(value.value = derived(value.value));
  std::erase_if(data.structure.cyclic, [&](const std::string& name) {
    for (const Factor& factor : data.factors) {
      if (factor.is_matrix() && factor.name == name) {
        return touches(values, std::span(data.q).subspan(factor.first, factor.size));
      }
    }
    const Expr symbol = data.graph->symbol(name);
    return touches(values, std::span(&symbol, 1));
  });
}

/// An input is constant from one moment to the next. What is continuous in a motion must not contain it: the momenta,
/// which would need an impulse to follow, and derivatives of constraints.
void require_continuity(const SystemText& text, const SystemData& data, std::vector<Problem>& problems) {
  const std::string& act_in = data.kind->words().inputs_act_in;
  const bool is_mechanical = data.offers.lagrangian;
  for (const Parameter& input : data.inputs) {
    const std::span symbol(&input.symbol, 1);
    if (touches(data.has_implicit_momenta ? data.momentum_velocities : data.momenta, symbol)) {
      problems.push_back(
          {"the momenta contain the input '" + input.name + "': they would jump when it changes",
           is_mechanical ? (data.has_hamiltonian ? text.hamiltonian : text.lagrangian).place() : text.p.place,
           "let it act through " + act_in + (is_mechanical ? " or the potential" : "") + ", or make it a parameter"});
    }
    for (std::size_t i = 0; i < data.velocity_level.size() && !is_mechanical; ++i) {
      if (!touches(std::span(&data.velocity_level[i].k, 1), symbol)) continue;
      problems.push_back({"the derivative of constraint '" + data.holonomic[i].text + "' contains the input '" +
                              input.name + "': it is violated when the input changes",
                          text.g[i].place(), "let it act through " + act_in + ", or make it a parameter"});
    }
  }
}

}  // namespace noslip
