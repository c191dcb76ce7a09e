// Time to an energy error on the chain of springs, for noslip and Boost.odeint in one run.
#include "chain.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include <fmt/format.h>

#include <noslip/run/run.hpp>

#include "best.hpp"
#include "table.hpp"
#include "timing.hpp"

std::string spring_chain(int n) {
  return fmt::format(R"toml(
coordinates = ["q[1:{0}]", "y"]
lagrangian  = "sum(i, 1, {0}, q[i]'^2/2) + y'^2/2 - sum(i, 2, {0}, (q[i] - q[i-1])^2/2 + (q[i] - q[i-1])^4/4) - q[1]^2/2 - y^2/2"
constraints = ["y' = q[1]*q[2]'"]
[initial]
q = {{ "q[i=1:{0}]" = "sin(i)" }}
)toml",
                     n);
}

namespace {

constexpr double span = 20;

struct Result : Best {
  double position_error = 0;  ///< largest difference from an accurate run of noslip, at the end
};

class Comparison {
 public:
  explicit Comparison(const noslip::System& system) : system_(system) {
    const noslip::Trajectory run = noslip::integrate(system, options_of("gauss:4", span, 0.02));
    reference_ = run.last.q;
    energy_ = run.energy.initial;
  }

  Result with(const std::string& method, double limit) const {
    Result result;
    const auto error = [&](const noslip::Trajectory& run) { return run.energy.max_abs_error / energy_; };
    try_method(system_, method, span, {0.8, 0.004, 1.08}, limit, error, result);
    if (result.setting == 0) return result;
    result.position_error = distance(noslip::integrate(system_, options_of(method, span, result.setting)).last.q);
    return result;
  }

  Result with(const ChainSolver& solver, double limit) const {
    Result result;
    const auto error = [&](double tolerance) {
      double largest = 0;
      const auto see = [&](double energy) {
        const double now = std::fabs(energy - energy_);
        if (!(now <= largest)) largest = now;  // also if it is not a number
      };
      solver.solve(tolerance, span, see);
      return largest / energy_;
    };
    const auto seconds = [&](double tolerance) {
      return shortest_seconds([&] { solver.solve(tolerance, span, {}); }, 10, 0.2);
    };
    try_settings(solver.name, {1e-2, 1e-15, 1.5}, limit, error, seconds, result);
    if (result.setting == 0) return result;
    result.position_error = distance(solver.solve(result.setting, span, {}));
    return result;
  }

 private:
  double distance(const std::vector<double>& q) const {
    double largest = 0;
    for (std::size_t i = 0; i < q.size(); ++i) largest = std::max(largest, std::fabs(q[i] - reference_[i]));
    return largest;
  }

  const noslip::System& system_;
  double energy_ = 0;
  std::vector<double> reference_;
};

/// The fastest of these programs (those that do not reach the limit are left out); prints all of them unless it is for
/// the documents.
template <class Programs>
Result best_of(const Comparison& comparison, const char* side, const Programs& programs, double limit, bool is_quiet) {
  Result best;
  for (const auto& program : programs) {
    const Result result = comparison.with(program, limit);
    if (result.setting == 0) continue;
    // Over this span the positions have at most some hundred times the relative error of the energy.
    if (!(result.position_error <= 1000 * limit)) {
      throw std::runtime_error(fmt::format("{} ends {:.1e} away from noslip", result.method, result.position_error));
    }
    if (!is_quiet) {
      fmt::print("{:<10}{:>8.0e}  {:<20}{:>10.1e}{:>10.2f}{:>12.1e}{:>12.1e}\n", side, limit, result.method,
                 result.setting, result.seconds * 1e3, result.error, result.position_error);
      std::fflush(stdout);
    }
    if (result.seconds < best.seconds) best = result;
  }
  return best;
}

}  // namespace

void compare_chain(bool is_for_documents) {
  const noslip::System system = noslip::System::parse(spring_chain(chain_masses));
  const Comparison comparison(system);
  const std::vector<std::string> methods = {"mp",      "mp:4",    "mp:6",    "mp:8",
                                            "gauss:2", "gauss:3", "gauss:4", "lobatto-ab:3"};
  if (is_for_documents) {
    print_head({"energy error", "noslip", "ms", "odeint", "ms"});
  } else {
    fmt::print("{:<10}{:>8}  {:<20}{:>10}{:>10}{:>12}{:>12}\n", "", "limit", "", "setting", "ms", "energy",
               "positions");
  }
  for (const double limit : {1e-6, 1e-9}) {
    const Result ours = best_of(comparison, "noslip", methods, limit, is_for_documents);
    const Result odeint = best_of(comparison, "odeint", odeint_solvers(), limit, is_for_documents);
    if (!is_for_documents) continue;
    print_row({fmt::format("1e{:.0f}", std::log10(limit)), fmt::format("`{}`, step {:.2g}", ours.method, ours.setting),
               short_time(ours.seconds * 1e3), odeint.method, short_time(odeint.seconds * 1e3)});
  }
}
