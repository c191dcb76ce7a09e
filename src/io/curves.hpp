// Curves of a run that may have millions of steps, kept as few points that look the same.
#pragma once

#include <utility>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/io/plot.hpp>

namespace noslip {

/// A quantity over time: its least and largest value in each of many equal spans, and its first and last one.
class TimeCurve {
 public:
  static constexpr int default_spans = 2000;
  TimeCurve(double begin, double end, int spans = default_spans);

  /// Times ascend. What is not finite is left out.
  void add(double t, double value);
  std::vector<PlotPoint> points() const;  ///< in the order of time
  void carry(Archive& archive) { archive(current_, found_, first_, last_); }

 private:
  struct Span {
    PlotPoint least, most;
    void carry(Archive& archive) { archive(least, most); }
  };

  double begin_, end_;
  int spans_, current_ = -1;
  std::vector<Span> found_;
  PlotPoint first_, last_;
};

/// One quantity over another: the path without what runs over places where it has been before. A place is a cell of a
/// grid of 2048 by 2048 that grows with the path.
class PathCurve {
 public:
  void add(PlotPoint point);
  /// Pieces with a point that is not a number between them.
  std::vector<PlotPoint> points() const;
  void carry(Archive& archive) { archive(waiting_, kept_, marked_, corner_, cell_, last_, goes_on_); }

 private:
  void follow(PlotPoint point);
  void lay_grid();
  void grow_to(PlotPoint point);
  void grow_along(bool is_x, double value);
  std::pair<double, double> cell_of(PlotPoint point) const;

  std::vector<PlotPoint> waiting_;  ///< before there is a grid: they tell how large it should be
  std::vector<PlotPoint> kept_;
  std::vector<bool> marked_;  ///< empty: no grid yet
  PlotPoint corner_, cell_, last_;
  bool goes_on_ = false;  ///< last_ is the last of kept_
};

}  // namespace noslip
