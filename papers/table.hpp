// Numbers that a run gives, and what is made of them.
#pragma once

#include <string>
#include <vector>

#include <noslip/core/status.hpp>

#include "experiment.hpp"

namespace noslip::papers {

struct Table {
  std::string label;
  std::string method = {};                                 ///< empty where there is none
  std::vector<std::string> columns;                        ///< the first is x of reducers and panels
  std::vector<std::vector<double>> values;                 ///< one vector per column, all of the same length
  double step = std::numeric_limits<double>::quiet_NaN();  ///< step size, where there is one
  Outcome outcome = {};                                    ///< of the run; `failed`: rows up to the last good state

  /// Index of a column, or -1.
  int find(const std::string& column) const;
};

/// The number that a check asks for; NaN where a table or column is missing, a run has failed, or too few rows are
/// there.
double measure(const std::vector<Table>& tables, const Check& check);

/// `agrees` inside the paper's range, `corrected` outside of it but inside the true one. A number outside the true
/// range (where one is given) differs, and so does a NaN.
Verdict judge(double measured, const Bounds& bounds);

}  // namespace noslip::papers
