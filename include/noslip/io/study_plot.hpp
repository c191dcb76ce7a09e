// Pictures of studies.
#pragma once

#include <noslip/io/plot.hpp>
#include <noslip/run/compare.hpp>
#include <noslip/run/converge.hpp>

namespace noslip {

/// Errors over steps, both logarithmic: a panel each for q, v and the multipliers (those that there are), one colour
/// and marker per method, and a grey guide line for every order that a method claims. Errors that are not above their
/// floor are not drawn.
Plot plot_of(const Convergence& convergence);

/// What a step costs against what it is worth: the error at the end where it is known, otherwise the largest energy
/// error (of the balance of energy and work, where something does work).
Plot plot_of(const Comparison& comparison);

}  // namespace noslip
