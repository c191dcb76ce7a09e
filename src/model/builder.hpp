// From texts to expressions: what the kinds of systems share, and where they differ.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "model/scope.hpp"
#include "model/system_data.hpp"

namespace noslip {

class Builder {
 public:
  Builder(const Description& description, SystemData& data, std::vector<Problem>& problems)
      : description_(description), data_(data), problems_(problems), names_(*data.graph, description, problems) {}

  void run();

 private:
  void mechanical();  // build_mechanical.cpp
  void lagrangian();
  void constraints();
  void holonomic();
  /// A constraint g(t, q) = 0 that restricts the coordinates (or y); nothing, and a problem, where it does not.
  std::optional<Expr> position_constraint(const Phrase& phrase, const Rule& rule, const std::string& noun);
  void not_too_many_constraints();
  void forces();
  void nonideal();

  void basis();   // build_basis.cpp
  void angles();  // build_angles.cpp; when all texts have been read

  void hamiltonian();  // build_hamiltonian.cpp
  void legendre_transform();
  void initial_velocities();

  void index_two();  // build_index_two.cpp
  void parts();
  void algebraic_constraints();

  void overdetermined();  // build_odae.cpp
  std::vector<Expr> list(const ListPhrases& phrases, const std::string& key, const Rule& rule,
                         const std::vector<std::string>& variables, const std::string& letter);
  void overdetermined_constraints();

  void skew_gradient();  // build_skew_gradient.cpp
  void required_parts();
  void structure_matrix();

  bool symbols();
  void velocities();
  void parameters();
  void invariants();
  void exact();

  void initial();  // build_initial.cpp
  void initial_positions();
  void initial_values(const InitialPhrases& initial, const std::vector<std::string>& variables,
                      const std::string& letter);
  bool is_vector_in_place(const InitialPhrases& initial, const InitialPhrases::Vector& vector,
                          const std::string& letter);
  /// The element that has this name, or an entry of this name; nothing where coordinates hold it.
  const Factor* matrix_named(const std::string& name) const;

  void complain(std::string what, Place place, std::string remedy = {}) {
    problems_.push_back({std::move(what), std::move(place), std::move(remedy)});
  }
  Expr zero() { return data_.graph->constant(0); }
  bool is_odae() const { return data_.kind == SystemKind::odae; }
  bool is_skew_gradient() const { return data_.kind == SystemKind::skew_gradient; }
  bool is_mechanical() const { return data_.kind == SystemKind::mechanical; }
  bool is_on_group() const { return data_.group && !data_.group->is_vector_space(); }
  /// Symbols that make a relation one of velocities.
  std::vector<Expr> velocity_symbols() const;
  /// Where the name stands in the list of variables, or a problem.
  std::optional<std::size_t> variable(const Phrase& name, const std::vector<std::string>& variables);

  const Description& description_;
  SystemData& data_;
  std::vector<Problem>& problems_;
  Names names_;
};

/// Does one of the symbols appear in one of the expressions?
bool touches(std::span<const Expr> expressions, std::span<const Expr> symbols);

}  // namespace noslip
