// The passes over a draft. Each rebuilds it, operands first, through the simplifying constructors.
#include <algorithm>
#include <unordered_map>

#include "tape/draft.hpp"

namespace noslip {
namespace {

// Copies what is live; `rewrite(item, id)` may give another value for a result (operands are ids of the old draft,
// to be mapped by `copied`).
class Rebuild {
 public:
  explicit Rebuild(const Draft& source) : source_(source), uses_(count_uses(source)), copied_(source.size(), 0) {
    target.reserve(source.size());
  }

  template <class Rewrite>
  Draft run(Rewrite rewrite) {
    for (std::uint32_t id = 0; id < source_.size(); ++id) {
      if (uses_[id] == 0) continue;
      const Draft::Item& item = source_.item(id);
      switch (item.kind) {
        case Draft::Kind::constant: copied_[id] = target.constant(source_.value(id)); break;
        case Draft::Kind::input: copied_[id] = target.input(source_.slot(id)); break;
        case Draft::Kind::result: copied_[id] = rewrite(id, item); break;
      }
    }
    target.tables = source_.tables;
    for (const Tape::Store& store : source_.stores) target.stores.push_back({copied_[store.value], store.slot});
    return std::move(target);
  }

  std::uint32_t plain(const Draft::Item& item) {
    if (item.op == TapeOp::call) return target.call(source_.calls[item.b], copied_[item.a]);
    return target.apply(item.op, copied_[item.a], copied_[item.b], copied_[item.c]);
  }
  std::uint32_t copied(std::uint32_t id) const { return copied_[id]; }
  std::uint32_t uses(std::uint32_t id) const { return uses_[id]; }
  bool is_single(std::uint32_t id, TapeOp op) const { return uses_[id] == 1 && source_.is(id, op); }

  Draft target;

