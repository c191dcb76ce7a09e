// Solvers with a variable step for the reduced equations: what people take who have no method for constraints.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "index_reduced.hpp"

namespace noslip::papers {

struct AdaptiveOptions {
  double relative = 1e-6, absolute = 1e-9;  ///< tolerances of the error of one step
  double begin = 0, end = 1;
};

struct AdaptiveResult {
  long long steps = 0;  ///< accepted
  std::string problem;  ///< empty where the end was reached
};

/// Called with the initial state and after every accepted step.
using AdaptiveSink = std::function<void(double t, std::span<const double> y)>;

/// The embedded pair of orders 5 and 4 of Dormand and Prince (J. Comput. Appl. Math. 6 (1980) 19) on the index-0
/// equations, by the higher order (what MATLAB calls ode45).
AdaptiveResult dormand_prince(IndexReduced& problem, std::vector<double> y, const AdaptiveOptions& options,
                              const AdaptiveSink& sink);

/// Backward differentiation formulas on the index-1 equations, variable in step and order (MATLAB's ode15s is of this
/// kind): SUNDIALS IDA where noslip was built with it, otherwise own formulas of order 2.
AdaptiveResult backward_differences(IndexReduced& problem, std::vector<double> y, const AdaptiveOptions& options,
                                    const AdaptiveSink& sink);

std::string backward_differences_name();  ///< of the solver in use
bool has_variable_order();                ///< IDA has, the own formulas have not

/// Those of order 2, always.
AdaptiveResult second_backward_differences(IndexReduced& problem, std::vector<double> y, const AdaptiveOptions& options,
                                           const AdaptiveSink& sink);

}  // namespace noslip::papers
