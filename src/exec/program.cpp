#include "exec/program.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "exec/run_order.hpp"

namespace noslip {
namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

std::uint32_t operand(const Instruction& instruction, int k) {
  return k == 0 ? instruction.a : k == 1 ? instruction.b : instruction.c;
}

// Where each value of a tape is kept. A result may take the place of an operand that dies with it: every operation
// reads before it writes.
class Places {
 public:
  Places(const Tape& tape, const RunOrder& order)
      : tape_(tape), place_(tape.value_count()), count_(tape.first_result()) {
    for (std::uint32_t k = 0; k < count_; ++k) place_[k] = k;
    find_last_uses(order);
    for (std::uint32_t position = 0; position < order.instructions.size(); ++position) {
      occupy(order.instructions[position], position);
    }
  }

  std::uint32_t operator[](std::uint32_t value) const { return place_[value]; }
  /// Where the cosine of the sincos instruction k goes, needed or not.
  std::uint32_t of_second(std::uint32_t k) const {
    return has_second(k) ? place_[tape_.first_result() + k + 1] : waste_;
  }
  std::uint32_t count() const { return count_; }

 private:
  bool has_second(std::uint32_t k) const {
    return k + 1 < tape_.code().size() && tape_.code()[k + 1].op == TapeOp::second;
  }

  void find_last_uses(const RunOrder& order) {
    last_use_.assign(tape_.value_count(), never);
    for (std::uint32_t position = 0; position < order.instructions.size(); ++position) {
      const Instruction& instruction = tape_.code()[order.instructions[position]];
      for (int i = 0; i < arity(instruction.op); ++i) last_use_[operand(instruction, i)] = position;
      if (instruction.op == TapeOp::call) {  // tied together before, but read here
        for (const std::uint32_t argument : tape_.arguments(instruction)) last_use_[argument] = position;
      }
    }
    for (const Tape::Store& store : tape_.stores()) {
      last_use_[store.value] = static_cast<std::uint32_t>(order.instructions.size());
    }
  }

  void occupy(std::uint32_t k, std::uint32_t position) {
    const Instruction& instruction = tape_.code()[k];
    const std::uint32_t own = tape_.first_result() + k;
    const auto read = [&](std::uint32_t value) {
      if (last_use_[value] != position) return;
      last_use_[value] = never;  // an operand that is read twice is given back once
      free_.push_back(place_[value]);
    };
    for (int i = 0; i < arity(instruction.op); ++i) read(operand(instruction, i));
    if (instruction.op == TapeOp::call) {
      for (const std::uint32_t argument : tape_.arguments(instruction)) read(argument);
    }
    place_[own] = take();
    if (instruction.op == TapeOp::sincos) {
      if (has_second(k)) {
        place_[own + 1] = take();
        give_back_unused(own + 1);
      } else if (waste_ == never) {
        waste_ = count_++;
      }
    }
    give_back_unused(own);
  }

  std::uint32_t take() {
    if (free_.empty()) return count_++;
    const std::uint32_t place = free_.back();
    free_.pop_back();
    return place;
  }
  void give_back_unused(std::uint32_t value) {
    if (last_use_[value] == never) free_.push_back(place_[value]);
  }

  const Tape& tape_;
  std::vector<std::uint32_t> place_, last_use_, free_;
  std::uint32_t count_;
  std::uint32_t waste_ = never;  // for cosines that nobody asked for
};

// Steps as the tape has them, every place `width` numbers wide.
class PlainSteps {
 public:
  PlainSteps(const Tape& tape, const RunOrder& order, std::uint32_t width)
      : tape_(tape), places_(tape, order), width_(width) {}

  std::uint32_t size() const { return places_.count() * width_; }
  std::uint32_t place(std::uint32_t value) const { return places_[value] * width_; }

  Step<std::uint32_t> operator()(std::uint32_t k) const {
    const Instruction& instruction = tape_.code()[k];
    const int count = arity(instruction.op);
    Step<std::uint32_t> step{place(instruction.a), 0, 0, place(tape_.first_result() + k)};
    if (count > 1) step.b = place(instruction.b);
    if (count > 2) step.c = place(instruction.c);
    if (instruction.op == TapeOp::sincos) step.c = places_.of_second(k) * width_;
    return step;
  }

 private:
  const Tape& tape_;
  Places places_;
  std::uint32_t width_;
};

// Steps on pairs of a number and its opposite: the constants 1 and 0, those of the tape, the inputs, the results in the
// order in which they are computed.
class PairedSteps {
 public:
  PairedSteps(const Tape& tape, const RunOrder& order) : tape_(tape), place_(tape.value_count()), size_(4) {
    const auto settle = [&](std::uint32_t value) {
      place_[value] = size_;
      size_ += 2;
    };
    for (std::uint32_t value = 0; value < tape.first_result(); ++value) settle(value);
    for (const std::uint32_t k : order.instructions) {
      settle(tape.first_result() + k);
      if (tape.code()[k].op != TapeOp::sincos) continue;
      const bool has_second = k + 1 < tape.code().size() && tape.code()[k + 1].op == TapeOp::second;
      if (has_second) {
        settle(tape.first_result() + k + 1);
      } else {
        size_ += 2;
      }
    }
  }

