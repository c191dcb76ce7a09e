#include "model/expand.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include <noslip/core/characters.hpp>

#include "model/kind/kind.hpp"

namespace noslip {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

/// The part of a text, with its places.
Text part_of(const Text& text, std::size_t begin, std::size_t end) {
  Text part = text;
  part.text = text.text.substr(begin, end - begin);
  part.segments.clear();
  for (const auto& [here, there] : text.segments) {
    if (here <= begin) {
      part.segments = {{0, there + (begin - here)}};
    } else {
      part.segments.emplace_back(here - begin, there);
    }
  }
  return part;
}

void trim(std::string_view text, std::size_t& begin, std::size_t& end) {
  while (begin < end && is_space(text[begin])) ++begin;
  while (end > begin && is_space(text[end - 1])) --end;
}

/// The byte outside of brackets, from `begin` up to `end`, or `end`.
std::size_t find_outside(std::string_view text, char wanted, std::size_t begin, std::size_t end) {
  int depth = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (text[i] == wanted && depth == 0) return i;
    depth += text[i] == '(' || text[i] == '[' ? 1 : text[i] == ')' || text[i] == ']' ? -1 : 0;
  }
  return end;
}

std::string_view array_of(std::string_view name) {
  std::size_t begin = 0, end = std::min(name.find('['), name.size());
  trim(name, begin, end);
  return name.substr(begin, end - begin);
}

auto place_key(const Place& place) { return std::tuple(place.file, place.line, place.column); }

}  // namespace

Expander::Expander(const SystemText& text, SizeValues& sizes, std::vector<Problem>& problems)
    : sizes_(sizes), problems_(problems) {
  const auto add = [&](const Text& name) { names_.emplace(array_of(name.text)); };
  for (const CoordinateText& coordinate : text.coordinates) {
    add(coordinate.name);
    for (const TextList* list : {&coordinate.names, &coordinate.velocity}) {
      for (const Text& name : *list) add(name);
    }
  }
  for (const TextList* list : {&text.y, &text.z, &text.lambda, &text.x}) {
    for (const Text& name : *list) add(name);
  }
  for (const TableText& table : text.tables) add(table.name);
  for (const auto* table : {&text.parameters, &text.inputs, &text.definitions, &text.sampled}) {
    for (const NamedText& entry : *table) add(entry.name);
  }
}

void Expander::note(const Text& text) {
  if (text.document) regions_.push_back({text.place(), text.place(text.text.size())});
}

void Expander::tidy(std::vector<Problem>& problems) const {
  if (!problems.empty()) problems.insert(problems.end(), empty_.begin(), empty_.end());
  std::set<std::tuple<std::string, int, int>> seen;
  std::erase_if(problems, [&](const Problem& problem) {
    const auto key = place_key(problem.place);
    const auto holds = [&](const Region& region) {
      return place_key(region.begin) <= key && key <= place_key(region.end);
    };
    return std::any_of(regions_.begin(), regions_.end(), holds) && !seen.insert(key).second;
  });
}

std::optional<std::int64_t> Expander::whole_number(const Text& text, std::size_t begin, std::size_t end,
                                                   const std::string& what) {
  trim(text.text, begin, end);
  if (begin == end) {
    complain(what + " is missing", text.place(begin), "write a range as 0:9 or 0:n; both ends belong to it");
    return std::nullopt;
  }
  const ParsedNumber parsed = parse_number(
      std::string_view(text.text).substr(begin, end - begin), [&](std::string_view name) -> std::optional<Number> {
        for (auto index = text.indices.rbegin(); index != text.indices.rend(); ++index) {
          if (index->first == name) return Number(index->second);
        }
        return sizes_.use(name);
      });
  for (const ParseProblem& problem : parsed.problems) {
    complain(problem.what, text.place(begin + problem.offset), problem.remedy);
  }
  if (!parsed.problems.empty()) return std::nullopt;
  const Number& value = parsed.value;
  if (!value.is_integer()) {
    complain(what + " is " + to_text(value) + ", not a whole number", text.place(begin), "give a whole number");
    return std::nullopt;
  }
  constexpr std::int64_t largest = 1'000'000'000;
  if (value.numerator() > largest || value.numerator() < -largest) {
    complain(what + " is " + to_text(value) + ", which is too large", text.place(begin), "");
    return std::nullopt;
  }
  return value.numerator();
}

