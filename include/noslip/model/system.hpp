// What a user describes, with parameters and initial data; and what follows from it. Every system has variables and
// equations of this form, of which a kind of system has some:
//
//   q' = position_rates(t, q, v, z)                         positions: coordinates, an element of a group; y; x
//   d/dt p(t, q, v) = F(t, q, v) + reactions                velocities v
//   0 = k(t, q, v), 0 = g(t, q)                             constraints of velocities and of positions
//
// The kinds (`kind` of a system file) are
//
//   mechanical   a Lagrangian, constraints, forces:   d/dt L_v = L_q + f + K^T lambda + G^T mu,
//                k(t, q, v) = 0, K = k_v (velocities),   g(t, q) = 0, G = g_q (positions, "holonomic")
//                or a Hamiltonian in place of the Lagrangian: v = H_p(t, q, p), L = p . v - H.
//                On a Lie group q holds an element, v are body velocities, derivatives by q are taken along the
//                velocities (left-trivialised), and d/dt L_v = ad*_v L_v + L_q + f + K^T lambda + ...
//                States u' = r(t, q, v, u) of first order may stand beside it; they are the last of q.
//   dae2         a general system of index 2:         y' = f(t, y, z),   0 = g(t, y),    g_y f_z regular,
//                where f is a sum of up to five parts that methods may treat in different ways
//   odae         a general overdetermined system:     y' = v(t, y, z),   0 = g(t, y),   0 = g_t + g_y v,
//                d/dt p(t, y, z) = f(t, y, z) + r(t, y, lambda),   p_z and [p_z -r_lambda; g_y v_z 0] regular
//   skew-gradient                                     x' = Pi(x) grad H(x),   Pi skew-symmetric, so that H is constant
//
// Nobody has to ask for the kind: blocks() are the variables with their roles and letters, offers() tells which of the
// equations a system has, and members that it does not have are empty.
//
// A System is immutable and cheap to copy (shared); any number of threads may use it at once. Everything derived is an
// expression in the symbols t, q, v and the constants of a step: the parameters, and the inputs that the outside gives.
// Other values of them need no new derivation.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <noslip/core/error.hpp>
#include <noslip/core/given.hpp>
#include <noslip/expr/graph.hpp>
#include <noslip/expr/matrix.hpp>
#include <noslip/lie/group.hpp>
#include <noslip/model/system_text.hpp>

namespace noslip {

struct Sampled;
struct SystemData;

/// What variables are to the motion.
enum class Role {
  position,   ///< q, without the states
  state,      ///< the last of q: of first order, with a rate of their own
  velocity,   ///< v
  momentum,   ///< p(x), beside v, where momenta are implicit
  multiplier  ///< of constraints, where they are variables of the system
};

/// A block of variables: t and the blocks are the state, in the order q(), v(), z(). (States are the last of q().)
struct Block {
  Role role;
  std::string letter;  ///< as [initial] and the equations have it: q, v, y, z, lambda, x
  std::string count;   ///< what a number of them is called: "positions", "values of y"
  std::vector<std::string> names;
  /// What gives initial values: the names, but R(1), R(2), R(3) for a matrix R (Factor::given).
  std::vector<std::string> given;
};

/// What methods and runs may ask of a system.
struct Offers {
  bool lagrangian = false;  ///< lagrangian(), and momenta L_v; reactions are K^T lambda
  bool momenta = false;     ///< d/dt momenta() = forces() + reactions
  bool energy = false;      ///< energy()
  bool parts = false;       ///< position_rates() are the sum of parts()
  bool skew_form = false;   ///< position_rates() are structure_matrix() times the gradient of energy()
  /// Multipliers are variables, z(). Of several values the one near the last is meant.
  bool multiplier_variables = false;
  /// ... and initial data give them: nothing else is known before the first step.
  bool given_multipliers = false;
};

enum class ConstraintKind {
  linear,  ///< in the velocities, as the two that follow
  affine,
  nonlinear,
  algebraic  ///< g(t, y) of a dae2 system: no velocities
};
const char* to_text(ConstraintKind kind);

/// The parts of the splitting of a dae2 system, named after the Lobatto coefficients that are made for them.
inline constexpr std::array<const char*, 5> part_names = {"A", "B", "C", "C*", "D"};

struct Constraint {
  std::string text;  ///< as the user wrote it
  Expr k;            ///< zero where it holds
  ConstraintKind kind;
  SparseRow K;  ///< dk/dv, one entry per velocity; empty for an algebraic one
  std::string name = {};  ///< that the user gave it; mostly none
};

struct HolonomicConstraint {
  std::string text;  ///< as the user wrote it
  Expr g;            ///< zero where it holds; a function of t and q
  SparseRow G;       ///< dg/dq along the velocities, one entry each
  std::string name = {};  ///< that the user gave it; mostly none
};

/// A condition that must hold along a run: margin > 0, or margin >= 0.
struct Guard {
  std::string text;        ///< as the user wrote it
  Expr margin;             ///< in System::watched_graph()
  bool is_strict = false;  ///< margin > 0

