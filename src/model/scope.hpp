// What names mean in the texts of one system, and which names a text may use.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <noslip/expr/parse.hpp>

#include "model/factors.hpp"
#include "model/rates.hpp"
#include "model/size_values.hpp"

namespace noslip {

class Kind;

/// What a text under [sampled] may use beside the state.
struct SampledRule {
  std::size_t above = 0;                          ///< values of the table that stand above it
  std::map<std::string, Expr, std::less<>> more;  ///< invariants and the energy, where nothing else has their name
};

/// What a text may use. Everything else that is known gets an answer that says so.
struct Rule {
  std::string allowed;    ///< end of the sentence: "the default of a parameter may use the parameters above it only"
  bool state = true;      ///< coordinates and velocities; y and z
  bool algebraic = true;  ///< z, where the state is allowed
  bool states = true;     ///< of [states], where the state is allowed
  bool time = true;
  std::size_t parameters = std::numeric_limits<std::size_t>::max();  ///< only the first so many
  bool velocities = true;                                            ///< x', where the state is allowed
  bool momenta = true;                                               ///< p(x), where the state is allowed
  bool multipliers = false;                                          ///< psi(1), ...; lambda of an odae system
  bool inputs = true;
  std::string constraint;                ///< what is violated when an input in it changes: "constraint 'x' = tau'"
  const SampledRule* sampled = nullptr;  ///< of a text under [sampled]

  bool allows_all_state() const {
    return state && algebraic && states && time && velocities && momenta && inputs &&
           parameters == std::numeric_limits<std::size_t>::max();
  }
};

class Names {
 public:
  /// Takes in the names of all variables, parameters, inputs and definitions, and of the values of [sampled]; complains
  /// about bad and double ones.
  Names(Graph& graph, const Kind& kind, const SystemText& text, const std::vector<Text>& positions,
        const std::vector<FactorTexts>& factors, SizeValues& sizes, std::vector<Table>& tables,
        std::vector<Problem>& problems);
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

  /// The expression of a text, nothing if something is wrong with it (then a problem has been added). The phrase has
  /// to outlive this object.
  std::optional<Expr> parse(const Text& phrase, const Rule& rule, bool relation = false);

  /// A text that may use coordinates, and what it means, before momenta are replaced.
  struct Read {
    const Text* text;
    Expr expression;
  };
  /// Those that have been parsed and are good, without definitions, which may be used nowhere.
  const std::vector<Read>& texts_read() const { return texts_read_; }

  /// Name and meaning of the definitions that are good and contain no multipliers.
  std::vector<std::pair<std::string, Expr>> definitions();

  /// First and last index of an array.
  std::optional<std::pair<std::int64_t, std::int64_t>> array(std::string_view name) const;

  /// From now on every parsed expression has the symbols p(x) replaced by these, in the order of the velocities.
  void replace_momenta(const std::vector<Expr>& momenta);

 private:
  enum class Sort {
    coordinate, state, element, velocity, algebraic, multiplier, parameter, input, definition, output, sampled, table
  };
  struct Meaning {
    Sort sort;
    std::size_t index;
  };
  /// q[0], q[1], ...
  struct Array {
    Sort sort;
    std::int64_t first, last;
  };
  /// Why a text may not use a symbol; without words: it may.
  struct Objection {
    std::string what, remedy;
    bool empty() const { return what.empty(); }
  };
  /// Something that is wrong with a text, at a byte of it.
  using Faults = std::vector<ParseProblem>;
  /// One text that is being parsed. Look-ups that know the name but must not allow it note it here; the parser then has
  /// nothing to complain about.
  struct Use {
    const Rule& rule;
    Faults objections;
    std::unordered_set<std::size_t> offsets;  // of the objections
    std::size_t offset = 0;                   // of the name that is looked up

    void object(std::string what, std::string remedy = {}) {
      // In a sum every term would say it again.
      if (offsets.insert(offset).second) objections.push_back({std::move(what), std::move(remedy), offset});
    }
  };

