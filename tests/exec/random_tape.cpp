#include "exec/random_tape.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace noslip {
namespace {

int up_to(Random& random, int bound) { return static_cast<int>(random() % static_cast<std::uint64_t>(bound)); }

bool happens(Random& random, double probability) { return static_cast<double>(random() >> 11) * 0x1p-53 < probability; }

TapeOp random_tame_arithmetic(Random& random) {
  static constexpr TapeOp usual[] = {TapeOp::add,  TapeOp::sub,  TapeOp::mul, TapeOp::fma, TapeOp::fms,
                                     TapeOp::fnma, TapeOp::fnms, TapeOp::min, TapeOp::max, TapeOp::select};
  static constexpr TapeOp rare[] = {TapeOp::neg, TapeOp::abs, TapeOp::sign, TapeOp::floor, TapeOp::less, TapeOp::div};
  return up_to(random, 8) == 0 ? rare[up_to(random, 6)] : usual[up_to(random, 10)];
}

TapeOp random_arithmetic(Random& random) {
  // Sums, products and FMA are what tapes are made of; the rest gets a third.
  static constexpr TapeOp usual[] = {TapeOp::add, TapeOp::sub,  TapeOp::mul, TapeOp::fma,
                                     TapeOp::fms, TapeOp::fnma, TapeOp::fnms};
  if (up_to(random, 3) > 0) return usual[up_to(random, 7)];
  return static_cast<TapeOp>(up_to(random, static_cast<int>(TapeOp::select) + 1));
}

TapeOp random_function(Random& random) {
  if (up_to(random, 2) == 0) return TapeOp::sincos;
  const int first = static_cast<int>(TapeOp::sin), last = static_cast<int>(TapeOp::sincos);
  return static_cast<TapeOp>(first + up_to(random, last - first + 1));
}

const std::vector<Call>& externals() {
  static const ExternalFunction one("one", 1, [](std::span<const double> a) { return 0.5 * a[0] - 0.25; });
  static const ExternalFunction two("two", 2, [](std::span<const double> a) { return a[0] < a[1] ? a[1] : -a[0]; });
  static const ExternalFunction four("four", 4, [](std::span<const double> a) { return a[0] * a[1] - a[2] * a[3]; });
  static const std::vector<Call> calls{{one, {}}, {two, {}}, {four, {}}, {four, {1}}};
  return calls;
}

const std::shared_ptr<const std::vector<Table>>& tables() {
  static const auto all = std::make_shared<const std::vector<Table>>(std::vector<Table>{
      Table("lines", std::vector<double>{-1, 0, 0.5, 2}, {1, -1, 0.25, 3}, {}),
      Table("spline", std::vector<double>{-2, -1, 0.25, 1, 3}, {0, 1, -1, 0.5, 2}, {.kind = Table::Kind::cubic}),
      Table("strict", std::vector<double>{-1, 1}, {0, 1}, {.outside = Table::Outside::error})});
  return all;
}

/// The interval of a number, and what is there; sometimes of something that is none.
template <class Operand>
void add_lookup(Random& random, std::vector<Instruction>& code, std::uint32_t first_result, std::uint32_t first_place,
                Operand operand) {
  const auto place = [&] { return first_place + static_cast<std::uint32_t>(up_to(random, 26)); };
  for (int repeat = 1 + up_to(random, 5); repeat > 0; --repeat) code.push_back({TapeOp::interval, operand(), place(), 0});
  const auto last = first_result + static_cast<std::uint32_t>(code.size() - 1);
  for (int repeat = 1 + up_to(random, 9); repeat > 0; --repeat) {
    code.push_back({TapeOp::entry, up_to(random, 4) == 0 ? operand() : last, place(), 0});
  }
}

/// The arguments, tied together, and the call.
template <class Operand>
void add_external(Random& random, std::vector<Instruction>& code, std::uint32_t first_result, Operand operand) {
  const auto index = static_cast<std::uint32_t>(up_to(random, static_cast<int>(externals().size())));
  std::vector<std::uint32_t> arguments(externals()[index].function.argument_count());
  std::generate(arguments.begin(), arguments.end(), operand);
  std::uint32_t all = arguments.front();
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    code.push_back({TapeOp::argument, all, arguments[i], 0});
    all = first_result + static_cast<std::uint32_t>(code.size() - 1);
  }
  code.push_back({TapeOp::call, all, index, 0});
}

}  // namespace

double random_tame_number(Random& random) { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; }

