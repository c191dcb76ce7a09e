// tau, its tangent and its adjoint, as they belong together.
#include "lie/help.hpp"

namespace noslip::testing {
namespace {

TEST(Group, TangentBelongsToTheIncrement) {
  for (const auto& group : {so2(), so3(), se2(), se3(), product({so3(), vector_space(2), se2()})}) {
    for (const Retraction map : {Retraction::cay, Retraction::exp}) {
      Graph graph;
      const auto xi = symbols(graph, "xi", group->dimension()), eta = symbols(graph, "eta", group->dimension());
      const auto g = group->identity(graph);
      auto element = group->increment(map, g, xi);
      for (std::size_t i = 0; i < g.size(); ++i) element[i] = element[i] + g[i];
      const auto change = times(group->frame(element), plus_times(eta, group->tangent_less_one(map, xi)));
      const Function<quad> tau({xi}, element), rate({xi, eta}, change);
      std::mt19937 generator(1);
      std::uniform_real_distribution<double> distribution(-1, 1);
      Vector<quad> x, e;
      for (int i = 0; i < group->dimension(); ++i) {
        x.push_back(distribution(generator));
        e.push_back(distribution(generator));
      }
      const quad h = 1e-8;
      Vector<quad> plus = x, minus = x;
      for (std::size_t i = 0; i < x.size(); ++i) {
        plus[i] += h * e[i];
        minus[i] -= h * e[i];
      }
      const auto a = tau(plus), b = tau(minus), expected = rate(x, e);
      for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_NEAR(static_cast<double>((a[i] - b[i]) / (2 * h)), static_cast<double>(expected[i]), 1e-13)
            << group->name() << " " << to_text(map) << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace noslip::testing
