// A picture of one run, collected while it goes on: millions of steps need no more memory than a few thousand.
//
//   RunPlot picture(system, parameters, "energy,x:y", t0, until);
//   options.every = 1;
//   options.sink = [&](const Sample& sample) { picture.add(sample); };
//   write_plot(picture.plot(integrate(system, options)), "run.svg", false);
#pragma once

#include <memory>
#include <span>
#include <string>

#include <noslip/io/plot.hpp>
#include <noslip/run/run.hpp>

namespace noslip {

class Archive;

class RunPlot {
 public:
  /// `show`: the panels, with commas between them.
  ///   energy        |E - E0|, without the work where something does work; logarithmic
  ///   constraints   largest residual of a constraint; logarithmic
  ///   invariants    |I - I0| of each; logarithmic
  ///   coordinates, velocities, multipliers, inputs, outputs   over time, all in one panel
  ///   NAME          a coordinate, velocity, multiplier, invariant, input, output or definition over time
  ///   A:B           B over A, for any two of them or t; scales are equal unless one range is 20 times the other
  ///   P + Q + ...   several of the last three kinds in one panel: names, or paths A:B
  /// Names of the system come first where they are the same. Empty: energy, constraints and coordinates, those that
  /// there are. InputError for everything that does not exist. The run reaches from `begin` to `end` or stops before.
  RunPlot(const System& system, std::span<const double> parameters, const std::string& show, double begin, double end);
  ~RunPlot();
  RunPlot(RunPlot&&) noexcept;
  RunPlot& operator=(RunPlot&&) noexcept;

  /// To be called after every step, or every few of very many; the first sample is the initial state.
  void add(const Sample& sample);

  Plot plot(const Trajectory& run) const;

  /// What was collected so far (core/archive.hpp), for a picture with the same panels, begin and end.
  void carry(Archive& archive);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace noslip
