// Poincare sections of orbits whose period is a whole number of steps: every K-th state is a point of the section.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <noslip/run/run.hpp>

#include "prepare.hpp"
#include "quantities.hpp"
#include "reproduce.hpp"

namespace noslip::papers {

namespace {

using Columns = std::vector<std::vector<double>>;

/// How far the points are from the plane that fits them best.
double distance_from_plane(const std::vector<Eigen::Vector3d>& points) {
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

/// Mean of the last tenth less that of the first tenth.
double change_of_mean(const std::vector<double>& values) {
  const std::size_t tenth = values.size() / 10;
  double first = 0, last = 0;
  for (std::size_t i = 0; i < tenth; ++i) {
    first += values[i];
    last += values[values.size() - 1 - i];
  }
  return (last - first) / static_cast<double>(tenth);
}

class Sections {
 public:
  Sections(const SectionRun& run, const ReproduceOptions& options, const std::string& method)
      : run_(run),
        options_(options),
        method_(method),
        iterations_(options.quick && run.quick_iterations > 0 ? run.quick_iterations : run.iterations) {
    summary_.label = label_of(run.label, run.methods, method);
    summary_.columns = {"orbit", run.parameter, "energy at section", "energy", "mean energy"};
    if (!run.plane.empty()) summary_.columns.push_back("plane");
    if (run.separation > 0) summary_.columns.push_back("separation");
    summary_.values.resize(summary_.columns.size());
    summary_.step = run.step;
  }

  /// A table for every orbit, then one with a row for each.
  std::vector<Table> tables() {
    std::vector<Table> tables;
    for (const double value : run_.values) {
      tables.push_back(orbit(value));
      summary_.outcome = tables.back().outcome;
      if (summary_.outcome.status == Status::stopped) return tables;
    }
    tables.push_back(summary_);
    return tables;
  }

 private:
  Table orbit(double value) {
    Setting setting = run_.setting;
    setting.set[run_.parameter] = value;
    const Prepared prepared = prepare(setting);
    Table table;
    table.method = fmt::format("{} = {:.4g}", run_.parameter, value);
    table.label = fmt::format("{}, {}", summary_.label, table.method);
    table.step = run_.step;
    table.columns = {"iteration"};
    std::vector<Quantity> quantities = run_.quantities;
    for (const Quantity& quantity : quantities) table.columns.push_back(quantity.name);
    quantities.push_back({.name = "", .of = run_.where.empty() ? "energy" : run_.where});
    for (const Quantity& quantity : run_.quantities) {
      if (!run_.where.empty()) table.columns.push_back(quantity.name + " shown");
    }
    table.columns.push_back("energy error");
    quantities.push_back({.name = "", .of = "energy", .as = Quantity::As::change});
    table.values.resize(table.columns.size());
    const std::size_t count = run_.quantities.size();
    QuantityReader reader(prepared, quantities);
    const Trajectory trajectory = integrate(prepared, iterations_, table.label, [&](const Sample& sample) {
      const std::vector<double>& values = reader.read(sample);
      std::size_t column = 0;
      table.values[column++].push_back(static_cast<double>(table.values[0].size()));
      for (std::size_t i = 0; i < count; ++i) table.values[column++].push_back(values[i]);
      for (std::size_t i = 0; i < count && !run_.where.empty(); ++i) {
        table.values[column++].push_back(values[count] > 0 ? values[i] : std::nan(""));
      }
      table.values[column].push_back(values[count + 1]);
    });
    table.outcome = trajectory.outcome;
    if (table.outcome.status == Status::done) summarise(table, trajectory, value);
    return table;
  }

  void summarise(const Table& table, const Trajectory& trajectory, double value) {
    std::size_t column = 0;
    const auto add = [&](double number) { summary_.values[column++].push_back(number); };
    add(static_cast<double>(summary_.values[0].size() + 1));
    add(value);
    double largest = 0;
    for (const double error : table.values.back()) largest = std::max(largest, std::fabs(error));
    add(largest);
    add(trajectory.energy.max_abs_error);
    add(change_of_mean(table.values.back()));
    if (!run_.plane.empty()) {
      std::vector<Eigen::Vector3d> points(table.values[0].size());
      for (std::size_t k = 0; k < 3; ++k) {
        const std::vector<double>& from = table.values[static_cast<std::size_t>(table.find(run_.plane[k]))];
        for (std::size_t i = 0; i < points.size(); ++i) points[i][static_cast<Eigen::Index>(k)] = from[i];
      }
      add(distance_from_plane(points));
    }
    if (run_.separation > 0) add(growth_of_separation(value));
  }

  /// How much further than at the start a neighbour gets away.
  double growth_of_separation(double value) {
    const long long iterations = std::min(iterations_, run_.separation);
    std::vector<std::vector<double>> first;
    double start = 0, largest = 0;
    for (const double moved : {value, value + run_.nearness}) {
      Setting setting = run_.setting;
      setting.set[run_.parameter] = moved;
      std::size_t row = 0;
      integrate(prepare(setting), iterations, summary_.label, [&](const Sample& sample) {
        std::vector<double> state = sample.q;
        state.insert(state.end(), sample.v.begin(), sample.v.end());
        if (moved == value) {
          first.push_back(std::move(state));
          return;
        }
        if (row == first.size()) return;
        double squares = 0;
        for (std::size_t i = 0; i < state.size(); ++i) squares += std::pow(state[i] - first[row][i], 2);
        if (row++ == 0) start = std::sqrt(squares);
        largest = std::max(largest, std::sqrt(squares));
      });
    }
    return largest / start;
  }

  Trajectory integrate(const Prepared& prepared, long long iterations, const std::string& label,
                       const std::function<void(const Sample&)>& sink) const {
    RunOptions of_run;
    of_run.method = method_;
    of_run.step = run_.step;
    of_run.steps = iterations * run_.steps_per_iteration;
    of_run.every = run_.steps_per_iteration;
    of_run.set = prepared.set;
    of_run.tolerance = run_.tolerance;
    of_run.sink = sink;
    if (options_.progress) {
      of_run.progress = [&](long long done, long long all) { return options_.progress(label, done, all); };
    }
    return prepared.initial ? noslip::integrate(prepared.system, *prepared.initial, of_run)
                            : noslip::integrate(prepared.system, of_run);
  }

  const SectionRun& run_;
  const ReproduceOptions& options_;
  const std::string method_;
  const long long iterations_;
  Table summary_;
};

}  // namespace

std::vector<Table> carry_out(const SectionRun& run, const ReproduceOptions& options) {
  std::vector<Table> tables;
  for (const std::string& method : run.methods) {
    for (Table& table : Sections(run, options, method).tables()) tables.push_back(std::move(table));
    if (tables.back().outcome.status == Status::stopped) break;
  }
  return tables;
}

}  // namespace noslip::papers