  bool holds(double value) const { return is_strict ? value > 0 : value >= 0; }
};

/// What was found by looking at the expressions; methods use it to do less. For a dae2 system only depends_on_time (of
/// f and g) and cyclic (variables y that appear neither in f nor in g) say something; for an odae system the same of
/// v, p, f, r and g, for a skew-gradient system of Pi and H.
struct Structure {
  bool constant_mass = false;  ///< L_vv does not depend on t, q, v
  bool diagonal_mass = false;
  bool depends_on_time = false;  ///< L, a constraint or a force contains t
  bool has_forces = false;
  bool does_work = false;        ///< power(), one of reaction_powers() or nonideal() is not zero
  bool has_nonideal = false;     ///< [nonideal] is not zero
  bool quadratic_in_v = false;   ///< L_vv does not depend on v
  bool constant_matrix = false;  ///< structure_matrix() of a skew-gradient system does not depend on x
  /// Coordinates that appear nowhere (their velocities may). A matrix is one: its name, where none of its entries
  /// appears.
  std::vector<std::string> cyclic;
  /// Functions written in C++ that the system calls. Their derivatives are exact where they are given, differences
  /// otherwise (expr/external.hpp).
  std::vector<ExternalFunction> external;
};

/// A variable of first order beside the mechanics, u' = rate: an actuator, a filter, an integral. Nothing reacts on it.
struct FirstOrderState {
  std::string name;
  Expr symbol;
  Expr rate;         ///< of t, q, v and the constants of a step
  std::string text;  ///< of the rate, as the user wrote it
};

struct Parameter {
  std::string name;
  Expr symbol;
  Expr default_value;  ///< a constant or an expression in the parameters above it
};

/// What an entry of `coordinates` became: a plain coordinate, or an element of a group.
struct Factor {
  std::string group;                ///< "SO(3)"; empty for a plain coordinate
  std::string name;                 ///< R, of an element that a matrix holds; empty where coordinates hold it
  std::size_t first = 0, size = 0;  ///< its numbers among q
  std::size_t first_velocity = 0, dimension = 0;  ///< its velocities
  /// What gives an initial element: x; x, y, theta; R(1), R(2), R(3) (a rotation vector); g(1) ... g(6) (translation
  /// and rotation vector).
  std::vector<std::string> given;

  bool is_matrix() const { return !name.empty(); }
  std::size_t columns() const { return size / 3; }  ///< of a matrix: 3 (SO(3)) or 4 (SE(3), the last the translation)
};

/// Initial data as numbers, in the order of System::q(), v() and z(): the blocks of variables. States are the last of q.
struct InitialState {
  double t = 0;
  std::vector<double> q = {}, v = {};
  std::vector<double> z = {};  ///< multipliers that are variables; momenta where they are implicit
};

/// The same in quadruple precision.
struct InitialStateQuad {
  quad t = 0;
  std::vector<quad> q = {}, v = {};
  std::vector<quad> z = {};
};

InitialState to_double(const InitialStateQuad& state);
InitialStateQuad to_quad(const InitialState& state);

class System {
 public:
  /// TOML text (docs/system-files.md); `origin` is the file name that errors show. Throws InputError with all problems.
  static System parse(std::string_view toml, const std::string& origin = "system");
  /// A system file. FileError where it cannot be read.
  static System load(const std::filesystem::path& file);
  static System from(const SystemText& text);
  /// The same system with other sizes: parameters that ranges, indices and sums use (n of q[0:n]), so that they decide
  /// what the variables are. Sizes that `settings` do not name stay as they are, and names that are no sizes are left
  /// for parameter_values. InputError as from().
  System resized(const Settings& settings) const;

