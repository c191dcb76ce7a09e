// What a run says holds, on random systems with random steps: corners and jumps in potentials and forces, constraints
// of every kind, every method, steps from 1e-4 to 10. A run that is done without a warning
// - hardly changes when its step is halved, as far as its steps promise and perturbations grow;
// - is near the motion itself, from a classical Runge-Kutta method on the accelerations of the equations of motion.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>

#include "suite/members.hpp"
#include "suite/random_text.hpp"

namespace noslip {
namespace {

/// A step that is not announced differs from two halves by less than this part of what it changes.
constexpr double error_of_a_step = 0.1;

struct Case {
  std::string text;
  InitialState start;
};

class RandomCase : private testing::RandomText {
 public:
  using RandomText::below;
  using RandomText::RandomText;
  using RandomText::value;

  Case make() {
    const int n = 1 + static_cast<int>(below(3));
    const int m = static_cast<int>(below(static_cast<unsigned>(n)));  // constraints
    has_corners_ = below(2) == 0;
    set_coordinates(n);
    std::ostringstream coordinates, lagrangian, forces;
    for (int i = 0; i < n; ++i) {
      const std::string x = name(i);
      coordinates << (i == 0 ? "'" : ", '") << x << "'";
      lagrangian << (i == 0 ? "(" : " + (") << number(1, 2) << " + 0.3*" << wave() << ")*" << x << "'^2/2";
      if (i > 0) lagrangian << " + 0.2*" << wave() << "*" << name(i - 1) << "'*" << x << "'";
      lagrangian << " - " << potential(x);
      if (below(2) == 0) forces << x << " = \"" << force(x) << "\"\n";
    }
    lagrangian << " - " << number(-1, 1) << "*" << wave();
    // On a curve, or with velocities that depend on the others.
    const bool is_on_curve = n > 1 && m == 1 && below(3) == 0;
    std::ostringstream constraints;
    if (is_on_curve) {
      constraints << "holonomic = [\"q0^2 + " << number(0.5, 2) << "*q1^2 + " << number(-0.3, 0.3)
                  << "*q0*q1 = " << number(0.5, 2) << "\"]";
    } else {
      for (int r = 0; r < m; ++r) {
        constraints << (r == 0 ? "constraints = [\"" : ", \"") << name(r) << "' = ";
        for (int j = m; j < n; ++j) constraints << coefficient() << "*" << name(j) << "' + ";
        constraints << drift(name(n - 1)) << "\"";
      }
      if (m > 0) constraints << "]";
    }
    Case result;
    result.text = "coordinates = [" + coordinates.str() + "]\nlagrangian = \"" + lagrangian.str() + "\"\n" +
                  constraints.str() + "\n[forces]\n" + forces.str();
    for (int i = 0; i < n; ++i) {
      result.start.q.push_back(value(-1, 1));
      result.start.v.push_back(value(-1, 1));
    }
    return result;
  }

  bool has_corners() const { return has_corners_; }

 private:
  std::string potential(const std::string& x) {
    std::ostringstream text;
    // Springs of every stiffness: most steps are far too large for some of them.
    text << "(" << number(0.2, 2) << "*1e" << (below(3) == 0 ? below(5) : 0) << "*" << x << "^2 + ";
    switch (has_corners_ ? below(4) : 4 + below(5)) {
      case 0: text << number(0, 1) << "*abs(" << x << " - " << number(-1, 1) << ")"; break;
      case 1: text << number(0, 4) << "*max(" << x << " - " << number(-1, 1) << ", 0)^2"; break;
      case 2: text << number(0, 1) << "*min(" << any() << ", " << any() << ")"; break;
      case 3: text << number(0, 1) << "*abs(" << any() << ")"; break;
      case 4: text << number(0, 0.5) << "*" << x << "^4"; break;
      case 5: text << number(0, 3) << "*cos(" << number(0, 5) << "*" << x << ")"; break;
      case 6: text << number(-0.2, 0.2) << "/(" << x << " - " << number(-1, 1) << ")"; break;
      case 7: text << number(0, 0.2) << "*log(" << number(0.001, 0.1) << " + " << x << "^2)"; break;
      default: text << number(0, 0.3) << "*exp(" << number(-1, 1) << "*" << x << ")"; break;
    }
    text << ")";
    return text.str();
  }
  std::string force(const std::string& x) {
    std::ostringstream text;
    switch (has_corners_ ? below(5) : 4 + below(3)) {
      case 0: text << "-" << number(0, 0.5) << "*sign(" << x << "')"; break;
      case 1: text << "-" << number(0, 0.5) << "*max(" << x << "', 0)"; break;
      case 2: text << number(0, 0.5) << "*sign(sin(" << number(0, 5) << "*t))"; break;
      case 3: text << "-" << number(0, 0.5) << "*min(abs(" << x << "'), 1)*" << x << "'"; break;
      case 4: text << "-" << number(0, 0.5) << "*" << x << "'"; break;
      case 5: text << number(0, 0.5) << "*sin(" << number(0, 5) << "*t)"; break;
      default: text << "-" << number(0, 0.5) << "*" << x << "'^3"; break;
    }
    return text.str();
  }
  std::string coefficient() {
    if (!has_corners_ || below(2) == 0) return any();
    std::ostringstream text;
    text << "max(" << any() << ", " << number(-1, 1) << ")";
    return text.str();
  }
  /// What a constraint has beside terms that are linear in the velocities.
  std::string drift(const std::string& x) {
    std::ostringstream text;
    switch (below(4)) {
      case 0: text << number(-1, 1) << "*sin(2*t)"; break;
      case 1: text << number(-0.3, 0.3) << "*" << x << "'^2"; break;
      default: text << "0"; break;
    }
    return text.str();
  }

