// A system as it is written, before anything is understood: the texts of a system file with their places, or the same
// texts given in C++. Every text follows the grammar of system files (docs/system-files.md), or is an expression that
// was made with operators (model/symbols.hpp), or a number. Names and texts may stand for families, q[0:9] (section
// "Arrays and sums" there).
//
//   SystemText text;
//   text.coordinates = {"x", "y", "theta"};
//   text.lagrangian  = "1/2*(x'^2 + y'^2 + theta'^2) + x";
//   text.constraints = {"y'*cos(theta) = x'*sin(theta)"};
//   const System skate = System::from(text);
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <noslip/core/error.hpp>
#include <noslip/core/scalar.hpp>
#include <noslip/expr/graph.hpp>

namespace noslip {

class Document;

/// A text, and where it stands, so that errors can point at it. One that was given in C++ has no document until
/// System::from names it after its member ("constraints[2]").
struct Text {
  Text() = default;
  Text(const char* text_) : text(text_) {}
  Text(std::string text_) : text(std::move(text_)) {}
  /// An expression instead of characters, for a constraint one that vanishes. Its symbols mean what their names mean in
  /// a text. Its graph is kept alive, or, where somebody else owns it, the expression is copied into another one.
  Text(Expr expression_);
  /// A double means that double (expr/number.hpp).
  template <class Value>
  requires(std::integral<Value> || std::same_as<Value, double>) Text(Value number) : text(to_text(Number(number))) {}
  Text(bool) = delete;  // `==` of expressions asks for the same node: equal() of model/symbols.hpp makes a relation
  Text(std::string text_, std::shared_ptr<const Document> document_,
       std::vector<std::pair<std::size_t, std::size_t>> segments_)
      : text(std::move(text_)), document(std::move(document_)), segments(std::move(segments_)) {}
  /// A whole document.
  static Text whole(std::string name, std::string text);

  /// From now on it is all of a document of this name.
  void name_document(std::string name);

  bool empty() const { return text.empty(); }
  /// Of a byte of the text; unset without a document.
  Place place(std::size_t offset = 0) const;

  std::string text;  ///< that of an expression is printed, and cut where it is very long
  Expr expression;   ///< without a graph where there are characters only
  std::shared_ptr<const Graph> graph;
  std::shared_ptr<const Document> document;
  /// Byte of `text`, byte of the document; between two entries both advance alike (an escape in a file is longer than
  /// what it stands for). Sorted, the first at 0.
  std::vector<std::pair<std::size_t, std::size_t>> segments;
  bool is_given = false;  ///< of a key with one text: it is there; in C++ a text that is not empty is given
  /// Of one that was made from a family: the names of its indices and their values, i = 3.
  std::vector<std::pair<std::string, std::int64_t>> indices = {};
};

struct NamedText;

/// Names, or expressions; a row of a matrix. Constraints may have names:
///
///   text.constraints = TextList::named({{"roll", "x' = r*phi'"}, {"side", "y' = 0"}});
struct TextList {
  TextList() = default;
  TextList(std::initializer_list<Text> list) : texts(list) {}
  TextList(std::vector<Text> list) : texts(std::move(list)) {}

  bool empty() const { return texts.empty(); }
  std::size_t size() const { return texts.size(); }
  const Text& operator[](std::size_t i) const { return texts[i]; }
  auto begin() const { return texts.begin(); }
  auto end() const { return texts.end(); }
  void push_back(Text text) { texts.push_back(std::move(text)); }
  static TextList named(const std::vector<NamedText>& list);

  std::vector<Text> texts;
  std::vector<Text> names = {};  ///< one for each text, or none at all
  Place place = {};
  bool is_given = false;  ///< the key is there; in C++ a list that is not empty is given
};

/// Lists of texts, such as the rows of a matrix.
struct TextRows {
  TextRows() = default;
  TextRows(std::initializer_list<TextList> list) : rows(list) {}
  TextRows(std::vector<TextList> list) : rows(std::move(list)) {}

  bool empty() const { return rows.empty(); }
  TextList& operator[](std::size_t i) { return rows[i]; }

  std::vector<TextList> rows;
  Place place = {};
  bool is_given = false;
  bool is_readable = true;  ///< false where a file has something else in its place
};

struct NamedText {
  Text name, value;
};

inline TextList TextList::named(const std::vector<NamedText>& list) {
  TextList result;
  for (const NamedText& each : list) {
    result.names.push_back(each.name);
    result.texts.push_back(each.value);
  }
  return result;
}

/// A function of one argument that is given by points (expr/table.hpp).
///
///   text.tables = {{"steer", {{0, 0}, {1, 0.2}, {2, 0}}, "cubic"}};
struct TableText {
  TableText() = default;
  TableText(std::string name_, const std::vector<std::pair<double, double>>& points, std::string kind_ = "linear",
            std::string outside_ = "hold")
      : name(std::move(name_)), kind(std::move(kind_)), outside(std::move(outside_)) {
    for (const auto& [argument, value] : points) {
      x.push_back(argument);
      y.push_back(value);
    }
  }

  Text name;
  std::vector<quad> x, y;
  Text kind = "linear";    ///< or cubic
  Text outside = "hold";   ///< the value at the end, or error: none
  Place place = {};        ///< of the entry
  bool is_readable = true; ///< false where something is wrong that has been said already
};

/// Initial values: in the order of the variables, or by variable; what is not named is zero.
struct InitialTexts {
  InitialTexts() = default;
  InitialTexts(std::initializer_list<Text> list) : InitialTexts(std::vector<Text>(list)) {}
  InitialTexts(const std::vector<Text>& list) : by_name(list.empty()), is_given(!list.empty()) {
    for (const Text& text : list) values.push_back({{}, text});
  }

