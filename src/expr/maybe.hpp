// Expressions that may be nothing: the change of what does not change.
#pragma once

#include <optional>

#include <noslip/expr/graph.hpp>

namespace noslip {

using Maybe = std::optional<Expr>;

inline Maybe plus(const Maybe& a, const Maybe& b) {
  if (!a) return b;
  if (!b) return a;
  return *a + *b;
}

inline Maybe minus(const Maybe& a, const Maybe& b) {
  if (!b) return a;
  if (!a) return -*b;
  return *a - *b;
}

}  // namespace noslip
