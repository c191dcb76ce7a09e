// From a tape to machine code, in one pass over the instructions.
//
// A value lives in a register, in memory (its home: a constant, a slot of the workspace, a place in scratch), or both.
// One operand of an instruction may be read from memory for free, so that inputs and constants rarely need a register.
// When registers run out, the value that is needed latest goes; a value is written to scratch at most once. Calls lose
// all registers. Calls of one function that stand in a row and do not need each other become one call of the
// vectorised function.
#include "exec/machine_code.hpp"

#include <array>
#include <cassert>
#include <stdexcept>

#include "exec/assembler.hpp"
#include "exec/executable_memory.hpp"
#include "exec/functions.hpp"
#include "exec/lifetimes.hpp"
#include "exec/registers.hpp"

namespace noslip {

#if NOSLIP_HAS_ASMJIT

namespace {

bool has_calls(const Tape& tape) {
  for (const Instruction& instruction : tape.code()) {
    if (is_function(instruction.op)) return true;
  }
  return false;
}

std::vector<double> pool_of(const Tape& tape) {
  std::vector<double> pool;
  for (const quad constant : tape.constants()) pool.push_back(static_cast<double>(constant));
  return pool;
}

class Translator {
 public:
  Translator(const Tape& tape, int width, int stride, Isa isa)
      : tape_(tape),
        width_(static_cast<std::uint32_t>(width)),
        functions_(functions(isa)),
        lifetimes_(tape),
        code_(isa, width, stride, pool_of(tape), has_calls(tape)),
        registers_(code_.register_count(), tape.value_count()),
        home_(tape.value_count()),
        has_home_(tape.value_count(), false) {
    for (std::uint32_t k = 0; k < tape.first_input(); ++k) settle(k, {MemoryPlace::Base::pool, k});
    for (std::uint32_t k = tape.first_input(); k < tape.first_result(); ++k) {
      settle(k, {MemoryPlace::Base::workspace, tape.input_slots()[k - tape.first_input()]});
    }
  }

  std::shared_ptr<const void> run() {
    for (const std::uint32_t input : lifetimes_.inputs_to_save()) {
      const MemoryPlace copy = take_scratch();
      code_.load(0, home_[input]);
      code_.store(copy, 0);
      home_[input] = copy;
    }
    const auto size = static_cast<std::uint32_t>(tape_.code().size());
    for (std::uint32_t k = 0; k < size;) {
      now_ = 2 * k;
      const std::uint32_t next = is_function(tape_.code()[k].op) ? call(k) : k + 1;
      if (next == k + 1 && !is_function(tape_.code()[k].op)) arithmetic(k);
      write_outputs(2 * (next - 1) + 1);
      k = next;
    }
    write_outputs(2 * size + 1);
    return code_.finish();
  }

  std::size_t scratch_size() const { return scratch_top_ + 8; }  // eight more, to align the rest

 private:
  void settle(std::uint32_t value, MemoryPlace home) {
    home_[value] = home;
    has_home_[value] = true;
  }

  MemoryPlace take_scratch() {
    std::uint32_t index = 0;
    if (free_scratch_.empty()) {
      index = scratch_top_;
      scratch_top_ += width_;
    } else {
      index = free_scratch_.back();
      free_scratch_.pop_back();
    }
    return {MemoryPlace::Base::scratch, index};
  }

  void spill(int reg) {
    const std::uint32_t value = registers_.held(reg);
    if (has_home_[value]) return;
    settle(value, take_scratch());
    code_.store(home_[value], reg);
  }

  int take_register() {
    int reg = registers_.find_free();
    if (reg < 0) {
      reg = registers_.find_victim(lifetimes_, now_, has_home_);
      spill(reg);
      registers_.release(reg);
    }
    registers_.lock(reg);
    return reg;
  }

  // The register of an operand, loaded if need be; safe until the instruction is done.
  int in_register(std::uint32_t value) {
    int reg = registers_.of(value);
    if (reg < 0) {
      reg = take_register();
      code_.load(reg, home_[value]);
      registers_.assign(reg, value);
    }
    registers_.lock(reg);
    return reg;
  }