  bool has_corners_ = false;
};

using State = std::vector<double>;

State state_of(const Sample& sample) {
  State state = sample.q;
  state.insert(state.end(), sample.v.begin(), sample.v.end());
  return state;
}

/// The motion from `start`, by a classical Runge-Kutta method; nothing where the equations have no solution.
std::optional<State> motion(const System& system, const InitialState& start, double until, int steps) {
  const Continuous continuous(system, system.parameter_values());
  const std::size_t n = start.q.size();
  const auto rates = [&](double t, const State& x) -> std::optional<State> {
    std::vector<Problem> problems;
    const auto half = x.begin() + static_cast<std::ptrdiff_t>(n);
    const ContinuousState at = continuous.evaluate({t, {x.begin(), half}, {half, x.end()}, {}}, problems);
    if (at.accelerations.size() != n) return std::nullopt;
    State rate(half, x.end());
    rate.insert(rate.end(), at.accelerations.begin(), at.accelerations.end());
    return rate;
  };
  const auto moved = [](const State& x, double h, const State& rate) {
    State y = x;
    for (std::size_t i = 0; i < x.size(); ++i) y[i] += h * rate[i];
    return y;
  };
  State x = start.q;
  x.insert(x.end(), start.v.begin(), start.v.end());
  const double h = (until - start.t) / steps;
  for (int k = 0; k < steps; ++k) {
    const double t = start.t + k * h;
    const auto k1 = rates(t, x);
    const auto k2 = k1 ? rates(t + h / 2, moved(x, h / 2, *k1)) : std::nullopt;
    const auto k3 = k2 ? rates(t + h / 2, moved(x, h / 2, *k2)) : std::nullopt;
    const auto k4 = k3 ? rates(t + h, moved(x, h, *k3)) : std::nullopt;
    if (!k4) return std::nullopt;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h / 6 * ((*k1)[i] + 2 * (*k2)[i] + 2 * (*k3)[i] + (*k4)[i]);
  }
  return x;
}

struct Counts {
  int runs = 0, silent = 0, halved = 0, compared = 0;
};

class RandomRuns : public ::testing::TestWithParam<unsigned> {
 protected:
  /// Runs one case with one method and a step, and asks whether what it says holds.
  void examine(const System& system, const Case& each, const std::string& method, double h, int steps, bool is_smooth) {
    RunOptions o = testing::options(method, h, steps);
    o.project = true;
    o.every = 1;
    const Trajectory run = integrate(system, each.start, o);
    ++counts_.runs;
    for (const Warning& warning : run.warnings) {
      EXPECT_TRUE(std::any_of(std::begin(warning_kinds), std::end(warning_kinds), [&](const WarningKind& kind) {
        return warning.code == kind.code;
      })) << warning.code;
    }
    if (run.outcome.status != Status::done || !run.warnings.empty()) return;
    ++counts_.silent;
    const Sample& first = run.samples.front();
    const InitialState start{first.t, first.q, first.v, {}};
    const State end = state_of(run.last);
    RunOptions finer = o;
    finer.step = h / 2;
    finer.steps = 2 * steps;
    const Trajectory half = integrate(system, start, finer);
    double path = 0, size = 0;
    for (const std::vector<Sample>* samples : {&run.samples, &half.samples}) {
      double way = 0;
      for (std::size_t i = 1; i < samples->size(); ++i) {
        way += testing::distance(state_of((*samples)[i]), state_of((*samples)[i - 1]));
        size = std::max(size, testing::distance(state_of((*samples)[i]), State(end.size(), 0.0)));
      }
      path = std::max(path, way);
    }
    const double growth = growth_of(system, start, o, end);
    const double allowed = error_of_a_step * path * growth + 1e-10 * size * growth;
    std::ostringstream what;
    what << "seed " << GetParam() << ", " << method << ", h = " << h << ", " << steps << " steps, growth " << growth
         << "\n"
         << each.text << "q0 " << ::testing::PrintToString(first.q) << " v0 " << ::testing::PrintToString(first.v)
         << "\nend " << ::testing::PrintToString(end);
    double change = std::numeric_limits<double>::quiet_NaN();
    if (half.outcome.status == Status::done) {
      ++counts_.halved;
      change = testing::distance(end, state_of(half.last));
      EXPECT_LE(change, allowed) << what.str() << "\nhalf " << ::testing::PrintToString(state_of(half.last));
    }
    std::vector<State> motions;  // with more and more steps: they must converge
    const int most = std::max(256, 16 * steps);
    for (const int count : {most / 4, most / 2, most}) {
      if (const auto x = motion(system, start, run.last.t, count)) motions.push_back(*x);
    }
    if (motions.size() < 3) return;
    const State& exact = motions.back();
    const double unsure = testing::distance(exact, motions[1]), before = testing::distance(motions[1], motions[0]);
    if (!(unsure < 0.1 * allowed) || !(unsure <= before / 4 + 1e-12 * size)) return;
    ++counts_.compared;
    const double error = testing::distance(end, exact);
    EXPECT_LE(error, 2 * allowed) << what.str() << "\ntruth " << ::testing::PrintToString(exact);
    // With a smooth system and small steps the error is what halving the step shows, up to a factor; orders that mix
    // may make one change small by chance.
    if (!is_smooth || !(change < 1e-5 * path)) return;
    finer.step = h / 4;
    finer.steps = 4 * steps;
    change =
        std::max(change, 2 * testing::distance(state_of(half.last), state_of(integrate(system, start, finer).last)));
    EXPECT_LE(error, 10 * change + 4 * unsure + 1e-10 * size * growth)
        << what.str() << "\ntruth " << ::testing::PrintToString(exact) << "\nchange " << change;
  }

