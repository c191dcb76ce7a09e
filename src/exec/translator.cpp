#include "exec/translator.hpp"

#include <algorithm>
#include <cassert>

#include <noslip/core/stopping.hpp>

namespace noslip {

#if NOSLIP_HAS_ASMJIT

bool Translator::has_calls(const Tape& tape) {
  return std::any_of(tape.code().begin(), tape.code().end(),
                     [](const Instruction& instruction) { return is_function(instruction.op); });
}

std::vector<double> Translator::constants_of(const Tape& tape) {
  std::vector<double> constants;
  for (const quad constant : tape.constants()) constants.push_back(static_cast<double>(constant));
  return constants;
}

Translator::Translator(const Tape& tape, Lifetimes lifetimes, CodeAssembler::Shape shape,
                       std::span<const double> constants)
    : tape_(tape),
      width_(static_cast<std::uint32_t>(shape.width)),
      functions_(functions(shape.isa)),
      lifetimes_(std::move(lifetimes)),
      code_(shape, constants),
      registers_(code_.register_count(), tape.value_count()),
      home_(tape.value_count()),
      has_home_(tape.value_count(), false) {
  for (std::uint32_t k = 0; k < tape.first_input(); ++k) settle(k, {MemoryPlace::Base::pool, k});
  for (std::uint32_t k = tape.first_input(); k < tape.first_result(); ++k) {
    settle(k, {MemoryPlace::Base::workspace, tape.input_slots()[k - tape.first_input()]});
  }
}

Translator::Translator(const Tape& tape, int width, int stride, Isa isa)
    : Translator(tape, Lifetimes(tape), {isa, width, stride, has_calls(tape), false}, constants_of(tape)) {}

std::shared_ptr<const void> Translator::run() {
  save_inputs();
  translate(0, static_cast<std::uint32_t>(tape_.code().size()));
  write_outputs(Lifetimes::never);
  return code_.finish();
}

void Translator::save_inputs() {
  for (const std::uint32_t input : lifetimes_.inputs_to_save()) {
    const MemoryPlace copy = take_scratch();
    const int reg = take_register();
    code_.load(reg, home_[input]);
    code_.store(copy, reg);
    home_[input] = copy;
    registers_.unlock(reg);
  }
}

void Translator::translate(std::uint32_t begin, std::uint32_t end) {
  end_ = end;
  for (std::uint32_t k = begin; k < end;) {
    if (k % 1024 == 0) end_if_stopped();
    now_ = 2 * k;
    const std::uint32_t next = is_function(tape_.code()[k].op) ? call(k) : k + 1;
    if (next == k + 1 && !is_function(tape_.code()[k].op)) arithmetic(k);
    write_outputs(2 * (next - 1) + 1);
    k = next;
  }
}

MemoryPlace Translator::take_scratch() {
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

void Translator::spill(int reg) {
  const std::uint32_t value = registers_.held(reg);
  if (has_home_[value]) return;
  settle(value, take_scratch());
  code_.store(home_[value], reg);
}

int Translator::take_register(int wanted) {
  int reg = wanted >= 0 && registers_.is_free(wanted) ? wanted : registers_.find_free();
  if (reg < 0) {
    reg = registers_.find_victim(lifetimes_, now_, has_home_);
    spill(reg);
    registers_.release(reg);
  }
  registers_.lock(reg);
  return reg;
}

int Translator::in_register(std::uint32_t value) {
  int reg = registers_.of(value);
  if (reg < 0) {
    reg = take_register();
    code_.load(reg, home_[value]);
    registers_.assign(reg, value);
  }
  registers_.lock(reg);
  return reg;
}

Source Translator::source(std::uint32_t value) {
  const int reg = registers_.of(value);
  if (reg < 0) return {-1, home_[value]};
  registers_.lock(reg);
  return {reg, {}};
}

void Translator::pass(std::uint32_t value) {
  lifetimes_.pass(value);
  if (is_dead(value)) bury(value);
}

void Translator::bury(std::uint32_t value) {
  const int reg = registers_.of(value);
  if (reg >= 0) {
    registers_.release(reg);
    registers_.unlock(reg);
  }
  if (has_home_[value] && home_[value].base == MemoryPlace::Base::scratch && home_[value].index >= kept_scratch_) {
    buried_.push_back(home_[value].index);
    has_home_[value] = false;
  }
}

void Translator::end_instruction() {
  free_scratch_.insert(free_scratch_.end(), buried_.begin(), buried_.end());
  buried_.clear();
  registers_.unlock_all();
}

void Translator::arithmetic(std::uint32_t k) {
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
  const int wanted = wanted_.empty() ? -1 : wanted_[own];
  int result = -1;
  switch (instruction.op) {
    case TapeOp::neg:
    case TapeOp::abs:
    case TapeOp::floor:
    case TapeOp::sqrt: result = unary(instruction, wanted); break;
    case TapeOp::sign: result = sign(instruction, wanted); break;
    case TapeOp::less: result = less(instruction, wanted); break;
    case TapeOp::select: result = select(instruction, wanted); break;
    case TapeOp::fma:
    case TapeOp::fms:
    case TapeOp::fnma:
    case TapeOp::fnms: result = fused(instruction, wanted); break;
    default: result = binary(instruction, wanted); break;
  }
  registers_.assign(result, own);
  end_instruction();
}

int Translator::unary(const Instruction& instruction, int wanted) {
  const int a = in_register(instruction.a);
  pass(instruction.a);
  const int to = take_register(wanted);
  code_.unary(instruction.op, to, a);
  return to;
}

int Translator::sign(const Instruction& instruction, int wanted) {
  const int a = in_register(instruction.a);
  const int to = take_register(wanted), temporary = take_register();
  code_.sign(to, temporary, a);
  pass(instruction.a);
  return to;
}

int Translator::less(const Instruction& instruction, int wanted) {
  const int a = in_register(instruction.a);
  const Source b = source(instruction.b);
  pass(instruction.a);
  pass(instruction.b);
  const int to = take_register(wanted);
  code_.less(to, a, b);
  return to;
}

int Translator::select(const Instruction& instruction, int wanted) {
  const int a = in_register(instruction.a), b = in_register(instruction.b), c = in_register(instruction.c);
  const int to = take_register(wanted);
  code_.select(to, a, b, c);
  pass(instruction.a);
  pass(instruction.b);
  pass(instruction.c);
  return to;
}

int Translator::binary(const Instruction& instruction, int wanted) {
  std::uint32_t left = instruction.a, right = instruction.b;
  const bool commutes = instruction.op == TapeOp::add || instruction.op == TapeOp::mul;
  if (commutes && registers_.of(left) < 0 && (registers_.of(right) >= 0 || is_constant(left))) std::swap(left, right);
  source(right);  // not to be evicted for the sake of the left one
  const int a = in_register(left);
  const Source b = source(right);
  pass(left);
  pass(right);
  const int to = take_register(wanted);
  code_.binary(instruction.op, to, a, b);
  return to;
}

int Translator::fused(const Instruction& instruction, int wanted) {
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
      to = take_register(wanted);
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
    to = take_register(wanted);
    code_.load(to, from_b.place);
    code_.fused(instruction.op, Form::d_times_2_plus_3, to, from_a.reg, from_c);
  } else {
    to = take_register(wanted);
    code_.move(to, from_c.reg);
    code_.fused(instruction.op, Form::d_plus_2_times_3, to, from_a.reg, from_b);
  }
  return to;
}

std::uint32_t Translator::operand_from_memory(const Instruction& instruction) const {
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

std::uint32_t Translator::calls_in_a_row(std::uint32_t k, std::vector<std::uint32_t>& calls) const {
  const std::uint32_t first_own = tape_.first_result() + k;
  const TapeOp op = tape_.code()[k].op;
  const std::size_t most = std::max<std::size_t>(1, static_cast<std::size_t>(functions_.efficient_width) / width_);
  std::uint32_t end = k;
  while (end < end_ && calls.size() < most) {
    const Instruction& instruction = tape_.code()[end];
    const bool is_independent = instruction.a < first_own && (arity(op) < 2 || instruction.b < first_own);
    if (instruction.op != op || !is_independent) break;
    calls.push_back(end++);
    if (end < end_ && tape_.code()[end].op == TapeOp::second) ++end;
  }
  return end;
}

std::uint32_t Translator::call(std::uint32_t k) {
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
  if (const PlainFunction plain = functions_.plain(op); total == 1 && plain != nullptr) {
    code_.call(plain, a.front(), is_binary ? &b.front() : nullptr);
    registers_.clear();
    for (std::uint32_t i = 0; i < end - k; ++i) {
      if (!is_dead(tape_.first_result() + k + i)) registers_.assign(static_cast<int>(i), tape_.first_result() + k + i);
    }
    end_instruction();
    return end;
  }
  const std::uint32_t arguments_a = take_block(argument_a_), arguments_b = is_binary ? take_block(argument_b_) : 0;
  code_.gather(arguments_a, a, static_cast<int>(total), keep);
  if (is_binary) code_.gather(arguments_b, b, static_cast<int>(total), 0);
  registers_.clear();
  const std::uint32_t out = take_scratch_block(total);
  const std::uint32_t out2 = op == TapeOp::sincos ? take_scratch_block(total) : 0;
  code_.call(functions_.call(op, static_cast<int>(total)), arguments_a, arguments_b, out, out2,
             is_lookup(op) ? data_of(tape_.tables()) : nullptr);

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

void Translator::come_into_being(std::uint32_t value, std::uint32_t scratch_index) {
  settle(value, {MemoryPlace::Base::scratch, scratch_index});
  if (is_dead(value)) bury(value);
}

std::uint32_t Translator::take_scratch_block(std::uint32_t size) {
  scratch_top_ = (scratch_top_ + size - 1) / size * size;
  const std::uint32_t index = scratch_top_;
  scratch_top_ += size;
  while (scratch_top_ % width_ != 0) ++scratch_top_;
  return index;
}

std::uint32_t Translator::take_block(std::uint32_t& index) {
  if (index == RegisterFile::nothing) index = take_scratch_block(8);
  return index;
}

void Translator::write_outputs(std::uint32_t time) {
  const auto& stores = lifetimes_.stores();
  for (; next_store_ < stores.size() && stores[next_store_].time <= time; ++next_store_) {
    const auto& [when, value, slot] = stores[next_store_];
    now_ = when;
    const MemoryPlace to =
        output_places_.empty() ? MemoryPlace{MemoryPlace::Base::workspace, slot} : output_places_[slot];
    code_.store(to, in_register(value));
    if (!has_home_[value]) settle(value, to);
    pass(value);
    end_instruction();
  }
}

#endif

}  // namespace noslip
