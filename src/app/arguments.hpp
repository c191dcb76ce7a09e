// The words after a verb: declared, read, checked, explained.
//
// Which options there are, and which values they take, is in the table of core/options.hpp.
//
// Problems are collected, so that the user sees all of them at once; refuse_problems() throws them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/core/error.hpp>
#include <noslip/core/options.hpp>
#include <noslip/core/scalar.hpp>

namespace noslip::app {

/// What a verb takes, for completion and the manual page.
struct VerbDescription {
  struct Positional {
    std::string name, help;
    bool is_repeatable = false;  ///< any number of words
  };
  std::string summary, usage, epilogue;
  std::vector<Positional> positionals;
  std::vector<Option> options;  ///< of the table, in the words of the verb
};
/// What the verb declares; nothing is run.
VerbDescription describe(int (*verb)(const std::vector<std::string>& words));

/// "-o, --output FILE"
std::string declared(const Option& option);

class Arguments {
 public:
  Arguments(std::string verb, std::string summary);
  ~Arguments();

  /// The options of the verb, as the table has them.
  void declare();
  // what else there is
  void positional(const std::string& name, const std::string& help);
  void positionals(const std::string& name, const std::string& help);  ///< any number of words
  void usage(std::string line) { usage_ = std::move(line); }           ///< what follows `noslip VERB`
  void epilogue(std::string text) { epilogue_ = std::move(text); }     ///< examples, printed at the end of the help

  /// False if help was asked for (it has been printed then), or a description.
  bool parse(const std::vector<std::string>& words);

  // what was given
  bool has(const std::string& name) const;
  bool takes(const std::string& name) const { return find(name) != nullptr; }  ///< it may be given
  std::string text(const std::string& name, const std::string& otherwise = {}) const;
  std::vector<std::string> texts(const std::string& name) const;
  /// A problem if it is not there though it has to be.
  std::string required_text(const std::string& name);
  /// A finite number in the range of the option, or an expression such as `1/10` or `pi/2`; a problem otherwise, also
  /// if it is not there though it has to be.
  std::optional<quad> number(const std::string& name);
  /// The same for a whole number; `1e6` is one.
  std::optional<long long> whole_number(const std::string& name);
  /// The place of the value among the choices of the option; a problem if it is none of them.
  std::optional<std::size_t> choice(const std::string& name);
  /// The same as a value of an enumeration.
  template <class T>
  T choice(const std::string& name, T otherwise) {
    const std::optional<std::size_t> place = choice(name);
    return place ? static_cast<T>(*place) : otherwise;
  }

  /// As if it had been given, in the place of what was given. An empty value: as if it had not been given. A flag takes
  /// any other value.
  void replace(const std::string& name, const std::string& value);

  void problem(std::string what, std::string remedy = {});
  void problems(const InputError& error);
  void add(const std::optional<Problem>& problem) {
    if (problem) problems_.push_back(*problem);
  }
  bool has_problems() const { return !problems_.empty(); }
  void refuse_problems() const;
  const std::string& verb() const { return verb_; }

 private:
  struct Entry;
  void declare(const Option& option);
  Entry& add(const std::string& name, const std::string& help);
  const Entry* find(std::string_view name) const;
  const Option& option_of(const std::string& name) const;
  bool is_missing(const std::string& name);
  std::optional<quad> evaluated(const std::string& name);
  void refuse_value(const std::string& name, const std::string& what, const std::string& remedy = {});
  void refuse_extras(const std::vector<std::string>& extras);
  std::string help() const;
  VerbDescription description() const;

  std::string verb_, summary_, usage_, epilogue_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<Problem> problems_;
};

}  // namespace noslip::app
