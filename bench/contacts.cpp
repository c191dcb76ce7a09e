// Systems that stand on the ground: gauss:2, the best Gauss method and the best program of Boost.odeint on the
// equations with the multipliers eliminated, each at the same error of the coordinates at the end of the run; and the
// time from the text of the system to its first step. With --markdown: the table of README.md.
#include <algorithm>
#include <cmath>
#include <string>

#include <boost/numeric/odeint.hpp>
#include <fmt/format.h>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/run/run.hpp>

#include "best.hpp"
#include "index_reduced.hpp"
#include "table.hpp"
#include "timing.hpp"

namespace {

namespace odeint = boost::numeric::odeint;

double distance(const std::vector<double>& a, const double* b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
  return largest;
}

struct Problem {
  std::string name;
  noslip::System system;
  double span;
  std::vector<double> reference;  ///< coordinates at the end
};

/// The largest step of a method that keeps the error below the limit.
void try_method(const Problem& problem, const std::string& method, double limit, Best& best) {
  const auto error = [&](const noslip::Trajectory& run) { return distance(problem.reference, run.last.q.data()); };
  try_method(problem.system, method, problem.span, {0.4, 1e-4, 1.08}, limit, error, best);
}

template <class Equations>
class Rival {
 public:
  using State = typename Equations::State;

  Rival(const Problem& problem, double limit)
      : problem_(problem), limit_(limit), equations_(problem.system, problem.system.parameter_values()) {
    const auto initial = problem.system.initial_state(problem.system.parameter_values());
    std::copy(initial.q.begin(), initial.q.end(), start_.begin());
    std::copy(initial.v.begin(), initial.v.end(), start_.begin() + start_.size() / 2);
  }

  Best best() {
    sweep("dopri5", [](double t) { return odeint::make_controlled(t, t, odeint::runge_kutta_dopri5<State>()); });
    sweep("fehlberg78",
          [](double t) { return odeint::make_controlled(t, t, odeint::runge_kutta_fehlberg78<State>()); });
    sweep("bulirsch_stoer", [](double t) { return odeint::bulirsch_stoer<State>(t, t); });
    return best_;
  }

 private:
  /// The largest tolerance that keeps the error below the limit.
  template <class Make>
  void sweep(const char* name, Make make) {
    State x;
    const auto run = [&](double tolerance) {
      x = start_;
      odeint::integrate_adaptive(make(tolerance), std::ref(equations_), x, 0.0, problem_.span, 0.01);
    };
    const auto error = [&](double tolerance) {
      run(tolerance);
      return distance(problem_.reference, x.data());
    };
    const auto seconds = [&](double tolerance) { return shortest_seconds([&] { run(tolerance); }, 20); };
    try_settings(name, {1e-3, 1e-14, 1.5}, limit_, error, seconds, best_);
  }

  const Problem& problem_;
  double limit_;
  Equations equations_;
  State start_;
  Best best_;
};

/// The sides at one error.
struct Comparison {
  double limit;
  Best gauss_2, gauss, odeint;
};

void print(const Problem& problem, const Comparison& all) {
  const auto line = [&](const char* side, const Best& best, const std::string& setting) {
    fmt::print("{:<15}{:>8.0e}  {:<14}{:<34}{:>11.1f}{:>10.1e}{:>8.2f}\n", problem.name, all.limit, side,
               best.method + setting, best.seconds * 1e6, best.error, best.seconds / all.odeint.seconds);
  };
  line("noslip", all.gauss_2, fmt::format(", step {:.3g}", all.gauss_2.setting));
  line("noslip, best", all.gauss, fmt::format(", step {:.3g}", all.gauss.setting));
  line("odeint", all.odeint, fmt::format(", tolerance {:.1e}", all.odeint.setting));
}

void print_for_documents(const Problem& problem, const Comparison& all) {
  std::string name = problem.name;
  std::replace(name.begin(), name.end(), '-', ' ');
  print_row({name, fmt::format("1e{:.0f}", std::log10(all.limit)),
             fmt::format("{}, step {:.2g}", all.gauss.method, all.gauss.setting), short_time(all.gauss.seconds * 1e6),
             all.odeint.method, short_time(all.odeint.seconds * 1e6)});
}

template <int N, int C>
void compare(const std::string& name, double span, bool markdown) {
  Problem problem{name, noslip::catalogue_system(name), span, {}};
  problem.reference = noslip::integrate(problem.system, options_of("gauss:6", span, 0.005)).last.q;
  for (const double limit : {1e-6, 1e-9}) {
    Comparison all{limit, {}, {}, {}};
    if (!markdown) try_method(problem, "gauss:2", limit, all.gauss_2);
    for (int stages = 2; stages <= 6; ++stages) try_method(problem, fmt::format("gauss:{}", stages), limit, all.gauss);
    all.odeint = Rival<IndexReduced<N, C>>(problem, limit).best();
    markdown ? print_for_documents(problem, all) : print(problem, all);
  }
}

void start_up(const std::string& name) {
  std::string text;
  for (const noslip::CatalogueEntry& entry : noslip::catalogue()) {
    if (entry.name == name) text = entry.toml({});
  }
  const auto first_step = [&] {
    noslip::RunOptions o;
    o.step = 0.01;
    o.steps = 1;
    noslip::integrate(noslip::System::parse(text), o);
  };
  const double seconds = shortest_seconds(first_step, 5);
  fmt::print("{:<15}{:>10.1f} ms from its text to the first step of gauss:2\n", name, seconds * 1e3);
}

}  // namespace

int main(int argc, char** argv) {
  const bool markdown = wants_markdown(argc, argv);
  if (markdown) {
    print_head({"system", "error", "noslip, best Gauss", "us", "odeint, best", "us"});
  } else {
    fmt::print("{:<15}{:>8}  {:<14}{:<34}{:>11}{:>10}{:>8}\n", "system", "limit", "", "", "us", "error", "ratio");
  }
  compare<6, 3>("rolling-wheel", 10, markdown);
  compare<9, 6>("bicycle", 5, markdown);
  if (markdown) return 0;
  start_up("rolling-wheel");
  start_up("bicycle");
}