  Counts counts_;

 private:
  /// How much a small change of the start changes the end, at least by 1.
  double growth_of(const System& system, const InitialState& start, const RunOptions& o, const State& end) {
    double growth = 1;
    for (const int sign : {1, -1}) {
      InitialState near = start;
      double moved = 0;
      for (std::size_t i = 0; i < near.q.size(); ++i) {
        near.q[i] += sign * 1e-6 * (1 + static_cast<double>(i));
        near.v[i] += 1e-6 * (2 - static_cast<double>(i));
      }
      const Trajectory run = integrate(system, near, o);
      if (run.outcome.status != Status::done) continue;
      moved = std::max(testing::distance(run.samples.front().q, start.q),
                       testing::distance(run.samples.front().v, start.v));
      if (moved > 0) growth = std::max(growth, testing::distance(end, state_of(run.last)) / moved);
    }
    return growth;
  }
};

TEST_P(RandomRuns, HoldWhatTheySay) {
  const std::vector<std::string> methods = testing::all_methods();
  const char* more = std::getenv("NOSLIP_RANDOM_RUNS");  // systems per seed
  const int systems = more != nullptr ? std::atoi(more) : 12;
  for (int k = 0; k < systems; ++k) {
    RandomCase random(GetParam() * 1000 + static_cast<unsigned>(k));
    const Case each = random.make();
    const System system = System::parse(each.text);
    for (int trial = 0; trial < 3; ++trial) {
      const std::string& method = methods[random.below(static_cast<unsigned>(methods.size()))];
      const double h = std::pow(10.0, random.value(-4, 1));
      const int steps = 1 + static_cast<int>(random.below(random.below(4) == 0 ? 300 : 24));
      if (!testing::accepts(method, system)) continue;
      try {
        examine(system, each, method, h, steps, !random.has_corners());
      } catch (const InputError&) {
        // No consistent state near the start: refused.
      }
    }
  }
  // It is about runs that have nothing to announce: there are many.
  EXPECT_GT(counts_.halved, counts_.runs / 4);
  EXPECT_GT(counts_.compared, counts_.runs / 5);
  RecordProperty("runs", counts_.runs);
  RecordProperty("compared", counts_.compared);
}

INSTANTIATE_TEST_SUITE_P(All, RandomRuns, ::testing::Range(1U, 9U));

}  // namespace
}  // namespace noslip
