#include "model/scope.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include <noslip/core/names.hpp>

#include "model/kind/kind.hpp"
#include "model/words.hpp"

namespace noslip {

std::string momentum_name(std::string_view coordinate) { return fmt::format("p({})", coordinate); }
std::string psi_name(std::size_t number) { return fmt::format("psi({})", number); }
std::string last_name(std::string_view value) { return fmt::format("last({})", value); }
std::string now_name(std::string_view value, bool is_input) {
  return is_input ? fmt::format("now({})", value) : std::string(value);
}
std::vector<std::string> constraint_names(const SystemText& text) {
  std::vector<std::string> names;
  for (const TextList* list : {&text.constraints, &text.holonomic}) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      names.push_back(i < list->names.size() ? list->names[i].text : std::string());
    }
  }
  return names;
}
std::vector<std::string> multiplier_names(const SystemText& text) {
  std::vector<std::string> names = constraint_names(text);
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = names[i].empty() ? fmt::format("lambda{}", i + 1) : "lambda_" + names[i];
  }
  return names;
}
bool is_sampled_value(const NamedText& entry) { return entry.name.text != "every" && entry.name.text != "delay"; }

Names::Names(Graph& graph, const Kind& kind, const SystemText& text, const std::vector<Text>& positions,
             const std::vector<FactorTexts>& factors, SizeValues& sizes, std::vector<Table>& tables,
             std::vector<Problem>& problems)
    : graph_(graph),
      kind_(kind),
      has_velocities_(kind.words().has_velocities),
      problems_(problems),
      sizes_(sizes),
      factors_(factors) {
  for (const FactorTexts& factor : factors) {
    if (factor.is_state) {
      add(factor.names.front(), Sort::state, 0);
      continue;
    }
    const bool is_plain = factor.name.text.empty();
    const bool is_good = is_plain || add(factor.name, Sort::element, 0);
    for (const Text& name : factor.names) {
      // Nine entries of a matrix with a bad name are not worth nine complaints.
      if (is_good) {
        add(name, Sort::coordinate, 0);
      } else {
        meanings_.try_emplace(name.text, Meaning{Sort::coordinate, 0});
      }
    }
  }
  for (std::size_t i = 0; i < positions.size() && factors.empty(); ++i) add(positions[i], Sort::coordinate, i);
  for (const FactorTexts& factor : factors) {
    if (factor.is_state) continue;
    for (const Text& name : factor.velocity) {
      add(name, Sort::velocity, moving_.size());
      moving_.push_back(name.text);
    }
    if (!factor.velocity.empty()) continue;
    moving_.push_back(factor.names.front().text);
    coordinates_.push_back(factor.names.front().text);
  }
  for (std::size_t i = 0; i < text.z.size(); ++i) add(text.z[i], Sort::algebraic, i);
  for (std::size_t i = 0; i < text.lambda.size(); ++i) add(text.lambda[i], Sort::multiplier, i);
  for (std::size_t i = 0; i < text.parameters.size(); ++i) {
    add(text.parameters[i].name, Sort::parameter, i);
  }
  for (std::size_t i = 0; i < text.inputs.size(); ++i) add(text.inputs[i].name, Sort::input, i);
  add_tables(text.tables, tables);
  for (std::size_t i = 0; i < text.definitions.size(); ++i) {
    add(text.definitions[i].name, Sort::definition, i);
    definition_names_.push_back(text.definitions[i].name.text);
  }
  for (std::size_t i = 0; i < text.outputs.size(); ++i) add(text.outputs[i].name, Sort::output, i);
  for (const NamedText& entry : text.sampled) {
    if (!is_sampled_value(entry)) continue;
    const auto known = meanings_.find(entry.name.text);
    const bool is_input = known != meanings_.end() && known->second.sort == Sort::input;
    if (is_input && std::find(sampled_.begin(), sampled_.end(), entry.name.text) != sampled_.end()) {
      problems_.push_back({"input '" + entry.name.text + "' is given twice", entry.name.place(), "give it once"});
    }
    if (!is_input) add(entry.name, Sort::sampled, sampled_.size());
    sampled_.push_back(entry.name.text);
  }
  has_momentum_ = {moving_.begin(), moving_.end()};
  has_velocity_ = {coordinates_.begin(), coordinates_.end()};
  scope_.names.push_back("t");
  scope_.symbol = looking_up(&Names::symbol);
  scope_.velocity = looking_up(&Names::velocity);
  scope_.array = [this](std::string_view name) { return array(name); };
  scope_.size = [this](std::string_view name) { return sizes_.use(name); };
  // Without velocities p may be a variable, and p(...) a forgotten '*'.
  const bool p_is_a_name = !has_velocities_ && meanings_.count("p") != 0;
  if (text.hamiltonian.is_given && !p_is_a_name) scope_.momentum = looking_up(&Names::momentum);
  multiplier_count_ = text.lambda.size();
  multipliers_ = multiplier_names(text);
  constraints_ = scope_.constraints = constraint_names(text);
  if (!multipliers_.empty()) scope_.reaction = looking_up(&Names::reaction);
  if (!text.nonideal.empty()) {
    multiplier_count_ = text.constraints.size() + text.holonomic.size();
    scope_.multiplier = looking_up(&Names::multiplier);
  }
  parse_definitions(text.definitions);
  texts_read_.clear();
}

