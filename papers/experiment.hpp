// A figure or a table of a paper as data: what is run, what is measured, what the paper says about it, what is true.
//
// The files jay2009.cpp, hilden2009.cpp, ... hold the experiments, run_*.cpp carry out each kind of run. A run gives
// tables of numbers (papers/table.hpp), a check makes one number of a table and asks in which range it lies, a panel
// draws columns.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <noslip/io/plot.hpp>

namespace noslip::papers {

/// Numbers from `least` to `most`, both included. A NaN lies nowhere.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool holds(double x) const { return x >= least && x <= most; }
};
inline Range at_most(double most) { return {.most = most}; }
inline Range at_least(double least) { return {.least = least}; }
/// A measured number and the part of it by which it may be off, for example 1e-3.
inline Range around(double value, double relative) {
  const double room = relative * (value < 0 ? -value : value);
  return {value - room, value + room};
}

enum class Verdict {
  agrees,     ///< the number lies where the paper has it
  corrected,  ///< it does not, but where the corrected claim has it
  differs     ///< neither
};
const char* to_text(Verdict verdict);  ///< "agrees", "paper corrected", "differs"

/// A system of the catalogue or a file of its own, with parameters and initial data.
struct Setting {
  std::string system;                       ///< name in the catalogue; with `toml` a name for messages
  std::string toml = {};                    ///< a system file, where the catalogue does not have the system
  std::map<std::string, double> set = {};   ///< parameters and sizes that differ from the defaults
  std::map<std::string, double> init = {};  ///< initial values that differ: x, x', t
};

/// What is looked at in the course of a run: a column of the table.
struct Quantity {
  enum class As {
    value,
    change,           ///< since the start
    relative_change,  ///< that divided by the initial value
    error             ///< difference to the exact solution of the system; of "q": the 2-norm over all coordinates
  };
  std::string name;  ///< of the column
  /// "energy", "constraint" (largest residual), "q", a coordinate, a velocity (x'), an invariant of the system, or an
  /// expression in all these, time and parameters: "1/2*y'^2 - cos(y)".
  std::string of;
  As as = As::value;
};

/// One trajectory for every method: a table each, with time `t` and the quantities as columns.
struct TimeRun {
  std::string label = {};  ///< of the table; with several methods in front of the method; empty: the method
  Setting setting;
  std::vector<std::string> methods;
  double step = 0;
  double until = 0;
  double quick_until = 0;  ///< in the quick form; 0: the same
  long long every = 1;     ///< each K-th step is looked at
  double tolerance = 0;    ///< of the nonlinear solve; 0: to rounding
  std::vector<Quantity> quantities;
};

/// Errors over step sizes: a table per method with the columns `step`, `q`, `v`, `multipliers`. Errors that rounding
/// may have spoilt are NaN.
struct OrderRun {
  std::string label = {};  ///< as in TimeRun
  Setting setting;
  std::vector<std::string> methods;
  std::vector<double> steps;
  std::vector<double> quick_steps = {};  ///< empty: the same
  double until = 1;
};

/// Many trajectories for every method, from the initial states for which the parameter `counter` has the values 0, 1,
/// ..., members - 1, and the parameter `last` the value members - 1. A table per method with the columns `t`, `mean
/// square`, of (E - E0)/h^(power/2), and `largest`, of |E - E0|.
struct EnsembleRun {
  std::string label = {};  ///< as in TimeRun
  Setting setting;
  std::string counter = "j", last = "J";
  int members = 0;
  int quick_members = 0;  ///< 0: the same
  std::vector<std::string> methods;
  double step = 0;
  double until = 0;
  double quick_until = 0;
  long long every = 1;
  double power = 0;  ///< of the step, by which the mean square is divided
};

/// The equations with reduced index (papers/index_reduced.hpp), by a solver with a variable step that knows nothing of
/// the constraints: a table with the columns `t`, `step`, `energy error`, `constraint` (the largest) and one for each
/// constraint (`constraint 1`, ...).
struct RivalRun {
  enum class Solver {
    dormand_prince,       ///< for index 0
    backward_differences  ///< for index 1
  };
  std::string label;
  Setting setting;
  Solver solver = Solver::dormand_prince;
  double relative = 1e-6, absolute = 1e-9;  ///< tolerances of the error of one step
  double until = 100;
};

/// Poincare sections of orbits that come back after a whole number of steps, one for each value of a parameter. A table
/// per method and orbit, `LABEL, PARAMETER = VALUE`, with the columns `iteration`, the quantities and `energy error`.
/// Then one per method with a row for each orbit: `orbit` (from 1 on), the parameter, `energy at section` and `energy`
/// (largest |E - E0| there, and over all steps), `mean energy` (the mean of its error in the last tenth less that in
/// the first), `plane` (how far the points are from a plane) and `separation` (how many times further than at the start
/// a neighbour gets away).
struct SectionRun {
  std::string label = {};  ///< as in TimeRun
  Setting setting;
  std::vector<std::string> methods;
  std::string parameter;
  std::vector<double> values;
  double step = 0;
  long long steps_per_iteration = 1;
  long long iterations = 0;
  long long quick_iterations = 0;  ///< 0: the same
  double tolerance = 0;            ///< of the nonlinear solve; 0: to rounding
  std::vector<Quantity> quantities;
  std::vector<std::string> plane = {};  ///< three quantities that are the coordinates of a point; empty: not wanted
  long long separation = 0;             ///< iterations for which neighbours are watched; 0: not wanted
  double nearness = 1e-9;               ///< of the parameter of a neighbour
};

