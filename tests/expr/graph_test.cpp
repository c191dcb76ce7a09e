#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <noslip/expr/graph.hpp>
#include <noslip/expr/print.hpp>

namespace noslip {
namespace {

TEST(Graph, EqualExpressionsAreOneNode) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  EXPECT_EQ(graph.symbol("x"), x);
  EXPECT_EQ(x + y, y + x);
  EXPECT_EQ(sin(x * y), sin(y * x));
  EXPECT_NE(x - y, y - x);
  EXPECT_EQ(graph.constant(Number::rational(2, 4)), graph.constant(Number::real(0.5)));
  const std::size_t size = graph.size();
  (void)sin(x * y);
  EXPECT_EQ(graph.size(), size);
}

TEST(Graph, AliasesOfLeavesAreTheLeaves) {
  Graph graph;
  const Expr x = graph.symbol("x");
  EXPECT_EQ(graph.alias(x), x);
  EXPECT_EQ(graph.alias(graph.constant(2)), graph.constant(2));
  EXPECT_EQ(graph.alias(graph.pi()), graph.pi());
  const Expr named = graph.alias(x + 1);
  EXPECT_EQ(named.op(), Op::alias);
  EXPECT_EQ(graph.alias(named), named);
  EXPECT_EQ(graph.alias(x + 1), named);
  EXPECT_NE(named, x + 1);
}

TEST(Graph, DependsOnGoesThroughAliases) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  const Expr stage = graph.alias(x * x + 1);
  const Expr f = sin(stage) + 2;
  EXPECT_TRUE(depends_on(f, x));
  EXPECT_TRUE(depends_on(f, stage));
  EXPECT_TRUE(depends_on(f, f));
  EXPECT_FALSE(depends_on(f, y));
  EXPECT_FALSE(depends_on(x, f));
  EXPECT_FALSE(depends_on(graph.constant(1), x));
}

TEST(Graph, SymbolsInOrderOfCreation) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y"), z = graph.symbol("z");
  const std::vector<Expr> roots{z * y, graph.alias(y + 1) * y};
  EXPECT_EQ(symbols_of(roots), (std::vector<Expr>{y, z}));
  EXPECT_EQ(symbols_of(std::vector<Expr>{x}), std::vector<Expr>{x});
  EXPECT_TRUE(symbols_of({}).empty());
  EXPECT_TRUE(symbols_of(std::vector<Expr>{graph.constant(1)}).empty());
}

TEST(Substitution, ReplacesSymbolsAndSimplifies) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  Substitution at_zero(graph);
  at_zero.replace(x, graph.constant(0));
  EXPECT_EQ(at_zero(sin(x) * y + cos(x)), graph.constant(1));
  Substitution swap(graph);
  swap.replace(x, y);
  swap.replace(y, x);
  EXPECT_EQ(swap(x - y), y - x);
}

TEST(Substitution, CopiesIntoAnotherGraphAndKeepsAliases) {
  Graph source, target;
  const Expr x = source.symbol("x");
  const Expr f = source.alias(sin(x) + Number::rational(1, 3)) * source.pi() / x;
  Substitution copy(target);
  copy.replace(x, 2 * target.symbol("u"));
  const Expr g = copy(f);
  EXPECT_EQ(g.graph, &target);
  EXPECT_EQ(to_text(g), "1/2*pi*(sin(2*u) + 1/3)/u");
  EXPECT_EQ(symbols_of(std::vector<Expr>{g}), std::vector<Expr>{target.symbol("u")});
  Substitution plain(target);
  EXPECT_EQ(to_text(plain(x + 1)), "x + 1");
}

TEST(Substitution, WhatContainsNoReplacedSymbolStays) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  const Expr kept = graph.alias(sin(y) * exp(y) + Number::rational(1, 3)), f = kept / (x + kept);
  Substitution put(graph);
  put.replace(x, y * y);
  const std::size_t before = graph.size();
  EXPECT_EQ(put(kept), kept);
  EXPECT_EQ(graph.size(), before);
  EXPECT_EQ(put(f), kept / (y * y + kept));
}

TEST(Substitution, CanGoOnAfterARefusal) {
  Graph source, target;
  const Expr good = sin(source.symbol("x")), bad = good + source.symbol("y");
  Substitution copy(target);
  bool refuses = true;
  copy.ask([&](Expr symbol) {
    if (symbol.name() == "y" && refuses) throw std::runtime_error("no y");
    return target.symbol(symbol.name());
  });
  EXPECT_THROW(copy(bad), std::runtime_error);
  EXPECT_EQ(copy(good), sin(target.symbol("x")));
  refuses = false;
  EXPECT_EQ(copy(bad), sin(target.symbol("x")) + target.symbol("y"));
}

