// A system and a method, compiled once for all step sizes, parameters, inputs, states and threads.
//
//   const noslip::Program program(sleigh, {.method = "gauss:2"});       // double; Program<quad> has 113 bits, 34 digits
//   noslip::Stepper stepper(program, 0.01);                             // run/stepper.hpp
//
// A Program is const and cheap to copy; any number of threads may use it. Programs are kept by system, method and
// options: to make the same one again costs a look-up. Two Systems are the same if one is a copy of the other.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <noslip/core/scalar.hpp>
#include <noslip/exec/kernel.hpp>
#include <noslip/model/system.hpp>

namespace noslip {

template <class T>
struct ProgramData;
struct MethodTraits;

struct ProgramOptions {
  std::string method = "gauss:2";
  Backend backend = Backend::automatic;
  int lanes = 1;         ///< states side by side: 1, 4 or 8; more than 1 in double precision only
  double tolerance = 0;  ///< as RunOptions::tolerance

  /// InputError for values that make no sense.
  void check() const;
  friend bool operator==(const ProgramOptions&, const ProgramOptions&) = default;
};

template <class T = double>
class Program {
 public:
  /// Compiles, unless it was done before. InputError for options that make no sense, for a method that does not exist
  /// or cannot integrate the system.
  explicit Program(const System& system, const ProgramOptions& options = {});
  explicit Program(std::shared_ptr<const ProgramData<T>> data) : data_(std::move(data)) {}

  const System& system() const;
  const ProgramOptions& options() const;
  const MethodTraits& method() const;  ///< method/method.hpp
  int lanes() const { return options().lanes; }
  bool is_explicit() const;      ///< steps need no iteration
  bool is_machine_code() const;  ///< otherwise the interpreter runs them

  /// The numbers of a state: names of q, v and what else a step carries on (multipliers, momenta, work).
  std::vector<std::string> state_names() const;
  std::size_t bytes_per_stepper() const;  ///< of numbers, roughly

  const ProgramData<T>& data() const { return *data_; }  ///< for the engine itself
  const std::shared_ptr<const ProgramData<T>>& shared() const { return data_; }

 private:
  std::shared_ptr<const ProgramData<T>> data_;
};

/// How many programs are kept at most, and how many were compiled so far in this process.
struct ProgramCounts {
  std::size_t most_kept = 0;
  long long compiled = 0;
};
ProgramCounts program_counts();
/// Lets go of all programs that nobody else uses. Other threads in which integrate has run keep up to four of each
/// precision, until they end or run other programs.
void forget_programs();

extern template class Program<double>;
extern template class Program<long double>;
extern template class Program<quad>;

}  // namespace noslip
