// Prints the words that texts for noslip consist of, as a dictionary of libFuzzer: functions, keys of system files,
// options, methods, systems. They come from the tables that the parsers use.
#include <iostream>
#include <set>
#include <string>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/core/options.hpp>
#include <noslip/method/method.hpp>

#include "core/option_table.hpp"
#include "expr/grammar.hpp"
#include "model/kind/kind.hpp"

int main() {
  using namespace noslip;
  std::set<std::string> words = {"name = ", "kind = ",    "[initial]", "group = ", "velocity = ", "pi",
                                 "t",       "'",          "^2",        "last(",    "p(",          "psi(1)",
                                 "[0:3]",   "linear",     "SO(3)",     "SE(2)",    "SE(3)",       "\\\"",
                                 "\\x0a",   "\\x0d\\x0a", "nan",       "inf",      "1e9",         "1/3",
                                 "lambda(",  " < ",       " >= ",      "lambda1",  ":-1",

                                 " and ",   " or ",        "not ",      " <= ",     " > ",         "points = ",
                                 "cubic",   "outside = "};
  for (const std::string& function : function_names()) words.insert(function + "(");
  const auto add_keys = [&](std::span<const Key> keys) {
    for (const Key& key : keys) {
      words.insert(std::string(key.name) + " = ");
      if (std::holds_alternative<NamedTexts>(key.holds) || std::holds_alternative<TableTexts>(key.holds)) words.insert("\\x0a[" + std::string(key.name) + "]\\x0a");
    }
  };
  add_keys(common_keys());
  add_keys(common_initial_keys());
  for (const Kind* kind : kinds()) {
    words.insert("\\\"" + std::string(kind->name()) + "\\\"");
    add_keys(kind->keys());
    add_keys(kind->initial_keys());
  }
  for (const Option& option : all_options()) words.insert("\\x0a--" + std::string(option.name) + "\\x0a");
  for (const VerbRow& row : verb_rows()) words.insert(std::string(row.verb) + "\\x0a");
  for (const MethodFamily& family : method_families()) words.insert(family.name);
  for (const CatalogueEntry& entry : catalogue()) words.insert(entry.name);
  for (const std::string& word : words) std::cout << '"' << word << "\"\n";
}