Scope::Lookup Names::looking_up(std::optional<Expr> (Names::*meaning)(std::string_view) const) const {
  return [this, meaning](NameAt name) {
    use_->offset = name.offset;
    return (this->*meaning)(name.text);
  };
}

std::optional<std::pair<std::int64_t, std::int64_t>> Names::array(std::string_view name) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) return std::nullopt;
  return std::pair(found->second.first, found->second.last);
}

bool Names::add_to_array(const Text& name, const Element& element, Sort sort) {
  const auto scalar = meanings_.find(std::string(element.array));
  const auto [known, is_new] =
      arrays_.try_emplace(std::string(element.array), Array{sort, element.index, element.index});
  if (scalar != meanings_.end() || known->second.sort != sort) {
    const Sort other = scalar != meanings_.end() ? scalar->second.sort : known->second.sort;
    problems_.push_back({"'" + std::string(element.array) + "' is already the name of " + sort_text(other),
                         name.place(), "choose another name"});
    return false;
  }
  known->second.first = std::min(known->second.first, element.index);
  known->second.last = std::max(known->second.last, element.index);
  if (is_new) scope_.names.emplace_back(element.array);
  return true;
}

bool Names::add(const Text& name, Sort sort, std::size_t index) {
  const bool may_be_element = sort != Sort::input && sort != Sort::table && sort != Sort::sampled && sort != Sort::element;
  const auto element = may_be_element ? element_of(name.text) : std::nullopt;
  const std::string reason = why_not_a_name(element ? element->array : name.text);
  if (!reason.empty()) problems_.push_back({reason, name.place(), "choose another name"});
  if (element && !add_to_array(name, *element, sort)) return false;
  if (const auto array = arrays_.find(name.text); array != arrays_.end()) {
    problems_.push_back({"'" + name.text + "' is already the name of an array", name.place(), "choose another name"});
    return false;
  }
  const auto [known, is_new] = meanings_.try_emplace(name.text, Meaning{sort, index});
  if (is_new && sort != Sort::sampled) {  // which only texts beside it know
    if (!element) scope_.names.push_back(name.text);
  } else if (!is_new) {
    problems_.push_back({"'" + name.text + "' is already the name of " + sort_text(known->second.sort), name.place(),
                         sort == Sort::sampled ? "[sampled] has inputs, and other values under names of their own"
                                               : "choose another name"});
  }
  return reason.empty() && is_new;
}

std::string Names::sort_text(Sort sort) const {
  switch (sort) {
    case Sort::coordinate: return kind_.words().a_position;
    case Sort::state: return "a state";
    case Sort::element: return "a group element";
    case Sort::velocity: return "a body velocity";
    case Sort::algebraic: return kind_.words().an_algebraic;
    case Sort::multiplier: return "a multiplier";
    case Sort::parameter: return "a parameter";
    case Sort::input: return "an input";
    case Sort::definition: return "a definition";
    case Sort::output: return "an output";
    case Sort::sampled: return "a value under [sampled]";
    case Sort::table: return "a table";
  }
  return "";
}

std::vector<std::pair<std::string, Expr>> Names::definitions() {
  std::vector<std::pair<std::string, Expr>> all, result;
  std::vector<Expr> values;
  for (std::size_t i = 0; i < definitions_.size(); ++i) {
    if (!definitions_[i]) continue;
    values.push_back(momenta_ ? (*momenta_)(*definitions_[i]) : *definitions_[i]);
    all.emplace_back(definition_names_[i], values.back());
  }
  std::vector<Expr> refused = symbols_of(values);
  const Rule state_only;
  std::erase_if(refused, [&](Expr part) { return objection(part, state_only).empty(); });
  const std::vector<bool> has_refused = contain_any(values, refused);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!has_refused[i]) result.push_back(std::move(all[i]));
  }
  return result;
}