 private:
  const Draft& source_;
  std::vector<std::uint32_t> uses_;
  std::vector<std::uint32_t> copied_;
};

// When each value is there, if everything starts as early as it can.
std::vector<int> ready_times(const Draft& draft) {
  std::vector<int> ready(draft.size(), 0);
  for (std::uint32_t id = 0; id < draft.size(); ++id) {
    const Draft::Item& item = draft.item(id);
    if (item.kind != Draft::Kind::result) continue;
    for (const std::uint32_t operand : operands(item)) ready[id] = std::max(ready[id], ready[operand]);
    ready[id] += latency(item.op);
  }
  return ready;
}

}  // namespace

int latency(TapeOp op) {
  switch (op) {
    case TapeOp::neg:
    case TapeOp::abs:
    case TapeOp::second:
    case TapeOp::argument: return 1;
    case TapeOp::call: return 100;
    case TapeOp::div: return 14;
    case TapeOp::sqrt: return 18;
    case TapeOp::less:
    case TapeOp::select:
    case TapeOp::sign: return 6;
    default: return is_function(op) ? 100 : 4;
  }
}

// Two numerators over one denominator: one division and products instead.
Draft share_denominators(const Draft& draft) {
  Rebuild rebuild(draft);
  std::vector<std::uint32_t> numerators(draft.size(), 0);
  for (std::uint32_t id = 0; id < draft.size(); ++id) {
    if (rebuild.uses(id) > 0 && draft.is(id, TapeOp::div)) ++numerators[draft.item(id).b];
  }
  return rebuild.run([&](std::uint32_t, const Draft::Item& item) {
    if (item.op != TapeOp::div || numerators[item.b] < 2) return rebuild.plain(item);
    Draft& target = rebuild.target;
    const std::uint32_t reciprocal = target.apply(TapeOp::div, target.constant(1), rebuild.copied(item.b));
    return target.apply(TapeOp::mul, rebuild.copied(item.a), reciprocal);
  });
}

// c*(x*y) with a constant c is (c*x)*y where x is there before y: less is left to do when y arrives.
Draft multiply_early(const Draft& draft) {
  Rebuild rebuild(draft);
  const std::vector<int> ready = ready_times(draft);
  return rebuild.run([&](std::uint32_t, const Draft::Item& item) {
    if (item.op != TapeOp::mul || draft.is_constant(item.a) == draft.is_constant(item.b)) return rebuild.plain(item);
    const std::uint32_t constant = draft.is_constant(item.a) ? item.a : item.b;
    const std::uint32_t rest = draft.is_constant(item.a) ? item.b : item.a;
    if (!rebuild.is_single(rest, TapeOp::mul)) return rebuild.plain(item);
    const Draft::Item& product = draft.item(rest);
    if (ready[product.a] == ready[product.b]) return rebuild.plain(item);
    const bool a_is_early = ready[product.a] < ready[product.b];
    const std::uint32_t early = a_is_early ? product.a : product.b, late = a_is_early ? product.b : product.a;
    Draft& target = rebuild.target;
    const std::uint32_t scaled = target.apply(TapeOp::mul, rebuild.copied(constant), rebuild.copied(early));
    return target.apply(TapeOp::mul, scaled, rebuild.copied(late));
  });
}

// A product that feeds one sum only becomes part of it. Of two such products the later one is fused: the other has
// been rounded by the time it is needed.
Draft fuse_products(const Draft& draft) {
  Rebuild rebuild(draft);
  const std::vector<int> ready = ready_times(draft);
  return rebuild.run([&](std::uint32_t, const Draft::Item& item) {
    if (item.op != TapeOp::add && item.op != TapeOp::sub) return rebuild.plain(item);
    const bool left = rebuild.is_single(item.a, TapeOp::mul), right = rebuild.is_single(item.b, TapeOp::mul);
    if (!left && !right) return rebuild.plain(item);
    const bool fuse_left = left && (!right || ready[item.a] > ready[item.b]);
    const Draft::Item& product = draft.item(fuse_left ? item.a : item.b);
    const std::uint32_t other = rebuild.copied(fuse_left ? item.b : item.a);
    TapeOp op = TapeOp::fma;
    if (item.op == TapeOp::sub) op = fuse_left ? TapeOp::fms : TapeOp::fnma;
    return rebuild.target.apply(op, rebuild.copied(product.a), rebuild.copied(product.b), other);
  });
}

// The minus signs that are left go into the instruction before them, where nothing else uses it.
Draft absorb_signs(const Draft& draft) {
  Rebuild rebuild(draft);
  return rebuild.run([&](std::uint32_t, const Draft::Item& item) {
    if (item.op != TapeOp::neg || rebuild.uses(item.a) != 1 || draft.item(item.a).kind != Draft::Kind::result) {
      return rebuild.plain(item);
    }
    const Draft::Item& inner = draft.item(item.a);
    if (inner.op == TapeOp::call) return rebuild.plain(item);
    const std::uint32_t a = rebuild.copied(inner.a), b = rebuild.copied(inner.b), c = rebuild.copied(inner.c);
    switch (inner.op) {
      case TapeOp::sub: return rebuild.target.apply(TapeOp::sub, b, a);
      case TapeOp::fma: return rebuild.target.apply(TapeOp::fnms, a, b, c);
      case TapeOp::fms: return rebuild.target.apply(TapeOp::fnma, a, b, c);
      case TapeOp::fnma: return rebuild.target.apply(TapeOp::fms, a, b, c);
      case TapeOp::fnms: return rebuild.target.apply(TapeOp::fma, a, b, c);
      default: return rebuild.plain(item);
    }
  });
}

// The sine and the cosine of one argument are one call.
Draft pair_sines(const Draft& draft) {
  Rebuild rebuild(draft);
  enum : unsigned char { has_sine = 1, has_cosine = 2, has_both = 3 };
  std::vector<unsigned char> found(draft.size(), 0);
  for (std::uint32_t id = 0; id < draft.size(); ++id) {
    if (rebuild.uses(id) == 0) continue;
    if (draft.is(id, TapeOp::sin)) found[draft.item(id).a] |= has_sine;
    if (draft.is(id, TapeOp::cos)) found[draft.item(id).a] |= has_cosine;
  }
  return rebuild.run([&](std::uint32_t, const Draft::Item& item) {
    const bool is_one_of_pair = (item.op == TapeOp::sin || item.op == TapeOp::cos) && found[item.a] == has_both;
    if (!is_one_of_pair) return rebuild.plain(item);
    const std::uint32_t sine = rebuild.target.apply(TapeOp::sincos, rebuild.copied(item.a));
    return item.op == TapeOp::sin ? sine : rebuild.target.apply(TapeOp::second, sine);
  });
}

}  // namespace noslip
