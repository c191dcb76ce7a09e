// ns per step, with nothing stored and nothing monitored.
#include <algorithm>
#include <chrono>
#include <limits>

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/option_name.hpp>
#include <noslip/core/stopping.hpp>
#include <noslip/run/run.hpp>

#include "run/setup.hpp"

namespace noslip {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double seconds_per_run = 0.02;
constexpr double seconds_in_all = 0.4;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

template <class T>
BenchResult bench_in(const System& system, const InitialState& initial, const RunOptions& options, int lanes) {
  RunSetup<T> setup(system, &initial, options, lanes, 0);
  LaneStepper<T>& stepper = *setup.stepper;
  stepper.prepare_to_advance();
  const T h = T(options.step);
  BenchResult result;
  result.method = setup.program->method->traits().name;
  result.lanes = lanes;
  result.backend = setup.program->steps->backend();
  // Every run starts at the initial state, so that all do the same work.
  const auto run = [&](long long count) {
    for (int l = 0; l < lanes; ++l) stepper.set_state(l, setup.start.state);
    const Clock::time_point begin = Clock::now();
    const long long done = stepper.advance(setup.start.t, h, 0, count);
    const double seconds = seconds_since(begin);
    bool is_finite = true;
    for (int l = 0; l < lanes; ++l) {
      for (int i = 0; i < static_cast<int>(setup.start.state.size()); ++i) {
        const T x = stepper.state(l, i);
        is_finite = is_finite && x - x == 0;
      }
    }
    if (!is_finite) {
      result.outcome = {Status::failed, fmt::format("values are not finite after {} steps of size {}; try fewer or "
                                                    "smaller steps",
                                                    count, to_text(static_cast<double>(options.step)))};
    } else if (done < count) {
      result.outcome = {Status::failed,
                        fmt::format("Newton did not converge after {} steps of size {}; try a smaller step", done,
                                    to_text(static_cast<double>(options.step)))};
    }
    return seconds;
  };
  const long long wanted = options.steps;
  long long count = wanted > 0 ? wanted : 64;
  double seconds = run(count);
  while (wanted == 0 && seconds < seconds_per_run / 4 && result.outcome.status == Status::done) {
    const double longer = run(4 * count);
    if (result.outcome.status != Status::done) {  // the method breaks down on the way: the shorter run will do
      result.outcome = {};
      break;
    }
    count *= 4;
    seconds = longer;
  }
  const long long iterations_before = stepper.total_iterations();
  const Clock::time_point begin = Clock::now();
  double best = seconds;
  int runs = 0;
  do {
    end_if_stopped();
    best = std::min(best, run(count));
    ++runs;
  } while (result.outcome.status == Status::done && (runs < 5 || seconds_since(begin) < seconds_in_all));
  if (result.outcome.status == Status::failed) {
    result.nanoseconds_per_step = result.iterations_mean = std::numeric_limits<double>::quiet_NaN();
    return result;
  }
  const double steps_timed = static_cast<double>(count) * runs;
  result.nanoseconds_per_step = best * 1e9 / (static_cast<double>(count) * lanes);
  result.iterations_mean = static_cast<double>(stepper.total_iterations() - iterations_before) / steps_timed;
  return result;
}

}  // namespace

BenchResult bench(const System& system, const InitialState& initial, const RunOptions& options, int lanes) {
  const DefaultArithmetic arithmetic;
  if (lanes != 1 && lanes != 4 && lanes != 8) {
    throw InputError(fmt::format("{} lanes are not possible", lanes), "choose 1, 4 or 8");
  }
  if (lanes != 1 && options.precision != Precision::double_precision) {
    throw InputError("lanes compute in double precision only",
                     "use " + option("precision", "double") + " or " + option("lanes", "1"));
  }
  options.check();
  const StopScope scope(options.stop);
  switch (options.precision) {
    case Precision::long_double: return bench_in<long double>(system, initial, options, 1);
    case Precision::quadruple: return bench_in<quad>(system, initial, options, 1);
    case Precision::double_precision: break;
  }
  return bench_in<double>(system, initial, options, lanes);
}

}  // namespace noslip
