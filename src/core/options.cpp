// Options by name, and what is said about their values.
#include <noslip/core/options.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

#include <noslip/core/characters.hpp>
#include <noslip/core/names.hpp>
#include <noslip/core/option_name.hpp>
#include <noslip/core/scalar.hpp>
#include <noslip/core/short_text.hpp>

#include "core/option_table.hpp"

namespace noslip {

namespace {

/// What stands between blanks.
std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ' ') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return text.empty() ? std::vector<std::string>{} : words;
}

bool has_word(std::string_view text, std::string_view word) {
  const std::vector<std::string> words = words_in(text);
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::vector<std::string> Option::choice_names() const { return words_in(choices); }

std::vector<std::string> Option::known_values() const { return words_in(choices.empty() ? names : choices); }

std::vector<std::string> Option::endings() const {
  constexpr std::string_view mark = "FILE.";
  const std::string text = std::string(value) + " " + std::string(help);
  std::vector<std::string> result;
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    at += mark.size();
    std::size_t end = at;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    const std::string ending = text.substr(at, end - at);
    if (std::find(result.begin(), result.end(), ending) == result.end()) result.push_back(ending);
  }
  return result;
}

std::string to_text(Precision precision) { return choice_name("precision", precision); }

const Option* find_option(std::string_view name) {
  const std::span<const Option> all = all_options();
  const auto place = std::find_if(all.begin(), all.end(), [&](const Option& one) { return one.name == name; });
  return place == all.end() ? nullptr : &*place;
}

const Option& option_named(std::string_view name) {
  const Option* found = find_option(name);
  assert(found != nullptr);
  return *found;
}

std::string help_of(const Option& of) {
  std::string text = with_option_names(of.help);
  if (!of.otherwise.empty()) text.append(" [").append(of.otherwise).append("]");
  return text;
}

std::vector<Option> options_of_verb(std::string_view verb) {
  std::vector<Option> result;
  for (const VerbRow& row : verb_rows()) {
    if (row.verb != verb) continue;
    for (std::string name : words_in(row.names)) {
      const bool is_required = name.ends_with('!');
      if (is_required) name.pop_back();
      Option& added = result.emplace_back(option_named(name));
      added.is_required = added.is_required || is_required;
      for (const OptionWords& own : option_words()) {
        if (own.name != name || !has_word(own.verbs, verb)) continue;
        added.value = own.value;
        added.help = own.help;
        added.otherwise = own.otherwise;
      }
    }
  }
  return result;
}

std::string with_option_names(std::string_view text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t open = text.find('`', begin), close = text.find('`', open + 1);
    result.append(text.substr(begin, open - begin));
    if (open == std::string_view::npos) break;
    assert(close != std::string_view::npos);
    const std::string_view inside = text.substr(open + 1, close - open - 1);
    const std::size_t blank = std::min(inside.find(' '), inside.size());
    result.append(option(inside.substr(0, blank), inside.substr(std::min(blank + 1, inside.size()))));
    begin = close + 1;
  }
  return result;
}

std::optional<Problem> problem_with(const Option& of, double value) {
  if (of.holds(value)) return std::nullopt;
  const bool has_range = of.least > -std::numeric_limits<double>::max();
  const std::string kind = of.type == OptionType::whole ? "a whole number" : "a number";
  const std::string range = !has_range   ? "a finite number"
                            : of.is_open ? kind + " between " + to_text(of.least) + " and " + to_text(of.most)
                                         : kind + " from " + to_text(of.least) + " to " + to_text(of.most);
  return Problem{std::string(of.noun) + " is " + to_text(value),
                 {},
                 "give " + range + ", for example " + option(of.name, of.example)};
}

namespace {

/// "--step 0.1: it is wrong".
Problem given_problem(const Option& of, const std::string& written, const std::string& what, const std::string& remedy = {}) {
  return {option(of.name, shortened(written)) + ": " + what, {}, remedy};
}

std::optional<Problem> problem_with_whole(const Option& of, const std::string& written, double value) {
  if (value != std::floor(value)) {
    return given_problem(of, written, "a whole number is needed", "for example " + option(of.name, of.example));
  }
  if (value < of.least) return given_problem(of, written, "the value has to be at least " + to_text(of.least));
  if (value <= of.most) return std::nullopt;
  if (!of.too_large.empty()) return given_problem(of, written, std::string(of.too_large), with_option_names(of.instead));
  const bool is_largest_double = of.most == static_cast<double>(1LL << 53);
  return given_problem(of, written, "that is too large", "the largest value is " + (is_largest_double ? "2^53" : to_text(of.most)));
}

}  // namespace

std::optional<Problem> problem_with_given(const Option& of, const std::string& written, quad value) {
  const auto rounded = static_cast<double>(value);
  if (of.type == OptionType::whole) return problem_with_whole(of, written, rounded);
  if (of.holds(rounded)) return std::nullopt;
  if (of.least >= 0 && value <= 0) {
    return given_problem(of, written, "the value has to be greater than zero", "for example " + option(of.name, of.example));
  }
  return given_problem(of, written, std::string(value < of.least ? of.too_small : of.too_large), with_option_names(of.instead));
}

std::optional<Problem> problem_with_choice(const Option& of, const std::string& written) {
  const std::vector<std::string> choices = of.choice_names();
  if (std::find(choices.begin(), choices.end(), written) != choices.end()) return std::nullopt;
  const std::string hint = did_you_mean(written, choices);
  return given_problem(of, written, "unknown value", hint + (hint.empty() ? "" : " ") + "the values are " + list_of(choices));
}

}  // namespace noslip
