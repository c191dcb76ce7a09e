#include "arguments.hpp"

#include <algorithm>
#include <cmath>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <noslip/core/characters.hpp>
#include <noslip/core/names.hpp>
#include <noslip/core/option_name.hpp>

#include "output.hpp"
#include "values.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

bool looks_like_an_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && (word[1] == '-' || is_letter(word[1]));
}

/// Where parse() puts the description of its verb, in place of reading words; null: it reads words.
VerbDescription* asked_description = nullptr;

}  // namespace

VerbDescription describe(int (*verb)(const std::vector<std::string>& words)) {
  VerbDescription description;
  asked_description = &description;
  verb({});
  asked_description = nullptr;
  return description;
}

std::string declared(const Option& option) {
  return fmt::format("{}--{}{}{}", option.letter.empty() ? "" : fmt::format("-{}, ", option.letter), option.name,
                     option.value.empty() ? "" : " ", option.value);
}

struct Arguments::Entry {
  enum class Kind { positional, positionals, value, repeatable, flag };
  bool is_positional() const { return kind == Kind::positional || kind == Kind::positionals; }
  Kind kind = Kind::value;
  std::string declared;  ///< "-o,--output"
  std::string name;      ///< "--output"
  std::string help;
  std::optional<Option> option;  ///< of the table
  std::vector<std::string> given;
  std::size_t count = 0;
};

Arguments::Arguments(std::string verb, std::string summary) : verb_(std::move(verb)), summary_(std::move(summary)) {}
Arguments::~Arguments() = default;

Arguments::Entry& Arguments::add(const std::string& name, const std::string& help) {
  auto entry = std::make_unique<Entry>();
  entry->declared = name;
  entry->name = name.substr(name.find_last_of(',') + 1);  // npos + 1 is 0
  entry->help = help;
  entries_.push_back(std::move(entry));
  return *entries_.back();
}

void Arguments::declare() {
  for (const Option& option : options_of_verb(verb_)) declare(option);
}

void Arguments::declare(const Option& option) {
  const std::string letter = option.letter.empty() ? "" : fmt::format("-{},", option.letter);
  Entry& entry = add(fmt::format("{}--{}", letter, option.name), help_of(option));
  entry.option = option;
  entry.kind = option.type == OptionType::flag ? Entry::Kind::flag
               : option.is_repeatable          ? Entry::Kind::repeatable
                                               : Entry::Kind::value;
}

void Arguments::positional(const std::string& name, const std::string& help) {
  add(name, help).kind = Entry::Kind::positional;
}
void Arguments::positionals(const std::string& name, const std::string& help) {
  add(name, help).kind = Entry::Kind::positionals;
}

VerbDescription Arguments::description() const {
  VerbDescription result{summary_, usage_, epilogue_, {}, {}};
  for (const auto& entry : entries_) {
    if (entry->option) result.options.push_back(*entry->option);
    if (entry->is_positional())
      result.positionals.push_back({entry->name, entry->help, entry->kind == Entry::Kind::positionals});
  }
  return result;
}

bool Arguments::parse(const std::vector<std::string>& words) {
  if (asked_description != nullptr) {
    *asked_description = description();
    return false;
  }
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

void Arguments::replace(const std::string& name, const std::string& value) {
  for (const auto& entry : entries_) {
    if (entry->name != name) continue;
    entry->count = value.empty() ? 0 : 1;
    entry->given.clear();
    if (!value.empty() && entry->kind != Entry::Kind::flag) entry->given = {value};
  }
}

/// As the verb has it.
const Option& Arguments::option_of(const std::string& name) const {
  const Entry* entry = find(name);
  return entry != nullptr && entry->option ? *entry->option : option_named(name.substr(2));
}

bool Arguments::is_missing(const std::string& name) {
  if (has(name)) return false;
  const Option& option = option_of(name);
  if (option.is_required) {
    problem(fmt::format("{} is missing", name),
            fmt::format("{}, for example {} {}", option.give, name, option.example));
  }
  return true;
}

void Arguments::refuse_value(const std::string& name, const std::string& what, const std::string& remedy) {
  problem(fmt::format("{} {}: {}", name, shortened(text(name)), what), remedy);
}

std::string Arguments::required_text(const std::string& name) { return is_missing(name) ? std::string() : text(name); }

std::optional<quad> Arguments::evaluated(const std::string& name) {
  if (is_missing(name)) return std::nullopt;
  const Value value = evaluate(text(name));
  if (!value.number) refuse_value(name, value.what, value.remedy);
  return value.number;
}

std::optional<quad> Arguments::number(const std::string& name) {
  const std::optional<quad> value = evaluated(name);
  if (!value) return std::nullopt;
  if (auto wrong = problem_with_given(option_of(name), text(name), *value)) {
    problems_.push_back(*std::move(wrong));
    return std::nullopt;
  }
  return value;
}

std::optional<long long> Arguments::whole_number(const std::string& name) {
  const std::optional<quad> given = evaluated(name);
  if (!given) return std::nullopt;
  if (auto wrong = problem_with_given(option_of(name), text(name), *given)) {
    problems_.push_back(*std::move(wrong));
    return std::nullopt;
  }
  return static_cast<long long>(*given);
}

std::optional<std::size_t> Arguments::choice(const std::string& name) {
  if (!has(name)) return std::nullopt;
  const std::vector<std::string> choices = option_of(name).choice_names();
  const auto place = std::find(choices.begin(), choices.end(), text(name));
  if (place != choices.end()) return static_cast<std::size_t>(place - choices.begin());
  problems_.push_back(problem_with_choice(option_of(name), text(name)).value());
  return std::nullopt;
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
    const std::string left = entry->option ? declared(*entry->option) : entry->name;
    (is_positional ? text : options) += (is_positional ? "\n" : "") + two_columns(left, entry->help, column);
  }
  const Option& help = general_option("help");
  options += two_columns(declared(help), help_of(help), column);
  text += fmt::format("\nOptions:\n{}", options);
  if (!epilogue_.empty()) text += fmt::format("\n{}", epilogue_);
  return text;
}

}  // namespace noslip::app
