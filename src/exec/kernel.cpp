#include <noslip/exec/kernel.hpp>

#include <cassert>
#include <type_traits>

#include <fmt/format.h>

#include <noslip/core/error.hpp>
#include <noslip/core/options.hpp>

#include "exec/kernel_access.hpp"
#include "exec/machine_code.hpp"
#include "exec/program.hpp"

namespace noslip {
namespace {

template <class T>
typename Kernel<T>::Program make_program_for(Isa isa, const Tape& tape, int lanes) {
  typename Kernel<T>::Program program;
  if constexpr (std::is_same_v<T, double>) {
    RunProgram<double> loop = nullptr;
    if (lanes == 1) {
      if (isa != Isa::baseline) loop = interpreter_of_pairs();
      program = loop != nullptr ? make_paired_program(tape) : make_program<double>(tape, 1);
    } else {
      if (isa == Isa::avx512) loop = interpreter_avx512(lanes);
      if (loop == nullptr && isa != Isa::baseline) loop = interpreter_avx2(lanes);
      program = make_program<double>(tape, lanes);
    }
    program.functions = &functions(isa);
    program.run = loop != nullptr ? loop : interpreter_baseline(lanes);
  } else {
    program = make_program<T>(tape, lanes);
    program.run = interpreter_extended<T>();
  }
  return program;
}

std::string why_it_calls(const Tape& tape) {
  return fmt::format("'{}' is a function written in C++", tape.calls().front().function.name());
}

MachineCode::Entry entry(const void* code) {
  return reinterpret_cast<MachineCode::Entry>(reinterpret_cast<std::uintptr_t>(code));
}

}  // namespace

std::string to_text(Backend backend) { return choice_name("backend", backend); }

std::string why_no_machine_code() { return why_no_machine_code(native_isa()); }

template <class T>
void KernelAccess<T>::run_program(const Kernel<T>& kernel, T* workspace, T* scratch) {
  kernel.program_->run(*kernel.program_, workspace, scratch);
}

template <class T>
void KernelAccess<T>::run_code(const Kernel<T>& kernel, T* workspace, T* scratch) {
  if constexpr (std::is_same_v<T, double>) entry(kernel.machine_code_.get())(workspace, scratch);
}

template <class T>
void KernelAccess<T>::run_code_twice(const Kernel<T>& kernel, T* workspace, T* scratch) {
  if constexpr (std::is_same_v<T, double>) {
    entry(kernel.machine_code_.get())(workspace, scratch);
    entry(kernel.machine_code_.get())(workspace + kernel.lanes_ / 2, scratch);
  }
}

template <class T>
bool KernelAccess<T>::build(Kernel<T>& kernel, const Tape& tape, Backend backend, int lanes, Isa isa) {
  assert(backend != Backend::automatic);
  kernel.lanes_ = lanes;
  if (backend == Backend::jit) {
    assert(tape.calls().empty());
    const MachineCode code = compile(tape, lanes, isa);
    if (code.entry == nullptr) return false;
    kernel.machine_code_ = code.entry;
    kernel.scratch_size_ = code.scratch_size;
    kernel.run_ = code.passes == 2 ? run_code_twice : run_code;
    return true;
  }
  auto program = std::make_shared<typename Kernel<T>::Program>(make_program_for<T>(isa, tape, lanes));
  kernel.scratch_size_ = program->scratch_size;
  kernel.program_ = std::move(program);
  kernel.run_ = run_program;
  return true;
}

template <class T>
bool KernelAccess<T>::wants_machine_code(const Tape& tape, Backend backend, int lanes) {
  constexpr bool is_double = std::is_same_v<T, double>;
  std::vector<Problem> problems;
  if (lanes != 1 && lanes != 4 && lanes != 8) {
    problems.push_back({fmt::format("a kernel of {} lanes", lanes), {}, "use 1, 4 or 8 lanes"});
  } else if (lanes != 1 && !is_double) {
    problems.push_back({fmt::format("{} lanes in extended precision", lanes), {}, "use 1 lane, or double precision"});
  }
  const std::string reason = !is_double              ? "extended precision"
                             : !tape.calls().empty() ? why_it_calls(tape)
                                                     : why_no_machine_code();
  if (backend == Backend::jit && !reason.empty()) {
    problems.push_back({fmt::format("no machine code here: {}", reason), {}, "use the backend auto or interpreter"});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return backend != Backend::interpreter && reason.empty();
}

template <class T>
Kernel<T>::Kernel(const Tape& tape, Backend backend, int lanes) {
  const bool compiles = KernelAccess<T>::wants_machine_code(tape, backend, lanes);
  if (compiles && KernelAccess<T>::build(*this, tape, Backend::jit, lanes, native_isa())) return;
  if (backend == Backend::jit) {
    throw InputError("no machine code here: the system has no executable memory left",
                     "use the backend auto or interpreter");
  }
  KernelAccess<T>::build(*this, tape, Backend::interpreter, lanes, native_isa());
}

template class Kernel<double>;
template class Kernel<long double>;
template class Kernel<quad>;
template struct KernelAccess<double>;
template struct KernelAccess<long double>;
template struct KernelAccess<quad>;

}  // namespace noslip
