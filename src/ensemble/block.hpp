// A few members in the lanes of one stepper.
#pragma once

#include <span>
#include <vector>

#include <noslip/ensemble/ensemble.hpp>

#include "run/setup.hpp"
#include "run/step_count.hpp"

namespace noslip {

/// The options of each member's run.
RunOptions options_of_run(const EnsembleOptions& options);

/// What all blocks share; nothing of it changes while they run.
struct EnsemblePlan {
  const System& system;
  std::span<const InitialState> members;
  const EnsembleOptions& options;
  StepCount count;
  double t0 = 0;
  std::vector<std::vector<double>> starts;  ///< of the members, as steppers take them
  std::size_t positions = 0, velocities = 0;

  long long steps() const { return count.all(); }
  double time_after(long long step) const;
};

/// Carries out one block of members after the other; one per thread.
class BlockRunner {
 public:
  BlockRunner(const EnsemblePlan& plan, int lanes) : BlockRunner(plan, lanes, 0, Order::as_usual) {}

  /// Members first, first + 1, ... as many as there are lanes and members. Writes their entries of `result`, and no
  /// others. `goes_on` is told how many steps (of all lanes) are done since it was asked last; false stops.
  void run(std::size_t first, Ensemble& result, const std::function<bool(long long)>& goes_on);

  const RunSetup<double>& setup() const { return setup_; }

 private:
  /// `suited`: the member whose start the order of elimination has to suit, if it has to.
  BlockRunner(const EnsemblePlan& plan, int lanes, std::size_t suited, Order order);

  /// The lanes of this block for which the order of elimination is bad: their members run by themselves, as integrate
  /// runs them.
  std::vector<bool> find_unsuited();
  void set_states(const std::vector<bool>& are_left_out);
  void look(std::size_t row, double t, Ensemble& result);
  /// Keeps the states of the lanes as the last ones that are known to be good.
  void remember(double t);
  bool is_finite(int lane);
  void mark_failures(Ensemble& result, double t_end);
  bool is_alive() const;

  const EnsemblePlan& plan_;
  RunSetup<double> setup_;
  Function<double> function_;
  std::vector<double> scratch_, quantities_, state_;
  std::vector<std::vector<double>> good_;  ///< per lane
  std::vector<bool> failed_;  ///< or left out
  double t_good_ = 0;
  int lanes_;
  Order order_;
  std::size_t first_ = 0, used_ = 0;  ///< members of this block
};

}  // namespace noslip