std::optional<Expander::Range> Expander::range(const Text& text, std::size_t begin, std::size_t colon,
                                               std::size_t end) {
  const auto first = whole_number(text, begin, colon, "the first index");
  const auto last = whole_number(text, colon + 1, end, "the last index");
  if (!first || !last) return std::nullopt;
  trim(text.text, begin, end);
  if (*last - *first >= most_entries) {
    complain(fmt::format("a range of {} entries is too long", *last - *first + 1), text.place(begin),
             fmt::format("at most {} are accepted", most_entries));
    return std::nullopt;
  }
  const std::string_view written = std::string_view(text.text).substr(begin, end - begin);
  if (*last < *first - 1 && std::none_of(written.begin(), written.end(), is_letter)) {
    complain(fmt::format("the range {}:{} runs backwards", *first, *last), text.place(begin),
             fmt::format("write {}:{}", *last, *first));
    return std::nullopt;
  }
  return Range{*first, *last};
}

bool Expander::is_free_index(const Text& text, std::size_t offset, const std::string& name, const Indices& others) {
  const std::string reason = why_not_a_name(name);
  const bool is_taken = names_.contains(name) || std::any_of(others.begin(), others.end(),
                                                             [&](const auto& other) { return other.first == name; });
  if (reason.empty() && !is_taken) return true;
  complain(reason.empty() ? "the index '" + name + "' has a name that means something else here" : reason,
           text.place(offset), "choose another name for the index");
  return false;
}

std::optional<Expander::Family> Expander::family(const Text& name) {
  const std::string_view text = name.text;
  const std::size_t bracket = text.find('[');
  std::size_t begin = bracket + 1, end = text.size();
  trim(text, begin, end);
  if (end == begin || text[end - 1] != ']') {
    complain("this '[' is never closed", name.place(bracket), "add ']'");
    return std::nullopt;
  }
  --end;
  Family result;
  result.array = array_of(text);
  if (const std::string reason = why_not_a_name(result.array); !reason.empty()) {
    complain(reason, name.place(), "choose another name");
    return std::nullopt;
  }
  if (const std::size_t equals = find_outside(text, '=', begin, end); equals != end) {
    std::size_t index_end = equals;
    trim(text, begin, index_end);
    result.index = text.substr(begin, index_end - begin);
    if (!is_free_index(name, begin, result.index, {})) return std::nullopt;
    begin = equals + 1;
  }
  const std::size_t colon = find_outside(text, ':', begin, end);
  if (colon != end) {
    const auto found = range(name, begin, colon, end);
    if (!found) return std::nullopt;
    result.range = *found;
    return result;
  }
  const auto only = whole_number(name, begin, end, "the index");
  if (!only) return std::nullopt;
  result.range = {*only, *only};
  return result;
}

std::vector<std::pair<Text, std::optional<std::int64_t>>> Expander::members(const Text& name, const Family& family) {
  std::vector<std::pair<Text, std::optional<std::int64_t>>> result;
  for (std::int64_t i = family.range.first; i <= family.range.last; ++i) {
    Text member = name;
    member.text = element_name(family.array, i);
    result.emplace_back(std::move(member), family.index.empty() ? std::nullopt : std::optional(i));
  }
  return result;
}

void Expander::expand_names(std::vector<Text>& names) {
  std::vector<Text> result;
  for (Text& name : names) {
    if (name.text.find('[') == std::string::npos) {
      result.push_back(std::move(name));
      continue;
    }
    const auto found = family(name);
    if (!found) continue;
    if (!found->index.empty()) {
      complain("names have no index: '" + found->index + "' has nothing to act on", name.place(),
               fmt::format("write {}[{}:{}]", found->array, found->range.first, found->range.last));
      continue;
    }
    note(name);
    if (found->range.last < found->range.first) {
      const auto& [first, last] = found->range;
      empty_.push_back({fmt::format("{} is empty: its indices run from {} to {}", name.text, first, last), name.place(),
                        "choose sizes for which it has entries"});
    }
    const auto [array, is_new] = arrays_.try_emplace(found->array, found->range);
    if (!is_new) {
      array->second.first = std::min(array->second.first, found->range.first);
      array->second.last = std::max(array->second.last, found->range.last);
    }
    for (auto& [member, index] : members(name, *found)) result.push_back(std::move(member));
  }
  names = std::move(result);
}

void Expander::expand(std::vector<CoordinateText>& coordinates) {
  std::vector<CoordinateText> result;
  for (CoordinateText& coordinate : coordinates) {
    if (coordinate.is_element) {
      result.push_back(std::move(coordinate));
      continue;
    }
    std::vector<Text> names{std::move(coordinate.name)};
    expand_names(names);
    for (Text& name : names) result.emplace_back(std::move(name));
  }
  coordinates = std::move(result);
}

