// SPARK methods and nonholonomic partitioned Runge-Kutta methods on Lie groups: Martin de Diego and Sato 2022, sec. 6,
// app. F and G.
#pragma once

#include <noslip/method/method.hpp>
#include <noslip/method/spark.hpp>

namespace noslip {

/// A step of a mechanical system on a group. (On a vector space it is the same as record_spark and record_nh_lobatto,
/// which do less there.)
StepRecipe record_group_spark(const System& system, const SparkCoefficients& coefficients, Constraints constraints,
                              const Chart& chart);

}  // namespace noslip
