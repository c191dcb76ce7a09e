#include "arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <noslip/core/characters.hpp>
#include <noslip/core/names.hpp>
#include <noslip/run/limits.hpp>

#include "output.hpp"
#include "values.hpp"

namespace noslip::app {
namespace {

/// Whole numbers above this are no longer all doubles.
constexpr auto largest_whole = static_cast<double>(most_steps);

bool looks_like_an_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && (word[1] == '-' || is_letter(word[1]));
}

}  // namespace

struct Arguments::Entry {
  enum class Kind { positional, positionals, value, repeatable, flag };
  bool is_positional() const { return kind == Kind::positional || kind == Kind::positionals; }
  Kind kind = Kind::value;
  std::string declared;  ///< "-o,--output"
  std::string name;      ///< "--output"
  std::string placeholder, help;
  std::vector<std::string> given;
  std::size_t count = 0;
};

Arguments::Arguments(std::string verb, std::string summary) : verb_(std::move(verb)), summary_(std::move(summary)) {}
Arguments::~Arguments() = default;

Arguments::Entry& Arguments::add(const std::string& name, const std::string& placeholder, const std::string& help) {
  auto entry = std::make_unique<Entry>();
  entry->declared = name;
  entry->name = name.substr(name.find_last_of(',') + 1);  // npos + 1 is 0
  entry->placeholder = placeholder;
  entry->help = help;
  entries_.push_back(std::move(entry));
  return *entries_.back();
}

void Arguments::positional(const std::string& name, const std::string& help) {
  add(name, {}, help).kind = Entry::Kind::positional;
}
void Arguments::positionals(const std::string& name, const std::string& help) {
  add(name, {}, help).kind = Entry::Kind::positionals;
}
void Arguments::value(const std::string& name, const std::string& placeholder, const std::string& help) {
  add(name, placeholder, help).kind = Entry::Kind::value;
}
void Arguments::repeatable(const std::string& name, const std::string& placeholder, const std::string& help) {
  add(name, placeholder, help).kind = Entry::Kind::repeatable;
}
void Arguments::flag(const std::string& name, const std::string& help) { add(name, {}, help).kind = Entry::Kind::flag; }

