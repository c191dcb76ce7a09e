// The interpreter's loop, for any pack of numbers. Each source that includes this compiles it for other instructions:
// everything here has to be a template over a type of that source's own.
//
// Pack has: Scalar, Value, load, store, the arithmetic of TapeOp as static functions, and calls(program, op,
// run) for a run of one function.
#pragma once

#include <cstring>
#include <type_traits>

#include "exec/program.hpp"

namespace noslip {

// A step, read as two words: with one load per place the loads would be the bottleneck.
template <class Pack, class Index>
struct LoadedStep {
  using Word = std::conditional_t<sizeof(Index) == 2, std::uint32_t, std::uint64_t>;
  static constexpr int bits = 8 * sizeof(Index);
  Word ab, c_out;
  explicit LoadedStep(const Step<Index>& step) {
    static_assert(sizeof step == sizeof ab + sizeof c_out);
    std::memcpy(&ab, &step, sizeof ab);
    std::memcpy(&c_out, reinterpret_cast<const char*>(&step) + sizeof ab, sizeof c_out);
  }
  std::size_t a() const { return static_cast<Index>(ab); }
  std::size_t b() const { return static_cast<Index>(ab >> bits); }
  std::size_t c() const { return static_cast<Index>(c_out); }
  std::size_t out() const { return static_cast<Index>(c_out >> bits); }
};

// The steps of one run.
template <class Pack, class Index>
struct Run {
  const Step<Index>*begin, *end;
  typename Pack::Scalar* scratch;

  auto load(std::size_t place) const { return Pack::load(scratch + place); }

  template <class Program>
  void call_externals(const Program& program) const {
    using T = typename Pack::Scalar;
    constexpr int lanes = static_cast<int>(sizeof(typename Pack::Value) / sizeof(T));
    for (const Step<Index>* step = begin; step != end; ++step) {
      call_external<T>(program, step->a, scratch, scratch + step->out, lanes);
    }
  }

  template <class Operation>
  void each1(Operation operation) const {
#pragma GCC unroll 2
    for (const Step<Index>* step = begin; step != end; ++step) {
      const LoadedStep<Pack, Index> s(*step);
      Pack::store(scratch + s.out(), operation(load(s.a())));
    }
  }
  template <class Operation>
  void each2(Operation operation) const {
#pragma GCC unroll 2
    for (const Step<Index>* step = begin; step != end; ++step) {
      const LoadedStep<Pack, Index> s(*step);
      Pack::store(scratch + s.out(), operation(load(s.a()), load(s.b())));
    }
  }
  template <class Operation>
  void each3(Operation operation) const {
#pragma GCC unroll 2
    for (const Step<Index>* step = begin; step != end; ++step) {
      const LoadedStep<Pack, Index> s(*step);
      Pack::store(scratch + s.out(), operation(load(s.a()), load(s.b()), load(s.c())));
    }
  }
};

template <class Pack, class Index>
void interpret_steps(const typename Kernel<typename Pack::Scalar>::Program& program, const Step<Index>* step,
                     typename Pack::Scalar* scratch) {
  using V = typename Pack::Value;
  for (const StepRun& each : program.runs) {
    const Run<Pack, Index> run{step, step + each.count, scratch};
    step = run.end;
    switch (each.op) {
      case TapeOp::neg: run.each1([](V a) { return Pack::neg(a); }); break;
      case TapeOp::sqrt: run.each1([](V a) { return Pack::sqrt(a); }); break;
      case TapeOp::abs: run.each1([](V a) { return Pack::abs(a); }); break;
      case TapeOp::sign: run.each1([](V a) { return Pack::sign(a); }); break;
      case TapeOp::floor: run.each1([](V a) { return Pack::floor(a); }); break;
      case TapeOp::add: run.each2([](V a, V b) { return a + b; }); break;
      case TapeOp::sub: run.each2([](V a, V b) { return a - b; }); break;
      case TapeOp::mul: run.each2([](V a, V b) { return a * b; }); break;
      case TapeOp::div: run.each2([](V a, V b) { return a / b; }); break;
      case TapeOp::min: run.each2([](V a, V b) { return Pack::min(a, b); }); break;
      case TapeOp::max: run.each2([](V a, V b) { return Pack::max(a, b); }); break;
      case TapeOp::less: run.each2([](V a, V b) { return Pack::less(a, b); }); break;
      case TapeOp::fma: run.each3([](V a, V b, V c) { return Pack::fma(a, b, c); }); break;
      case TapeOp::fms: run.each3([](V a, V b, V c) { return Pack::fms(a, b, c); }); break;
      case TapeOp::fnma: run.each3([](V a, V b, V c) { return Pack::fnma(a, b, c); }); break;
      case TapeOp::fnms: run.each3([](V a, V b, V c) { return Pack::fnms(a, b, c); }); break;
      case TapeOp::select: run.each3([](V a, V b, V c) { return Pack::select(a, b, c); }); break;
      case TapeOp::argument: break;
      case TapeOp::call: run.call_externals(program); break;
      default: Pack::calls(program, each.op, run); break;
    }
  }
}

/// The next multiple of 64 bytes: a pack that lies across cache lines costs twice.
template <class T>
inline T* aligned(T* scratch) {
  return reinterpret_cast<T*>((reinterpret_cast<std::uintptr_t>(scratch) + 63) / 64 * 64);
}

template <class Pack>
void interpret(const typename Kernel<typename Pack::Scalar>::Program& program, typename Pack::Scalar* workspace,
               typename Pack::Scalar* scratch) {
  using T = typename Pack::Scalar;
  if (sizeof(typename Pack::Value) > sizeof(T)) scratch = aligned(scratch);
  if (!program.constants.empty()) {
    std::memcpy(scratch, program.constants.data(), program.constants.size() * sizeof(T));
  }
  for (const auto& load : program.loads) Pack::store(scratch + load.place, Pack::load(workspace + load.slot));
  if (program.wide_steps.empty()) {
    interpret_steps<Pack>(program, program.steps.data(), scratch);
  } else {
    interpret_steps<Pack>(program, program.wide_steps.data(), scratch);
  }
  for (const auto& store : program.stores) Pack::store(workspace + store.slot, Pack::load(scratch + store.place));
}

/// Calls of functions of doubles, through the table (`data`: of lookups): lanes one by one, single numbers as many at a time as pay.
template <int Width, class Pack, class Index>
inline void call_functions(const FunctionTable& table, TapeOp op, const Run<Pack, Index>& run, double* data) {
  const bool looks_up = is_lookup(op);
  double* const scratch = run.scratch;
  const Step<Index>* step = run.begin;
  const int most = table.efficient_width;
  while (Width == 1 && most > 1 && run.end - step > 1) {
    const int count = static_cast<int>(run.end - step < most ? run.end - step : most);
    const int total = count <= 4 ? 4 : 8;
    double a[8], b[8], out[8], out2[8];
    for (int k = 0; k < total; ++k) {
      const Step<Index>& each = step[k < count ? k : 0];
      a[k] = scratch[each.a];
      b[k] = scratch[each.b];
    }
    table.call(op, total)(a, b, out, looks_up ? data : out2);
    for (int k = 0; k < count; ++k) {
      scratch[step[k].out] = out[k];
      if (op == TapeOp::sincos) scratch[step[k].c] = out2[k];
    }
    step += count;
  }
  const FunctionCall call = table.call(op, Width);
  for (; step != run.end; ++step) {
    call(scratch + step->a, scratch + step->b, scratch + step->out, looks_up ? data : scratch + step->c);
  }
}

}  // namespace noslip