  Source source(std::uint32_t value) {
    const int reg = registers_.of(value);
    if (reg < 0) return {-1, home_[value]};
    registers_.lock(reg);
    return {reg, {}};
  }

  bool is_constant(std::uint32_t value) const { return value < tape_.first_input(); }
  bool is_dead(std::uint32_t value) const { return lifetimes_.next(value) == Lifetimes::never; }

  // One read of an operand is accounted for. What dies gives its register back at once, its scratch when the
  // instruction has been written: until then nothing may be put there.
  void pass(std::uint32_t value) {
    lifetimes_.pass(value);
    if (is_dead(value)) bury(value);
  }
  void bury(std::uint32_t value) {
    const int reg = registers_.of(value);
    if (reg >= 0) {
      registers_.release(reg);
      registers_.unlock(reg);
    }
    if (has_home_[value] && home_[value].base == MemoryPlace::Base::scratch) {
      buried_.push_back(home_[value].index);
      has_home_[value] = false;
    }
  }
  void end_instruction() {
    free_scratch_.insert(free_scratch_.end(), buried_.begin(), buried_.end());
    buried_.clear();
    registers_.unlock_all();
  }

  void arithmetic(std::uint32_t k) {
    const Instruction& instruction = tape_.code()[k];
    if (instruction.op == TapeOp::second) return;  // made together with its sincos
    const std::uint32_t own = tape_.first_result() + k;
    const int count = arity(instruction.op);
    if (is_dead(own)) {
      pass(instruction.a);
      if (count > 1) pass(instruction.b);
      if (count > 2) pass(instruction.c);
      end_instruction();
      return;
    }
    int result = -1;
    switch (instruction.op) {
      case TapeOp::neg:
      case TapeOp::abs:
      case TapeOp::sqrt: result = unary(instruction); break;
      case TapeOp::sign: result = sign(instruction); break;
      case TapeOp::less: result = less(instruction); break;
      case TapeOp::select: result = select(instruction); break;
      case TapeOp::fma:
      case TapeOp::fms:
      case TapeOp::fnma:
      case TapeOp::fnms: result = fused(instruction); break;
      default: result = binary(instruction); break;
    }
    registers_.assign(result, own);
    end_instruction();
  }

  int unary(const Instruction& instruction) {
    const int a = in_register(instruction.a);
    pass(instruction.a);
    const int to = take_register();
    code_.unary(instruction.op, to, a);
    return to;
  }

  int sign(const Instruction& instruction) {
    const int a = in_register(instruction.a);
    const int to = take_register(), temporary = take_register();
    code_.sign(to, temporary, a);
    pass(instruction.a);
    return to;
  }

  int less(const Instruction& instruction) {
    const int a = in_register(instruction.a);
    const Source b = source(instruction.b);
    pass(instruction.a);
    pass(instruction.b);
    const int to = take_register();
    code_.less(to, a, b);
    return to;
  }

  int select(const Instruction& instruction) {
    const int a = in_register(instruction.a), b = in_register(instruction.b), c = in_register(instruction.c);
    const int to = take_register();
    code_.select(to, a, b, c);
    pass(instruction.a);
    pass(instruction.b);
    pass(instruction.c);
    return to;
  }

  int binary(const Instruction& instruction) {
    std::uint32_t left = instruction.a, right = instruction.b;
    const bool commutes = instruction.op == TapeOp::add || instruction.op == TapeOp::mul;
    if (commutes && registers_.of(left) < 0 && (registers_.of(right) >= 0 || is_constant(left))) std::swap(left, right);
    source(right);  // not to be evicted for the sake of the left one
    const int a = in_register(left);
    const Source b = source(right);
    pass(left);
    pass(right);
    const int to = take_register();
    code_.binary(instruction.op, to, a, b);
    return to;
  }