bool Arguments::parse(const std::vector<std::string>& words) {
  if (std::any_of(words.begin(), words.end(), [](const auto& word) { return word == "-h" || word == "--help"; })) {
    print(help());
    return false;
  }

  // CLI11 splits the words; what they mean, and whether they may stand together, is checked here, with messages of its
  // own.
  CLI::App parser;
  parser.set_help_flag();
  parser.allow_extras();
  std::vector<std::pair<Entry*, CLI::Option*>> bound;
  for (const auto& entry : entries_) {
    CLI::Option* option = nullptr;
    if (entry->kind == Entry::Kind::flag) {
      option = parser.add_flag(entry->declared)->disable_flag_override();
    } else {
      option = parser.add_option(entry->declared)->expected(entry->kind == Entry::Kind::positionals ? -1 : 1);
      if (entry->kind != Entry::Kind::positional) option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
    bound.emplace_back(entry.get(), option);
  }
  try {
    parser.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string message = error.what();
    std::string name = message.substr(0, message.find_first_of(": "));
    if (!name.starts_with('-')) name.insert(0, "--");
    if (message.find("override") != std::string::npos) {
      throw InputError(fmt::format("{} takes no value", name), "leave the = and what follows it out");
    }
    throw InputError(fmt::format("{} needs a value", name), fmt::format("see noslip {} --help", verb_));
  } catch (const CLI::ParseError& error) {
    throw InputError(error.what(), fmt::format("see noslip {} --help", verb_));
  }

  refuse_extras(parser.remaining());
  for (const auto& [entry, option] : bound) {
    entry->count = option->count();
    if (entry->kind == Entry::Kind::flag) continue;
    entry->given = option->results();
    if (entry->is_positional()) continue;
    if (entry->kind == Entry::Kind::value && entry->given.size() > 1) {
      problem(
          fmt::format("{} is given {} times ({})", entry->name, entry->given.size(), shortened(list_of(entry->given))),
          "give it once");
    }
    for (const std::string& word : entry->given) {
      // -5 and -Infinity are values, if not good ones; a word that is an option means that the value was forgotten.
      if (word.empty() || word.starts_with("--") || word == "-o") {
        problem(fmt::format("{} needs a value, not '{}'", entry->name, shortened(word)),
                fmt::format("see noslip {} --help", verb_));
      }
    }
  }
  refuse_problems();
  return true;
}

void Arguments::refuse_extras(const std::vector<std::string>& extras) {
  std::vector<std::string> names;
  for (const auto& entry : entries_) {
    if (!entry->is_positional()) names.push_back(entry->name);
  }
  // After an unknown option its value stands about as an extra word: then only the option is worth a complaint.
  const bool has_options = std::any_of(extras.begin(), extras.end(), looks_like_an_option);
  for (const std::string& extra : extras) {
    if (looks_like_an_option(extra)) {
      const std::string name = extra.substr(0, extra.find('='));
      const auto longer = std::find_if(names.begin(), names.end(), [&](const std::string& known) {
        return name.size() > 3 && known.starts_with(name);
      });
      const std::string hint =
          longer != names.end() ? fmt::format("did you mean '{}'?", *longer) : did_you_mean(name, names);
      problem(fmt::format("noslip {} has no option {}", verb_, shortened(name)),
              hint.empty() ? fmt::format("its options are {}", list_of(names)) : hint);
    } else if (!has_options) {
      problem(fmt::format("unexpected '{}'", shortened(extra)), fmt::format("usage: noslip {} {}", verb_, usage_));
    }
  }
  refuse_problems();
}

const Arguments::Entry* Arguments::find(std::string_view name) const {
  for (const auto& entry : entries_) {
    if (entry->name == name) return entry.get();
  }
  return nullptr;
}

bool Arguments::has(const std::string& name) const {
  const Entry* entry = find(name);
  return entry != nullptr && entry->count > 0;
}

std::string Arguments::text(const std::string& name, const std::string& otherwise) const {
  const Entry* entry = find(name);
  return entry != nullptr && !entry->given.empty() ? entry->given.front() : otherwise;
}

std::vector<std::string> Arguments::texts(const std::string& name) const {
  const Entry* entry = find(name);
  return entry != nullptr ? entry->given : std::vector<std::string>{};
}

std::optional<quad> Arguments::number(const std::string& name) {
  if (!has(name)) return std::nullopt;
  const Value value = evaluate(text(name));
  if (value.number) return value.number;
  problem(fmt::format("{} {}: {}", name, shortened(text(name)), value.what), value.remedy);
  return std::nullopt;
}

std::optional<quad> Arguments::positive_number(const std::string& name) {
  const std::optional<quad> value = number(name);
  if (!value || *value > 0) return value;
  problem(fmt::format("{} {}: the value has to be greater than zero", name, shortened(text(name))),
          fmt::format("for example {} 0.01", name));
  return std::nullopt;
}

std::optional<long long> Arguments::whole_number(const std::string& name, long long least) {
  const std::optional<quad> given = number(name);
  if (!given) return std::nullopt;
  const double value = static_cast<double>(*given);
  if (value != std::floor(value)) {
    problem(fmt::format("{} {}: a whole number is needed", name, shortened(text(name))),
            fmt::format("for example {} 100", name));
  } else if (value < static_cast<double>(least)) {
    problem(fmt::format("{} {}: the value has to be at least {}", name, shortened(text(name)), least));
  } else if (value > largest_whole) {
    problem(fmt::format("{} {}: that is too large", name, shortened(text(name))), "the largest value is 2^53");
  } else {
    return static_cast<long long>(value);
  }
  return std::nullopt;
}

void Arguments::unknown_choice(const std::string& name, const std::vector<std::string>& choices) {
  const std::string hint = did_you_mean(text(name), choices);
  problem(fmt::format("{} {}: unknown value", name, shortened(text(name))),
          fmt::format("{}{}the values are {}", hint, hint.empty() ? "" : " ", list_of(choices)));
}

void Arguments::problem(std::string what, std::string remedy) {
  problems_.push_back({std::move(what), {}, std::move(remedy)});
}

void Arguments::problems(const InputError& error) {
  problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
}

void Arguments::refuse_problems() const {
  if (!problems_.empty()) throw InputError(problems_);
}

std::string Arguments::help() const {
  std::string text = fmt::format("{}\n\nUsage: noslip {} {}\n", summary_, verb_, usage_);
  const std::size_t column = 26;
  std::string options;
  for (const auto& entry : entries_) {
    const bool is_positional = entry->is_positional();
    std::string declared = entry->declared;
    if (const std::size_t comma = declared.find(','); comma != std::string::npos) declared.insert(comma + 1, " ");
    const std::string left = fmt::format("{}{}{}", declared, entry->placeholder.empty() ? "" : " ", entry->placeholder);
    (is_positional ? text : options) += (is_positional ? "\n" : "") + two_columns(left, entry->help, column);
  }
  options += two_columns("-h, --help", "print this and exit", column);
  text += fmt::format("\nOptions:\n{}", options);
  if (!epilogue_.empty()) text += fmt::format("\n{}", epilogue_);
  return text;
}

}  // namespace noslip::app
