#include "run/body_frame.hpp"

#include <fmt/format.h>

namespace noslip {
namespace {

/// A function of two lists of numbers: what `make` records from their symbols.
template <class Make>
Function<quad> recorded(std::size_t first, std::size_t second, const Make& make) {
  Graph graph;
  std::vector<std::vector<Expr>> symbols;
  for (const std::size_t size : {first, second}) {
    symbols.emplace_back();
    for (std::size_t i = 0; i < size; ++i) {
      symbols.back().push_back(graph.symbol(fmt::format("x{}.{}", symbols.size(), i)));
    }
  }
  return Function<quad>(symbols, {make(symbols)});
}

BodyFrame::Numbers result_of(const Function<quad>& function, const BodyFrame::Numbers& a, const BodyFrame::Numbers& b) {
  const Evaluation<quad> values = function({a, b});
  return {values.output(0).begin(), values.output(0).end()};
}

}  // namespace

BodyFrame::BodyFrame(const Group& group)
    : size_(static_cast<std::size_t>(group.size())),
      dimension_(static_cast<std::size_t>(group.dimension())),
      increment_(
          recorded(size_, dimension_, [&](const auto& x) { return group.increment(Retraction::cay, x[0], x[1]); })),
      between_(recorded(size_, size_, [&](const auto& x) { return group.between(Retraction::cay, x[0], x[1]); })),
      bracket_(recorded(dimension_, dimension_, [&](const auto& x) { return times(group.ad(x[0]), x[1]); })) {}

BodyFrame::Numbers BodyFrame::moved(const Numbers& g, const Numbers& xi) const {
  Numbers result = result_of(increment_, g, xi);
  for (std::size_t i = 0; i < size_; ++i) result[i] += g[i];
  return result;
}

BodyFrame::Numbers BodyFrame::between(const Numbers& g, const Numbers& to) const { return result_of(between_, g, to); }

quad BodyFrame::form(const Numbers& mu, const Tangent& a, const Tangent& b) const {
  const Numbers bracket = result_of(bracket_, a.xi, b.xi);
  quad sum = 0;
  for (std::size_t i = 0; i < dimension_; ++i) {
    sum += a.xi[i] * b.change[i] - b.xi[i] * a.change[i] + mu[i] * bracket[i];
  }
  return sum;
}

}  // namespace noslip