Names::Objection Names::objection(Expr symbol, const Rule& rule) const {
  const std::string& name = symbol.name();
  const auto unless = [&](bool allowed, const std::string& what) {
    return allowed ? Objection{} : Objection{fmt::format("'{}' is {}", name, what), rule.allowed};
  };
  if (name == "t") return unless(rule.time, "the time");
  if (name.back() == '\'') return unless(rule.state && rule.velocities, "a velocity");
  if (name.starts_with("psi(")) return unless(rule.multipliers, "a multiplier");
  if (name.back() == ')') return unless(rule.state && rule.momenta, "a momentum");
  const auto found = meanings_.find(name);
  if (found == meanings_.end()) return {};
  const auto [sort, index] = found->second;
  switch (sort) {
    case Sort::coordinate: return unless(rule.state, sort_text(sort));
    case Sort::state: return unless(rule.state && rule.states, sort_text(sort));
    case Sort::velocity: return unless(rule.state && rule.velocities, sort_text(sort));
    case Sort::algebraic: return unless(rule.state && rule.algebraic, sort_text(sort));
    case Sort::multiplier: return unless(rule.state && rule.multipliers, sort_text(sort));
    case Sort::input:
      if (rule.constraint.empty() || rule.inputs) return unless(rule.inputs, sort_text(sort));
      return {fmt::format("'{}' is an input, and {} is violated when it changes", name, rule.constraint),
              fmt::format("let it act through {}, or make it a parameter", kind_.words().inputs_act_in)};
    case Sort::parameter:
      if (index < rule.parameters) return {};
      return {fmt::format("parameter '{}' is not defined yet here", name), rule.allowed};
    default: return {};
  }
}

Expr Names::composed(std::string_view name, Expr value, const char* what) const {
  if (use_->rule.allows_all_state() && (use_->rule.multipliers || multiplier_count_ == 0)) return value;
  for (const Expr part : symbols_of(std::span(&value, 1))) {
    if (const Objection reason = objection(part, use_->rule); !reason.empty()) {
      use_->object(fmt::format("{} '{}' cannot be used here: {}", what, name, reason.what),
                   reason.remedy.empty() ? remedy() : reason.remedy);
      break;
    }
  }
  return value;
}

std::optional<Expr> Names::symbol(std::string_view name) const {
  const auto unless_refused = [&](Expr value) {
    if (const Objection reason = objection(value, use_->rule); !reason.empty()) {
      use_->object(reason.what, reason.remedy);
    }
    return value;
  };
  if (name == "t") return unless_refused(graph_.symbol("t"));
  const auto found = meanings_.find(std::string(name));
  if (found == meanings_.end()) {
    if (std::find(multipliers_.begin(), multipliers_.end(), name) != multipliers_.end()) {
      object_to_multiplier(name);
      return graph_.symbol(name);
    }
    if (!use_->rule.sampled) return std::nullopt;
    const auto more = use_->rule.sampled->more.find(name);
    if (more == use_->rule.sampled->more.end()) return std::nullopt;
    return composed(name, more->second, "invariant");
  }
  if (found->second.sort == Sort::table) return std::nullopt;  // the parser says what to do
  const Expr value = graph_.symbol(name);
  switch (found->second.sort) {
    case Sort::definition: {
      const std::optional<Expr>& definition = definitions_[found->second.index];
      if (!is_known_here(name, found->second.index)) return value;
      return composed(name, *definition, "definition");
    }
    case Sort::output:
      use_->object(fmt::format("'{}' is an output: the motion does not know it", name), "make it a definition");
      return value;
    case Sort::element:
      use_->object(fmt::format("'{}' is a group element", name),
                   fmt::format("write its entries, {}11, {}12, ...", name, name));
      return value;
    case Sort::input:
    case Sort::sampled:
      if (const auto now = sampled(name, found->second)) return now;
      return unless_refused(value);
    default: return unless_refused(value);
  }
}

/// Nothing for an input that has no other value here than the one that acts on the system.
std::optional<Expr> Names::sampled(std::string_view name, const Meaning& meaning) const {
  const bool is_input = meaning.sort == Sort::input;
  const auto row = std::find(sampled_.begin(), sampled_.end(), name);
  const bool is_above =
      use_->rule.sampled && static_cast<std::size_t>(row - sampled_.begin()) < use_->rule.sampled->above;
  if (is_input && !is_above) return std::nullopt;
  const Expr value = graph_.symbol(now_name(name, is_input));
  if (!use_->rule.sampled) {
    use_->object(fmt::format("'{}' is a value under [sampled], which is known there only", name),
                 "give it to an input: that acts on the system");
  } else if (!is_above) {
    use_->object(fmt::format("'{}' is not known yet here: values follow each other as they are written", name),
                 fmt::format("write last({}) for its value at the sample before, or move its line up", name));
  }
  return value;
}