  // At most one operand of an FMA comes from memory, and one of those in registers is overwritten.
  int fused(const Instruction& instruction) {
    using Form = CodeAssembler::Form;
    std::uint32_t a = instruction.a, b = instruction.b;
    const std::uint32_t c = instruction.c;
    const std::uint32_t in_memory = operand_from_memory(instruction);
    for (const std::uint32_t value : {a, b, c}) source(value);
    for (const std::uint32_t value : {a, b, c}) {
      if (value != in_memory) in_register(value);
    }
    if (a == in_memory) std::swap(a, b);
    const Source from_a = source(a), from_b = source(b), from_c = source(c);
    for (const std::uint32_t value : {a, b, c}) pass(value);

    const auto overwrite = [&](int reg) {
      registers_.lock(reg);
      return reg;
    };
    int to = -1;
    if (c == in_memory) {
      if (is_dead(a) || is_dead(b)) {
        const bool is_a = is_dead(a);
        to = overwrite(is_a ? from_a.reg : from_b.reg);
        code_.fused(instruction.op, Form::d_times_2_plus_3, to, is_a ? from_b.reg : from_a.reg, from_c);
      } else {
        to = take_register();
        code_.load(to, from_c.place);
        code_.fused(instruction.op, Form::d_plus_2_times_3, to, from_a.reg, from_b);
      }
    } else if (is_dead(c)) {
      to = overwrite(from_c.reg);
      code_.fused(instruction.op, Form::d_plus_2_times_3, to, from_a.reg, from_b);
    } else if (is_dead(a)) {
      to = overwrite(from_a.reg);
      code_.fused(instruction.op, Form::d_times_3_plus_2, to, from_c.reg, from_b);
    } else if (is_dead(b) && b != in_memory) {
      to = overwrite(from_b.reg);
      code_.fused(instruction.op, Form::d_times_3_plus_2, to, from_c.reg, from_a);
    } else if (b == in_memory) {
      to = take_register();
      code_.load(to, from_b.place);
      code_.fused(instruction.op, Form::d_times_2_plus_3, to, from_a.reg, from_c);
    } else {
      to = take_register();
      code_.move(to, from_c.reg);
      code_.fused(instruction.op, Form::d_plus_2_times_3, to, from_a.reg, from_b);
    }
    return to;
  }

  // Which operand to leave in memory: the constant, or the one that is needed again last. The factor of a square has to
  // be in a register.
  std::uint32_t operand_from_memory(const Instruction& instruction) const {
    std::uint32_t best = RegisterFile::nothing;
    std::uint64_t best_distance = 0;
    for (const std::uint32_t value : {instruction.a, instruction.b, instruction.c}) {
      const int occurrences = (value == instruction.a) + (value == instruction.b) + (value == instruction.c);
      if (registers_.of(value) >= 0 || occurrences > 1) continue;
      const std::uint64_t distance = is_constant(value) ? Lifetimes::never : lifetimes_.next_but_one(value);
      if (best == RegisterFile::nothing || distance > best_distance) {
        best = value;
        best_distance = distance;
      }
    }
    return best;
  }

  // How many calls of one function from instruction k on can be made together.
  std::uint32_t calls_in_a_row(std::uint32_t k, std::vector<std::uint32_t>& calls) const {
    const std::uint32_t first_own = tape_.first_result() + k;
    const TapeOp op = tape_.code()[k].op;
    const std::size_t most = std::max<std::size_t>(1, static_cast<std::size_t>(functions_.efficient_width) / width_);
    std::uint32_t end = k;
    while (end < tape_.code().size() && calls.size() < most) {
      const Instruction& instruction = tape_.code()[end];
      const bool is_independent = instruction.a < first_own && (arity(op) < 2 || instruction.b < first_own);
      if (instruction.op != op || !is_independent) break;
      calls.push_back(end++);
      if (end < tape_.code().size() && tape_.code()[end].op == TapeOp::second) ++end;
    }
    return end;
  }

