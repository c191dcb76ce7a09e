// From a tape to machine code, in one pass over the instructions.
//
// A value lives in a register, in memory (its home: a constant, a slot of the workspace, a place in scratch), or both.
// One operand of an instruction may be read from memory for free, so that inputs and constants rarely need a register.
// When registers run out, the value that is needed latest goes; a value is written to scratch at most once. Calls lose
// all registers. Calls of one function that stand in a row and do not need each other become one call of the
// vectorised function.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "exec/assembler.hpp"
#include "exec/functions.hpp"
#include "exec/lifetimes.hpp"
#include "exec/registers.hpp"

namespace noslip {

class Translator {
 public:
  Translator(const Tape& tape, int width, int stride, Isa isa);

  /// The code of one run; null where the system does not allow memory for it.
  std::shared_ptr<const void> run();

  std::size_t scratch_size() const { return scratch_top_ + 8; }  // eight more, to align the rest

 protected:
  Translator(const Tape& tape, Lifetimes lifetimes, CodeAssembler::Shape shape, std::span<const double> constants);

  /// Instructions from `begin` to `end`, and the stores between them.
  void translate(std::uint32_t begin, std::uint32_t end);
  /// Stores up to a time.
  void write_outputs(std::uint32_t time);
  /// Copies the inputs that stores would overwrite too early.
  void save_inputs();

  void settle(std::uint32_t value, MemoryPlace home) {
    home_[value] = home;
    has_home_[value] = true;
  }
  MemoryPlace take_scratch();
  /// Scratch up to here is not for values that come and go.
  void keep_scratch(std::uint32_t size) { kept_scratch_ = scratch_top_ = size; }
  void spill(int reg);
  /// A register that nothing else gets until the instruction is done; `wanted` if it is free.
  int take_register(int wanted = -1);
  Source source(std::uint32_t value);
  void end_instruction();

  static std::vector<double> constants_of(const Tape& tape);
  static bool has_calls(const Tape& tape);

  const Tape& tape_;
  std::uint32_t width_;
  const FunctionTable& functions_;
  Lifetimes lifetimes_;
  CodeAssembler code_;
  RegisterFile registers_;
  std::vector<MemoryPlace> home_;
  std::vector<bool> has_home_;
  std::vector<MemoryPlace> output_places_;  // by slot; empty: the slots of the workspace
  std::vector<int> wanted_;                 // by value: the register that it should get if it can, or -1; may be empty

 private:
  // The register of an operand, loaded if need be; safe until the instruction is done.
  int in_register(std::uint32_t value);

  bool is_constant(std::uint32_t value) const { return value < tape_.first_input(); }
  bool is_dead(std::uint32_t value) const { return lifetimes_.next(value) == Lifetimes::never; }

  // One read of an operand is accounted for. What dies gives its register back at once, its scratch when the
  // instruction has been written: until then nothing may be put there.
  void pass(std::uint32_t value);
  void bury(std::uint32_t value);

  void arithmetic(std::uint32_t k);
  int unary(const Instruction& instruction, int wanted);
  int sign(const Instruction& instruction, int wanted);
  int less(const Instruction& instruction, int wanted);
  int select(const Instruction& instruction, int wanted);
  int binary(const Instruction& instruction, int wanted);
  // At most one operand of an FMA comes from memory, and one of those in registers is overwritten.
  int fused(const Instruction& instruction, int wanted);
  // Which operand to leave in memory: the constant, or the one that is needed again last. The factor of a square has to
  // be in a register.
  std::uint32_t operand_from_memory(const Instruction& instruction) const;

  // How many calls of one function from instruction k on can be made together.
  std::uint32_t calls_in_a_row(std::uint32_t k, std::vector<std::uint32_t>& calls) const;
  // Returns the instruction behind the calls.
  std::uint32_t call(std::uint32_t k);
  void come_into_being(std::uint32_t value, std::uint32_t scratch_index);

  std::uint32_t take_scratch_block(std::uint32_t size);
  // The arguments of all calls share one block per argument.
  std::uint32_t take_block(std::uint32_t& index);

  std::vector<std::uint32_t> free_scratch_, buried_;
  std::uint32_t scratch_top_ = 0, kept_scratch_ = 0;
  std::uint32_t argument_a_ = RegisterFile::nothing, argument_b_ = RegisterFile::nothing;
  std::size_t next_store_ = 0;
  std::uint32_t now_ = 0, end_ = 0;  // a time, and the end of the instructions that are being translated
};

}  // namespace noslip