std::optional<Expr> Names::last(std::string_view name) const {
  if (std::find(sampled_.begin(), sampled_.end(), name) == sampled_.end()) {
    const auto known = meanings_.find(std::string(name));
    const std::string guess = did_you_mean(name, sampled_);
    use_->object(known == meanings_.end()
                     ? fmt::format("there is no value '{}' under [sampled]", name)
                     : fmt::format("'{}' is {}, not a value under [sampled]", name, sort_text(known->second.sort)),
                 guess.empty() ? "last(...) is for the values of the table: " + list_of(sampled_) : guess);
  }
  return graph_.symbol(last_name(name));
}

std::optional<Expr> Names::velocity(std::string_view name) const {
  const auto found = meanings_.find(std::string(name));
  if (found == meanings_.end()) return std::nullopt;
  const Expr value = graph_.symbol(std::string(name) + "'");
  if (!has_velocities_) {
    use_->object(
        fmt::format("'{}'' is a derivative: a system of kind {} has none on its right-hand sides", name, kind_.name()),
        fmt::format("write '{}', or an expression for its derivative", name));
  } else if (found->second.sort == Sort::definition) {
    return velocity_of_definition(name, found->second.index);
  } else if (found->second.sort == Sort::state) {
    use_->object(fmt::format("'{}' is a state: its derivative is the right-hand side under [states]", name),
                 "make that right-hand side a definition, and use it in both places");
  } else if (!has_velocity_.contains(std::string(name))) {
    const bool is_of_group = found->second.sort == Sort::coordinate;
    const std::string what = is_of_group ? "a coordinate of a group element" : sort_text(found->second.sort);
    const std::string who = "only coordinates have one, and definitions in t and positions";
    const std::string remedy = coordinates_.empty()        ? "write body velocities: " + list_of(moving_)
                               : coordinates_.size() <= 12 ? who + "; the coordinates are " + list_of(coordinates_)
                                                           : who;
    use_->object(
        fmt::format("'{}' is {} and has no velocity", name, what),
        is_of_group ? "a group element moves with its body velocities, which are written without a prime" : remedy);
  } else if (const Objection reason = objection(value, use_->rule); !reason.empty()) {
    use_->object(reason.what, reason.remedy);
  }
  return value;
}

std::optional<Expr> Names::momentum(std::string_view name) const {
  const auto found = meanings_.find(std::string(name));
  if (found == meanings_.end()) return std::nullopt;
  const Expr value = graph_.symbol(momentum_name(name));
  if (!has_velocities_) {
    use_->object(fmt::format("'p({})' is a momentum: a system of kind {} has none", name, kind_.name()),
                 "write H as a function of the variables x");
  } else if (!has_momentum_.contains(std::string(name))) {
    const bool is_of_group = found->second.sort == Sort::coordinate;
    const std::string what = is_of_group ? "a coordinate of a group element" : sort_text(found->second.sort);
    const std::string who = coordinates_.size() == moving_.size() ? "only coordinates have one"
                                                                  : "coordinates and body velocities have one";
    use_->object(fmt::format("'{}' is {} and has no momentum", name, what),
                 moving_.size() <= 12 ? who + ": " + list_of(moving_) : who);
  } else if (const Objection reason = objection(value, use_->rule); !reason.empty()) {
    use_->object(reason.what, reason.remedy);
  }
  return value;
}

std::optional<Expr> Names::multiplier(std::string_view number) const {
  const auto named = std::find(constraints_.begin(), constraints_.end(), number);
  std::size_t i = 0;
  if (!number.empty() && named != constraints_.end()) {
    i = static_cast<std::size_t>(named - constraints_.begin()) + 1;
  } else {
    std::from_chars(number.data(), number.data() + number.size(), i);
    if (i == 0 || i > multiplier_count_ || number != std::to_string(i)) return std::nullopt;
  }
  const Expr value = graph_.symbol(psi_name(i));
  if (const Objection reason = objection(value, use_->rule); !reason.empty()) {
    use_->object(reason.what, remedy());
  }
  return value;
}

void Names::object_to_multiplier(std::string_view name) const {
  use_->object(fmt::format("'{}' is a multiplier, which follows from the equations", name),
               "multipliers may be used under [outputs], in guards, events and columns");
}

std::optional<Expr> Names::reaction(std::string_view name) const {
  if (name.empty() || std::find(constraints_.begin(), constraints_.end(), name) == constraints_.end()) return std::nullopt;
  object_to_multiplier(fmt::format("lambda({})", name));
  return graph_.constant(0);
}

