// The interpreter's form of a tape: runs of equal instructions, with places in a scratch array instead of value
// numbers.
//
// What an interpreter loses, it loses between instructions: a jump that is predicted wrongly costs as much as ten sums.
// The instructions are therefore put into another order (which changes no bits), in which equal operations follow each
// other as far as the data allow, and the jump is made once per run.
//
// A place is an index of the scratch array, already multiplied by the number of lanes. Constants come first, then the
// inputs, copied there when a call begins; results take over the places of values that nothing needs any more.
#pragma once

#include <cstdint>
#include <vector>

#include <noslip/exec/kernel.hpp>

#include "exec/functions.hpp"

namespace noslip {

template <class Index>
struct Step {
  Index a, b, c, out;  // c of a sincos: where the cosine goes
};

struct StepRun {
  TapeOp op;
  std::uint32_t count;  // the steps of a run of calls do not need each other
};

template <class T>
struct Kernel<T>::Program {
  struct Move {
    std::uint32_t place, slot;  // slot: an index of the workspace, multiplied by the number of lanes
  };
  std::vector<T> constants;  // repeated for every lane
  std::vector<Move> loads;
  std::vector<StepRun> runs;
  // One of the two: small places make a program that fits twice as often into the fastest cache.
  std::vector<Step<std::uint16_t>> steps;
  std::vector<Step<std::uint32_t>> wide_steps;
  std::vector<Move> stores;
  /// Calls of functions written in C++, one per step; `a` of the step says which.
  struct ExternalCall {
    Call call;
    std::vector<std::uint32_t> arguments;  // places
  };
  std::vector<ExternalCall> external_calls;
  std::shared_ptr<const std::vector<Table>> tables;  // of lookups
  std::size_t scratch_size = 0;
  const FunctionTable* functions = nullptr;  // double only
  void (*run)(const Program& program, T* workspace, T* scratch) = nullptr;
};

template <class T>
typename Kernel<T>::Program make_program(const Tape& tape, int lanes);

/// A program for one lane of double, where the processor has FMA. A place holds a number and, behind it, the number
/// with the other sign. A step chooses the sign of its operands for free, so that every sum, difference and product is
/// an fma: a - b is a * 1 + (-b), a * b is a * b + (-0). Most of a tape becomes one run.
Kernel<double>::Program make_paired_program(const Tape& tape);

/// Makes one of the calls of a program, for every lane: its results go to out[0], ..., which may be the place of an
/// argument.
template <class T>
void call_external(const typename Kernel<T>::Program& program, std::size_t call, const T* scratch, T* out, int lanes);

template <class T>
using RunProgram = decltype(Kernel<T>::Program::run);

// The loops, compiled for an instruction set each; null where the compiler was not told to use it.
RunProgram<double> interpreter_baseline(int lanes);
RunProgram<double> interpreter_avx2(int lanes);    // 4 or 8 lanes
RunProgram<double> interpreter_avx512(int lanes);  // 4 or 8 lanes
RunProgram<double> interpreter_of_pairs();         // for make_paired_program()
template <class T>
RunProgram<T> interpreter_extended();  // long double and quad, one lane

}  // namespace noslip
