// Which instructions of the processor stand for an operation of a tape, for one number and for several.
#pragma once

#include <cassert>

#include <asmjit/x86.h>

#include "exec/assembler.hpp"

namespace noslip {

struct Ids {
  asmjit::x86::Inst::Id scalar, packed;
};

inline Ids binary_ids(TapeOp op) {
  switch (op) {
    case TapeOp::add: return {asmjit::x86::Inst::kIdVaddsd, asmjit::x86::Inst::kIdVaddpd};
    case TapeOp::sub: return {asmjit::x86::Inst::kIdVsubsd, asmjit::x86::Inst::kIdVsubpd};
    case TapeOp::mul: return {asmjit::x86::Inst::kIdVmulsd, asmjit::x86::Inst::kIdVmulpd};
    case TapeOp::div: return {asmjit::x86::Inst::kIdVdivsd, asmjit::x86::Inst::kIdVdivpd};
    case TapeOp::min: return {asmjit::x86::Inst::kIdVminsd, asmjit::x86::Inst::kIdVminpd};
    default: assert(op == TapeOp::max); return {asmjit::x86::Inst::kIdVmaxsd, asmjit::x86::Inst::kIdVmaxpd};
  }
}

inline Ids fused_ids(TapeOp op, CodeAssembler::Form form) {
  static constexpr Ids table[4][3] = {{{asmjit::x86::Inst::kIdVfmadd132sd, asmjit::x86::Inst::kIdVfmadd132pd},
                                       {asmjit::x86::Inst::kIdVfmadd213sd, asmjit::x86::Inst::kIdVfmadd213pd},
                                       {asmjit::x86::Inst::kIdVfmadd231sd, asmjit::x86::Inst::kIdVfmadd231pd}},
                                      {{asmjit::x86::Inst::kIdVfmsub132sd, asmjit::x86::Inst::kIdVfmsub132pd},
                                       {asmjit::x86::Inst::kIdVfmsub213sd, asmjit::x86::Inst::kIdVfmsub213pd},
                                       {asmjit::x86::Inst::kIdVfmsub231sd, asmjit::x86::Inst::kIdVfmsub231pd}},
                                      {{asmjit::x86::Inst::kIdVfnmadd132sd, asmjit::x86::Inst::kIdVfnmadd132pd},
                                       {asmjit::x86::Inst::kIdVfnmadd213sd, asmjit::x86::Inst::kIdVfnmadd213pd},
                                       {asmjit::x86::Inst::kIdVfnmadd231sd, asmjit::x86::Inst::kIdVfnmadd231pd}},
                                      {{asmjit::x86::Inst::kIdVfnmsub132sd, asmjit::x86::Inst::kIdVfnmsub132pd},
                                       {asmjit::x86::Inst::kIdVfnmsub213sd, asmjit::x86::Inst::kIdVfnmsub213pd},
                                       {asmjit::x86::Inst::kIdVfnmsub231sd, asmjit::x86::Inst::kIdVfnmsub231pd}}};
  return table[static_cast<int>(op) - static_cast<int>(TapeOp::fma)][static_cast<int>(form)];
}

}  // namespace noslip
