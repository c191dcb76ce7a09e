// A flat program: straight-line code over numbered values, made from expressions.
//
// Values are numbered: first the constants, then the inputs, then one value per instruction, in order. Inputs are read
// from and outputs written to numbered slots of a workspace that the caller owns; several tapes share one workspace.
// A slot may be input and output of the same tape: every input is read as it was before the call.
//
// All decisions that change bits are made here, not in the back ends: dead code is gone, sin and cos of one argument
// are one instruction, products that feed one sum are fused (FMA), integer powers are multiplications, divisions by
// constants that are powers of two are multiplications, and several divisions by one denominator are one division and
// products. Interpreter and machine code therefore agree bit for bit. The order of the instructions is made for speed:
// calls of one function stand in a row, long chains start first, and few values are in flight.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

enum class TapeOp : std::uint8_t {
  neg, add, sub, mul, div,
  fma,   // a*b + c, one rounding (in extended precision two)
  fms,   // a*b - c
  fnma,  // c - a*b
  fnms,  // -a*b - c
  sqrt, abs, sign, floor, min, max,  // min: a < b ? a : b;  max: a > b ? a : b;  sign: -1, 0 (also of NaN), 1
  less, select,
  sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, log, atan2, pow,
  interval,  // of a table at a; b: the constant place_in_tables(table, 0)
  entry,     // of a table in the interval a; b: the constant place_in_tables(table, column)
  sincos,  // the sine; the cosine is the value of the `second` that follows it
  second,  // a: the sincos
  // A function written in C++. It has any number of arguments, an instruction has three: the arguments are tied together
  // first, which makes no number.
  argument,  // a: those before (the first one, or an argument), b: the next one
  call       // a: the only one, or the last argument; b: index of the Call, no value
};

bool is_function(TapeOp op);  ///< evaluated by a library call (sin ... sincos)
inline bool is_lookup(TapeOp op) { return op == TapeOp::interval || op == TapeOp::entry; }
int arity(TapeOp op);
const char* to_text(TapeOp op);

struct Instruction {
  TapeOp op;
  std::uint32_t a = 0, b = 0, c = 0;
};

class Tape {
 public:
  struct Input {
    Expr symbol;
    std::uint32_t slot;
  };
  struct Output {
    Expr expression;
    std::uint32_t slot;
  };

  Tape() = default;
  /// Every symbol that the outputs need must be among the inputs (assert); inputs that nothing needs are dropped.
  Tape(std::span<const Input> inputs, std::span<const Output> outputs);

  const std::vector<quad>& constants() const { return constants_; }
  const std::vector<std::uint32_t>& input_slots() const { return input_slots_; }
  const std::vector<Instruction>& code() const { return code_; }
  struct Store {
    std::uint32_t value;
    std::uint32_t slot;
  };
  const std::vector<Store>& stores() const { return stores_; }
  const std::vector<Call>& calls() const { return calls_; }
  /// Those that lookups name. Whoever runs the tape keeps them.
  const std::shared_ptr<const std::vector<Table>>& tables() const { return tables_; }
  /// The values that a call is made with.
  std::vector<std::uint32_t> arguments(const Instruction& call) const;

  std::uint32_t first_input() const { return static_cast<std::uint32_t>(constants_.size()); }
  std::uint32_t first_result() const { return first_input() + static_cast<std::uint32_t>(input_slots_.size()); }
  std::uint32_t value_count() const { return first_result() + static_cast<std::uint32_t>(code_.size()); }

  /// For tests and tools: a tape from its parts, checked (operands exist before use, `second` follows `sincos`, calls
  /// have their arguments).
  static Tape from_parts(std::vector<quad> constants, std::vector<std::uint32_t> input_slots,
                         std::vector<Instruction> code, std::vector<Store> stores, std::vector<Call> calls = {},
                         std::shared_ptr<const std::vector<Table>> tables = no_tables());

 private:
  std::vector<quad> constants_;
  std::vector<std::uint32_t> input_slots_;
  std::vector<Instruction> code_;
  std::vector<Store> stores_;
  static const std::shared_ptr<const std::vector<Table>>& no_tables();

  std::vector<Call> calls_;
  std::shared_ptr<const std::vector<Table>> tables_ = no_tables();
};

/// A readable listing, one instruction per line.
std::string to_text(const Tape& tape);

}  // namespace noslip