  std::uint32_t size() const { return size_; }
  std::uint32_t place(std::uint32_t value) const { return place_[value]; }

  Step<std::uint32_t> operator()(std::uint32_t k) const {
    const Instruction& instruction = tape_.code()[k];
    const int count = arity(instruction.op);
    const std::uint32_t a = place(instruction.a);
    const std::uint32_t b = count > 1 ? place(instruction.b) : 0, c = count > 2 ? place(instruction.c) : 0;
    switch (instruction.op) {
      case TapeOp::neg: return {opposite(a), one, minus_zero, 0};
      case TapeOp::add: return {a, one, b, 0};
      case TapeOp::sub: return {a, one, opposite(b), 0};
      case TapeOp::mul: return {a, b, minus_zero, 0};
      case TapeOp::fms: return {a, b, opposite(c), 0};
      case TapeOp::fnma: return {opposite(a), b, c, 0};
      case TapeOp::fnms: return {opposite(a), b, opposite(c), 0};
      default: return {a, b, c, 0};
    }
  }

 private:
  static constexpr std::uint32_t one = 0, minus_zero = 3;
  static std::uint32_t opposite(std::uint32_t place) { return place + 1; }

  const Tape& tape_;
  std::vector<std::uint32_t> place_;
  std::uint32_t size_;
};

// Runs, steps and stores, and the scratch that they need.
template <class Program, class Steps>
void fill(Program& program, const Tape& tape, const RunOrder& order, const Steps& steps, std::uint32_t lanes) {
  for (const RunOrder::Run& run : order.runs) program.runs.push_back({run.op, run.count});
  const auto external = std::count_if(tape.code().begin(), tape.code().end(),
                                      [](const Instruction& each) { return each.op == TapeOp::call; });
  const bool is_wide = std::max(steps.size(), static_cast<std::uint32_t>(external)) >
                       std::numeric_limits<std::uint16_t>::max();
  for (const std::uint32_t k : order.instructions) {
    Step<std::uint32_t> step = steps(k);
    if (const Instruction& instruction = tape.code()[k]; instruction.op == TapeOp::call) {
      step.a = static_cast<std::uint32_t>(program.external_calls.size());
      std::vector<std::uint32_t> arguments = tape.arguments(instruction);
      for (std::uint32_t& argument : arguments) argument = steps.place(argument);
      program.external_calls.push_back({tape.calls()[instruction.b], std::move(arguments)});
    }
    const auto narrow = [](std::uint32_t place) { return static_cast<std::uint16_t>(place); };
    if (is_wide) {
      program.wide_steps.push_back(step);
    } else {
      program.steps.push_back({narrow(step.a), narrow(step.b), narrow(step.c), narrow(step.out)});
    }
  }
  for (const Tape::Store& store : tape.stores()) {
    program.stores.push_back({steps.place(store.value), store.slot * lanes});
  }
  program.scratch_size = steps.size();
}

constexpr std::size_t to_align = 8;  // numbers of scratch that may be skipped for the sake of alignment

}  // namespace

template <class T>
typename Kernel<T>::Program make_program(const Tape& tape, int lanes) {
  typename Kernel<T>::Program program;
  program.tables = tape.tables();
  const auto width = static_cast<std::uint32_t>(lanes);
  for (const quad constant : tape.constants()) {
    program.constants.insert(program.constants.end(), width, static_cast<T>(constant));
  }
  for (std::uint32_t k = tape.first_input(); k < tape.first_result(); ++k) {
    program.loads.push_back({k * width, tape.input_slots()[k - tape.first_input()] * width});
  }
  const RunOrder order = order_in_runs(tape);
  fill(program, tape, order, PlainSteps(tape, order, width), width);
  if (lanes > 1) program.scratch_size += to_align;
  return program;
}

Kernel<double>::Program make_paired_program(const Tape& tape) {
  Kernel<double>::Program program;
  program.tables = tape.tables();
  program.constants = {1.0, -1.0, 0.0, -0.0};
  for (const quad constant : tape.constants()) {
    const auto number = static_cast<double>(constant);
    program.constants.insert(program.constants.end(), {number, -number});
  }
  const RunOrder order = order_in_runs(tape, RunKinds::with_one_sum);
  const PairedSteps steps(tape, order);
  for (std::uint32_t k = tape.first_input(); k < tape.first_result(); ++k) {
    program.loads.push_back({steps.place(k), tape.input_slots()[k - tape.first_input()]});
  }
  fill(program, tape, order, steps, 1);
  program.scratch_size += to_align;
  return program;
}

template Kernel<double>::Program make_program<double>(const Tape&, int);
template Kernel<long double>::Program make_program<long double>(const Tape&, int);
template Kernel<quad>::Program make_program<quad>(const Tape&, int);

}  // namespace noslip