double random_number(Random& random) {
  const double unit = random_tame_number(random);
  switch (up_to(random, 24)) {
    case 0: return 0.0;
    case 1: return -0.0;
    case 2: return std::numeric_limits<double>::infinity();
    case 3: return -std::numeric_limits<double>::infinity();
    case 4: return std::numeric_limits<double>::quiet_NaN();
    case 5: return unit * 1e-310;
    case 6: return std::ldexp(unit, up_to(random, 2040) - 1020);
    case 7: return static_cast<double>(up_to(random, 9) - 4);
    case 8: return unit * 1e6;
    default: return unit * 3;
  }
}

Tape random_tape(Random& random, const TapeShape& shape) {
  std::vector<quad> constants;
  for (int k = 0; k < shape.constants; ++k) {
    constants.push_back(static_cast<quad>(shape.is_tame ? random_tame_number(random) : random_number(random)));
  }
  const auto first_place = static_cast<std::uint32_t>(constants.size());
  if (shape.lookups > 0) {
    for (int place = -1; place < 25; ++place) constants.push_back(place);
  }
  std::vector<std::uint32_t> slots(static_cast<std::size_t>(shape.slots));
  std::iota(slots.begin(), slots.end(), 0u);
  std::shuffle(slots.begin(), slots.end(), random);
  const std::vector<std::uint32_t> input_slots(slots.begin(), slots.begin() + std::min(shape.inputs, shape.slots));

  std::vector<Instruction> code;
  const auto values = [&] { return static_cast<int>(constants.size() + input_slots.size() + code.size()); };
  const auto is_number = [&](std::uint32_t value) {
    const std::size_t first = constants.size() + input_slots.size();
    return value < first || code[value - first].op != TapeOp::argument;
  };
  const auto operand = [&] {
    const int reach = std::min(values(), shape.reach);
    for (;;) {
      const auto value = static_cast<std::uint32_t>(values() - 1 - up_to(random, reach));
      if (is_number(value)) return value;
    }
  };
  if (values() == 0) constants.push_back(1);
  while (static_cast<int>(code.size()) < shape.instructions) {
    if (shape.externals > 0 && happens(random, shape.externals)) {
      add_external(random, code, static_cast<std::uint32_t>(constants.size() + input_slots.size()), operand);
      continue;
    }
    if (shape.lookups > 0 && happens(random, shape.lookups)) {
      add_lookup(random, code, static_cast<std::uint32_t>(constants.size() + input_slots.size()), first_place, operand);
      continue;
    }
    if (!happens(random, shape.functions)) {
      const TapeOp op = shape.is_tame ? random_tame_arithmetic(random) : random_arithmetic(random);
      code.push_back({op, operand(), operand(), operand()});
      continue;
    }
    static constexpr TapeOp bounded[] = {TapeOp::sin,  TapeOp::cos,   TapeOp::atan,
                                         TapeOp::tanh, TapeOp::atan2, TapeOp::sincos};
    const TapeOp function = shape.is_tame ? bounded[up_to(random, 6)] : random_function(random);
    for (int repeat = shape.calls_in_a_row ? 1 + up_to(random, 11) : 1; repeat > 0; --repeat) {
      code.push_back({function, operand(), operand(), 0});
      if (function == TapeOp::sincos && up_to(random, 8) > 0) {
        code.push_back({TapeOp::second, static_cast<std::uint32_t>(values() - 1), 0, 0});
      }
    }
  }

  std::vector<Tape::Store> stores;
  std::shuffle(slots.begin(), slots.end(), random);
  const int store_count = 1 + up_to(random, shape.slots);
  for (int k = 0; k < store_count; ++k) {
    // Mostly late values; sometimes an input or a constant goes straight to an output.
    std::uint32_t value = up_to(random, 6) == 0 ? static_cast<std::uint32_t>(up_to(random, values())) : operand();
    if (!is_number(value)) value = operand();
    stores.push_back({value, slots[static_cast<std::size_t>(k)]});
  }
  return Tape::from_parts(std::move(constants), input_slots, std::move(code), std::move(stores),
                          shape.externals > 0 ? externals() : std::vector<Call>{}, tables());
}

