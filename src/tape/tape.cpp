#include <noslip/tape/tape.hpp>

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <unordered_map>

#include <fmt/format.h>

#include <noslip/core/error.hpp>
#include <noslip/core/stopping.hpp>

#include "tape/draft.hpp"

namespace noslip {
namespace {

TapeOp tape_op(Op op) {
  switch (op) {
    case Op::neg: return TapeOp::neg;
    case Op::add: return TapeOp::add;
    case Op::sub: return TapeOp::sub;
    case Op::mul: return TapeOp::mul;
    case Op::div: return TapeOp::div;
    case Op::sqrt: return TapeOp::sqrt;
    case Op::abs: return TapeOp::abs;
    case Op::sign: return TapeOp::sign;
    case Op::floor: return TapeOp::floor;
    case Op::sin: return TapeOp::sin;
    case Op::cos: return TapeOp::cos;
    case Op::tan: return TapeOp::tan;
    case Op::asin: return TapeOp::asin;
    case Op::acos: return TapeOp::acos;
    case Op::atan: return TapeOp::atan;
    case Op::sinh: return TapeOp::sinh;
    case Op::cosh: return TapeOp::cosh;
    case Op::tanh: return TapeOp::tanh;
    case Op::exp: return TapeOp::exp;
    case Op::log: return TapeOp::log;
    case Op::atan2: return TapeOp::atan2;
    case Op::pow: return TapeOp::pow;
    case Op::min: return TapeOp::min;
    case Op::max: return TapeOp::max;
    case Op::less: return TapeOp::less;
    case Op::select: return TapeOp::select;
    case Op::arguments: return TapeOp::argument;
    case Op::constant:
    case Op::pi:
    case Op::symbol:
    case Op::alias:
    case Op::powi:
    case Op::table:
    case Op::call: break;
  }
  assert(false && "this operation has no instruction of its own");
  return TapeOp::neg;
}

// Expressions to a draft. Operands of a node have smaller ids than the node: two sweeps, no recursion.
Draft translate(std::span<const Tape::Input> inputs, std::span<const Tape::Output> outputs) {
  Draft draft;
  if (outputs.empty()) return draft;
  const Graph& graph = *outputs.front().expression.graph;
  NodeId top = 0;
  for (const Tape::Output& output : outputs) {
    assert(output.expression.graph == &graph);
    top = std::max(top, output.expression.id);
  }
  constexpr std::uint32_t no_slot = ~std::uint32_t{0};
  std::vector<std::uint32_t> slot_of(top + 1, no_slot);
  for (const Tape::Input& input : inputs) {
    const NodeId id = input.symbol.id;
    if (id <= top && slot_of[id] == no_slot) slot_of[id] = input.slot;
  }

  std::vector<bool> is_needed(top + 1, false);
  for (const Tape::Output& output : outputs) is_needed[output.expression.id] = true;
  for (NodeId id = top + 1; id-- > 0;) {
    if (!is_needed[id] || slot_of[id] != no_slot) continue;
    const Node& node = graph.node(id);
    const int count = arity(node.op);
    if (count > 0) is_needed[node.a] = true;
    if (count > 1) is_needed[node.b] = true;
    if (count > 2) is_needed[node.c] = true;
  }

  draft.reserve(static_cast<std::size_t>(std::count(is_needed.begin(), is_needed.end(), true)));
  std::vector<std::uint32_t> value(top + 1, 0);
  for (NodeId id = 0; id <= top; ++id) {
    if (!is_needed[id]) continue;
    if (slot_of[id] != no_slot) {
      value[id] = draft.input(slot_of[id]);
      continue;
    }
    const Node& node = graph.node(id);
    switch (node.op) {
      case Op::constant: value[id] = draft.constant(graph.number(node.payload).value()); break;
      case Op::pi:
        value[id] = draft.constant(to_quad("3.14159265358979323846264338327950288419716939937510582"));
        break;
      case Op::symbol:
        assert(false && "a symbol of the outputs is not among the inputs");
        throw std::logic_error("tape: no slot for the symbol '" + graph.name(node.payload) + "'");
      case Op::alias: value[id] = value[node.a]; break;
      case Op::call: value[id] = draft.call(graph.call(node.payload), value[node.a]); break;
      case Op::table:
        value[id] = draft.table(graph.table(node.payload / 8), static_cast<int>(node.payload % 8), value[node.a]);
        break;
      case Op::powi: value[id] = draft.power(value[node.a], static_cast<std::int32_t>(node.payload)); break;
      default: {
        const int count = arity(node.op);
        value[id] =
            draft.apply(tape_op(node.op), value[node.a], count > 1 ? value[node.b] : 0, count > 2 ? value[node.c] : 0);
      }
    }
  }
  for (const Tape::Output& output : outputs) draft.stores.push_back({value[output.expression.id], output.slot});
  return draft;
}

/// Is there such a call, and are as many arguments tied together as it has?
bool has_arguments(const Tape& tape, const Instruction& call) {
  if (call.b >= tape.calls().size()) return false;
  std::uint32_t value = call.a;
  for (std::size_t i = tape.calls()[call.b].function.argument_count(); i > 1; --i) {
    if (value < tape.first_result() || value >= tape.value_count()) return false;
    const Instruction& tied = tape.code()[value - tape.first_result()];
    if (tied.op != TapeOp::argument) return false;
    value = tied.a;
  }
  return true;
}

}  // namespace

bool is_function(TapeOp op) { return op >= TapeOp::sin && op <= TapeOp::sincos; }

int arity(TapeOp op) {
  switch (op) {
    case TapeOp::add:
    case TapeOp::sub:
    case TapeOp::mul:
    case TapeOp::div:
    case TapeOp::min:
    case TapeOp::max:
    case TapeOp::less:
    case TapeOp::atan2:
    case TapeOp::pow:
    case TapeOp::interval:
    case TapeOp::entry:
    case TapeOp::argument: return 2;
    case TapeOp::fma:
    case TapeOp::fms:
    case TapeOp::fnma:
    case TapeOp::fnms:
    case TapeOp::select: return 3;
    default: return 1;
  }
}

const char* to_text(TapeOp op) {
  static constexpr const char* names[] = {
      "neg",  "add",  "sub",  "mul",  "div",    "fma",   "fms", "fnma",   "fnms",   "sqrt",     "abs",
      "sign", "floor", "min",  "max",  "less", "select", "sin",   "cos", "tan",    "asin",   "acos",     "atan",
      "sinh", "cosh", "tanh", "exp",  "log",    "atan2", "pow", "interval", "entry", "sincos", "second", "argument", "call"};
  return names[static_cast<std::size_t>(op)];
}

Tape::Tape(std::span<const Input> inputs, std::span<const Output> outputs) {
  end_if_stopped();
  Draft early = multiply_early(share_denominators(translate(inputs, outputs)));
  end_if_stopped();
  const Draft draft = pair_sines(absorb_signs(fuse_products(std::move(early))));
  end_if_stopped();
  const std::vector<std::uint32_t> uses = count_uses(draft);
  std::vector<std::uint32_t> number(draft.size(), 0);
  for (std::uint32_t id = 0; id < draft.size(); ++id) {
    if (uses[id] == 0 || !draft.is_constant(id)) continue;
    number[id] = static_cast<std::uint32_t>(constants_.size());
    constants_.push_back(draft.value(id));
  }
  for (std::uint32_t id = 0; id < draft.size(); ++id) {
    if (uses[id] == 0 || draft.item(id).kind != Draft::Kind::input) continue;
    number[id] = static_cast<std::uint32_t>(constants_.size() + input_slots_.size());
    input_slots_.push_back(draft.slot(id));
  }
  for (const std::uint32_t id : schedule(draft)) {
    number[id] = value_count();
    const Draft::Item& item = draft.item(id);
    const Operands read = operands(item);
    Instruction instruction{item.op};
    if (read.count > 0) instruction.a = number[item.a];
    if (read.count > 1) instruction.b = number[item.b];
    if (read.count > 2) instruction.c = number[item.c];
    if (item.op == TapeOp::call) instruction.b = item.b;
    code_.push_back(instruction);
  }
  calls_ = draft.calls;
  if (!draft.tables.empty()) tables_ = std::make_shared<const std::vector<Table>>(draft.tables);
  for (const Store& store : draft.stores) stores_.push_back({number[store.value], store.slot});
}

Tape Tape::from_parts(std::vector<quad> constants, std::vector<std::uint32_t> input_slots,
                      std::vector<Instruction> code, std::vector<Store> stores, std::vector<Call> calls,
                      std::shared_ptr<const std::vector<Table>> tables) {
  Tape tape;
  tape.constants_ = std::move(constants);
  tape.input_slots_ = std::move(input_slots);
  tape.code_ = std::move(code);
  tape.stores_ = std::move(stores);
  tape.calls_ = std::move(calls);
  tape.tables_ = std::move(tables);

  std::vector<Problem> problems;
  const auto refuse = [&](std::string what) { problems.push_back({std::move(what), {}, {}}); };
  for (std::size_t k = 0; k < tape.code_.size(); ++k) {
    const Instruction& instruction = tape.code_[k];
    const std::uint32_t own = tape.first_result() + static_cast<std::uint32_t>(k);
    const std::uint32_t read[] = {instruction.a, instruction.b, instruction.c};
    for (int i = 0; i < arity(instruction.op); ++i) {
      if (read[i] >= own) refuse(fmt::format("instruction {}: operand {} is not known yet", k, read[i]));
    }
    const bool is_second = instruction.op == TapeOp::second;
    if (is_second && (k == 0 || tape.code_[k - 1].op != TapeOp::sincos || instruction.a != own - 1)) {
      refuse(fmt::format("instruction {}: a second has to follow its sincos", k));
    }
    if (instruction.op == TapeOp::call && !has_arguments(tape, instruction)) {
      refuse(fmt::format("instruction {}: a call without its arguments", k));
    }
  }
  std::unordered_map<std::uint32_t, std::size_t> slots;
  for (const Store& store : tape.stores_) {
    if (store.value >= tape.value_count()) refuse(fmt::format("store of value {}, which does not exist", store.value));
    if (!slots.emplace(store.slot, 0).second) refuse(fmt::format("slot {} is stored twice", store.slot));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return tape;
}

const std::shared_ptr<const std::vector<Table>>& Tape::no_tables() {
  static const auto& none = *new std::shared_ptr<const std::vector<Table>>(new std::vector<Table>);
  return none;
}

std::vector<std::uint32_t> Tape::arguments(const Instruction& call) const {
  std::vector<std::uint32_t> values(calls_[call.b].function.argument_count());
  std::uint32_t value = call.a;
  for (std::size_t i = values.size(); i-- > 1;) {
    const Instruction& tied = code_[value - first_result()];
    values[i] = tied.b;
    value = tied.a;
  }
  values.front() = value;
  return values;
}

std::string to_text(const Tape& tape) {
  std::string text;
  const auto line = [&](std::uint32_t number, const std::string& what) {
    text += fmt::format("v{} = {}\n", number, what);
  };
  for (std::uint32_t k = 0; k < tape.first_input(); ++k) line(k, to_text(tape.constants()[k]));
  for (std::uint32_t k = tape.first_input(); k < tape.first_result(); ++k) {
    line(k, fmt::format("slot {}", tape.input_slots()[k - tape.first_input()]));
  }
  for (std::uint32_t k = 0; k < tape.code().size(); ++k) {
    const Instruction& instruction = tape.code()[k];
    std::string what = to_text(instruction.op);
    const std::uint32_t read[] = {instruction.a, instruction.b, instruction.c};
    if (instruction.op == TapeOp::call) what += " " + tape.calls()[instruction.b].function.name();
    for (int i = 0; i < arity(instruction.op); ++i) what += fmt::format("{} v{}", i == 0 ? "" : ",", read[i]);
    line(tape.first_result() + k, what);
  }
  for (const Tape::Store& store : tape.stores()) text += fmt::format("slot {} = v{}\n", store.slot, store.value);
  return text;
}

}  // namespace noslip
