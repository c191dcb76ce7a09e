#include "run/body_frame.hpp"

#include <fmt/format.h>

namespace noslip {
namespace {

/// A kernel of what `make` records from symbols in `sizes.size()` groups.
template <class Make>
Kernel<quad> compiled(const std::vector<std::size_t>& sizes, const Make& make) {
  Graph graph;
  std::vector<std::vector<Expr>> symbols;
  std::vector<Tape::Input> inputs;
  for (const std::size_t size : sizes) {
    symbols.emplace_back();
    for (std::size_t i = 0; i < size; ++i) {
      symbols.back().push_back(graph.symbol(fmt::format("x{}.{}", symbols.size(), i)));
      inputs.push_back({symbols.back().back(), static_cast<std::uint32_t>(inputs.size())});
    }
  }
  std::vector<Tape::Output> outputs;
  for (const Expr value : make(symbols)) {
    outputs.push_back({value, static_cast<std::uint32_t>(inputs.size() + outputs.size())});
  }
  return Kernel<quad>(Tape(inputs, outputs), Backend::interpreter);
}

}  // namespace

BodyFrame::BodyFrame(const Group& group)
    : size_(static_cast<std::size_t>(group.size())),
      dimension_(static_cast<std::size_t>(group.dimension())),
      increment_(
          compiled({size_, dimension_}, [&](const auto& x) { return group.increment(Retraction::cay, x[0], x[1]); })),
      between_(compiled({size_, size_}, [&](const auto& x) { return group.between(Retraction::cay, x[0], x[1]); })),
      bracket_(compiled({dimension_, dimension_}, [&](const auto& x) { return times(group.ad(x[0]), x[1]); })) {}

BodyFrame::Numbers BodyFrame::run(const Kernel<quad>& kernel, std::initializer_list<const Numbers*> inputs,
                                  std::size_t outputs) const {
  Numbers work, scratch(kernel.scratch_size());
  for (const Numbers* input : inputs) work.insert(work.end(), input->begin(), input->end());
  const auto first = static_cast<std::ptrdiff_t>(work.size());
  work.resize(work.size() + outputs);
  kernel(work.data(), scratch.data());
  return {work.begin() + first, work.end()};
}

BodyFrame::Numbers BodyFrame::moved(const Numbers& g, const Numbers& xi) const {
  Numbers result = run(increment_, {&g, &xi}, size_);
  for (std::size_t i = 0; i < size_; ++i) result[i] += g[i];
  return result;
}

BodyFrame::Numbers BodyFrame::between(const Numbers& g, const Numbers& to) const {
  return run(between_, {&g, &to}, dimension_);
}

quad BodyFrame::form(const Numbers& mu, const Tangent& a, const Tangent& b) const {
  const Numbers bracket = run(bracket_, {&a.xi, &b.xi}, dimension_);
  quad sum = 0;
  for (std::size_t i = 0; i < dimension_; ++i) {
    sum += a.xi[i] * b.change[i] - b.xi[i] * a.change[i] + mu[i] * bracket[i];
  }
  return sum;
}

}  // namespace noslip
