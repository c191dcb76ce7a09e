// A digital controller, the table [sampled] of a system file: at the times t0, t0 + every, t0 + 2 every, ... it
// evaluates its values one after the other, in the order of the file, and holds those of inputs until the next sample.
//
//   [sampled]
//   every = 0.01
//   delay = 0.02                           # what it computes acts so much later; 0 if the key is missing
//   I     = "last(I) + 0.01*x"             # remembered from sample to sample
//   tau   = "-k*x - d*x' - c*I"            # an input
//
// Everything is an expression of System::graph(). Beside the symbols of the system (state and constants of a step,
// System::step_constants()) a value may contain `last` of every value and `now` of the values above it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <noslip/model/system.hpp>

namespace noslip {

struct Sampled {
  Expr every;  ///< time between two samples, in the parameters
  Expr delay;  ///< from a sample to the moment from which its inputs act, in the parameters; zero where none is given

  struct Value {
    std::string name;
    int input;  ///< index in System::inputs(); -1: a value that is remembered and acts on nothing by itself
    Expr value;
    Expr now;      ///< symbol: what `value` is at this sample. It is not the input's own symbol, which acts until then
    Expr last;     ///< symbol: what it was at the sample before
    Expr initial;  ///< `last` at the first sample: of the constants of a step
    std::string text;  ///< `value` as the user wrote it
  };
  std::vector<Value> values;  ///< in the order in which they are evaluated; at least one is an input
};

/// The numbers that a controller needs before its first sample.
struct SampledTimes {
  quad every = 0, delay = 0;
  std::vector<quad> last;  ///< Value::initial, one per value
};

/// `parameter_values` as System::parameter_values_quad has them. InputError where `every` is not positive, `delay`
/// negative, or anything not finite. The system has a controller (System::sampled()).
SampledTimes sampled_times(const System& system, std::span<const quad> parameter_values);

}  // namespace noslip
