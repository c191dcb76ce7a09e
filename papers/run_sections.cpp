// Poincare sections of orbits whose period is a whole number of steps: every K-th state is a point of the section.
#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include <noslip/run/run.hpp>

#include "parallel.hpp"
#include "prepare.hpp"
#include "quantities.hpp"
#include "reproduce.hpp"

namespace noslip::papers {

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  return largest;
}

/// Mean of the last tenth less that of the first tenth.
double change_of_mean(const std::vector<double>& values) {
  const std::size_t tenth = std::max<std::size_t>(values.size() / 10, 1);
  double change = 0;
  for (std::size_t i = 0; i < tenth; ++i) change += values[values.size() - 1 - i] - values[i];
  return change / static_cast<double>(tenth);
}

/// How far the points, with three columns of a table as coordinates, are from the plane that fits them best.
double distance_from_plane(const Table& table, const std::vector<std::string>& columns) {
  if (columns.size() != 3) return no_number;
  std::vector<Eigen::Vector3d> points(table.values[0].size());
  for (Eigen::Index k = 0; k < 3; ++k) {
    const std::vector<double>& column = table.values.at(static_cast<std::size_t>(table.find(columns[k])));
    for (std::size_t i = 0; i < points.size(); ++i) points[i][k] = column[i];
  }
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& point : points) centre += point / static_cast<double>(points.size());
  Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
  for (const Eigen::Vector3d& point : points) moments += (point - centre) * (point - centre).transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(moments);
  const Eigen::Vector3d normal = solver.eigenvectors().col(0);  // of the least moment
  double largest = 0;
  for (const Eigen::Vector3d& point : points) largest = std::max(largest, std::fabs(normal.dot(point - centre)));
  return largest;
}

/// One orbit by one method: its points, and what the summary tells of it.
struct Orbit {
  Table points;
  double largest_energy_error = 0;  ///< over all steps
  double separation = no_number;
};

class OrbitRunner {
 public:
  OrbitRunner(const SectionRun& run, const std::string& method, double value, bool quick, const Progress& progress)
      : run_(run),
        method_(method),
        value_(value),
        iterations_(quick && run.quick_iterations > 0 ? run.quick_iterations : run.iterations),
        progress_(progress) {}

  Orbit orbit() const {
    const Prepared prepared = prepared_for(value_);
    std::vector<Quantity> quantities = run_.quantities;
    quantities.push_back({.name = "energy error", .of = "energy", .as = Quantity::As::change});
    QuantityReader reader(prepared, quantities);
    Orbit result;
    Table& table = result.points;
    table.method = orbit_name(run_, value_);
    table.label = orbit_label(run_, method_, value_);
    table.step = run_.step;
    table.columns = {"iteration"};
    for (const Quantity& quantity : quantities) table.columns.push_back(quantity.name);
    table.values.resize(table.columns.size());
    const Trajectory trajectory = integrate(prepared, iterations_, [&](const Sample& sample) {
      const std::vector<double>& values = reader.read(sample);
      table.values[0].push_back(static_cast<double>(table.values[0].size()));
      for (std::size_t i = 0; i < values.size(); ++i) table.values[i + 1].push_back(values[i]);
    });
    table.outcome = trajectory.outcome;
    result.largest_energy_error = trajectory.energy.max_abs_error;
    if (table.outcome.status == Status::done && run_.separation > 0) {
      result.separation = growth_of_separation(table.outcome);
    }
    return result;
  }

 private:
  Prepared prepared_for(double value) const {
    Setting setting = run_.setting;
    setting.set[run_.parameter] = value;
    return prepare(setting);
  }

  /// How many times further than at the start a neighbour gets away.
  double growth_of_separation(Outcome& outcome) const {
    const auto states_from = [&](double value) {
      std::vector<std::vector<double>> states;
      const Trajectory trajectory =
          integrate(prepared_for(value), std::min(iterations_, run_.separation), [&](const Sample& sample) {
            states.push_back(sample.q);
            states.back().insert(states.back().end(), sample.v.begin(), sample.v.end());
          });
      if (trajectory.outcome.status != Status::done) outcome = trajectory.outcome;
      return states;
    };
    const auto here = states_from(value_), there = states_from(value_ + run_.nearness);
    double start = 0, largest = 0;
    for (std::size_t row = 0; row < std::min(here.size(), there.size()); ++row) {
      double squares = 0;
      for (std::size_t i = 0; i < here[row].size(); ++i) squares += std::pow(here[row][i] - there[row][i], 2);
      if (row == 0) start = std::sqrt(squares);
      largest = std::max(largest, std::sqrt(squares));
    }
    return largest / start;
  }

  Trajectory integrate(const Prepared& prepared, long long iterations,
                       const std::function<void(const Sample&)>& sink) const {
    RunOptions of_run;
    of_run.method = method_;
    of_run.step = run_.step;
    of_run.steps = iterations * run_.steps_per_iteration;
    of_run.every = run_.steps_per_iteration;
    of_run.set = prepared.set;
    of_run.tolerance = run_.tolerance;
    of_run.sink = sink;
    of_run.progress = progress_;
    return noslip::integrate(prepared.system, prepared.start(), of_run);
  }

  const SectionRun& run_;
  const std::string& method_;
  const double value_;
  const long long iterations_;
  const Progress& progress_;
};

/// A row for each orbit.
Table summary_of(const SectionRun& run, const std::string& method, const std::vector<Orbit>& orbits) {
  Table table;
  table.label = label_of(run.label, run.methods, method);
  table.method = method;
  table.step = run.step;
  table.columns = {"orbit", run.parameter, "energy at section", "energy", "mean energy", "plane", "separation"};
  table.values.resize(table.columns.size());
  for (std::size_t i = 0; i < orbits.size(); ++i) {
    const Table& points = orbits[i].points;
    if (points.outcome.status != Status::done) {
      table.outcome = points.outcome;
      break;
    }
    const std::vector<double>& errors = points.values.back();
    const double row[] = {static_cast<double>(i + 1), run.values[i],
                          largest_of(errors),         orbits[i].largest_energy_error,
                          change_of_mean(errors),     distance_from_plane(points, run.plane),
                          orbits[i].separation};
    for (std::size_t k = 0; k < table.values.size(); ++k) table.values[k].push_back(row[k]);
  }
  return table;
}

}  // namespace

std::vector<Table> carry_out(const SectionRun& run, const ReproduceOptions& options) {
  std::vector<Table> tables;
  for (const std::string& method : run.methods) {
    std::vector<Orbit> orbits(run.values.size());
    for (Orbit& orbit : orbits) orbit.points.outcome.status = Status::interrupted;  // until it is its turn
    side_by_side(orbits.size(), label_of(run.label, run.methods, method), options.progress,
                 [&](std::size_t i, const Progress& progress) {
                   orbits[i] = OrbitRunner(run, method, run.values[i], options.quick, progress).orbit();
                 });
    const Table summary = summary_of(run, method, orbits);
    for (Orbit& orbit : orbits) tables.push_back(std::move(orbit.points));
    tables.push_back(summary);
    if (summary.outcome.status == Status::interrupted) break;
  }
  return tables;
}

}  // namespace noslip::papers
