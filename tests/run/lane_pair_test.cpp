// Two steppers that advance together do what each does by itself, to the last bit.
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include <noslip/method/method.hpp>

#include "run/lane_pair.hpp"
#include "run/lane_systems.hpp"
#include "run/run_tools.hpp"

namespace noslip {
namespace {

class Pair {
 public:
  Pair(const System& system, const std::string& method)
      : program_(find_program<double>({system, {method, Backend::automatic, 8, 0}})), tools_(program_, 0) {
    for (auto& stepper : steppers_) {
      stepper = tools_.new_stepper();
      stepper->prepare_to_advance();
    }
  }

  bool has_loop() const { return program_->steps && program_->steps->loop_of_two() != nullptr; }
  LaneStepper<double>& stepper(int number) { return *steppers_[static_cast<std::size_t>(number)]; }
  std::size_t state_count() const { return static_cast<std::size_t>(program_->layout().state_count); }

  /// Every lane begins somewhat further on the same motion, so that constraints hold.
  void begin(const std::vector<std::vector<double>>& states) {
    const std::vector<double> parameters = program_->system.parameter_values({});
    for (int s = 0; s < 2; ++s) {
      for (int l = 0; l < 8; ++l) {
        stepper(s).set_parameters(l, parameters);
        stepper(s).set_state(l, states[static_cast<std::size_t>(8 * s + l) % states.size()]);
      }
    }
  }
  std::vector<double> numbers() {
    std::vector<double> all, state(state_count());
    for (int s = 0; s < 2; ++s) {
      for (int l = 0; l < 8; ++l) {
        stepper(s).copy_state(l, state);
        all.insert(all.end(), state.begin(), state.end());
        all.push_back(stepper(s).failed(l) ? 1 : 0);
      }
    }
    return all;
  }

 private:
  std::shared_ptr<const ProgramData<double>> program_;
  RunTools<double> tools_;
  std::array<std::unique_ptr<LaneStepper<double>>, 2> steppers_;
};

/// States along a motion.
std::vector<std::vector<double>> states_of(const System& system, const std::string& method, std::size_t size) {
  RunOptions options{.method = method, .step = 0.01, .steps = 75};
  options.every = 5;
  std::vector<std::vector<double>> states;
  for (const Sample& sample : integrate(system, options).samples) {
    std::vector<double> state = sample.q;
    state.insert(state.end(), sample.v.begin(), sample.v.end());
    state.resize(size, 0.0);
    states.push_back(std::move(state));
  }
  return states;
}

bool are_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

TEST(LanePair, AdvancesAsBothAlone) {
  int loops = 0, with_turns = 0;
  for (const std::string method : {"mp", "mp,sums=plain", "mp:4", "euler-a"}) {
    for (const System& system : testing::lane_systems()) {
      if (!find_method(method)->why_not(system).empty()) continue;
      Pair pair(system, method), alone(system, method);
      if (!pair.has_loop()) continue;
      SCOPED_TRACE(system.name() + ", " + method);
      std::vector<std::vector<double>> states = states_of(system, method, pair.state_count());
      for (const bool has_bad_lane : {false, true}) {
        if (has_bad_lane) states[5].assign(states[5].size(), std::numeric_limits<double>::quiet_NaN());
        pair.begin(states);
        alone.begin(states);
        LanePair<double> both(pair.stepper(0), pair.stepper(1));
        long long done = 0;
        for (const long long count : {1LL, 2LL, 64LL, 333LL}) {
          both.advance(0, 0.01, done, count);
          for (int s = 0; s < 2; ++s) alone.stepper(s).advance(0, 0.01, done, count);
          done += count;
          const std::vector<double> found = pair.numbers(), expected = alone.numbers();
          for (std::size_t i = 0; i < found.size(); ++i) ASSERT_TRUE(are_same(found[i], expected[i])) << i;
        }
      }
      ++loops;
      with_turns += pair.stepper(0).has_angles() ? 1 : 0;
    }
  }
  if (loops == 0) GTEST_SKIP() << "the processor has no registers for two";
  EXPECT_GT(loops, 15);
  EXPECT_GT(with_turns, 3);
}

}  // namespace
}  // namespace noslip