  const char* kind() const;  ///< as `kind` of a system file has it, to be shown
  const std::vector<Block>& blocks() const;
  const Offers& offers() const;
  const std::string& name() const;
  const std::string& description() const;  ///< optional key of the file: a sentence of physics
  const std::string& source() const;       ///< optional key of the file: where the system comes from
  /// Number of velocities of a mechanical system; of y for the others, of x. The numbers that hold positions may be
  /// more on a group.
  int dimension() const;
  /// Of a mechanical system: the space of its positions. Vector spaces are groups, too.
  const Group& group() const;
  bool is_on_group() const;                             ///< a mechanical system whose space is no vector space
  const std::vector<std::string>& coordinates() const;  ///< names of q (also of its states), of y or of x
  const std::vector<Factor>& factors() const;           ///< of a mechanical system: what coordinates() belong to
  /// Indices of the coordinates (or of x) that the user calls angles, each once, in the order given. Everything about
  /// the system is 2 pi periodic in them, so that a run may keep them small, where sin and cos have all digits; what a
  /// run gives out is continuous.
  const std::vector<int>& angles() const;
  /// Of a mechanical system: what is not coordinates but stands behind them in q().
  const std::vector<FirstOrderState>& states() const;
  /// q() without the states: the elements of group().
  std::span<const Expr> configuration() const;
  /// Coordinates and names of body velocities; z of an odae system; otherwise none. (v() are the symbols, x' and w1.)
  /// Momenta and forces go by these names.
  const std::vector<std::string>& velocity_names() const;
  /// lambda1, ..., or lambda_roll of a constraint with the name roll; names of z (dae2), of lambda (odae)
  const std::vector<std::string>& multiplier_names() const;
  const std::vector<Parameter>& parameters() const;
  /// Names of the parameters that are sizes. They keep their value; resized() makes a system with another one.
  const std::vector<std::string>& sizes() const;
  /// Values that the outside gives, constant from one moment to the next; the default is an expression in the
  /// parameters. They are in no constraint and in no momentum, so that positions and velocities stay consistent when
  /// they change.
  const std::vector<Parameter>& inputs() const;
  /// What is constant while a step is taken: parameters(), then inputs(). Functions of a state have this block of
  /// numbers, the parameter values.
  std::vector<Parameter> step_constants() const;
  /// The controller that gives inputs at its sample times (model/sampled.hpp); null without one.
  const Sampled* sampled() const;
  const std::vector<Table>& tables() const;  ///< functions of one argument that are given by points
  const std::vector<Constraint>& constraints() const;         ///< of velocities; g of a dae2 system
  const std::vector<HolonomicConstraint>& holonomic() const;  ///< of positions
  /// All that restricts velocities, in the order of the multipliers: constraints(), then d/dt g = g_t + G v of
  /// holonomic(), with K = G.
  const std::vector<Constraint>& velocity_level() const;
  const std::vector<std::pair<std::string, Expr>>& invariants() const;
  /// Of those that contain no multipliers: expressions may use them (System::expression).
  std::vector<std::string> definition_names() const;
  /// What is computed beside the motion, of the state and the multipliers; the equations do not know of it.
  const std::vector<std::pair<std::string, Expr>>& outputs() const;
  const std::vector<Guard>& guards() const;
  /// A copy of graph() in which outputs() and guards() are.
  const Graph& watched_graph() const;
  /// Name of a coordinate (or of one of y, z and lambda), expression in t and parameters.
  const std::vector<std::pair<std::string, Expr>>& exact() const;
  const Structure& structure() const;

