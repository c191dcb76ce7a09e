#include "tape/draft.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "tape/arithmetic.hpp"

namespace noslip {
namespace {

bool same_bits(quad a, quad b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// The upper half of the result is what the table looks at.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

std::uint64_t hash_of(quad value) {
  std::uint64_t words[2];
  static_assert(sizeof words == sizeof value);
  std::memcpy(words, &value, sizeof value);
  return mixed(mixed(1, words[0]), words[1]) * 0x9E3779B97F4A7C15u;
}

std::uint64_t hash_of(const Draft::Item& item) {
  const std::uint64_t what = static_cast<std::uint64_t>(item.kind) * 64 + static_cast<std::uint64_t>(item.op);
  return mixed(mixed(what, item.a), static_cast<std::uint64_t>(item.b) << 32 | item.c) * 0x9E3779B97F4A7C15u;
}

// Multiplying by 1/x is as good as dividing by it: powers of two whose reciprocal is a normal double.
bool is_power_of_two(quad value) {
  if (!finiteq(value) || value == 0) return false;
  int exponent = 0;
  const quad mantissa = frexpq(value, &exponent);
  return (mantissa == 0.5 || mantissa == -0.5) && exponent > -1000 && exponent < 1000;
}

}  // namespace

std::uint32_t Draft::intern(Item item) {
  const std::uint32_t id = ids_.find_or_enter(hash_of(item), static_cast<std::uint32_t>(items_.size()),
                                              [&](std::uint32_t other) { return items_[other] == item; });
  if (id == items_.size()) items_.push_back(item);
  return id;
}

std::uint32_t Draft::constant(quad value) {
  const std::uint32_t index =
      constant_ids_.find_or_enter(hash_of(value), static_cast<std::uint32_t>(constants_.size()),
                                  [&](std::uint32_t other) { return same_bits(constants_[other], value); });
  if (index == constants_.size()) constants_.push_back(value);
  return intern({Kind::constant, TapeOp::neg, index});
}

std::uint32_t Draft::input(std::uint32_t slot) {
  slots_.push_back(slot);
  return intern({Kind::input, TapeOp::neg, static_cast<std::uint32_t>(slots_.size() - 1)});
}

std::uint32_t Draft::result(TapeOp op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return intern({Kind::result, op, a, b, c});
}

std::uint32_t Draft::negated(std::uint32_t a) {
  if (is(a, TapeOp::neg)) return items_[a].a;
  if (is(a, TapeOp::mul)) {
    const auto [x, y] = std::pair(items_[a].a, items_[a].b);
    if (is_constant(x)) return result(TapeOp::mul, constant(-value(x)), y);
    if (is_constant(y)) return result(TapeOp::mul, x, constant(-value(y)));
  }
  return result(TapeOp::neg, a);
}

std::uint32_t Draft::sum(std::uint32_t a, std::uint32_t b) {
  if (equals(a, 0)) return b;
  if (equals(b, 0)) return a;
  if (is(b, TapeOp::neg)) return difference(a, items_[b].a);
  if (is(a, TapeOp::neg)) return difference(b, items_[a].a);
  if (a > b) std::swap(a, b);
  return result(TapeOp::add, a, b);
}

std::uint32_t Draft::difference(std::uint32_t a, std::uint32_t b) {
  if (equals(a, 0)) return negated(b);
  if (equals(b, 0)) return a;
  if (is(b, TapeOp::neg)) return sum(a, items_[b].a);
  if (is(a, TapeOp::neg)) return negated(sum(items_[a].a, b));
  return result(TapeOp::sub, a, b);
}

std::uint32_t Draft::product(std::uint32_t a, std::uint32_t b) {
  if (equals(a, 1)) return b;
  if (equals(b, 1)) return a;
  if (equals(a, -1)) return negated(b);
  if (equals(b, -1)) return negated(a);
  const bool negative_a = is(a, TapeOp::neg), negative_b = is(b, TapeOp::neg);
  if (negative_a) a = items_[a].a;
  if (negative_b) b = items_[b].a;
  if (a > b) std::swap(a, b);
  const std::uint32_t unsigned_product = result(TapeOp::mul, a, b);
  return negative_a != negative_b ? negated(unsigned_product) : unsigned_product;
}

std::uint32_t Draft::quotient(std::uint32_t a, std::uint32_t b) {
  if (equals(b, 1)) return a;
  if (equals(b, -1)) return negated(a);
  if (is_constant(b) && is_power_of_two(value(b))) return product(a, constant(1 / value(b)));
  const bool negative_a = is(a, TapeOp::neg), negative_b = is(b, TapeOp::neg);
  if (negative_a) a = items_[a].a;
  if (negative_b) b = items_[b].a;
  const std::uint32_t unsigned_quotient = result(TapeOp::div, a, b);
  return negative_a != negative_b ? negated(unsigned_quotient) : unsigned_quotient;
}

std::uint32_t Draft::fused(TapeOp op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  bool minus_product = op == TapeOp::fnma || op == TapeOp::fnms;
  bool minus_c = op == TapeOp::fms || op == TapeOp::fnms;
  for (std::uint32_t* factor : {&a, &b}) {
    if (is(*factor, TapeOp::neg)) {
      *factor = items_[*factor].a;
      minus_product = !minus_product;
    }
  }
  if (is(c, TapeOp::neg)) {
    c = items_[c].a;
    minus_c = !minus_c;
  }
  if (a > b) std::swap(a, b);
  const TapeOp positive = minus_c ? TapeOp::fms : TapeOp::fma, negative = minus_c ? TapeOp::fnms : TapeOp::fnma;
  return result(minus_product ? negative : positive, a, b, c);
}

std::uint32_t Draft::call(const Call& call, std::uint32_t argument) {
  const auto found = std::find(calls.begin(), calls.end(), call);
  const auto index = static_cast<std::uint32_t>(found - calls.begin());
  if (found == calls.end()) calls.push_back(call);
  return result(TapeOp::call, argument, index);
}

std::uint32_t Draft::table(const Table& table, int derivative, std::uint32_t argument) {
  const auto found = std::find(tables.begin(), tables.end(), table);
  const auto index = static_cast<std::size_t>(found - tables.begin());
  if (found == tables.end()) tables.push_back(table);
  const auto place = [&](int column) { return constant(place_in_tables(index, column)); };
  const std::uint32_t interval = result(TapeOp::interval, argument, place(0));
  if (derivative == Graph::interval) return interval;
  // The coefficient of a power of x - x0, of the derivative.
  const auto coefficient = [&](int power) {
    const std::uint32_t entry = result(TapeOp::entry, interval, place(1 + power + derivative));
    int factor = 1;
    for (int k = 0; k < derivative; ++k) factor *= power + derivative - k;
    return product(constant(factor), entry);
  };
  const int degree = table.degree() - derivative;
  std::uint32_t value = coefficient(degree);
  if (degree == 0) return value;
  const std::uint32_t distance = difference(argument, result(TapeOp::entry, interval, place(0)));
  for (int power = degree - 1; power >= 0; --power) value = sum(product(value, distance), coefficient(power));
  return value;
}

std::uint32_t Draft::apply(TapeOp op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  assert(op != TapeOp::call);
  if (op == TapeOp::argument || is_lookup(op)) return result(op, a, b);
  const int count = arity(op);
  if (count < 2) b = 0;
  if (count < 3) c = 0;
  if (op != TapeOp::sincos && op != TapeOp::second && is_constant(a) && (count < 2 || is_constant(b)) &&
      (count < 3 || is_constant(c))) {
    return constant(evaluate<quad>(op, value(a), count < 2 ? 0 : value(b), count < 3 ? 0 : value(c)));
  }
  switch (op) {
    case TapeOp::neg: return negated(a);
    case TapeOp::add: return sum(a, b);
    case TapeOp::sub: return difference(a, b);
    case TapeOp::mul: return product(a, b);
    case TapeOp::div: return quotient(a, b);
    case TapeOp::fma:
    case TapeOp::fms:
    case TapeOp::fnma:
    case TapeOp::fnms: return fused(op, a, b, c);
    default: return result(op, a, b, c);
  }
}

std::uint32_t Draft::power(std::uint32_t base, int exponent) {
  if (exponent == 0) return constant(1);
  // As unsigned, so that the most negative exponent has a magnitude too.
  unsigned magnitude = exponent < 0 ? 0u - static_cast<unsigned>(exponent) : static_cast<unsigned>(exponent);
  std::uint32_t square = base, product_so_far = 0;
  bool is_empty = true;
  for (;;) {
    if (magnitude & 1u) {
      product_so_far = is_empty ? square : apply(TapeOp::mul, product_so_far, square);
      is_empty = false;
    }
    magnitude >>= 1u;
    if (magnitude == 0) break;
    square = apply(TapeOp::mul, square, square);
  }
  return exponent < 0 ? apply(TapeOp::div, constant(1), product_so_far) : product_so_far;
}

std::vector<std::uint32_t> count_uses(const Draft& draft) {
  std::vector<std::uint32_t> uses(draft.size(), 0);
  for (const Tape::Store& store : draft.stores) ++uses[store.value];
  for (std::uint32_t id = static_cast<std::uint32_t>(draft.size()); id-- > 0;) {
    if (uses[id] == 0) continue;
    for (const std::uint32_t operand : operands(draft.item(id))) ++uses[operand];
  }
  return uses;
}

}  // namespace noslip
