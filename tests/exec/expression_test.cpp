// From random expressions to numbers: what a kernel computes is the value of the expression.
#include <cmath>
#include <quadmath.h>

#include <gtest/gtest.h>

#include <noslip/exec/kernel.hpp>

#include "exec/random_tape.hpp"

namespace noslip {
namespace {

// The value of an expression by its definition, with an estimate of how much rounding to double can change it.
struct Measured {
  quad value;
  double error;  // in absolute terms, for unit roundoff 2^-53
};

class DirectEvaluation {
 public:
  DirectEvaluation(const Graph& graph, const std::vector<Expr>& symbols, const std::vector<double>& values)
      : measured_(graph.size(), Measured{0, 0}) {
    for (std::size_t k = 0; k < symbols.size(); ++k) {
      measured_[symbols[k].id] = {static_cast<quad>(values[k]), 0};
    }
    for (NodeId id = 0; id < graph.size(); ++id) evaluate(graph, id);
  }
  const Measured& operator()(Expr e) const { return measured_[e.id]; }

 private:
  void evaluate(const Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    const Measured a = measured_[node.a], b = measured_[node.b], c = measured_[node.c];
    const auto size = [](quad x) { return std::fabs(static_cast<double>(x)); };
    Measured& to = measured_[id];
    switch (node.op) {
      case Op::symbol: return;
      case Op::constant: to = {graph.number(node.payload).value(), 0}; break;
      case Op::pi: to = {acosq(-1), 0}; break;
      case Op::alias: to = a; return;
      case Op::neg: to = {-a.value, a.error}; return;
      case Op::add: to = {a.value + b.value, a.error + b.error + (size(a.value) + size(b.value)) * 0x1p-53}; break;
      case Op::sub: to = {a.value - b.value, a.error + b.error + (size(a.value) + size(b.value)) * 0x1p-53}; break;
      case Op::mul:
        to = {a.value * b.value, size(b.value) * a.error + size(a.value) * b.error + a.error * b.error};
        break;
      case Op::div: {
        const quad value = a.value / b.value;
        to = {value, (a.error + size(value) * b.error) / size(b.value) + 2 * size(value) * 0x1p-53};
        break;
      }
      case Op::powi: {
        const int n = static_cast<std::int32_t>(node.payload);
        const quad value = powq(a.value, n);
        to = {value, std::abs(n) * size(value) * (a.error / size(a.value) + 4 * 0x1p-53)};
        break;
      }
      case Op::sqrt: to = {sqrtq(a.value), a.error / size(sqrtq(a.value))}; break;
      case Op::abs: to = {fabsq(a.value), a.error}; return;
      case Op::sin: to = {sinq(a.value), a.error + 0x1p-53}; break;
      case Op::cos: to = {cosq(a.value), a.error + 0x1p-53}; break;
      case Op::tanh: to = {tanhq(a.value), a.error + 0x1p-53}; break;
      case Op::atan: to = {atanq(a.value), a.error + 0x1p-53}; break;
      case Op::exp: to = {expq(a.value), size(expq(a.value)) * (a.error + 2 * 0x1p-53)}; break;
      case Op::min: to = a.value < b.value ? a : b; break;
      case Op::max: to = a.value > b.value ? a : b; break;
      case Op::less: to = {static_cast<quad>(a.value < b.value ? 1 : 0), 0}; return;
      case Op::floor: to = {floorq(a.value), 0}; return;
      case Op::select: to = a.value > 0 ? b : c; break;
      default: to = {0, 0}; break;
    }
    to.error += size(to.value) * 0x1p-52;
  }
  std::vector<Measured> measured_;
};

// Random expressions without jumps, so that a rounding error stays small.
std::vector<Expr> random_expressions(Graph& graph, const std::vector<Expr>& symbols, Random& random, int count) {
  std::vector<Expr> pool = symbols;
  pool.push_back(graph.constant(Number::rational(1, 3)));
  pool.push_back(graph.constant(2));
  pool.push_back(graph.pi());
  const auto pick = [&] { return pool[random() % pool.size()]; };
  for (int k = 0; k < count; ++k) {
    switch (random() % 16) {
      case 0: pool.push_back(sin(pick())); break;
      case 1: pool.push_back(cos(pick())); break;
      case 2: pool.push_back(tanh(pick())); break;
      case 3: pool.push_back(sqrt(2 + sin(pick()))); break;
      case 4: pool.push_back(powi(sin(pick()) + 2, static_cast<int>(random() % 9) - 4)); break;
      case 5: pool.push_back(pick() / (cos(pick()) + 3)); break;
      case 6: pool.push_back(exp(tanh(pick()))); break;
      case 7: pool.push_back(-pick()); break;
      case 8: pool.push_back(min(pick(), pick())); break;
      case 9: pool.push_back(graph.alias(pick())); break;
      case 10: pool.push_back(sin(pick()) * pick()); break;
      case 11: pool.push_back(pick() - pick()); break;
      case 12: pool.push_back(-(tanh(pick()) * pick() - pick())); break;
      case 13: pool.push_back(pick() / graph.pi()); break;
      default: pool.push_back(tanh(pick()) * cos(pick()) + pick()); break;
    }
  }
  return pool;
}

TEST(Expressions, kernels_compute_their_values) {
  double worst_quad = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Graph graph;
    const std::vector<Expr> symbols = {graph.symbol("x"), graph.symbol("y"), graph.symbol("z")};
    const std::vector<Expr> all = random_expressions(graph, symbols, random, 1 + static_cast<int>(random() % 60));
    std::vector<Tape::Input> inputs;
    std::vector<double> values;
    for (std::uint32_t k = 0; k < symbols.size(); ++k) {
      inputs.push_back({symbols[k], k});
      values.push_back(random_tame_number(random) * 2);
    }
    std::vector<Tape::Output> outputs;
    for (std::uint32_t k = 0; k < 6; ++k) outputs.push_back({all[all.size() - 1 - random() % all.size()], 3 + k});
    const Tape tape(inputs, outputs);
    const DirectEvaluation direct(graph, symbols, values);

    for (const Backend backend : {Backend::interpreter, Backend::automatic}) {
      const Kernel<double> kernel(tape, backend);
      std::vector<double> workspace = values, scratch(kernel.scratch_size());
      workspace.resize(9);
      kernel(workspace.data(), scratch.data());
      for (const Tape::Output& output : outputs) {
        const Measured exact = direct(output.expression);
        EXPECT_NEAR(workspace[output.slot], static_cast<double>(exact.value), 4 * exact.error + 1e-300)
            << "seed " << seed << "\n"
            << to_text(tape);
      }
    }
    const Kernel<quad> kernel(tape, Backend::automatic);
    std::vector<quad> workspace(9), scratch(kernel.scratch_size());
    for (std::size_t k = 0; k < 3; ++k) workspace[k] = static_cast<quad>(values[k]);
    kernel(workspace.data(), scratch.data());
    for (const Tape::Output& output : outputs) {
      const Measured exact = direct(output.expression);
      const double error = static_cast<double>(fabsq(workspace[output.slot] - exact.value));
      worst_quad = std::max(worst_quad, error / (exact.error + 1e-300));
    }
    if (HasFailure()) return;
  }
  EXPECT_LT(worst_quad, 4 * 0x1p-59);  // quadruple precision has 60 bits more than double
}

}  // namespace
}  // namespace noslip
