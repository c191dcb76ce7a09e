// A kind of system is one object: it reads its keys, understands and derives, evaluates the equations of motion, shows
// itself, and tells what it offers to methods and runs. Methods, runs and the tool ask for that, never for the kind.
//
// A new kind: a file here with the object and its keys, its members in SystemText, a line in kinds.cpp.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/kind/key.hpp"
#include "model/system_data.hpp"

namespace noslip {

class Writer;

class ContinuousEvaluator;
struct Shown;

/// What a kind calls its variables, for messages.
struct KindWords {
  std::string variable;           ///< one of q: "coordinate", "variable"
  std::string positions;          ///< all of q: "coordinates", "variables y"
  std::string example;            ///< a line that names some: coordinates = ["x", "y"]
  std::string example_name;       ///< one of them
  std::string a_position;         ///< "a coordinate", "a differential variable"
  std::string none_of_positions;  ///< "no coordinate", "none of the variables y"
  std::string restricts_nothing;  ///< what to do with a constraint that contains none of them
  std::string an_algebraic;       ///< what the names z are: "an algebraic variable"
  std::string multipliers_in;     ///< where multipliers may be used, for those who use them elsewhere
  std::string inputs_act_in;      ///< where inputs may be used, for those who use them elsewhere: "[forces]"
  bool has_velocities = false;    ///< x' may be written
};

/// Of a kind whose q are variables with this letter, written without velocities.
KindWords words_of_variables(const std::string& letter);

class Kind {
 public:
  virtual ~Kind() = default;

  virtual const char* name() const = 0;  ///< as `kind` of a system file has it
  virtual const KindWords& words() const = 0;

  // Reading
  virtual std::span<const Key> keys() const = 0;          ///< beside those that all kinds have
  virtual std::span<const Key> initial_keys() const = 0;  ///< of [initial], beside t
  /// "t, y and z"
  virtual std::string initial_names(const SystemText& text) const;
  /// What a system of this kind consists of, for those who give something else.
  virtual const char* consists_of() const = 0;
  /// Is this kind meant by a file without `kind` that has these keys? Kinds are asked from the last of kinds() to the
  /// second one, which is what remains.
  virtual bool is_meant(const std::function<bool(const char*)>& has_key) const;

  // Understanding
  /// From texts to expressions; problems are added.
  virtual void build(const SystemText& text, SystemData& data, std::vector<Problem>& problems) const = 0;
  /// Fills in what follows, what the system offers included.
  virtual void derive(SystemData& data) const = 0;
  /// What is wrong with what was derived.
  virtual void check(const SystemText& text, const SystemData& data, std::vector<Problem>& problems) const;

  // Telling
  virtual std::shared_ptr<const ContinuousEvaluator> evaluator(const System& system,
                                                               std::vector<double> parameters) const = 0;
  virtual Shown shown(const System& system, Writer& writer) const = 0;
  /// The functions that the user wrote, of which all others are made.
  virtual std::vector<Expr> written(const SystemData& data) const = 0;
};

const Kind& mechanical_kind();
const Kind& index_two_kind();
const Kind& odae_kind();
const Kind& skew_gradient_kind();

/// All of them; the mechanical one is the first.
std::span<const Kind* const> kinds();
const Kind* find_kind(const std::string& name);  ///< null if there is none
std::vector<std::string> kind_names();

}  // namespace noslip
