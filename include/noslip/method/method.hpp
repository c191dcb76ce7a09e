// Methods by name: `family[:stages][,option=value]`. Every method has the option sums=compensated (the default) or
// sums=plain, which loses what rounding takes from the sums of the state. For systems on Lie groups every method has
// the option map=cay (the default) or map=exp, the retraction, and some have chart=start or chart=middle.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <noslip/method/recipe.hpp>

namespace noslip {

struct SparkCoefficients;

/// What holds for a method; `noslip methods` prints it.
struct MethodTraits {
  std::string name;          ///< "gauss:3"
  std::string summary;       ///< one sentence
  std::string source;        ///< where it is published
  int stages = 0;            ///< 0 where the method has no such number
  int order = 0;             ///< of q and v (dae2: y)
  int order_when_free = 0;   ///< without constraints, where it is higher; otherwise 0
  int multiplier_order = 0;  ///< of the multipliers of velocity constraints that are reported at the end of a step
  int position_multiplier_order = 0;  ///< of those of position constraints, where the method takes them
  bool symmetric = false;             ///< conditions (6.3) of Jay 2009 hold, evaluated
  bool keeps_constraints = false;     ///< (q1, v1) satisfies the velocity constraints to rounding
  bool keeps_energy = false;          ///< to rounding, where no forces act; their work to rounding where they do
  bool chooses_basis = false;         ///< of the allowed velocities, anew in every step, where the system gives none
  bool lagrange_dalembert = false;    ///< discrete Lagrange-d'Alembert principle: (6.2) of Jay 2009, evaluated
  bool index2 = false;                ///< integrates general index-2 and skew-gradient systems too
  bool holonomic = false;             ///< takes position constraints
  bool symplectic = false;            ///< on the manifold of position constraints: (4.1) of Jay 2007, evaluated
  bool symmetric_on_groups = false;   ///< with its coordinates where they are

  int order_on(const System& system) const;
  /// Where a basis is chosen in every step, a step in which it changes is not undone by a step back.
  bool is_symmetric_on(const System& system) const;
  /// Of all multipliers of a system together: the lower one where both kinds of constraints are present.
  int multiplier_order_on(const System& system) const;
};

/// Coordinates xi of a group in a step, g = g_c tau(xi).
struct Chart {
  enum class Centre { start, middle };  ///< g_c: the start of the step; where the start is -xi and the end xi
  Retraction map = Retraction::cay;
  Centre centre = Centre::start;
};
const char* to_text(Chart::Centre centre);

class Method {
 public:
  virtual ~Method() = default;
  virtual const MethodTraits& traits() const = 0;
  /// Empty if the method can integrate the system, otherwise a sentence that says why not.
  virtual std::string why_not(const System& system) const = 0;
  virtual StepRecipe record(const System& system) const = 0;
  /// The same for a mechanical system on a Lie group. A method without a form for groups is applied in the coordinates
  /// xi of g_c tau(xi), as it is to systems in coordinates.
  virtual StepRecipe record_on_group(const System& system, const Chart& chart) const;
  virtual bool has_group_form() const { return false; }  ///< by the discrete principle of Martin de Diego and Sato
  /// Where the method has its coordinates on a group if nothing else is said.
  virtual Chart::Centre usual_centre() const { return Chart::Centre::middle; }
  /// Can its steps be one system of equations, which coordinates around the middle need?
  virtual bool can_be_centred() const { return true; }
  /// The coefficients of a SPARK method (Jay 2009, eq. (6.1)); none for other methods.
  virtual const SparkCoefficients* spark() const { return nullptr; }
};

/// "gauss:3" to a method. InputError for an unknown family ("did you mean") or a number that makes no sense.
std::shared_ptr<const Method> find_method(std::string_view name);

/// One line of `noslip methods`.
struct MethodFamily {
  std::string name;          ///< "gauss"
  std::string pattern;       ///< "gauss:s (s = 1 to 64)", "euler-true[,alpha = 0.5]"
  std::string order;         ///< "2s"
  std::vector<int> numbers;  ///< that may stand behind the colon; empty where there is none
  MethodTraits example;      ///< traits of a typical member
};
std::vector<MethodFamily> method_families();

}  // namespace noslip
