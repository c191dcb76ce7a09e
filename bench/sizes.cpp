// How time grows with the size of a system: ns per step and mass or link, and seconds from the text to the first step.
//
//   springs: the chain of chain.hpp, at the end also beside Boost.odeint
//   links:   a planar chain of rods, each with a place and an angle, that position constraints hold together
//   rods:    the same chain in its angles alone, whose matrix M(q) is full: a step costs what a dense factorisation
//   does
//   skates:  skates in a row that springs connect, each with the constraint of its blade
//   cars:    a car with trailers, of which each constraint contains the headings of all axles before it
//
// With --markdown: the tables of docs/speed.md; the picture is written to sizes.svg.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <noslip/io/plot.hpp>
#include <noslip/run/program.hpp>
#include <noslip/run/run.hpp>

#include "chain.hpp"
#include "table.hpp"
#include "timing.hpp"

namespace {

std::string links(int n) {
  return fmt::format(R"toml(
coordinates = ["x[1:{0}]", "y[1:{0}]", "a[1:{0}]"]
lagrangian  = "sum(i, 1, {0}, (x[i]'^2 + y[i]'^2)/2 + a[i]'^2/24 - y[i])"
holonomic   = ["x[1] = cos(a[1])/2", "y[1] = sin(a[1])/2",
               "for i = 2:{0}: x[i] - cos(a[i])/2 = x[i-1] + cos(a[i-1])/2",
               "for i = 2:{0}: y[i] - sin(a[i])/2 = y[i-1] + sin(a[i-1])/2"]
[initial]
q = {{ "x[i=1:{0}]" = "i - 1/2" }}
)toml",
                     n);
}

std::string rods(int n) {
  return fmt::format(R"toml(
coordinates = ["a[1:{0}]"]
lagrangian  = "sum(i, 1, {0}, (vx[i]^2 + vy[i]^2)/2 + a[i]'^2/24 - y[i])"
[definitions]
"ex[0]" = "0"
"ey[0]" = "0"
"yy[0]" = "0"
"ex[i=1:{0}]" = "ex[i-1] - sin(a[i])*a[i]'"
"ey[i=1:{0}]" = "ey[i-1] + cos(a[i])*a[i]'"
"yy[i=1:{0}]" = "yy[i-1] + sin(a[i])"
"vx[i=1:{0}]" = "ex[i-1] - sin(a[i])*a[i]'/2"
"vy[i=1:{0}]" = "ey[i-1] + cos(a[i])*a[i]'/2"
"y[i=1:{0}]" = "yy[i-1] + sin(a[i])/2"
[initial]
q = {{ "a[i=1:{0}]" = "-1 + i/(10*{0})" }}
)toml",
                     n);
}

std::string skates(int n) {
  return fmt::format(R"toml(
coordinates = ["x[1:{0}]", "y[1:{0}]", "a[1:{0}]"]
lagrangian  = """sum(i, 1, {0}, (1 + i/10)*(x[i]'^2 + y[i]'^2)/2 + a[i]'^2/2 + x[i])
               - sum(i, 2, {0}, (x[i] - x[i-1])^2 + (y[i] - y[i-1] - 1)^2 + (a[i] - a[i-1])^4)"""
constraints = ["for i = 1:{0}: y[i]'*cos(a[i]) = x[i]'*sin(a[i])"]
[initial]
q = {{ "y[i=1:{0}]" = "i", "a[i=1:{0}]" = "sin(i)" }}
v = {{ "a[i=1:{0}]" = "cos(i)" }}
)toml",
                     n);
}

std::string cars(int constraints) {
  return fmt::format(R"toml(
coordinates = ["x", "y", "a[0:{0}]"]
lagrangian  = "sum(i, 0, {0}, (vx[i]^2 + vy[i]^2)/2 + a[i]'^2/5)"
constraints = ["for i = 0:{0}: vy[i]*cos(a[i]) = vx[i]*sin(a[i])"]
[definitions]
"vx[0]" = "x'"
"vy[0]" = "y'"
"vx[i=1:{0}]" = "vx[i-1] + sin(a[i])*a[i]'"
"vy[i=1:{0}]" = "vy[i-1] - cos(a[i])*a[i]'"
[initial]
v = {{ x = 1, "a[0]" = 0.5 }}
)toml",
                     constraints - 1);
}

struct Chain {
  std::string title, units;
  std::string (*text)(int);
  double step;
  std::vector<int> sizes;
  std::vector<std::string> methods;
  bool is_sparse = true;  ///< the table has ns per step and unit, otherwise µs per step
  bool is_drawn = true;
};

