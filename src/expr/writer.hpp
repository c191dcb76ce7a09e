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