  bool add(const Text& name, Sort sort, std::size_t index);  ///< false, and a problem, where it cannot be one
  /// Makes the tables, and takes in their names.
  void add_tables(const std::vector<TableText>& texts, std::vector<Table>& tables);  // tables.cpp
  bool add_to_array(const Text& name, const Element& element, Sort sort);
  std::string sort_text(Sort sort) const;
  bool is_known_here(std::string_view name, std::size_t definition) const;  ///< otherwise an objection
  /// What a text means; its faults are added. Where there are some, the meaning is of no use.
  Expr read(std::string_view text, const Indices& indices, const Rule& rule, bool relation, Faults& faults);
  /// What an expression means, in the graph of the system.
  Expr import(const Text& phrase, const Rule& rule, Faults& faults);
  void parse_definitions(const std::vector<NamedText>& definitions);  // definitions.cpp
  std::vector<std::vector<std::size_t>> uses_of(const std::vector<NamedText>& definitions) const;
  /// The look-up that tells the text in use where the name stands, and asks for its meaning.
  Scope::Lookup looking_up(std::optional<Expr> (Names::*meaning)(std::string_view) const) const;
  std::optional<Expr> symbol(std::string_view name) const;
  std::optional<Expr> velocity(std::string_view name) const;
  Expr velocity_of_definition(std::string_view name, std::size_t index) const;  // definitions.cpp
  std::optional<Expr> momentum(std::string_view name) const;
  std::optional<Expr> multiplier(std::string_view number) const;
  std::optional<Expr> reaction(std::string_view name) const;
  void object_to_multiplier(std::string_view name) const;
  std::optional<Expr> last(std::string_view name) const;
  Scope with_sampled(const SampledRule& rule) const;
  std::optional<Expr> sampled(std::string_view name, const Meaning& meaning) const;
  /// An expression that stands for a name, if the text in use may use all that is in it.
  Expr composed(std::string_view name, Expr value, const char* what) const;
  Objection objection(Expr symbol, const Rule& rule) const;
  std::string remedy() const;  // for a name that the text in use may not use

  Graph& graph_;
  const Kind& kind_;
  bool has_velocities_;  // x' may be written
  std::vector<Problem>& problems_;
  SizeValues& sizes_;
  std::unordered_map<std::string, Meaning> meanings_;
  std::map<std::string, Array, std::less<>> arrays_;
  std::vector<std::string> moving_;       // names of which there are momenta: coordinates, body velocities
  std::vector<std::string> coordinates_;  // with a velocity x'
  std::unordered_set<std::string> has_momentum_, has_velocity_;  // the same
  std::size_t multiplier_count_ = 0;                             // that texts may name
  std::vector<std::string> multipliers_, constraints_;           // names of the multipliers, and of constraints
  const std::vector<Table>* tables_ = nullptr;
  std::vector<std::string> definition_names_;
  std::vector<std::string> sampled_;  // values of [sampled], in order, inputs among them
  std::vector<std::optional<Expr>> definitions_;
  std::vector<bool> is_read_;  // of each definition; nothing is in it where it is wrong
  bool has_circle_ = false;    // of definitions
  const std::vector<FactorTexts>& factors_;
  mutable std::optional<Rates> rates_;  // of definitions, once one is asked for
  Scope scope_;                         // its look-ups go to `use_`
  Use* use_ = nullptr;
  std::optional<Substitution> momenta_;
  std::map<const Graph*, Substitution> imports_;  // one per graph, so that what its expressions share is copied once
  std::vector<Read> texts_read_;
};

/// Name of the symbol for the momentum of a coordinate, as it is written: p(x).
std::string momentum_name(std::string_view coordinate);
/// Name of the symbol for a multiplier, counted from 1: psi(1).
std::string psi_name(std::size_t number);
/// Names of the constraints of a mechanical system, empty where they have none, and of their multipliers.
std::vector<std::string> constraint_names(const SystemText& text);
std::vector<std::string> multiplier_names(const SystemText& text);
/// Names of the symbols for a value of [sampled]: at the sample before, last(I); at this one, I, or now(tau) of an
/// input tau, whose own symbol is the value that acts on the system.
std::string last_name(std::string_view value);
std::string now_name(std::string_view value, bool is_input);
/// Is it a value of [sampled], neither `every` nor `delay`?
bool is_sampled_value(const NamedText& entry);

}  // namespace noslip
