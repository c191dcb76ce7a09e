// Every option that a caller may give: one table for the structs of C++, the tool and its help, and the documents.
//
// An option has one line in src/core/option_table.cpp: what it is called, what it means, which values it takes. From
// there come the checks of RunOptions and the like, the parser and the help of the tool, and the words of messages.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/core/error.hpp>
#include <noslip/core/scalar.hpp>

namespace noslip {

enum class OptionType {
  flag,    ///< given or not
  text,    ///< a name, an expression, a file, a list
  number,  ///< within the range
  whole,   ///< a whole number within the range
  choice,  ///< one of `choices`
};

/// In all texts `name` in backquotes stands for another option, `name value` for an option with a value.
struct Option {
  std::string_view name;         ///< as flags spell it: "looks"
  std::string_view member = {};  ///< of the struct in C++, if that is another name: "looks_per_step"
  OptionType type = OptionType::text;
  /// What stands for the value in a help text: "H". M is a method, FILE a file, DIR a folder, NAME (of a text) a system
  /// of the catalogue; `,...` behind it means a list.
  std::string_view value = {};
  std::string_view help = {};       ///< what it does, in a few words
  std::string_view otherwise = {};  ///< what holds if it is not given; empty: nothing, or as `help` says
  // of numbers
  double least = -std::numeric_limits<double>::max(), most = std::numeric_limits<double>::max();
  bool is_open = false;             ///< neither `least` nor `most` belong to the range
  std::string_view noun = {};       ///< "the step", which is 0
  std::string_view too_small = {};  ///< what is said of a number below the range, if not just that
  std::string_view too_large = {};  ///< and above it
  std::string_view instead = {};    ///< what to do then
  std::string_view choices = {};    ///< names with blanks between them, in the order of the enumeration
  std::string_view names = {};      ///< of a text: what it may be, among other things, with blanks between
  bool is_required = false;         ///< wherever it is taken
  std::string_view give = {};       ///< "give the step size", if it is missing
  std::string_view example = {};    ///< a value that is good
  bool is_repeatable = false;       ///< may be given several times
  std::string_view letter = {};     ///< a short form: "o"

  bool holds(double x) const { return is_open ? least < x && x < most : least <= x && x <= most; }
  std::vector<std::string> choice_names() const;
  /// The choices, or the names that a text may be.
  std::vector<std::string> known_values() const;
  /// Of a file, as value and help name them: "csv", "npz"; empty if it may have any ending.
  std::vector<std::string> endings() const;
};

/// The option of this name; null if there is none.
const Option* find_option(std::string_view name);
/// The same where there has to be one (assert).
const Option& option_named(std::string_view name);
std::span<const Option> all_options();
/// What a value of an enumeration is called: the choice in its place of the option.
template <class Enumeration>
std::string choice_name(std::string_view option, Enumeration value) {
  return option_named(option).choice_names().at(static_cast<std::size_t>(value));
}

/// What a verb of the tool takes, in the order of its help, in the words that the verb has for it; empty for a verb
/// that is not in the table.
std::vector<Option> options_of_verb(std::string_view verb);

/// What it does, and what holds if it is not given: "check for events at N points in each step [4]".
std::string help_of(const Option& of);

/// A text of the table with options as the program at hand spells them (core/option_name.hpp).
std::string with_option_names(std::string_view text);

/// Nothing if the value is in the range; otherwise what a caller in C++ is told.
std::optional<Problem> problem_with(const Option& of, double value);
/// The same for somebody who has written the value, which is shown as it is written: `1/10`.
std::optional<Problem> problem_with_given(const Option& of, const std::string& written, quad value);
/// Nothing if it is one of the choices.
std::optional<Problem> problem_with_choice(const Option& of, const std::string& written);

}  // namespace noslip
