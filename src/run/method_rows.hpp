// The rows of one method in a study of convergence: runs, errors, digits, order.
#pragma once

#include <memory>
#include <vector>

#include "run/rounding.hpp"
#include "run/study.hpp"

namespace noslip {

class MethodRows {
 public:
  MethodRows(const System& system, std::shared_ptr<const Method> method, const std::vector<quad>& steps);

  int order() const { return order_; }

  /// All rows, and how large their rounding errors are.
  void run(StudyRuns& runs, Precision precision);

  /// Of the smallest step whose run came to the end; empty if none did.
  std::vector<quad> finest_multipliers() const;

  /// How exact a reference has to be for these rows, judged by the errors against the present one.
  StateNumbers needed(const QuadState& reference) const;

  /// Sets errors and floors.
  void measure(const QuadState& reference, const StateNumbers& uncertainty);

  /// Runs rows again whose errors come near rounding; false if there are none, or when it is stopped. From the largest
  /// step to the smallest: a row waits until the one before is settled, since that predicts the error, and where the
  /// one before is nothing but rounding with all digits there are, the others will be too. Multipliers are looked at
  /// only if more digits help the reference's.
  bool repeat_with_more_digits(StudyRuns& runs, bool multipliers_gain);

  /// With the slopes. `may_add_digits`: what to advise if there is no slope.
  ConvergeResult result(bool may_add_digits) const;

 private:
  struct Row {
    ConvergeRow shown;
    quad step = 0;  // shown.step is rounded
    QuadState state;
    Precision precision = Precision::double_precision;
    bool is_divided = false;  // steps were smaller, so that one begins whenever an input changes
    bool is_done() const { return shown.outcome.status == Status::done; }
  };

  const std::string& name() const { return method_->traits().name; }
  Trajectory execute(StudyRuns& runs, std::size_t index, Precision precision);
  StateNumbers rounding_of(const Row& row) const { return rounding_.after(row.shown.steps, row.precision); }
  bool repeat_one(StudyRuns& runs, double StateNumbers::*part);
  Precision precision_for(const Row& row, const Row* before, double StateNumbers::*part) const;

  std::shared_ptr<const Method> method_;
  int order_, multiplier_order_;
  std::vector<Row> rows_;             // in the order of the steps given
  std::vector<std::size_t> by_size_;  // their indices, the largest step first
  Rounding rounding_;
};

}  // namespace noslip