Tape repeating_tape(Random& random, TapeShape& shape) {
  // Arrays of slots, and a few slots beside them.
  const int arrays = 1 + up_to(random, 3), length = 150 + up_to(random, 100), beside = 3;
  const auto array_slots = static_cast<std::uint32_t>(arrays * length);
  std::vector<std::uint32_t> inputs(array_slots + beside);
  std::iota(inputs.begin(), inputs.end(), 0U);
  std::vector<quad> constants = {0.5, -1.25, 3, 0};
  const auto first_input = static_cast<std::uint32_t>(constants.size());
  const std::uint32_t first_result = first_input + static_cast<std::uint32_t>(inputs.size());
  std::vector<Instruction> code;
  const auto add = [&](Instruction instruction) {
    code.push_back(instruction);
    return first_result + static_cast<std::uint32_t>(code.size() - 1);
  };
  std::vector<std::vector<std::uint32_t>> families;  // values that were made in the same way
  for (int i = 0; i < arrays; ++i) {
    std::vector<std::uint32_t>& family = families.emplace_back();
    for (int k = 0; k < length; ++k) family.push_back(first_input + static_cast<std::uint32_t>(i * length + k));
  }
  while (code.size() < 3500) {
    const TapeOp op = happens(random, 0.1) ? TapeOp::sincos : random_tame_arithmetic(random);
    struct Stream {
      std::size_t family, shift;
      bool is_same;
      std::uint32_t same;
      std::size_t stops_at;  // from here on it is the same
    };
    std::vector<Stream> streams(3);
    std::size_t count = static_cast<std::size_t>(length);
    for (Stream& stream : streams) {
      const std::vector<std::uint32_t>& from = families[stream.family = random() % families.size()];
      stream.shift = happens(random, 0.6) ? 0 : random() % 4;
      stream.is_same = happens(random, 0.2);
      stream.same = happens(random, 0.5) ? static_cast<std::uint32_t>(random() % first_input)
                    : happens(random, 0.5)
                        ? first_input + array_slots + static_cast<std::uint32_t>(up_to(random, beside))
                        : from[random() % from.size()];
      stream.stops_at = happens(random, 0.2) ? 1 + random() % 40 : 10000;
      if (!stream.is_same) count = std::min(count, from.size() - stream.shift);
    }
    std::vector<std::uint32_t> family, seconds;
    const bool exchanges = happens(random, 0.3);
    for (std::size_t k = 0; k < count; ++k) {
      std::uint32_t operands[3];
      for (int i = 0; i < 3; ++i) {
        const Stream& stream = streams[static_cast<std::size_t>(i)];
        operands[i] =
            stream.is_same ? stream.same : families[stream.family][std::min(k, stream.stops_at) + stream.shift];
      }
      if (exchanges && happens(random, 0.5) && (op == TapeOp::add || op == TapeOp::mul || op == TapeOp::fma)) {
        std::swap(operands[0], operands[1]);
      }
      family.push_back(add({op, operands[0], arity(op) > 1 ? operands[1] : 0, arity(op) > 2 ? operands[2] : 0}));
      if (op == TapeOp::sincos) seconds.push_back(add({TapeOp::second, family.back()}));
    }
    if (happens(random, 0.3)) {  // one after the other
      std::uint32_t sum = family.front();
      for (std::size_t k = 1; k < family.size(); k += 1 + random() % 3) sum = add({TapeOp::max, sum, family[k]});
    }
    if (family.size() > 20) families.push_back(std::move(family));
    if (seconds.size() > 20) families.push_back(std::move(seconds));
  }
  std::vector<Tape::Store> stores;
  std::uint32_t free_slot = array_slots + beside;
  for (std::size_t f = static_cast<std::size_t>(arrays); f < families.size(); ++f) {
    const bool in_place = f + static_cast<std::size_t>(arrays) >= families.size();
    if (!in_place && happens(random, 0.5)) continue;
    const std::size_t array = families.size() - 1 - f;
    for (std::size_t k = 0; k < families[f].size(); ++k) {
      stores.push_back({families[f][k], in_place ? static_cast<std::uint32_t>(array * length + k) : free_slot++});
    }
  }
  for (std::uint32_t k = 0; k < array_slots && happens(random, 0.99); ++k) {
    stores.push_back({first_input + k, free_slot++});
  }
  stores.push_back({first_result + static_cast<std::uint32_t>(code.size() - 1), free_slot++});
  shape.slots = static_cast<int>(free_slot);
  return Tape::from_parts(std::move(constants), std::move(inputs), std::move(code), std::move(stores));
}

TapeShape random_shape(Random& random) {
  TapeShape shape;
  shape.instructions = 1 + up_to(random, up_to(random, 2) == 0 ? 40 : 400);
  shape.inputs = up_to(random, 30);
  shape.constants = up_to(random, 12);
  shape.slots = std::max(1, shape.inputs + up_to(random, 20));
  static constexpr int reaches[] = {3, 12, 30, 100, 1000};
  shape.reach = reaches[up_to(random, 5)];
  static constexpr double shares[] = {0, 0, 0.03, 0.2};
  shape.functions = shares[up_to(random, 4)];
  shape.lookups = up_to(random, 3) == 0 ? 0.05 : 0;
  shape.calls_in_a_row = up_to(random, 2) == 0;
  shape.is_tame = up_to(random, 2) == 0;
  return shape;
}

bool is_same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace noslip