  // Returns the instruction behind the calls.
  std::uint32_t call(std::uint32_t k) {
    std::vector<std::uint32_t> calls;
    const std::uint32_t end = calls_in_a_row(k, calls);
    const TapeOp op = tape_.code()[k].op;
    const bool is_binary = arity(op) == 2;
    const std::size_t numbers = calls.size() * width_;
    const std::uint32_t total = numbers == 1 ? 1 : numbers <= 4 ? 4 : 8;

    std::vector<Source> a, b;
    std::uint32_t keep = 0;
    for (const std::uint32_t each : calls) {
      a.push_back(source(tape_.code()[each].a));
      if (!is_binary) continue;
      b.push_back(source(tape_.code()[each].b));
      if (b.back().reg >= 0) keep |= 1u << b.back().reg;
    }
    for (const std::uint32_t each : calls) {
      pass(tape_.code()[each].a);
      if (is_binary) pass(tape_.code()[each].b);
    }
    for (int reg = 0; reg < registers_.count(); ++reg) {
      if (registers_.held(reg) != RegisterFile::nothing) spill(reg);
    }
    const std::uint32_t arguments_a = take_block(argument_a_), arguments_b = is_binary ? take_block(argument_b_) : 0;
    code_.gather(arguments_a, a, static_cast<int>(total), keep);
    if (is_binary) code_.gather(arguments_b, b, static_cast<int>(total), 0);
    registers_.clear();
    const std::uint32_t out = take_scratch_block(total);
    const std::uint32_t out2 = op == TapeOp::sincos ? take_scratch_block(total) : 0;
    code_.call(functions_.call(op, static_cast<int>(total)), arguments_a, arguments_b, out, out2);

    for (std::uint32_t i = 0; i < calls.size(); ++i) {
      const std::uint32_t own = tape_.first_result() + calls[i];
      come_into_being(own, out + i * width_);
      if (op != TapeOp::sincos) continue;
      const bool has_second = calls[i] + 1 < end && tape_.code()[calls[i] + 1].op == TapeOp::second;
      if (has_second) come_into_being(own + 1, out2 + i * width_);
    }
    end_instruction();
    return end;
  }

  void come_into_being(std::uint32_t value, std::uint32_t scratch_index) {
    settle(value, {MemoryPlace::Base::scratch, scratch_index});
    if (is_dead(value)) bury(value);
  }

  std::uint32_t take_scratch_block(std::uint32_t size) {
    scratch_top_ = (scratch_top_ + size - 1) / size * size;
    const std::uint32_t index = scratch_top_;
    scratch_top_ += size;
    while (scratch_top_ % width_ != 0) ++scratch_top_;
    return index;
  }
  // The arguments of all calls share one block per argument.
  std::uint32_t take_block(std::uint32_t& index) {
    if (index == RegisterFile::nothing) index = take_scratch_block(8);
    return index;
  }

  void write_outputs(std::uint32_t time) {
    const auto& stores = lifetimes_.stores();
    for (; next_store_ < stores.size() && stores[next_store_].time <= time; ++next_store_) {
      const auto& [when, value, slot] = stores[next_store_];
      now_ = when;
      const MemoryPlace to{MemoryPlace::Base::workspace, slot};
      code_.store(to, in_register(value));
      if (!has_home_[value]) settle(value, to);
      pass(value);
      end_instruction();
    }
  }

  const Tape& tape_;
  std::uint32_t width_;
  const FunctionTable& functions_;
  Lifetimes lifetimes_;
  CodeAssembler code_;
  RegisterFile registers_;
  std::vector<MemoryPlace> home_;
  std::vector<bool> has_home_;
  std::vector<std::uint32_t> free_scratch_, buried_;
  std::uint32_t scratch_top_ = 0;
  std::uint32_t argument_a_ = RegisterFile::nothing, argument_b_ = RegisterFile::nothing;
  std::size_t next_store_ = 0;
  std::uint32_t now_ = 0;
};

// Some systems forbid memory that was writable to become executable.
bool can_execute() {
  static const bool is_allowed = executable_memory(1, [](std::byte*) { return true; }) != nullptr;
  return is_allowed;
}

}  // namespace

std::string why_no_machine_code(Isa isa) {
  if (isa == Isa::baseline) return "processor without AVX2 and FMA";
  if (!can_execute()) return "the system does not allow executable memory";
  return {};
}

MachineCode compile(const Tape& tape, int lanes, Isa isa) {
  assert(why_no_machine_code(isa).empty());
  const int passes = lanes == 8 && isa != Isa::avx512 ? 2 : 1;
  Translator translator(tape, lanes / passes, lanes, isa);
  std::shared_ptr<const void> entry = translator.run();
  return {std::move(entry), translator.scratch_size(), passes};
}

#else

std::string why_no_machine_code(Isa) { return "built without asmjit"; }

MachineCode compile(const Tape&, int, Isa) { throw std::logic_error("machine code: built without asmjit"); }

#endif

}  // namespace noslip
