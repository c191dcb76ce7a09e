// The walk that both printers share: pieces of text and subexpressions that are still to be written, first on top.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <noslip/core/stopping.hpp>
#include <noslip/expr/graph.hpp>

namespace noslip {

/// What an alias stands for; anything else is returned as it is.
inline Expr meaning_of(Expr e) {
  while (e.op() == Op::alias) e = e.a();
  return e;
}

/// A piece of output: text, or an expression that gets parentheses if it binds less tightly than `level`.
struct Piece {
  std::string text;
  Expr expression{};
  int level = 0;

  Piece(const char* t) : text(t) {}             // NOLINT: pieces are written as lists of text and operands
  Piece(std::string t) : text(std::move(t)) {}  // NOLINT
  Piece(Expr e, int l) : expression(e), level(l) {}
};

/// How the parts of a condition are written. `number` is the level of a side of a comparison.
struct ConditionWords {
  const char *less, *at_most, *both, *either, *negation, *open, *close;
  int number;
};

/// The pieces of a condition; what is not made of comparisons is compared with zero.
inline void append_condition(std::vector<Piece>& pieces, Expr e, const ConditionWords& words, bool is_alternative,
                             int depth = 0) {
  constexpr int deepest = 20;
  e = meaning_of(e);
  const auto append = [&](Expr part, bool may_choose) { append_condition(pieces, part, words, may_choose, depth + 1); };
  if (depth >= deepest || !is_condition(e)) {
    pieces.insert(pieces.end(), {{e, words.number}, " > 0"});
    return;
  }
  switch (e.op()) {
    case Op::less: pieces.insert(pieces.end(), {{e.a(), words.number}, words.less, {e.b(), words.number}}); return;
    case Op::min:
      append(e.a(), false);
      pieces.emplace_back(words.both);
      append(e.b(), false);
      return;
    case Op::max:
      if (!is_alternative) pieces.emplace_back(words.open);
      append(e.a(), true);
      pieces.emplace_back(words.either);
      append(e.b(), true);
      if (!is_alternative) pieces.emplace_back(words.close);
      return;
    default: break;
  }
  const Expr opposite = meaning_of(e.b());
  if (opposite.op() == Op::less) {
    pieces.insert(pieces.end(), {{opposite.b(), words.number}, words.at_most, {opposite.a(), words.number}});
    return;
  }
  pieces.emplace_back(words.negation);
  pieces.emplace_back(words.open);
  append(opposite, true);
  pieces.emplace_back(words.close);
}

/// `pieces_of(e)` says what an expression consists of, `level_of(e)` how tightly it binds. Ends as soon as there are
/// more than `most` characters. An explicit stack instead of recursion: long sums are deep graphs.
template <class PiecesOf, class LevelOf>
std::string write(Expr root, std::pair<const char*, const char*> parentheses, PiecesOf pieces_of, LevelOf level_of,
                  std::size_t most = std::numeric_limits<std::size_t>::max()) {
  end_if_stopped();
  std::string text;
  std::vector<Piece> open{Piece(root, 0)};
  while (!open.empty() && text.size() <= most) {
    const Piece piece = std::move(open.back());
    open.pop_back();
    if (piece.expression.graph == nullptr) {
      text += piece.text;
      continue;
    }
    const Expr e = meaning_of(piece.expression);
    const bool parenthesised = level_of(e) < piece.level;
    std::vector<Piece> pieces = pieces_of(e);
    if (parenthesised) {
      text += parentheses.first;
      open.emplace_back(parentheses.second);
    }
    open.insert(open.end(), std::make_move_iterator(pieces.rbegin()), std::make_move_iterator(pieces.rend()));
  }
  return text;
}

}  // namespace noslip