void Expander::expand_texts(std::vector<Text>& texts) {
  std::vector<Text> result;
  for (const Text& text : texts) add_texts(text, result);
  texts = std::move(result);
}

void Expander::add_texts(const Text& text, std::vector<Text>& result) {
  const std::string_view all = text.text;
  std::size_t begin = 0, end = all.size();
  trim(all, begin, end);
  std::size_t at = begin + 3;
  const bool is_for = all.substr(begin).starts_with("for") && at < end && is_space(all[at]);
  while (at < end && is_space(all[at])) ++at;
  if (!is_for || at == end || !is_word(all[at]) || text.expression.graph != nullptr) {
    result.push_back(text);
    return;
  }
  const std::size_t name_begin = at;
  while (at < end && is_word(all[at])) ++at;
  const std::string name(all.substr(name_begin, at - name_begin));
  while (at < end && is_space(all[at])) ++at;
  const std::size_t first = find_outside(all, ':', at, end);
  const std::size_t second = find_outside(all, ':', std::min(first + 1, end), end);
  if (at == end || all[at] != '=' || second == end) {
    complain("texts for the values of an index have the form for i = 0:9: ...", text.place(begin),
             "write the index, '=', its first and its last value with ':' between them, ':' and the text");
    return;
  }
  if (!is_free_index(text, name_begin, name, text.indices)) return;
  const auto found = range(text, at + 1, first, second);
  if (!found) return;
  note(text);
  std::size_t member_begin = second + 1;
  trim(all, member_begin, end);
  Text member = part_of(text, member_begin, end);
  member.indices.emplace_back(name, 0);
  const std::size_t before = problems_.size();
  for (std::int64_t i = found->first; i <= found->last && problems_.size() == before; ++i) {
    member.indices.back().second = i;
    add_texts(member, result);
    if (result.size() <= static_cast<std::size_t>(most_entries)) continue;
    complain(fmt::format("more than {} texts", most_entries), text.place(begin), "");
  }
}

void Expander::expand(std::vector<NamedText>& table) {
  std::vector<NamedText> result;
  for (NamedText& entry : table) {
    if (entry.name.text.find('[') == std::string::npos) {
      result.push_back(std::move(entry));
      continue;
    }
    const auto found = family(entry.name);
    if (!found) continue;
    note(entry.name);
    note(entry.value);
    for (auto& [name, index] : members(entry.name, *found)) {
      Text value = entry.value;
      if (index) value.indices.emplace_back(found->index, *index);
      result.push_back({std::move(name), std::move(value)});
    }
  }
  table = std::move(result);
}

void Expander::expand(InitialTexts& initial) {
  if (!initial.by_name) return;
  std::vector<NamedText> values;
  std::vector<InitialTexts::Vector> vectors;
  auto vector = initial.vectors.begin();
  for (std::size_t i = 0; i < initial.values.size() || vector != initial.vectors.end();) {
    if (vector == initial.vectors.end() || vector->first != i) {
      std::vector<NamedText> one{std::move(initial.values[i++])};
      expand(one);
      values.insert(values.end(), std::make_move_iterator(one.begin()), std::make_move_iterator(one.end()));
      continue;
    }
    const auto array = arrays_.find(vector->name.text);
    const std::size_t first = values.size();
    for (std::size_t k = 0; k < vector->count; ++k) values.push_back(std::move(initial.values[i++]));
    if (array == arrays_.end()) {
      vectors.push_back(*vector);
      vectors.back().first = first;
    } else {
      const Range& range = array->second;
      for (std::size_t k = 0; k < vector->count; ++k) {
        values[first + k].name.text = element_name(array->first, range.first + static_cast<std::int64_t>(k));
      }
      if (const std::int64_t entries = range.last - range.first + 1;
          entries != static_cast<std::int64_t>(vector->count)) {
        complain(fmt::format("the array {} has {} entries, not {}", array->first, entries, vector->count),
                 vector->place,
                 fmt::format("give {}[{}] to {}[{}]", array->first, range.first, array->first, range.last));
        values.resize(first);
      }
    }
    ++vector;
  }
  initial.values = std::move(values);
  initial.vectors = std::move(vectors);
}

SystemText expanded(SystemText text, Expander& expander) {
  const Kind& kind = *find_kind(text.kind);
  for (const std::span<const Key> keys : {common_keys(), kind.keys(), kind.initial_keys()}) {
    for (const Key& key : keys) expand_key(key, text, expander);
  }
  return text;
}

}  // namespace noslip
