// The interpreter for one double at a time, compiled with AVX2, FMA and BMI2. What it costs is the number of
// instructions per step, hence one load for a step, no place for its result, and no look at signs.
#include "exec/program.hpp"

#if defined(__AVX2__) && defined(__FMA__) && defined(__BMI2__)

#include "exec/vector_pack.hpp"

namespace noslip {
namespace {

// One number, twice while it is computed, beside its opposite when it is kept.
struct Pair {
  using Value = __m128d;
  static Value load(const double* from) { return _mm_loaddup_pd(from); }
  static void store(double* to, Value value) { _mm_store_pd(to, _mm_xor_pd(value, _mm_set_pd(-0.0, 0.0))); }
  static Value fma(Value a, Value b, Value c) { return _mm_fmadd_pd(a, b, c); }
  static Value sqrt(Value a) { return _mm_sqrt_pd(a); }
  static Value abs(Value a) { return _mm_andnot_pd(_mm_set1_pd(-0.0), a); }
  static Value floor(Value a) { return _mm_floor_pd(a); }
};
using Pack = VectorPack<Pair>;
using V = Pack::Value;

struct Operands {
  std::uint64_t a, b, c;
};

inline std::uint64_t word_of(const Step<std::uint16_t>& step) {
  std::uint64_t word = 0;
  static_assert(sizeof word == sizeof step);
  std::memcpy(&word, &step, sizeof word);
  return word;
}

// How a step is taken apart. `out` is zero.
struct ByShifts {
  static Operands operands(const Step<std::uint16_t>& step) {
    const std::uint64_t word = word_of(step);
    return {word & 0xFFFF, static_cast<std::uint32_t>(word) >> 16, word >> 32};
  }
  static Operands operands(const Step<std::uint32_t>& step) { return {step.a, step.b, step.c}; }
};
// One instruction per place, where the processor does not emulate it.
struct ByExtraction {
  static Operands operands(const Step<std::uint16_t>& step) {
    const std::uint64_t word = word_of(step);
    return {word & 0xFFFF, _pext_u64(word, 0xFFFF0000), _pext_u64(word, 0xFFFF00000000)};
  }
  static Operands operands(const Step<std::uint32_t>& step) { return {step.a, step.b, step.c}; }
};

bool extraction_is_fast() { return !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2"); }

template <class Unpack, class Index>
struct PairRun {
  const Step<Index>*begin, *end;
  double* scratch;
  double* out;

  template <class Operation>
  double* each(Operation operation) const {
    double* to = out;
#pragma GCC unroll 4
    for (const Step<Index>* step = begin; step != end; ++step, to += 2) {
      const Operands at = Unpack::operands(*step);
      Pair::store(to, operation(scratch + at.a, scratch + at.b, scratch + at.c));
    }
    return to;
  }
  template <class Operation>
  double* each1(Operation operation) const {
    return each([&](const double* a, const double*, const double*) { return operation(Pair::load(a)); });
  }
  template <class Operation>
  double* each2(Operation operation) const {
    return each(
        [&](const double* a, const double* b, const double*) { return operation(Pair::load(a), Pair::load(b)); });
  }
  template <class Operation>
  double* each3(Operation operation) const {
    return each([&](const double* a, const double* b, const double* c) {
      return operation(Pair::load(a), Pair::load(b), Pair::load(c));
    });
  }

  double* externals(const Kernel<double>::Program& program) const {
    double* to = out;
    for (const Step<Index>* step = begin; step != end; ++step, to += 2) {
      double result = 0;
      call_external<double>(program, step->a, scratch, &result, 1);
      Pair::store(to, Pair::load(&result));
    }
    return to;
  }

  // As many calls at a time as pay.
  double* calls(const FunctionTable& table, TapeOp op, double* data) const {
    double* to = out;
    for (const Step<Index>* step = begin; step != end;) {
      const int count = static_cast<int>(end - step < table.efficient_width ? end - step : table.efficient_width);
      const int total = count == 1 ? 1 : count <= 4 ? 4 : 8;
      double a[8], b[8], first[8], second[8];
      for (int k = 0; k < total; ++k) {
        const Step<Index>& each = step[k < count ? k : 0];
        a[k] = scratch[each.a];
        b[k] = scratch[each.b];
      }
      table.call(op, total)(a, b, first, is_lookup(op) ? data : second);
      for (int k = 0; k < count; ++k, to += 2) {
        Pair::store(to, Pair::load(first + k));
        if (op == TapeOp::sincos) Pair::store(to += 2, Pair::load(second + k));
      }
      step += count;
    }
    return to;
  }
};

template <class Unpack, class Index>
void interpret_steps(const Kernel<double>::Program& program, const Step<Index>* step, double* scratch, double* out) {
  for (const StepRun& each : program.runs) {
    const PairRun<Unpack, Index> run{step, step + each.count, scratch, out};
    step = run.end;
    switch (each.op) {
      case TapeOp::fma: out = run.each3([](V a, V b, V c) { return Pack::fma(a, b, c); }); break;
      case TapeOp::div: out = run.each2([](V a, V b) { return a / b; }); break;
      case TapeOp::sqrt: out = run.each1([](V a) { return Pack::sqrt(a); }); break;
      case TapeOp::abs: out = run.each1([](V a) { return Pack::abs(a); }); break;
      case TapeOp::sign: out = run.each1([](V a) { return Pack::sign(a); }); break;
      case TapeOp::floor: out = run.each1([](V a) { return Pack::floor(a); }); break;
      case TapeOp::min: out = run.each2([](V a, V b) { return Pack::min(a, b); }); break;
      case TapeOp::max: out = run.each2([](V a, V b) { return Pack::max(a, b); }); break;
      case TapeOp::less: out = run.each2([](V a, V b) { return Pack::less(a, b); }); break;
      case TapeOp::select: out = run.each3([](V a, V b, V c) { return Pack::select(a, b, c); }); break;
      case TapeOp::argument: out += 2 * each.count; break;
      case TapeOp::call: out = run.externals(program); break;
      default: out = run.calls(*program.functions, each.op, data_of(program.tables)); break;
    }
  }
}

template <class Unpack>
void interpret_pairs(const Kernel<double>::Program& program, double* workspace, double* scratch) {
  scratch = aligned(scratch);
  std::memcpy(scratch, program.constants.data(), program.constants.size() * sizeof(double));
  double* out = scratch + program.constants.size();
#pragma GCC unroll 4
  for (const auto& load : program.loads) {
    Pair::store(out, Pair::load(workspace + load.slot));
    out += 2;
  }
  if (program.wide_steps.empty()) {
    interpret_steps<Unpack>(program, program.steps.data(), scratch, out);
  } else {
    interpret_steps<Unpack>(program, program.wide_steps.data(), scratch, out);
  }
#pragma GCC unroll 4
  for (const auto& store : program.stores) workspace[store.slot] = scratch[store.place];
}

}  // namespace

RunProgram<double> interpreter_of_pairs() {
  return extraction_is_fast() ? interpret_pairs<ByExtraction> : interpret_pairs<ByShifts>;
}

}  // namespace noslip

#else

namespace noslip {
RunProgram<double> interpreter_of_pairs() { return nullptr; }
}  // namespace noslip

#endif
