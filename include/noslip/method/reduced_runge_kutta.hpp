// Runge-Kutta methods for the equations of motion without constraints, in adapted coordinates (skew_form.hpp).
#pragma once

#include <noslip/method/skew_form.hpp>
#include <noslip/tableau/tableau.hpp>

namespace noslip {

/// One step with the method of the tableau, explicit where the tableau is. Velocities at the end are in the basis, so
/// that velocity constraints hold there to rounding. The system must have a skew form (why_no_skew_form).
StepRecipe record_reduced_runge_kutta(const System& system, const Tableau& tableau);

}  // namespace noslip
