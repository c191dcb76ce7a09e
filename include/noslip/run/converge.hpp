// Measured orders: runs with several steps to one end time, errors there, and the slopes of the errors.
//
// Errors are largest absolute differences over the components of q, of v and of the multipliers, each apart. They are
// taken against the [exact] table of the system where it has all coordinates and starts at the initial state, otherwise
// against a reference that is computed: a method of an order two higher than the highest one claimed, with smaller
// steps and more digits until two references that differ in the step agree to a thousandth of the smallest error.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <noslip/run/run.hpp>

namespace noslip {

/// A number for q, for v and for the multipliers; NaN where there is none.
struct StateNumbers {
  double q = std::numeric_limits<double>::quiet_NaN();
  double v = std::numeric_limits<double>::quiet_NaN();
  double multipliers = std::numeric_limits<double>::quiet_NaN();
};

/// Called before a run and then about twenty times a second, with what is being run, the steps done and all steps of that
/// run; return false to stop.
using StudyProgress = std::function<bool(const std::string& what, long long done, long long all)>;

struct ConvergeOptions {
  std::vector<std::string> methods;
  NumberList steps;  ///< positive, no two equal; in any order
  quad until = std::numeric_limits<double>::quiet_NaN();
  Settings set = {}, init = {};  ///< as those of RunOptions
  Control control = {};
  bool project = false;
  Backend backend = Backend::automatic;
  /// Of all rows. Not given: double, and more digits in those rows whose error comes near the rounding of double.
  std::optional<Precision> precision = {};
  StudyProgress progress = {};
};

/// One run.
struct ConvergeRow {
  double step = 0;
  long long steps = 0;
  Precision precision = Precision::double_precision;
  StateNumbers error;  ///< NaN if the run failed
  /// What rounding and the reference may contribute to the error; an error below ten times this says nothing about the
  /// method.
  StateNumbers floor;
  Outcome outcome;
};

struct ConvergeResult {
  std::string method;
  int order_claimed = 0;  ///< of q and v
  int multiplier_order_claimed = 0;
  std::vector<ConvergeRow> rows;  ///< in the order of ConvergeOptions::steps
  /// Least-squares slopes of log(error) over log(step) for the rows above the floor; NaN with fewer than two of them.
  StateNumbers order;
  std::vector<std::string> notes;  ///< sentences for a person: why an order is missing
};

/// What the errors were taken against.
struct ConvergeReference {
  bool is_exact = false;
  // only if computed
  std::string method;
  Precision precision = Precision::double_precision;
  double step = 0;
  StateNumbers error;  ///< how far it may be from the true solution
  /// For a person: "the exact solution", "gauss:4 with step 0.0125 in long precision".
  std::string text() const;
};

struct Convergence {
  std::string system;
  double until = 0;
  ConvergeReference reference;
  std::vector<ConvergeResult> results;  ///< in the order of ConvergeOptions::methods
  std::vector<std::string> notes;       ///< what concerns all methods
  Outcome outcome;  ///< failed: no reference could be computed; stopped: by the progress function. Rows have their own.
};

/// True if the error of a row counts for the order.
bool is_above_floor(double error, double floor);

/// InputError, all problems at once, for steps that are not positive or equal, methods that do not exist or do not
/// accept the system (with the reason), an end before the initial time.
Convergence converge(const System& system, const InitialState& initial, const ConvergeOptions& options);
/// From the initial data of the system file, exact in every precision.
Convergence converge(const System& system, const ConvergeOptions& options);

}  // namespace noslip
