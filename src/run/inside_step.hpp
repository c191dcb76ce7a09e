// States inside a step that has been made (run/dense_output.hpp says how they are found).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <noslip/run/dense_output.hpp>
#include <noslip/solve/linear.hpp>
#include <noslip/solve/newton.hpp>

#include "run/setup.hpp"
#include "run/state_functions.hpp"

namespace noslip {

/// A step of size h from t to `end`. The whole states (q, v, and what else a step carries on), with continuous angles,
/// and what the stepper has observed; see ProgramData::inside.
template <class T>
struct StepView {
  T t = 0, h = 0, end = 0;
  std::span<const T> before, after, observed;

  T time(T theta) const { return theta == 1 ? end : t + theta * h; }
};

template <class T>
class InsideStep {
 public:
  /// Shares what it needs of the setup, and may outlive it.
  InsideStep(const System& system, const RunSetup<T>& setup);

  void set_parameters(std::span<const T> parameters);
  std::size_t state_count() const { return state_count_; }  ///< of a whole state
  /// The state at t + theta h, 0 <= theta <= 1; exactly `before` and `after` at the ends. False where it cannot be
  /// found.
  bool at(const StepView<T>& step, T theta, std::span<T> state);
  /// The same, but for the work, which is not found.
  bool find(const StepView<T>& step, T theta, std::span<T> state);
  /// The state a while after another one, if nothing changes. False where it cannot be found, and for polynomials.
  bool after(T t, std::span<const T> before, T time, std::span<T> state);

 private:
  /// InsideRecipe::Part in the numbers of the run.
  struct Part {
    bool is_of_positions;
    std::size_t first, variables;
    std::vector<std::vector<T>> legendre;
  };
  bool by_step(const StepView<T>& step, T theta, std::span<T> state);
  bool by_polynomial(const StepView<T>& step, T theta, std::span<T> state);
  void integrate_legendre(T theta);
  /// Adds what the polynomials of a part have changed.
  void add(const Part& part, const StepView<T>& step, std::span<T> to) const;
  T work_at(const StepView<T>& step, T theta, std::span<const T> state) const;
  struct VelocityEquations;
  /// v of momenta p_ at (t, q), by Newton's method from the v that is there.
  bool find_velocities(T t, std::span<T> state);

  bool moves_velocities_;
  std::size_t state_count_, q_count_, v_count_;
  std::size_t multiplier_count_;              // of those that are part of the state by the kind of the system
  std::unique_ptr<LaneStepper<T>> stepper_;       // of steps that end inside
  std::optional<StateFunctions<T>> momenta_;  // p, then M by rows
  std::optional<StateFunctions<T>> energy_;   // where work is to be found inside of polynomials
  std::optional<LinearSolver<T>> mass_;
  Newton<T> newton_;
  std::vector<Part> parts_;
  std::vector<T> integrals_;  // of Legendre's polynomials
  std::vector<T> p_;
};

extern template class InsideStep<double>;
extern template class InsideStep<long double>;
extern template class InsideStep<quad>;

}  // namespace noslip
