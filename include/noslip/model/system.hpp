// What a user describes: a Lagrangian, constraints, forces, parameters, initial data; and what follows from it.
//
//   d/dt L_v = L_q + f + K^T lambda,   k(t, q, v) = 0,   K = k_v
//
// A System is immutable and cheap to copy (shared). Everything derived is an expression in the symbols t, q, v and the
// parameters; parameters are inputs, so that other values need no new derivation.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <noslip/core/error.hpp>
#include <noslip/expr/graph.hpp>

namespace noslip {

enum class ConstraintKind { linear, affine, nonlinear };  ///< in the velocities
const char* to_text(ConstraintKind kind);

struct Constraint {
  std::string text;  ///< as the user wrote it
  Expr k;            ///< zero where it holds
  ConstraintKind kind;
  std::vector<Expr> K;  ///< dk/dv, one entry per coordinate
};

/// What was found by looking at the expressions; methods use it to do less.
struct Structure {
  bool constant_mass = false;  ///< L_vv does not depend on t, q, v
  bool diagonal_mass = false;
  bool depends_on_time = false;   ///< L, a constraint or a force contains t
  bool has_forces = false;
  bool quadratic_in_v = false;    ///< L_vv does not depend on v
  std::vector<std::string> cyclic;  ///< coordinates that appear nowhere (their velocities may)
};

struct Parameter {
  std::string name;
  Expr symbol;
  Expr default_value;  ///< a constant or an expression in the parameters above it
};

/// The file's description in C++ form; every text follows the grammar of system files.
struct SystemText {
  std::string name;
  std::vector<std::string> coordinates;
  std::string lagrangian;
  std::vector<std::string> constraints;
  std::vector<std::pair<std::string, std::string>> parameters;   ///< in order; a number or an expression
  std::vector<std::pair<std::string, std::string>> definitions;
  std::vector<std::pair<std::string, std::string>> forces;       ///< coordinate, expression
  std::vector<std::pair<std::string, std::string>> invariants;
  std::vector<std::pair<std::string, std::string>> exact;        ///< name of a coordinate, expression in t
  std::string t0 = "0";
  std::vector<std::string> q0, v0;  ///< in the order of the coordinates; empty: all zero
};

/// Initial data as numbers, in the order of the coordinates.
struct InitialState {
  double t = 0;
  std::vector<double> q, v;
};

/// The same in quadruple precision.
struct InitialStateQuad {
  quad t = 0;
  std::vector<quad> q, v;
};

class System {
 public:
  /// TOML text (contract section 3); `origin` is the file name that errors show. Throws InputError with all problems.
  static System parse(std::string_view toml, const std::string& origin = "system");
  /// A system file. FileError where it cannot be read.
  static System load(const std::filesystem::path& file);
  static System from(const SystemText& text);

  const std::string& name() const;
  const std::string& description() const;  ///< optional keys `description` and `source` of the file: a sentence of physics
  const std::string& source() const;       ///< and where the system comes from
  int dimension() const;                                 ///< number of coordinates
  const std::vector<std::string>& coordinates() const;
  const std::vector<Parameter>& parameters() const;
  const std::vector<Constraint>& constraints() const;
  const std::vector<std::pair<std::string, Expr>>& invariants() const;
  const std::vector<std::pair<std::string, Expr>>& exact() const;  ///< coordinate name, expression in t and parameters
  const Structure& structure() const;

  // symbols
  Expr t() const;
  const std::vector<Expr>& q() const;
  const std::vector<Expr>& v() const;

  // derived expressions
  Expr lagrangian() const;
  Expr energy() const;                         ///< v . L_v - L
  const std::vector<Expr>& momenta() const;    ///< p = L_v
  const std::vector<Expr>& forces() const;     ///< F = L_q + [forces]
  const std::vector<std::vector<Expr>>& mass() const;  ///< L_vv, symmetric, dimension x dimension
  /// Right-hand sides of the continuous problem [M -K^T; K 0] (a, lambda) = (g, gamma):
  /// g = F - L_vq v - L_vt,  gamma = -(k_q v + k_t)
  const std::vector<Expr>& acceleration_rhs() const;
  const std::vector<Expr>& constraint_rhs() const;

  Graph& graph() const;  ///< the graph of all these expressions; do not add to it from several threads

  /// Parameter values: defaults with `settings` applied, in the order of parameters(). Unknown names: InputError.
  std::vector<double> parameter_values(const std::map<std::string, double>& settings = {}) const;
  /// Default initial data for these parameter values.
  InitialState initial_state(std::span<const double> parameter_values) const;
  /// The same in quadruple precision, so that `1/10` is not a rounded double there.
  std::vector<quad> parameter_values_quad(const std::map<std::string, double>& settings = {}) const;
  InitialStateQuad initial_state_quad(std::span<const quad> parameter_values) const;
  /// Initial data with some values replaced: `x` (coordinate), `x'` (velocity), `t`. Unknown names: InputError.
  InitialState with_initial(InitialState state, const std::map<std::string, double>& overrides) const;
  InitialStateQuad with_initial(InitialStateQuad state, const std::map<std::string, double>& overrides) const;

 private:
  void require_parameter_count(std::size_t count) const;
  struct Data;
  std::shared_ptr<const Data> data_;
};

}  // namespace noslip
