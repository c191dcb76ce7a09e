// What a system shows of itself: its variables, its equations and what was found by looking at them, as texts. The tool
// prints them as text, LaTeX or JSON; none of them has to know what kind of system it is.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <noslip/model/system.hpp>

namespace noslip {

/// Two sides; in LaTeX without the alignment mark.
struct Equation {
  std::string left, right;
};

/// A text, a list, or an object, as JSON has them.
struct ShownValue {
  using List = std::vector<ShownValue>;
  enum class Type { text, list, object };

  ShownValue(std::string text_) : type(Type::text), text(std::move(text_)) {}
  ShownValue(List items_) : type(Type::list), items(std::move(items_)) {}
  ShownValue(std::vector<std::string> keys_, List items_)
      : type(Type::object), keys(std::move(keys_)), items(std::move(items_)) {}

  Type type;
  std::string text;
  std::vector<std::string> keys;  ///< of an object, one per item
  List items;                     ///< of a list or an object
};

struct Shown {
  /// Equations under a title, in both notations. One of them may be empty: not all is worth a line in both.
  struct Section {
    std::string title;
    std::vector<Equation> text, latex;
  };
  struct Variables {
    std::string label;  ///< "coordinates", "y"
    std::vector<std::string> names;
  };
  /// Something that holds or not, or a list of names.
  struct Fact {
    std::string key;    ///< in JSON; empty: not there
    std::string label;  ///< in text; empty: not there
    std::variant<bool, std::vector<std::string>> value;
    std::string text;  ///< instead of yes, no or the names
  };

  std::vector<Variables> variables;
  std::vector<std::string> angles;
  std::vector<Section> sections;
  std::vector<std::pair<std::string, ShownValue>> entries;  ///< expressions and equations by key
  std::vector<Fact> facts;
  /// Of what constraints take away degrees of freedom: "coordinate", "coordinates"; empty where nothing can.
  std::string moving_one, moving_many;
  std::string residual_label;  ///< "largest |k|, |g|"; empty without constraints
};

/// The text of everything grows with the number of nodes of the system's graph: parts of long expressions that appear
/// more than once are definitions, with names that the system does not have.
Shown shown(const System& system);
/// The same without sections and entries: texts of equations take long in large systems.
Shown outline(const System& system);

/// All equations as LaTeX, one align* environment (package amsmath); of very many the first ones.
std::string to_latex(const Shown& shown);

}  // namespace noslip
