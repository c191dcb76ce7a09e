// Backward differentiation by SUNDIALS IDA, or the own formulas where noslip was built without it.
#include "adaptive.hpp"

#if NOSLIP_HAS_SUNDIALS
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#endif

namespace noslip::papers {

#if NOSLIP_HAS_SUNDIALS

namespace {

constexpr long most_steps = 2000000;

std::span<double> values_of(N_Vector vector) {
  return {N_VGetArrayPointer(vector), static_cast<std::size_t>(N_VGetLength(vector))};
}

int residual(double t, N_Vector y, N_Vector rate, N_Vector r, void* problem) {
  static_cast<IndexReduced*>(problem)->residual(t, values_of(y), values_of(rate), values_of(r));
  const std::span<double> values = values_of(r);
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }) ? 0 : 1;
}

int newton_matrix(double t, double c, N_Vector y, N_Vector rate, N_Vector, SUNMatrix matrix, void* problem, N_Vector,
                  N_Vector, N_Vector) {
  const std::span<double> entries(SUNDenseMatrix_Data(matrix), static_cast<std::size_t>(SUNDenseMatrix_LData(matrix)));
  static_cast<IndexReduced*>(problem)->newton_matrix(t, values_of(y), values_of(rate), c, entries);
  return 0;
}

/// What a SUNDIALS function gives back, with the function that frees it.
template <class T, class Free>
auto owned(T* object, Free free) {
  return std::unique_ptr<T, Free>(object, free);
}

}  // namespace

std::string backward_differences_name() { return "SUNDIALS IDA"; }
bool has_variable_order() { return true; }

AdaptiveResult backward_differences(IndexReduced& problem, std::vector<double> y, const AdaptiveOptions& options,
                                    const AdaptiveSink& sink) {
  AdaptiveResult result;
  std::vector<double> rate(y.size());
  problem.rates(options.begin, y, rate);
  SUNContext made = nullptr;
  SUNContext_Create(nullptr, &made);
  const auto context = owned(made, [](SUNContext each) { SUNContext_Free(&each); });
  const auto size = static_cast<sunindextype>(y.size());
  const auto state = owned(N_VMake_Serial(size, y.data(), made), N_VDestroy);
  const auto slope = owned(N_VMake_Serial(size, rate.data(), made), N_VDestroy);
  const auto matrix = owned(SUNDenseMatrix(size, size, made), SUNMatDestroy);
  const auto linear = owned(SUNLinSol_Dense(state.get(), matrix.get(), made), SUNLinSolFree);
  const auto memory = owned(IDACreate(made), [](void* each) { IDAFree(&each); });
  IDAInit(memory.get(), residual, options.begin, state.get(), slope.get());
  IDASetUserData(memory.get(), &problem);
  IDASStolerances(memory.get(), options.relative, options.absolute);
  IDASetLinearSolver(memory.get(), linear.get(), matrix.get());
  IDASetJacFn(memory.get(), newton_matrix);
  IDASetMaxNumSteps(memory.get(), most_steps);
  IDASetStopTime(memory.get(), options.end);
  IDASetErrFile(memory.get(), nullptr);
  sink(options.begin, y);
  double t = options.begin;
  while (t < options.end) {
    const int flag = IDASolve(memory.get(), options.end, &t, state.get(), slope.get(), IDA_ONE_STEP);
    if (flag < 0 || result.steps >= most_steps) {
      result.problem = fmt::format("IDA gave up at t = {:g} (flag {})", t, flag);
      return result;
    }
    ++result.steps;
    sink(t, values_of(state.get()));
  }
  return result;
}

#else

std::string backward_differences_name() { return "BDF2"; }
bool has_variable_order() { return false; }

AdaptiveResult backward_differences(IndexReduced& problem, std::vector<double> y, const AdaptiveOptions& options,
                                    const AdaptiveSink& sink) {
  return second_backward_differences(problem, std::move(y), options, sink);
}

#endif

}  // namespace noslip::papers
