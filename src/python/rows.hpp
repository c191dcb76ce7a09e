// Rows of a run: contiguous numbers that Python sees as arrays.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/io/plot.hpp>
#include <noslip/run/row_reader.hpp>
#include <noslip/run/run.hpp>

#include "common.hpp"
#include "system.hpp"

namespace noslip::python {

/// What rows belong to.
struct RowContext {
  PySystem made;                   ///< in the sizes of the run
  std::vector<double> parameters;  ///< in the order of System::step_constants()
  std::vector<Event> events = {};

  const System& system() const { return made.system(); }
  const std::vector<Column>& columns() const { return made.columns(); }  ///< that rows hold
  void carry(Archive& archive) { archive(parameters, events); }
  /// The parts of Sample::q.
  std::vector<double> coordinates_of(const Sample& sample) const { return {sample.q.begin(), sample.q.end() - state_count()}; }
  std::vector<double> states_of(const Sample& sample) const { return {sample.q.end() - state_count(), sample.q.end()}; }
  std::ptrdiff_t state_count() const { return static_cast<std::ptrdiff_t>(system().states().size()); }
};

/// States, row after row. Filled once; views are taken afterwards.
class Rows {
 public:
  explicit Rows(std::shared_ptr<const RowContext> context);

  void reserve(std::size_t rows);
  void add(const Sample& sample);
  std::size_t size() const { return t_.size(); }
  Sample sample(std::size_t row) const;
  const RowContext& context() const { return *context_; }
  const std::shared_ptr<const RowContext>& shared_context() const { return context_; }

  py::array t(py::handle self) const { return view_of(t_.data(), {rows()}, {1}, self); }
  py::array q(py::handle self) const { return part_of_q(0, nq_ - ns_, self); }
  py::array states(py::handle self) const { return part_of_q(nq_ - ns_, ns_, self); }
  py::array v(py::handle self) const { return matrix(v_, nv_, self); }
  py::array multipliers(py::handle self) const { return matrix(multipliers_, nm_, self); }
  py::array inputs(py::handle self) const { return matrix(inputs_, ni_, self); }
  py::array outputs(py::handle self) const { return matrix(outputs_, no_, self); }
  py::array energy(py::handle self) const { return view_of(energy_.data(), {rows()}, {1}, self); }
  py::array work(py::handle self) const { return view_of(work_.data(), {rows()}, {1}, self); }
  py::array constraint(py::handle self) const { return view_of(constraint_.data(), {rows()}, {1}, self); }
  /// A column by its name, or any expression, which is evaluated once. InputError for what is neither.
  py::array column(const std::string& name, py::handle self);
  /// Evaluates expressions while rows come (RunOptions::sink).
  void evaluate_as_they_come(const std::vector<std::string>& texts);
  /// Those of evaluate_as_they_come.
  const std::vector<std::string>& evaluated() const { return evaluated_names_; }

  /// Everything as bytes, expressions that were evaluated included.
  void carry_all(Archive& archive);
  /// The rows as bytes, for a checkpoint.
  template <class To>
  void carry(To& archive) {
    archive(t_, q_, v_, multipliers_, inputs_, outputs_, energy_, work_, constraint_);
    for (const std::string& name : evaluated_names_) archive(values_[name]);
  }

 private:
  py::ssize_t rows() const { return static_cast<py::ssize_t>(t_.size()); }
  py::array matrix(const std::vector<double>& values, std::size_t columns, py::handle self) const;
  py::array part_of_q(std::size_t first, std::size_t count, py::handle self) const;

  std::shared_ptr<const RowContext> context_;
  std::size_t nq_, ns_, nv_, nm_, ni_, no_;  ///< nq_ with the states, the last ns_
  std::vector<double> t_, q_, v_, multipliers_, inputs_, outputs_, energy_, work_, constraint_;
  std::map<std::string, std::vector<double>> values_;  ///< of expressions
  std::vector<std::string> evaluated_names_;
  std::unique_ptr<RowReader> evaluate_;
};

/// One state.
struct State {
  std::shared_ptr<const RowContext> context;
  Sample sample;
};

/// A crossing of an event.
struct Hit : State {
  Hit(std::shared_ptr<const RowContext> of, const EventHit& hit)
      : State{std::move(of), hit.state}, event(hit.event), number(hit.number), direction(hit.direction) {}
  int event;
  long long number;
  Crossing direction;
};

/// For pickles.
py::tuple saved(const std::shared_ptr<const RowContext>& context);
std::shared_ptr<const RowContext> loaded_context(const py::tuple& from);

/// A picture of rows.
Plot plot_of(const Rows& rows, const Trajectory& run, const std::string& show, PlotTheme theme);

}  // namespace noslip::python
