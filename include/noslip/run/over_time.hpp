// Several methods on one problem, seen over time: how errors of energy and constraints grow, or do not.
#pragma once

#include <string>
#include <vector>

#include <noslip/run/compare.hpp>

namespace noslip {

/// Errors of one run. Of millions of steps the largest error in each of a few hundred equal spans of time is kept,
/// with the time at which it occurred.
class ErrorsOverTime {
 public:
  struct Point {
    double t = 0, error = 0;
    template <class To>
    void carry(To& archive) {
      archive(t, error);
    }
  };

  static constexpr int default_spans = 240;
  ErrorsOverTime(double begin, double end, int spans = default_spans);

  double begin() const { return begin_; }
  double end() const { return end_; }

  /// The first sample is the state that errors are taken against.
  void add(const Sample& sample);

  /// |E - E0|, without the work where something does work; empty where there is no energy. Rounded as doubles are, also
  /// where the run has more digits.
  const std::vector<Point>& energy() const { return energy_.points; }
  /// Largest residual of velocity constraints, position constraints and derivatives of the latter.
  const std::vector<Point>& constraints() const { return constraints_.points; }

  /// What was added so far, for core/archive.hpp.
  template <class To>
  void carry(To& archive) {
    archive(has_begun_, initial_energy_, energy_, constraints_);
  }

 private:
  struct Envelope {
    std::vector<Point> points;
    int span = -1;  ///< that the last point belongs to
    void add(int in_span, Point point);
    template <class To>
    void carry(To& archive) {
      archive(points, span);
    }
  };

  double begin_, end_;
  int spans_;
  bool has_begun_ = false;
  double initial_energy_ = 0;
  Envelope energy_, constraints_;
};

struct ComparisonOverTime {
  /// In the order of CompareOptions::methods, without cost. Errors of q alone.
  Comparison comparison;
  std::vector<ErrorsOverTime> errors;  ///< one per result
};

/// As compare(), but looks at every step and measures no cost.
ComparisonOverTime compare_over_time(const System& system, const InitialState& initial, const CompareOptions& options);
ComparisonOverTime compare_over_time(const System& system, const CompareOptions& options);

}  // namespace noslip