using Run = std::variant<TimeRun, OrderRun, EnsembleRun, RivalRun, SectionRun>;

/// One number from a column. x is the first column of the table (t, step).
enum class Reducer {
  max_abs,
  minimum,
  maximum,
  mean,
  last,
  slope,         ///< least squares, c1 of y = c0 + c1 x
  intercept,     ///< c0 of that
  proportional,  ///< least squares, c of y = c x
  log_slope,     ///< of log |y| over log x: the order; points where one of them is not positive are left out
  log_rate,      ///< of log |y| over x: exponential growth
  growth,        ///< largest |y| in the second half over that in the first half: bounded errors have about 1
  count          ///< of the rows with a number
};

/// How a number is compared with the same number of a second table.
enum class Versus {
  nothing,
  ratio,     ///< first over second
  exponent,  ///< log(ratio) / log(step of the first over step of the second)
  difference
};

/// What a number is asked: where the paper has it, if that can be tested, and where it truly is, if that is somewhere
/// else or the paper does not say.
struct Bounds {
  std::optional<Range> paper = {};
  std::optional<Range> truth = {};
  Verdict recorded = Verdict::agrees;  ///< what was found when this was written; another verdict is a failure
};

struct Check {
  std::string what;  ///< what is measured, in words
  std::string run;   ///< label of a table
  std::string column;
  Reducer reduce = Reducer::max_abs;
  Range window = {};  ///< of x: rows outside are left out
  Versus versus = Versus::nothing;
  std::string other = {};  ///< label of the second table
  Bounds full;
  std::optional<Bounds> quick = {};  ///< of the quick form; not given: the same
  bool only_in_full = false;         ///< the quick form is too short for it
};

/// y = factor * x^power, a grey line to compare with.
struct Guide {
  std::string label;
  double factor = 1, power = 1;
  std::string below = {};  ///< label of a table: the line lies a little below that one, whatever `factor` is
};

/// A part of the picture: a column over another one, one line per table.
struct Panel {
  std::string title = {};
  std::string x = {}, y = {};              ///< columns; x empty: the first one
  std::string x_label = {}, y_label = {};  ///< empty: names of the columns
  bool log_x = false, log_y = false;
  bool absolute = false;               ///< |y| is drawn
  bool largest = false;                ///< the largest |y| in each of a few hundred equal spans of x is drawn
  std::string where = {};              ///< a column: points are drawn where it is positive; empty: everywhere
  std::vector<std::string> runs = {};  ///< labels of tables; empty: all that have the columns
  std::vector<Guide> guides = {};
  PlotLine line = PlotLine::solid;
  PlotMarker marker = PlotMarker::none;
  double marker_size = 0;            ///< pixels; 0: what suits the marker
  bool equal_scales = false;         ///< a circle is a circle
  Range x_range = {}, y_range = {};  ///< fixed ends of the axes, where they are finite
};

struct Experiment {
  std::string id;              ///< "jay2009-fig-8.1"
  std::string what;            ///< a line for a list
  std::string claim;           ///< what the paper says
  std::string corrected = {};  ///< what is true, where that is something else
  std::vector<Run> runs;
  std::vector<Check> checks;
  std::vector<Panel> panels;
  int columns = 0;                ///< of panels in the picture; 0: up to three
  bool legend_by_method = false;  ///< colours and legend tell methods, not tables
  bool has_many_points = false;   ///< the picture is a PNG: sections with tens of thousands of points
};

/// The worst verdict of the checks as they were recorded.
Verdict recorded_verdict(const Experiment& experiment, bool quick);

/// A place where a paper is wrong.
struct Erratum {
  std::string where;  ///< "equation (24a)"
  std::string printed;
  std::string correct;
};

struct Paper {
  std::string key;   ///< "jay2009", with which the ids of its experiments begin
  std::string name;  ///< "Jay 2009"
  std::string citation;
  std::vector<Erratum> errata;
  std::vector<Experiment> experiments;
};

Paper jay2009();
Paper hilden2009();
Paper martin2022();
Paper celledoni2019();
Paper jay2007();

/// All papers in order.
const std::vector<Paper>& all_papers();
/// Experiments whose ids are `words` or begin with them at a border (jay2009, hilden2009-fig-4, but hilden2009-fig-4.1
/// does not mean hilden2009-fig-4.19), in the order of the papers, each once; all without words. Former ids, which
/// begin with a number (000-fig-8.1, 001), are understood. InputError for words that fit none.
std::vector<const Experiment*> select(const std::vector<std::string>& words);

}  // namespace noslip::papers
