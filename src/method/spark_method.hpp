// A SPARK method made of its coefficients: what it satisfies is evaluated, and which systems it takes follows from what
// it has. Beside it, what methods for mechanical systems say of other systems.
#pragma once

#include <noslip/method/spark.hpp>

#include "method/recorded_method.hpp"

namespace noslip {

/// Empty, or why a method for mechanical systems with velocity constraints does not take the system.
std::string needs_mechanics(const System& system);

/// What theorem 6.1 of Jay 2009 says about the coefficients; with a condition at the end of the step (6.1f) they define
/// an integrator in its sense. Conditions hold to `tolerance`.
void evaluate(MethodTraits& traits, const SparkCoefficients& coefficients, bool keeps_constraints,
              double tolerance = negligible_defect);

/// Is one of the conditions on velocities k = 0 at the end of the step?
bool has_condition_at_end(const SparkCoefficients& coefficients);

/// Orders and texts are those of `traits`; all else is evaluated, to `tolerance`.
Made spark_method(MethodTraits traits, SparkCoefficients coefficients, double tolerance = negligible_defect);

}  // namespace noslip
