#include "expr/calls.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <noslip/core/error.hpp>

#include "expr/term.hpp"

namespace noslip {
namespace {

Expr call_of(Expr arguments, Call call) {
  Graph& graph = *arguments.graph;
  return graph.intern({.op = Op::call, .a = arguments.id, .payload = graph.index_of(std::move(call))});
}

}  // namespace

Expr call(const ExternalFunction& function, std::span<const Expr> arguments) {
  if (arguments.size() != function.argument_count()) {
    throw InputError(fmt::format("the function '{}' is called with {} argument{}", function.name(), arguments.size(),
                                 arguments.size() == 1 ? "" : "s"),
                     fmt::format("it takes {}", function.argument_count()));
  }
  Expr all = arguments.front();
  require_one_graph(all, all);
  for (const Expr& argument : arguments.subspan(1)) {
    require_one_graph(arguments.front(), argument);
    all = binary(Op::arguments, all, argument);
  }
  return call_of(all, {function, {}});
}

std::vector<Expr> arguments_of(Expr call) { return parts_of(call.a(), call.called().function.argument_count()); }

std::vector<Expr> parts_of(Expr arguments, std::size_t count) {
  std::vector<Expr> parts(count, arguments);
  for (std::size_t i = count; i-- > 0;) {
    if (i > 0 && arguments.op() == Op::arguments) {
      parts[i] = arguments.b();
      arguments = arguments.a();
    } else {
      parts[i] = arguments;  // the first, or the zero that stands for all that are left
    }
  }
  return parts;
}

Expr derivative_of_call(Expr call, std::size_t by) {
  Call derived = call.called();
  const auto index = static_cast<std::uint32_t>(by);
  derived.by.insert(std::upper_bound(derived.by.begin(), derived.by.end(), index), index);
  return call_of(call.a(), std::move(derived));
}

Expr base_of_differences(Expr call) {
  Call base = call.called();
  const std::size_t differences = base.function.differences(base.by.size());
  base.by.erase(base.by.begin(), base.by.begin() + static_cast<std::ptrdiff_t>(differences));
  return call_of(call.a(), std::move(base));
}

}  // namespace noslip
