// The order in which definitions are read, and how they change along a motion.
#include <algorithm>

#include <fmt/format.h>

#include <noslip/expr/matrix.hpp>

#include "model/kind/kind.hpp"
#include "model/scope.hpp"
#include "model/words.hpp"

namespace noslip {
namespace {

constexpr std::size_t most_shown = 6;  // of the definitions in a circle

}  // namespace

bool Names::is_known_here(std::string_view name, std::size_t definition) const {
  if (!is_read_[definition] && !has_circle_) {
    use_->object(fmt::format("'{}' is not known yet here", name),
                 "a sum over an array of definitions may use the entries above, in the order of the file");
  }
  return definitions_[definition].has_value();  // otherwise it is wrong in itself, and reported where it stands
}

/// Positions are in the order of the factors; each moves with its own velocities.
Expr Names::velocity_of_definition(std::string_view name, std::size_t index) const {
  if (!is_known_here(name, index)) return graph_.symbol(std::string(name) + "'");
  const Expr value = *definitions_[index];
  for (const Expr part : symbols_of(std::span(&value, 1))) {
    const auto found = meanings_.find(part.name());
    const bool has_rate =
        part.name() == "t" ||
        (found != meanings_.end() && (found->second.sort == Sort::coordinate || found->second.sort == Sort::parameter));
    if (has_rate) continue;
    if (found != meanings_.end() && found->second.sort == Sort::definition) return value;  // wrong, and reported there
    const bool is_plain = found != meanings_.end();
    const std::string sort = is_plain ? sort_text(found->second.sort) : std::string();
    const std::string noun = sort.starts_with("an ") ? sort.substr(3) : sort.starts_with("a ") ? sort.substr(2) : sort;
    use_->object(no_rate(name, described(part.name(), noun)), no_rate_remedy);
    return value;
  }
  if (!rates_) {
    rates_.emplace(graph_);
    rates_->set(graph_.symbol("t"), graph_.constant(1));
    for (const FactorTexts& factor : factors_) {
      if (factor.is_state) continue;
      std::vector<Expr> q, v;
      for (const Text& each : factor.names) q.push_back(graph_.symbol(each.text));
      for (const Text& each : factor.velocity) v.push_back(graph_.symbol(each.text));
      if (v.empty()) v.push_back(graph_.symbol(q.front().name() + "'"));
      const std::vector<Expr> rate = factor.velocity.empty() ? v : times(factor.group->frame(q), v);
      for (std::size_t i = 0; i < q.size(); ++i) rates_->set(q[i], rate[i]);
    }
  }
  return composed(std::string(name) + "'", (*rates_)(value), "velocity");
}

/// Which others each of the definitions uses; behind them, one for each array of definitions, which uses all of its
/// entries. Whoever adds up entries of an array uses the array; one of its own entries uses the one before it, because
/// only those before it can be meant.
std::vector<std::vector<std::size_t>> Names::uses_of(const std::vector<NamedText>& definitions) const {
  const std::size_t n = definitions.size();
  std::vector<std::vector<std::size_t>> uses(n);
  std::map<std::string, std::size_t, std::less<>> arrays;  // place among the uses
  std::vector<std::size_t> own(n, n), before(n, n);        // the array of an entry, and the entry before it
  for (std::size_t i = 0; i < n; ++i) {
    const auto element = element_of(definitions[i].name.text);
    if (!element) continue;
    const auto [array, is_new] = arrays.try_emplace(std::string(element->array), uses.size());
    if (is_new) uses.emplace_back();
    own[i] = array->second;
    if (!is_new) before[i] = uses[own[i]].back();
    uses[own[i]].push_back(i);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::string& word : words_of(definitions[i].value, [this](auto name) { return sizes_.value(name); })) {
      if (word.ends_with('\'')) word.pop_back();  // of a symbol in C++
      if (word.ends_with("[]")) {
        const auto array = arrays.find(std::string_view(word).substr(0, word.size() - 2));
        if (array == arrays.end()) continue;
        if (array->second != own[i]) {
          uses[i].push_back(array->second);
        } else if (before[i] < n) {
          uses[i].push_back(before[i]);
        }
      } else if (const auto found = meanings_.find(word);
                 found != meanings_.end() && found->second.sort == Sort::definition) {
        uses[i].push_back(found->second.index);
      }
    }
  }
  return uses;
}

/// Definitions may use each other in any order: each is parsed after those it mentions. A loop instead of recursion,
/// because a file may hold a chain of thousands.
void Names::parse_definitions(const std::vector<NamedText>& definitions) {
  const std::size_t n = definitions.size();
  definitions_.assign(n, std::nullopt);
  is_read_.assign(n, false);
  const std::vector<std::vector<std::size_t>> uses = uses_of(definitions);

  enum class Mark { unseen, open, done };
  std::vector<Mark> marks(uses.size(), Mark::unseen);
  Rule everything;
  everything.multipliers = true;
  for (std::size_t root = 0; root < n; ++root) {
    if (marks[root] != Mark::unseen) continue;
    std::vector<std::pair<std::size_t, std::size_t>> stack{{root, 0}};  // definition, how many of its words are done
    marks[root] = Mark::open;
    while (!stack.empty()) {
      auto& [i, next] = stack.back();
      if (next == uses[i].size()) {
        if (i < n) {
          definitions_[i] = parse(definitions[i].value, everything);
          is_read_[i] = true;
        }
        marks[i] = Mark::done;
        stack.pop_back();
        continue;
      }
      const std::size_t j = uses[i][next++];
      if (marks[j] == Mark::unseen) {
        marks[j] = Mark::open;
        stack.emplace_back(j, 0);
      } else if (marks[j] == Mark::open) {
        has_circle_ = true;
        std::vector<const Text*> circle;
        const auto start =
            std::find_if(stack.begin(), stack.end(), [j](const auto& frame) { return frame.first == j; });
        for (auto frame = start; frame != stack.end(); ++frame) {
          if (frame->first < n) circle.push_back(&definitions[frame->first].name);
        }
        std::string text;
        for (std::size_t k = 0; k < circle.size(); ++k) {
          if (k < most_shown || k + 1 == circle.size()) text += fmt::format("'{}' uses ", circle[k]->text);
          if (k == most_shown && k + 1 < circle.size()) text += "... uses ";
        }
        problems_.push_back({fmt::format("definitions go in a circle: {}'{}'", text, circle.front()->text),
                             circle.front()->place(), "one of them has to stand on its own"});
      }
    }
  }
}

}  // namespace noslip