std::string Names::remedy() const {
  if (!use_->rule.allowed.empty()) return use_->rule.allowed;
  return kind_.words().multipliers_in;
}

void Names::replace_momenta(const std::vector<Expr>& momenta) {
  momenta_.emplace(graph_);
  for (std::size_t i = 0; i < momenta.size(); ++i) {
    momenta_->replace(graph_.symbol(momentum_name(moving_[i])), momenta[i]);
  }
}

/// With values at the sample before, momenta as every expression of a system that is there, and more names.
Scope Names::with_sampled(const SampledRule& rule) const {
  Scope scope = scope_;
  scope.last = looking_up(&Names::last);
  if (has_velocities_) scope.momentum = looking_up(&Names::momentum);
  scope.names.insert(scope.names.end(), sampled_.begin(), sampled_.end());
  for (const auto& [name, value] : rule.more) scope.names.push_back(name);
  return scope;
}

Expr Names::read(std::string_view text, const Indices& indices, const Rule& rule, bool relation, Faults& faults) {
  Use use{rule, {}, {}};
  use_ = &use;
  scope_.indices = indices;
  const Scope here = rule.sampled ? with_sampled(*rule.sampled) : Scope();
  const Scope& scope = rule.sampled ? here : scope_;
  Parsed parsed = relation ? parse_relation(graph_, text, scope) : parse_expression(graph_, text, scope);
  use_ = nullptr;
  // Inside a word that it does not know the parser tries parts of it; what was said about those is not meant.
  std::set<std::string_view> unknown;
  for (ParseProblem& problem : parsed.problems) {
    unknown.insert(word_at(text, problem.offset));
    if (problem.remedy.empty() && problem.what.rfind("unknown symbol", 0) == 0) {
      problem.remedy = "give it a value under [parameters], or an expression under [definitions]";
    }
  }
  std::erase_if(use.objections,
                [&](const ParseProblem& objection) { return unknown.count(word_at(text, objection.offset)) != 0; });
  for (Faults* list : {&parsed.problems, &use.objections}) faults.insert(faults.end(), list->begin(), list->end());
  return parsed.expression;
}

/// Each symbol is read as the text that its name is, so that it means the same and is refused with the same words. It
/// is read when the copy comes to it: nodes get their numbers in the order that a text would give them.
Expr Names::import(const Text& phrase, const Rule& rule, Faults& faults) {
  const auto meaning_of = [&](Expr symbol) {
    const std::string& name = symbol.name();
    Faults of_symbol;
    Expr meaning = graph_.constant(0);
    if (const std::string reason = why_not_a_symbol(name); reason.empty()) {
      meaning = read(name, phrase.indices, rule, false, of_symbol);
    } else {
      of_symbol.push_back({reason, "symbols are named as in a system file: x, x', p(x), psi(1), t", 0});
    }
    const std::size_t offset = find_word(phrase.text, name);
    for (ParseProblem& fault : of_symbol) {
      fault.offset += offset;
      faults.push_back(std::move(fault));
    }
    return meaning;
  };
  // From row to row of a controller the meaning of a name changes, and from one to the next of a family.
  Substitution own(graph_);
  Substitution& copy = rule.sampled || !phrase.indices.empty()
                           ? own
                           : imports_.try_emplace(phrase.expression.graph, graph_).first->second;
  copy.ask(meaning_of);
  const Expr meaning = copy(phrase.expression);
  copy.ask({});
  // The meaning of a name stays; whether it may be used depends on the text.
  faults.clear();
  for (const Expr symbol : symbols_of(std::span(&phrase.expression, 1))) meaning_of(symbol);
  std::stable_sort(faults.begin(), faults.end(),
                   [](const ParseProblem& a, const ParseProblem& b) { return a.offset < b.offset; });
  std::set<std::string> said;
  std::erase_if(faults, [&](const ParseProblem& fault) { return !said.insert(fault.what).second; });
  return meaning;
}

std::optional<Expr> Names::parse(const Text& phrase, const Rule& rule, bool relation) {
  Faults faults;
  const Expr meaning = phrase.expression.graph != nullptr ? import(phrase, rule, faults)
                                                          : read(phrase.text, phrase.indices, rule, relation, faults);
  for (ParseProblem& fault : faults) {
    problems_.push_back({std::move(fault.what), phrase.place(fault.offset), std::move(fault.remedy)});
  }
  if (!faults.empty()) return std::nullopt;
  if (rule.state) texts_read_.push_back({&phrase, meaning});
  return momenta_ ? (*momenta_)(meaning) : meaning;
}

}  // namespace noslip
