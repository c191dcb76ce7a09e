// From texts to expressions, with every problem on the way collected: what all kinds of systems share. A kind adds its
// own symbols, equations and initial values.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/kind/kind.hpp"
#include "model/scope.hpp"
#include "model/system_data.hpp"

namespace noslip {

/// Names of variables, to be looked up. They have to outlive it.
class VariablePlaces {
 public:
  VariablePlaces(const std::vector<std::string>& variables);  // NOLINT: a list of names is one
  std::optional<std::size_t> find(const std::string& name) const;

  const std::vector<std::string>& names;

 private:
  std::unordered_map<std::string_view, std::size_t> places_;
};

class Builder {
 public:
  /// `positions` are the names of q; `factors` what they belong to, in their order, where they may be more than plain
  /// variables.
  Builder(const Kind& kind, const SystemText& text, std::vector<Text> positions, std::vector<FactorTexts> factors,
          SystemData& data, std::vector<Problem>& problems)
      : words_(kind.words()),
        text_(text),
        positions_(std::move(positions)),
        factors_(std::move(factors)),
        data_(data),
        problems_(problems),
        names_(*data.graph, kind, text, positions_, factors_, data.size_values, data.tables, problems) {}
  virtual ~Builder() = default;

  void run();

 protected:
  /// Looks for what has to be there at all, before any name has a meaning.
  virtual void required() {}
  virtual void own_symbols() {}  ///< v, z and the names of the multipliers
  virtual void equations() = 0;
  virtual void initial() = 0;                                ///< values of q, v and z
  virtual std::vector<std::string> exact_names() const = 0;  ///< of which an exact solution may be given
  virtual bool multipliers_in_invariants() const { return false; }
  virtual bool has_energy() const { return false; }
  virtual bool has_multipliers_as_z() const { return false; }  ///< the names z are multipliers

  /// A constraint g(t, q) = 0 that restricts the positions; nothing, and a problem, where it does not.
  /// `quoted` is what it is called there.
  std::optional<Expr> position_constraint(const Text& given, const Rule& rule, const std::string& quoted);
  /// One expression per variable, zero for those that are missing or wrong.
  std::vector<Expr> list(const TextList& given, const std::string& key, const Rule& rule,
                         const std::vector<std::string>& variables, const std::string& letter);

  void angles();  // build_angles.cpp; when all texts have been read

  void initial_time();  // build_initial.cpp
  void initial_values(const InitialTexts& given, const std::vector<std::string>& variables, const std::string& letter);
  /// Those of a mechanical system: elements of groups that a matrix holds are given by other numbers than they have.
  void initial_positions(const InitialTexts& given);
  /// The element that has this name, or an entry of this name; nothing where coordinates hold it.
  const Factor* matrix_named(const std::string& name) const;

  void complain(std::string what, Place place, std::string remedy = {}) {
    problems_.push_back({std::move(what), std::move(place), std::move(remedy)});
  }
  Expr zero() { return data_.graph->constant(0); }
  std::vector<Expr> symbols(const std::vector<std::string>& names);
  bool is_on_group() const { return data_.group && !data_.group->is_vector_space(); }
  /// Symbols that make a relation one of velocities; none where velocities cannot be written.
  virtual std::vector<Expr> velocity_symbols() const { return {}; }
  /// Where the name stands in the list of variables, or a problem.
  std::optional<std::size_t> variable(const Text& name, const VariablePlaces& variables);

  const KindWords& words_;
  const SystemText& text_;
  const std::vector<Text> positions_;
  const std::vector<FactorTexts> factors_;
  SystemData& data_;
  std::vector<Problem>& problems_;
  Names names_;

 private:
  bool common_symbols();
  void parameters();
  void invariants();
  void exact();
  void units();  // build_units.cpp
  void check_units();
  std::vector<std::string> names_with_units() const;
  std::optional<Unit> unit_of_symbol(const std::string& symbol) const;
  void inputs();  // build_sampled.cpp
  void sampled();
  void sample_times();
  void sampled_values();
  void initial_sampled();
  void values_reach_inputs();
  std::vector<std::string> input_names() const;
  bool is_vector_in_place(const InitialTexts& given, const InitialTexts::Vector& vector, const std::string& letter);
};

/// What an initial value may use.
const Rule& initial_rule();

/// Could the names be read, and are there not too many of them? Otherwise nothing can be built.
bool can_be_built(const SystemText& text, const std::vector<Text>& positions, const KindWords& words,
                  std::vector<Problem>& problems);

/// Builds a system of plain variables with the builder of its kind.
template <class OwnBuilder>
void build_variables(const Kind& kind, const SystemText& text, const TextList& positions, SystemData& data,
                     std::vector<Problem>& problems) {
  if (!can_be_built(text, positions.texts, kind.words(), problems)) return;
  OwnBuilder(kind, text, positions.texts, std::vector<FactorTexts>{}, data, problems).run();
}

std::vector<std::string> texts_of(const std::vector<Text>& texts);

/// Names of the positions that appear in none of the expressions; q is held by variables, not by matrices.
std::vector<std::string> absent_positions(const SystemData& data, std::span<const Expr> expressions);

/// Does one of the symbols appear in one of the expressions?
bool touches(std::span<const Expr> expressions, std::span<const Expr> symbols);

}  // namespace noslip
