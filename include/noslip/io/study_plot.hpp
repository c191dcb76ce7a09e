// Pictures of studies.
#pragma once

#include <noslip/io/plot.hpp>
#include <noslip/run/compare.hpp>
#include <noslip/run/converge.hpp>
#include <noslip/run/over_time.hpp>

namespace noslip {

/// Errors over steps, both logarithmic: a panel each for q, v and the multipliers (those that there are), one colour
/// and marker per method, and a grey guide line for every order that a method claims. Errors that are not above their
/// floor are not drawn.
Plot plot_of(const Convergence& convergence);

/// What a step costs against what it is worth: the error at the end where it is known, otherwise the largest energy
/// error (of the balance of energy and work, where something does work).
Plot plot_of(const Comparison& comparison);

/// Errors over time, on a logarithmic axis: a panel for the energy (or the balance of energy and work) and one for the
/// constraints, those that there are; a line per method. Zeros are drawn at a floor below all other values, and a note
/// tells where that is.
Plot plot_of(const ComparisonOverTime& study);

}  // namespace noslip
