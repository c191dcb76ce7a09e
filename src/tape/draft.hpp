// A tape in the making: values that exist once each, in an order where operands come first.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <noslip/tape/tape.hpp>

#include "tape/id_table.hpp"

namespace noslip {

class Draft {
 public:
  enum class Kind : std::uint8_t { constant, input, result };
  struct Item {
    Kind kind;
    TapeOp op;                          // of a result
    // Operands of a result; index of a constant or an input in `a`, of a call in `b`.
    std::uint32_t a = 0, b = 0, c = 0;
    friend bool operator==(const Item&, const Item&) = default;
  };

  std::uint32_t constant(quad value);
  std::uint32_t input(std::uint32_t slot);
  /// The operation on given values, simplified: constants fold, neutral elements vanish, minus signs move outwards
  /// until a sum or an FMA swallows them.
  std::uint32_t apply(TapeOp op, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0);
  std::uint32_t power(std::uint32_t base, int exponent);
  std::uint32_t call(const Call& call, std::uint32_t argument);
  /// The polynomial of the interval, or a derivative of it, or the interval itself (Graph::interval).
  std::uint32_t table(const Table& table, int derivative, std::uint32_t argument);

  void reserve(std::size_t count) {
    items_.reserve(count);
    ids_.reserve(count);
  }
  std::size_t size() const { return items_.size(); }
  const Item& item(std::uint32_t id) const { return items_[id]; }
  bool is_constant(std::uint32_t id) const { return items_[id].kind == Kind::constant; }
  quad value(std::uint32_t id) const { return constants_[items_[id].a]; }
  std::uint32_t slot(std::uint32_t id) const { return slots_[items_[id].a]; }
  bool is(std::uint32_t id, TapeOp op) const { return items_[id].kind == Kind::result && items_[id].op == op; }

  std::vector<Tape::Store> stores;  // values are ids of this draft
  std::vector<Call> calls;
  std::vector<Table> tables;

 private:
  std::uint32_t intern(Item item);
  std::uint32_t result(TapeOp op, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0);
  std::uint32_t negated(std::uint32_t a);
  std::uint32_t sum(std::uint32_t a, std::uint32_t b);
  std::uint32_t difference(std::uint32_t a, std::uint32_t b);
  std::uint32_t product(std::uint32_t a, std::uint32_t b);
  std::uint32_t quotient(std::uint32_t a, std::uint32_t b);
  std::uint32_t fused(TapeOp op, std::uint32_t a, std::uint32_t b, std::uint32_t c);
  bool equals(std::uint32_t id, int number) const { return is_constant(id) && value(id) == number; }

  std::vector<Item> items_;
  std::vector<quad> constants_;
  std::vector<std::uint32_t> slots_;
  IdTable ids_, constant_ids_;
};

struct Operands {
  std::array<std::uint32_t, 3> ids;
  int count;
  const std::uint32_t* begin() const { return ids.data(); }
  const std::uint32_t* end() const { return ids.data() + count; }
};
/// Operands of a result in order: a, then b and c as far as the operation has them; nothing for the rest.
inline Operands operands(const Draft::Item& item) {
  return {{item.a, item.b, item.c}, item.kind == Draft::Kind::result ? arity(item.op) : 0};
}

/// How often each value is used by what the stores need (a store is a use); zero for dead values.
std::vector<std::uint32_t> count_uses(const Draft& draft);

/// Cycles until the result of an instruction is there, on the processors of today; the scale of all scheduling.
int latency(TapeOp op);

// The passes, in the order in which they run.
Draft share_denominators(const Draft& draft);
Draft multiply_early(const Draft& draft);
Draft fuse_products(const Draft& draft);
Draft absorb_signs(const Draft& draft);
Draft pair_sines(const Draft& draft);

/// The order of execution: ids of live results, a `second` directly behind its `sincos`.
std::vector<std::uint32_t> schedule(const Draft& draft);

}  // namespace noslip