const std::vector<Chain>& chains() {
  static const std::vector<Chain> all = {
      {"Chain of springs",
       "masses",
       spring_chain,
       0.05,
       {10, 30, 100, 300, 1000, 3000},
       {"mp", "gauss:2", "avf", "lobatto-ab:3"}},
      {"Chain of links", "links", links, 0.001, {10, 30, 100, 300, 1000}, {"lobatto-ab:2", "gauss:2"}},
      {"Chain of rods in angles", "rods", rods, 0.01, {10, 20, 50, 100}, {"gauss:2", "gonzalez"}, false},
      {"Skates", "constraints", skates, 0.01, {2, 4, 6, 8, 12, 20, 40}, {"gonzalez", "avf", "energy:2"}, false, false},
      {"Car with trailers", "constraints", cars, 0.01, {2, 4, 6, 8, 12, 20}, {"gonzalez", "avf"}, false, false},
  };
  return all;
}

struct Cost {
  double start = 0;  ///< seconds
  double step = 0;   ///< ns per unit of the chain
};

Cost cost_of(const Chain& chain, int n, const std::string& method) {
  noslip::forget_programs();
  Cost cost;
  const double before = seconds_now();
  const noslip::System system = noslip::System::parse(chain.text(n));
  const noslip::InitialState initial = system.initial_state(system.parameter_values());
  const noslip::RunOptions options{.method = method, .step = chain.step, .steps = 1};
  noslip::integrate(system, initial, options);
  cost.start = seconds_now() - before;
  noslip::RunOptions many = options;
  many.steps = 200;
  cost.step = 1e300;
  for (int round = 0; round < 3; ++round) {  // the machine may be noisy
    cost.step = std::min(cost.step, noslip::bench(system, initial, many, 1).nanoseconds_per_step / n);
  }
  return cost;
}

/// A line of slope one through the first point of each method: as if all units cost the same.
void add_guides(noslip::PlotPanel& panel) {
  const std::vector<noslip::PlotSeries> measured = panel.series;
  for (const noslip::PlotSeries& series : measured) {
    const noslip::PlotPoint first = series.points.front();
    const double last = series.points.back().x;
    noslip::PlotSeries guide{&series == &measured.front() ? "slope 1" : "", {first, {last, first.y * last / first.x}}};
    guide.line = noslip::PlotLine::dashed;
    guide.is_guide = true;
    panel.series.push_back(guide);
  }
}

noslip::PlotPanel measure(const Chain& chain, bool is_for_documents) {
  noslip::PlotPanel panel{chain.title, {fmt::format("number of {}", chain.units), true}, {"µs per step", true}, {}};
  std::vector<std::string> head = {chain.units};
  for (const std::string& method : chain.methods) {
    const std::string unit = chain.is_sparse ? ", ns" : ", µs per step";
    const bool is_plain = is_for_documents && chain.is_sparse;
    head.insert(head.end(),
                {is_for_documents ? fmt::format("`{}`{}", method, is_plain ? "" : unit) : method + unit, "start, s"});
    const int colour = static_cast<int>(panel.series.size());
    panel.series.push_back({method, {}, colour, noslip::PlotLine::solid, noslip::PlotMarker::circle});
  }
  const auto print = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) fmt::print("{:>{}}", row[i], i == 0 ? 8 : i % 2 == 1 ? 18 : 10);
    fmt::print("\n");
  };
  is_for_documents ? print_head(head) : print(head);
  for (const int n : chain.sizes) {
    std::vector<std::string> row = {fmt::format("{}", n)};
    for (std::size_t m = 0; m < chain.methods.size(); ++m) {
      const Cost cost = cost_of(chain, n, chain.methods[m]);
      row.push_back(short_time(chain.is_sparse ? cost.step : cost.step * n / 1000));
      row.push_back(fmt::format("{:.{}f}", cost.start, cost.start < 10 ? 2 : 0));
      panel.series[m].points.push_back({static_cast<double>(n), cost.step * n / 1000});
    }
    is_for_documents ? print_row(row) : print(row);
  }
  fmt::print("\n");
  add_guides(panel);
  return panel;
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_for_documents = wants_markdown(argc, argv);
  noslip::Plot plot;
  plot.title = "Time per step over the size of the system";
  plot.has_panel_legends = true;
  for (const Chain& chain : chains()) {
    noslip::PlotPanel panel = measure(chain, is_for_documents);
    if (chain.is_drawn) plot.panels.push_back(std::move(panel));
  }
  if (is_for_documents) noslip::write_plot(plot, "sizes.svg", true);
  compare_chain(is_for_documents);
}
