// The words after a verb: declared, read, checked, explained.
//
// Problems are collected, so that the user sees all of them at once; refuse_problems() throws them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <noslip/core/error.hpp>
#include <noslip/core/scalar.hpp>

namespace noslip::app {

class Arguments {
 public:
  Arguments(std::string verb, std::string summary);
  ~Arguments();

  // what there is; `name` is "--step" or "-o,--output" (then known by its long form)
  void positional(const std::string& name, const std::string& help);
  void positionals(const std::string& name, const std::string& help);  ///< any number of words
  void value(const std::string& name, const std::string& placeholder, const std::string& help);
  void repeatable(const std::string& name, const std::string& placeholder, const std::string& help);
  void flag(const std::string& name, const std::string& help);
  void usage(std::string line) { usage_ = std::move(line); }        ///< what follows `noslip VERB`
  void epilogue(std::string text) { epilogue_ = std::move(text); }  ///< examples, printed at the end of the help

  /// False if help was asked for (it has been printed then).
  bool parse(const std::vector<std::string>& words);

  // what was given
  bool has(const std::string& name) const;
  std::string text(const std::string& name, const std::string& otherwise = {}) const;
  std::vector<std::string> texts(const std::string& name) const;
  /// A finite number, or an expression such as `1/10` or `pi/2`; a problem otherwise.
  std::optional<quad> number(const std::string& name);
  /// The same, greater than zero.
  std::optional<quad> positive_number(const std::string& name);
  /// A whole number of at least `least`; `1e6` is one.
  std::optional<long long> whole_number(const std::string& name, long long least);

  /// One of the names in `choices`.
  template <class T>
  T choice(const std::string& name, const std::vector<std::pair<std::string, T>>& choices, T otherwise) {
    if (!has(name)) return otherwise;
    std::vector<std::string> names;
    for (const auto& [known, meaning] : choices) {
      if (text(name) == known) return meaning;
      names.push_back(known);
    }
    unknown_choice(name, names);
    return otherwise;
  }

  void problem(std::string what, std::string remedy = {});
  void problems(const InputError& error);
  void refuse_problems() const;
  const std::string& verb() const { return verb_; }

 private:
  struct Entry;
  Entry& add(const std::string& name, const std::string& placeholder, const std::string& help);
  const Entry* find(std::string_view name) const;
  void unknown_choice(const std::string& name, const std::vector<std::string>& choices);
  void refuse_extras(const std::vector<std::string>& extras);
  std::string help() const;

  std::string verb_, summary_, usage_, epilogue_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<Problem> problems_;
};

}  // namespace noslip::app
