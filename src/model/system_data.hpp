// What a System holds.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <noslip/exec/function.hpp>
#include <noslip/model/sampled.hpp>
#include <noslip/model/system.hpp>
#include <noslip/model/units.hpp>

#include "model/document.hpp"
#include "model/factors.hpp"
#include "model/size_values.hpp"
#include "model/symbolic_inverse.hpp"

namespace noslip {

/// A number that follows from the parameters, with what to say when it is not finite.
struct ParameterValue {
  std::string what;  ///< "parameter 'J'", "the initial value of x'"
  Text text;
  Expr expression;
};

/// A unit, and how the user wrote it.
struct UnitOf {
  std::string text;
  Unit unit;
};

class Kind;
class LegendreMap;

/// A default as a function of the parameters that it contains.
struct DefaultValue {
  std::vector<std::size_t> parameters;
  Function<quad> function;
};

struct SystemData {
  const Kind* kind = nullptr;
  std::shared_ptr<const SystemText> text;  ///< as it was written
  SizeValues size_values;
  std::vector<std::string> sizes;  ///< parameters that decide what the variables are
  Offers offers;
  std::vector<Block> blocks;
  std::unique_ptr<Graph> graph = std::make_unique<Graph>();
  std::string name, description, source;
  std::vector<std::string> coordinates, velocity_names, multiplier_names;
  std::vector<int> angles;  ///< indices of coordinates
  std::vector<Parameter> parameters, inputs;
  std::optional<Sampled> sampled;
  std::vector<Table> tables;
  std::vector<Constraint> constraints;  ///< of velocities; g of a dae2 system
  std::vector<HolonomicConstraint> holonomic;
  std::vector<Constraint> velocity_level;  ///< constraints, then the rates of holonomic
  std::vector<std::pair<std::string, Expr>> definitions, invariants, exact;
  std::unique_ptr<Graph> watched_graph;  ///< of the two that follow; null without them
  std::vector<std::pair<std::string, Expr>> outputs;
  std::vector<Guard> guards;
  Structure structure;
  std::map<std::string, UnitOf, std::less<>> units;  ///< by name; empty if none are given, otherwise t has one

  std::shared_ptr<const Group> group;  ///< of a mechanical system
  std::vector<Factor> factors;         ///< the same; none in local coordinates
  std::vector<FirstOrderState> states;  ///< the last of q
  Expr t;
  std::vector<Expr> q, v, z, psi;
  std::vector<Expr> position_rates;  ///< q', a function of the state
  std::vector<Expr> group_defect;    ///< zero where q is an element of the group

  Expr lagrangian, energy;
  bool has_hamiltonian = false;
  bool has_implicit_momenta = false;
  bool starts_from_momenta = false;       ///< [initial] has p, not v
  Expr hamiltonian;                       ///< in t, q, p, or in x
  std::vector<Expr> p;                    ///< symbols of the momenta, where there is a Hamiltonian
  std::vector<Expr> momentum_velocities;  ///< H_p
  ExprMatrix inverse_mass;                ///< H_pp
  std::vector<Expr> velocities;           ///< H_p where momenta are implicit; v of an odae system
  std::shared_ptr<const LegendreMap> legendre;
  std::vector<Expr> applied_forces;  ///< what [forces] says, zero where it says nothing
  std::vector<Expr> nonideal, position_reactions;
  std::vector<Expr> momenta, forces;
  std::vector<Expr> turning;  ///< ad*_v p
  SparseMatrix mass;
  std::vector<Expr> acceleration_rhs, constraint_rhs;
  std::vector<std::vector<Expr>> basis, structure_matrix;
  Expr power;
  std::vector<Expr> reaction_powers;

  std::vector<std::vector<Expr>> parts;
  std::vector<Expr> hidden_constraints;

  std::vector<ParameterValue> defaults;         ///< of the parameters, then of the inputs
  std::vector<DefaultValue> default_values;     ///< of the same
  std::vector<ParameterValue> initial;          ///< t, q, v, z
  std::vector<ParameterValue> given;            ///< numbers that give the matrices among q
  Function<quad> initial_values;                ///< of the constants of a step: initial; given
  std::vector<ParameterValue> sampled_numbers;  ///< of a controller: every, delay, and last of each value at first
  Function<quad> sampled_values;                ///< of the constants of a step

  /// Parameters, then inputs: what is constant while a step is taken.
  std::vector<Parameter> step_constants() const {
    std::vector<Parameter> all = parameters;
    all.insert(all.end(), inputs.begin(), inputs.end());
    return all;
  }
  /// q without the states.
  std::span<const Expr> configuration() const { return std::span(q).first(q.size() - states.size()); }
  /// What forces act on and constraints restrict, for sentences.
  const char* moving() const { return group && !group->is_vector_space() ? "velocities" : "coordinates"; }
};

/// What [units] say of a name, a velocity x' or an entry of a matrix, and that angles are in rad; nothing if it is not
/// known.
std::optional<UnitOf> unit_of_name(const SystemData& data, std::string_view name);

/// Throws an InputError if there are problems: sorted by place, a long list cut.
void refuse(std::vector<Problem> problems);

/// What follows from a Hamiltonian whose momenta stay symbols, without the structure.
void derive_hamiltonian(SystemData& data);

/// Derivatives of a function of the positions along the velocities: of a coordinate x by x, of a group element by each
/// body velocity (left-trivialised), one per velocity.
std::vector<Expr> gradient_along(const SystemData& data, Expr function);

/// ad*_v p, by which the momenta of a body change in its own frame; zeros in a vector space.
std::vector<Expr> turning_of_momenta(const SystemData& data);

/// f_t + f_q q': the change of functions f along a motion, as far as position and time make it.
std::vector<Expr> change_in_motion(const SystemData& data, std::span<const Expr> functions,
                                   std::span<const Expr> rates);
/// A Jacobian that is symmetric in value, made symmetric in form.
SparseMatrix symmetric_jacobian(Graph& graph, std::span<const Expr> functions, std::span<const Expr> variables);

/// Of a mechanical system: what does work, once the rest is derived.
void derive_power(SystemData& data);

/// The values of a controller, once the energy and the momenta in them are derived.
void derive_sampled(SystemData& data);

/// Problems of inputs in what has to be continuous when they change.
void require_continuity(const SystemText& text, const SystemData& data, std::vector<Problem>& problems);

/// Makes the kernels that evaluate parameters and initial values.
void compile_values(SystemData& data);

Problem not_finite(const ParameterValue& value, quad result);
/// What is wrong with `every` or `delay` of a controller; nothing if it is a good time.
std::optional<Problem> problem_with_sample_time(const ParameterValue& time, quad value);

}  // namespace noslip