  /// An array inside stands for what several numbers give. Its numbers are among the values, by name as R(1), ...
  struct Vector {
    Text name;                         ///< R; without text in an array
    std::size_t first = 0, count = 0;  ///< among the values
    Place place;
  };
  std::vector<NamedText> values;  ///< without names if they are in the order of the variables
  std::vector<Vector> vectors;
  bool by_name = true;
  bool is_given = false;
  Place place = {};
};

/// A coordinate, or an element of a group (lie/group.hpp): SO(2) and SE(2) by the names of its coordinates, SO(3) and
/// SE(3) by one name from which those of its entries follow; and the names of its body velocities.
struct CoordinateText {
  CoordinateText() = default;
  CoordinateText(const char* coordinate) : name(coordinate) {}
  CoordinateText(std::string coordinate) : name(std::move(coordinate)) {}
  CoordinateText(Text coordinate) : name(std::move(coordinate)) {}
  CoordinateText(Expr symbol) : name(symbol) {}
  /// CoordinateText("SO(3)", "R", {"w1", "w2", "w3"})
  CoordinateText(std::string group_, std::string name_, std::vector<std::string> velocity_)
      : CoordinateText(std::move(group_), std::move(name_), {}, std::move(velocity_)) {}
  /// CoordinateText("SE(2)", {"x", "y", "theta"}, {"v1", "v2", "omega"})
  CoordinateText(std::string group_, std::vector<std::string> names_, std::vector<std::string> velocity_)
      : CoordinateText(std::move(group_), std::string(), std::move(names_), std::move(velocity_)) {}

  Text name;                ///< of a plain coordinate, or of an element that a matrix holds
  TextList names;           ///< of the coordinates that hold an element
  TextList velocity;        ///< of the body velocities
  Text group;               ///< "SO(3)"
  bool is_element = false;  ///< of a group, not a plain coordinate
  Place place = {};         ///< of the whole entry
  bool is_readable = true;  ///< false where something is wrong that has been said already

 private:
  CoordinateText(std::string group_, std::string name_, std::vector<std::string> names_,
                 std::vector<std::string> velocity_)
      : name(std::move(name_)),
        names(std::vector<Text>(names_.begin(), names_.end())),
        velocity(std::vector<Text>(velocity_.begin(), velocity_.end())),
        group(std::move(group_)),
        is_element(true) {}
};

/// All that a system file may say. A kind of system has keys of its own (docs/system-files.md); what belongs to another
/// kind has to be empty.
struct SystemText {
  std::string kind = "mechanical";
  std::string name, description, source;
  // mechanical
  std::vector<CoordinateText> coordinates;
  Text lagrangian;
  Text hamiltonian;  ///< instead of the Lagrangian; H(x) of a skew-gradient system
  TextList constraints, holonomic;
  std::vector<NamedText> forces;    ///< coordinate or body velocity, expression
  std::vector<NamedText> nonideal;  ///< coordinate, expression that may use psi(1), ...
  std::vector<NamedText> states;    ///< name, right-hand side: u' = ...; see System::states
  TextRows basis;                   ///< rows, one text per coordinate; see System::basis
  TextList angles;                  ///< names of coordinates, or of x; see System::angles
  // dae2 and odae
  TextList y, z;  ///< names
  TextRows f;     ///< dae2: the parts A, B, C, C*, D, each empty (missing) or with one text per y. odae: one row
  TextList g;
  // odae
  TextList lambda;  ///< names
  TextList v;       ///< one text per y
  TextList p, r;    ///< one text per z; no p at all means p = z
  // skew-gradient
  TextList x;          ///< names
  TextRows structure;  ///< Pi, by rows
  // all
  std::vector<NamedText> parameters;  ///< in order; a number or an expression
  std::vector<NamedText> inputs;      ///< in order; the default is a number or an expression in the parameters
  std::vector<NamedText> sampled;     ///< every, delay, and in order the values of a controller (model/sampled.hpp)
  std::vector<TableText> tables;      ///< functions of one argument
  std::vector<NamedText> definitions, invariants;
  std::vector<NamedText> units;  ///< name, unit (model/units.hpp)
  std::vector<NamedText> outputs;  ///< in order; each may use those above it, and multipliers
  TextList guards;                 ///< conditions that must hold along a run: lambda(floor) > 0
  std::vector<NamedText> exact;  ///< name of a coordinate (x, y, z), expression in t
  Text t0 = "0";
  /// In the order of the variables; empty: all zero. An element of SO(3) is given by a rotation vector, one of SE(3) by
  /// the translation and a rotation vector. p0 are momenta instead of v0, with a Hamiltonian; lambda0 is where the
  /// search for the multipliers begins.
  InitialTexts q0, v0, p0, y0, z0, lambda0, x0;
  InitialTexts states0;   ///< by name, or in their order
  InitialTexts sampled0;  ///< by name: last(I) at the first sample

  Place place = {};         ///< of the whole, for what is missing
  bool is_readable = true;  ///< false where names could not be read; the rest would make no sense then
};

/// The texts of a system file, for those who change some of them before System::from. InputError for what is wrong with
/// the file itself (syntax, keys, types); `origin` is its name in messages. Tables have their points in the text.
SystemText read_system_text(std::string_view toml, const std::string& origin = "text");

/// The text of a system file in which tables that name a file have their points instead, so that it says all by itself:
///
///   [tables]
///   steer = { file = "steer.csv", x = "t", y = "angle" }
///
/// `read` gets the path of such a file, relative to the folder of `origin`, and gives its text (read_text_file if it is
/// empty). Lines stay where they are. InputError, FileError.
std::string with_points(std::string toml, const std::string& origin,
                        const std::function<std::string(const std::string& file)>& read = {});

}  // namespace noslip