TEST(Substitution, SharedStaysShared) {
  Graph source, target;
  Expr f = source.symbol("x");
  for (int i = 0; i < 60; ++i) f = sin(f) * cos(f);  // a tree of 2^60 nodes if it were not shared
  Substitution copy(target);
  EXPECT_EQ(copy(f).op(), Op::mul);
  EXPECT_LE(target.size(), source.size());
}

TEST(Graph, ACopyKeepsIdsAndGrowsAlone) {
  Graph original;
  const Expr x = original.symbol("x"), y = original.symbol("y");
  const Expr f = sin(x) * Number::rational(1, 3) + original.alias(x * y);
  const std::size_t size = original.size();
  Graph copy(original);
  EXPECT_TRUE(copy.extends(original));
  EXPECT_EQ(copy.symbol("y"), copy.counterpart(y));
  EXPECT_EQ(to_text(copy.counterpart(f)), to_text(f));
  EXPECT_EQ(copy.counterparts(std::vector<Expr>{x, f}), (std::vector<Expr>{copy.symbol("x"), copy.counterpart(f)}));
  const Expr g = cos(copy.counterpart(f)) + copy.symbol("z") + Number::rational(2, 7);
  EXPECT_EQ(original.size(), size);
  EXPECT_TRUE(copy.extends(original));
  EXPECT_FALSE(original.extends(copy));
  // The same steps in the original lead to the same ids.
  EXPECT_EQ((cos(f) + original.symbol("z") + Number::rational(2, 7)).id, g.id);
  EXPECT_EQ(original.size(), copy.size());
  Graph other;
  other.symbol("y");
  EXPECT_FALSE(copy.extends(other));
}

TEST(Graph, AFrozenGraphFindsButDoesNotGrow) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const Expr f = sin(x) + Number::rational(1, 3);
  graph.pi();
  graph.freeze();
  const std::size_t size = graph.size();
  EXPECT_EQ(sin(graph.symbol("x")) + Number::rational(1, 3), f);
  EXPECT_EQ(graph.pi().op(), Op::pi);
  EXPECT_THROW(graph.symbol("y"), std::logic_error);
  EXPECT_THROW(graph.constant(Number::rational(1, 7)), std::logic_error);
  EXPECT_THROW(cos(x), std::logic_error);
  EXPECT_THROW(graph.alias(f), std::logic_error);
  Substitution at_pi(graph);
  at_pi.replace(x, graph.pi());
  EXPECT_THROW(at_pi(f), std::logic_error);
  EXPECT_EQ(graph.size(), size);
  Graph copy(graph);
  EXPECT_FALSE(copy.is_frozen());
  EXPECT_EQ(to_text(cos(copy.counterpart(x))), "cos(x)");
  Graph empty;
  empty.freeze();
  EXPECT_THROW(empty.pi(), std::logic_error);
}

/// However full the table of a graph is when it is frozen: a search neither grows it nor runs forever.
TEST(Graph, AFrozenGraphOfAnySizeCanBeSearched) {
  for (int size = 1; size <= 70; ++size) {
    Graph graph;
    for (int i = 0; i < size; ++i) graph.symbol("x" + std::to_string(i));
    graph.freeze();
    EXPECT_EQ(graph.symbol("x0").id, 0u);
    EXPECT_THROW(graph.pi(), std::logic_error) << size;
  }
}

TEST(Graph, DeepGraphsDoNotOverflowTheStack) {
  Graph graph, other;
  const Expr x = graph.symbol("x");
  Expr f = x;
  for (int i = 0; i < 100000; ++i) f = sin(f) + i;
  EXPECT_TRUE(depends_on(f, x));
  EXPECT_EQ(symbols_of(std::vector<Expr>{f}).size(), 1u);
  Substitution copy(other);
  EXPECT_TRUE(depends_on(copy(f), other.symbol("x")));
  EXPECT_GT(to_text(f).size(), 100000u);
  EXPECT_GT(to_latex(f).size(), 100000u);
}

TEST(Graph, ArityAndText) {
  EXPECT_EQ(arity(Op::symbol), 0);
  EXPECT_EQ(arity(Op::alias), 1);
  EXPECT_EQ(arity(Op::powi), 1);
  EXPECT_EQ(arity(Op::atan2), 2);
  EXPECT_EQ(arity(Op::select), 3);
  EXPECT_STREQ(to_text(Op::atan2), "atan2");
  EXPECT_STREQ(to_text(Op::mul), "*");
}

}  // namespace
}  // namespace noslip