  /// Units as the user wrote them, by name: of variables, parameters, inputs, definitions and t. Empty if none are given.
  std::vector<std::pair<std::string, std::string>> units() const;
  /// The unit of a name or of a velocity x'; empty if it is not known. Angles are in rad.
  std::string unit(const std::string& name) const;

  /// A function of the state in the words of the system file: time, coordinates, velocities, momenta p(x), parameters,
  /// inputs, definitions, outputs, and the names of invariants, of multipliers (lambda1, lambda(roll)) and `energy`,
  /// where nothing else has that name. `lhs = rhs` means lhs - rhs. It is made in `graph`, a copy of graph() by the
  /// caller: `Graph graph(system.graph())`. InputError with a caret where the text is wrong; `what` is what the text is
  /// called there ("--when").
  Expr expression(Graph& graph, const std::string& text, const std::string& what) const;
  /// What multipliers are called there, in the order of multiplier_names(): z() where they are variables of the system.
  std::vector<Expr> multipliers(Graph& graph) const;

  // Variables: the symbols of the blocks
  Expr t() const;
  const std::vector<Expr>& q() const;  ///< positions
  const std::vector<Expr>& v() const;  ///< velocities; empty where nothing has momenta
  const std::vector<Expr>& z() const;  ///< momenta where they are implicit, or multipliers that are variables
  /// Symbols psi(1), ..., psi(i) = -lambda_i in the order of the multipliers; empty without nonideal().
  const std::vector<Expr>& psi() const;

  // Positions
  const std::vector<Expr>& position_rates() const;  ///< q', a function of t, q, v and z
  const std::vector<Expr>& group_defect() const;    ///< zero where q is an element of the group (Group::defect)
  /// The parts of position_rates() where these are split (Offers::parts), in the order A, B, C, C*, D: always five,
  /// each empty (missing) or with one entry per position.
  const std::vector<std::vector<Expr>>& parts() const;
  /// The skew-symmetric matrix Pi(q) of q' = Pi(q) grad H(q) (Offers::skew_form); otherwise empty.
  const std::vector<std::vector<Expr>>& structure_matrix() const;
  /// g_t + g_q q' of algebraic constraints, functions of t, q and z, which determine z; one each.
  const std::vector<Expr>& hidden_constraints() const;

  // Momenta: d/dt p = F + ad*_v p + reactions (Offers::momenta); otherwise empty
  const std::vector<Expr>& momenta() const;            ///< p(t, q, v); L_v of a Lagrangian
  const std::vector<Expr>& forces() const;             ///< F; L_q + [forces] with a Lagrangian
  const SparseMatrix& mass() const;  ///< M = p_v; L_vv, symmetric, with a Lagrangian
  /// ad*_v p, by which the momenta of a body change in its own frame; zeros without groups.
  const std::vector<Expr>& turning() const;
  /// Reactions r(t, q, z) of position constraints that are no G^T mu; otherwise empty.
  const std::vector<Expr>& position_reactions() const;
  /// Velocities as functions of what they follow from, where they are not variables of their own: H_p(t, q, p) with
  /// implicit momenta; q' = v(t, y, z) of an overdetermined system. Otherwise empty.
  const std::vector<Expr>& velocities() const;
  /// Right-hand sides of the equations of motion at a state, [M -K^T; K 0] (a, lambda) = (g, gamma):
  /// g = F + ad*_v p - p_q q' - p_t,  gamma = -(k_q q' + k_t),  with k and K over velocity_level()
  const std::vector<Expr>& acceleration_rhs() const;
  const std::vector<Expr>& constraint_rhs() const;

