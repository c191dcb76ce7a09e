// A step of a mechanical system while it is recorded: its start, points that are a change away from it, and its end.
//
// What every method needs and no paper prints is done here: velocities that are functions of other variables
// (conjugate.hpp), low parts of sums, first guesses, the scale of convergence.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>

#include "method/conjugate.hpp"

namespace noslip {

/// How far a point is from the start of the step: in the velocities and, where these are functions of other variables
/// z, in those. Elsewhere z is empty.
struct Change {
  Vector v, z;
};
Change operator/(const Change& a, const Number& divisor);

/// Changes at several points.
struct Changes {
  Vectors v, z;

  Change operator[](std::size_t i) const { return {v[i], z.empty() ? Vector{} : z[i]}; }
  void push_back(Change change);
};
Change sum(const Weights& weights, const Changes& changes);

class StepBuilder {
 public:
  explicit StepBuilder(const System& system, bool carries_multipliers = false);
  StepBuilder(const StepBuilder&) = delete;
  StepBuilder& operator=(const StepBuilder&) = delete;

  const System& system;
  StepRecipe recipe;
  Graph& graph;
  const Expr t, h;
  const Conjugate conjugate;
  const Vector q0, v0;           ///< at the start; with the derivatives of the states behind the velocities (stage.hpp)
  const bool has_plain_momenta;  ///< as in stage.hpp

  Expr time(quad c) const { return t + coefficient(graph, c) * h; }
  /// How many velocities are stored: those of v0 without the derivatives of states, which follow.
  std::size_t velocities() const { return system.v().size(); }
  /// The space in which q0 moves with v0: the group of the system, and that of its states.
  const Group& space() const { return *space_; }
  /// The functions of the system at a point.
  Stage stage(Expr time, const Vector& q, const Vector& v, const Vector& z) const;
  /// At the start; made when first asked for.
  const Stage& start();
  /// Where positions have moved by `move` and all else by `change`.
  Stage at(Expr time, const Vector& move, const Change& change) const;
  /// At the positions q. Where z exists, v follows from it and change.v is set.
  Stage following(Expr time, const Vector& q, Change& change) const;
  /// Sets the increments of the positions, and what is added last; gives q1, as it will be stored. Velocity constraints
  /// see it.
  Vector move_positions(const Vector& increment, const Vector& added_last = {});
  /// The end of the step, at the positions q1: sets velocities and z of the state. Where z exists and change.v is
  /// empty, it follows and is set. Constraints hold for the velocities as they are stored if these see what the sum has
  /// lost to rounding; momenta that depend on the point must not, or they would undo it.
  Stage end(const Vector& q1, Change& change, bool sees_low_part);
  Stage end(const Vector& q1, Change& change) { return end(q1, change, has_plain_momenta || conjugate.exists()); }

  /// Unknown changes of v: symbols step.<v>1, ..., those of states in units of their own (state_units.hpp).
  Vector new_velocities(const std::string& v);
  /// A change that is unknown: new_velocities(v), and symbols step.<z>1, ...
  Change new_change(const std::string& v, const std::string& z);
  /// The same where v follows from z, if that exists: only z is unknown then.
  Change new_following_change(const std::string& v, const std::string& z);
  Vector moved_z(const Change& change) const { return alias(conjugate.start() + change.z); }  ///< z0 + change

  /// Adds a change to the unknowns that is about c times that of a whole step at first, and `next` in the step after
  /// this one. A part without symbols is not unknown.
  void seek(Solve& solve, const Change& symbols, quad c, const Change& next) const;
  /// Adds V = v(T, Q, Z) to the equations, where velocities are functions.
  static void tie(Solve& solve, const Stage& stage);

  /// p(to) - p(from), given the change between them (momentum_increment), or from the start.
  Vector momentum_change(const Stage& from, const Stage& to, const Change& change) const;
  Vector momentum_change(const Stage& to, const Change& change) { return momentum_change(start(), to, change); }

  /// Adds a solve whose corrections are measured by velocities and their change.
  void add(Solve solve, const Vector& velocities, const Vector& change);
  /// The same for the change of a whole step and z = h lambda, which are unknown: in the step that follows the search
  /// begins where it has ended.
  void add(Solve solve, const Change& change, const Vector& z);

 private:
  Vector start_velocities() const;
  /// What decides convergence of these: velocities, and changes of states in their units.
  Vector sizes(const Vector& velocities) const;

  Expr size_;                                       ///< of the velocities at the start, where there are states
  Vector units_;                                    ///< of changes of the states' rates
  std::unordered_map<NodeId, Expr> state_symbols_;  ///< by the product of symbol and unit
  std::shared_ptr<const Group> space_;
  std::optional<Stage> start_;
};

}  // namespace noslip