  // With a Lagrangian or a Hamiltonian (Offers::lagrangian); otherwise unset or empty
  Expr lagrangian() const;
  bool has_hamiltonian() const;  ///< the user gave a Hamiltonian in place of the Lagrangian
  /// A Hamiltonian that is not quadratic in p, or couples more than four coordinates: momenta have no closed form in
  /// (t, q, v). Then they are a third part of the state, z(), which is always consistent with v: v = velocities(). All
  /// expressions may contain v and p; mass() is the inverse of H_pp, momenta() are z(), forces() -H_q + [forces],
  /// energy() H, and K of a constraint is its derivative by v with p(v) in it. Otherwise the system is a Lagrangian
  /// one.
  bool has_implicit_momenta() const;
  const std::vector<Expr>& applied_forces() const;  ///< [forces] alone
  /// Reactions N(t, q, v, psi) beside K^T lambda, one per velocity: d/dt L_v = F + K^T lambda + N. Empty where there
  /// are none. At a state the equations of motion then are M a - K^T lambda - N = g, K a = gamma.
  const std::vector<Expr>& nonideal() const;
  /// What changes the energy: dE/dt = power + sum_r lambda_r reaction_power_r wherever the constraints hold.
  Expr power() const;                                ///< v . f - L_t, f = [forces]
  const std::vector<Expr>& reaction_powers() const;  ///< K v - k, one per multiplier; zero where k is homogeneous in v
  /// Vector fields X_1, X_2, ... that span the velocities which linear constraints allow, as the user gave them: one
  /// row each, with one entry per velocity, in q and the parameters. Their number is that of the velocities minus that
  /// of constraints(), which are linear then; there are no holonomic() ones. Continuous::require_consistent checks that
  /// they span what they should. Empty where none were given.
  const std::vector<std::vector<Expr>>& basis() const;

  // Energy
  bool has_energy() const { return offers().energy; }
  Expr energy() const;       ///< v . L_v - L, or H
  Expr hamiltonian() const;  ///< as given: in t, q and symbols p(x), or in q alone (Offers::skew_form); unset otherwise

  /// InputError unless a state has as many numbers as the system has variables.
  void require_shape(std::size_t q, std::size_t v, std::size_t z) const;
  /// The same of parameter values: one per parameter and input.
  void require_parameter_count(std::size_t count) const;

  const SystemData& data() const { return *data_; }  ///< for the model itself

  /// The graph of all these expressions. It is frozen: derivatives, sums and texts need a copy of it, or another graph
  /// and a Substitution.
  const Graph& graph() const;

  /// Parameter values: defaults with `settings` applied, in the order of parameters(); then the default values of the
  /// inputs that belong to them (step_constants()). Unknown names, those of inputs, and other values of sizes:
  /// InputError.
  std::vector<double> parameter_values(const Settings& settings = {}) const;
  /// Default initial data for these parameter values.
  InitialState initial_state(std::span<const double> parameter_values) const;
  /// The same in quadruple precision, so that `1/10` is not a rounded double there.
  std::vector<quad> parameter_values_quad(const Settings& settings = {}) const;
  InitialStateQuad initial_state_quad(std::span<const quad> parameter_values) const;
  /// Initial data with some values replaced: `t`, and what Block::given names. Unknown names: InputError. Of a matrix
  /// (Factor::given) `R(1)`, `R(2)` and `R(3)` replace components of the rotation vector, which is taken no longer than
  /// pi before; its entries themselves are refused.
  ///
  /// With a Hamiltonian there are also momenta, `p(x)`, and the parameter values are needed. Velocities and momenta
  /// belong together; which of them stay as they are (but for those that are replaced) when the others follow: the
  /// momenta where a momentum is among the overrides, the velocities where a velocity is (both at once are refused),
  /// and otherwise those that [initial] gives. InputError where no momenta belong to the velocities.
  InitialState with_initial(InitialState state, const Settings& overrides,
                            std::span<const double> parameter_values = {}) const;
  InitialStateQuad with_initial(InitialStateQuad state, const Settings& overrides,
                                std::span<const quad> parameter_values = {}) const;

  /// The same system with other initial data, whatever the parameters are; and with its own again. InputError for a state
  /// of another shape.
  System starting_at(InitialStateQuad state) const;
  System as_written() const;

 private:
  friend System in_chart(const System& system, Retraction map);
  std::shared_ptr<const SystemData> data_;
  std::shared_ptr<const InitialStateQuad> start_;  ///< null: as it is written
};

/// Names of the coordinates, without the states; and of the states.
std::vector<std::string> configuration_names(const System& system);
std::vector<std::string> state_names(const System& system);

}  // namespace noslip
