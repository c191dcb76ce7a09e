// Orders of Runge-Kutta methods and of pairs, by the conditions of all rooted trees (Hairer, Lubich & Wanner, Geometric
// Numerical Integration, III.1.1 and III.2.1). A vertex of a tree has the colour of the method, first or partner, that
// its function belongs to. For a tree tau with the root of colour r, to which the trees tau_1, tau_2, ... of colours
// r_1, r_2, ... are attached,
//
//   g_i(tau) = product over m of sum_j a^(r_m)_ij g_j(tau_m),   gamma(tau) = |tau| gamma(tau_1) gamma(tau_2) ...
//   condition:  sum_i b^(r)_i g_i(tau) = 1/gamma(tau)
#include <algorithm>
#include <cassert>

#include <noslip/tableau/tableau.hpp>

#include "vectors.hpp"

namespace noslip {
namespace {

struct Tree {
  int order;
  quad density;                // gamma
  std::vector<quad> attached;  // sum_j a_ij g_j, what the tree contributes where it is attached to a root
};

/// Adds up trees order by order, until a condition fails.
class Trees {
 public:
  Trees(std::vector<const Tableau*> colours, double tolerance) : colours_(std::move(colours)), tolerance_(tolerance) {}

  /// The highest order up to which all conditions hold, at most `most`.
  int count(int most) {
    for (int order = 1; order <= most; ++order) {
      holds_ = true;
      made_.clear();
      attach(order - 1, trees_.size(), std::vector<quad>(colours_.front()->b.size(), quad(1)), quad(order), order);
      if (!holds_) return order - 1;
      trees_.insert(trees_.end(), made_.begin(), made_.end());
    }
    return most;
  }

 private:
  /// `left` vertices are still to be attached, in trees of which each comes not later in the list than the one before.
  void attach(int left, std::size_t end, const std::vector<quad>& g, quad density, int order) {
    if (!holds_) return;
    if (left == 0) {
      add(g, density, order);
      return;
    }
    for (std::size_t k = 0; k < end && trees_[k].order <= left; ++k) {
      attach(left - trees_[k].order, k + 1, times(g, trees_[k].attached), density * trees_[k].density, order);
    }
  }

  void add(const std::vector<quad>& g, quad density, int order) {
    for (const Tableau* colour : colours_) {
      quad defect = 0;
      take_larger(defect, dot(colour->b, g) - 1 / density);
      holds_ = holds_ && defect <= quad(tolerance_);
      made_.push_back({order, density, multiply(colour->a, g)});
    }
  }

  const std::vector<const Tableau*> colours_;
  const double tolerance_;
  std::vector<Tree> trees_, made_;  // of lower orders; of this one
  bool holds_ = true;
};

/// What simplifying assumptions prove (Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, II.7.4).
int proved_order(const Tableau& tableau, double tolerance) {
  const SimplifyingAssumptions found = simplifying_assumptions(tableau, tolerance);
  return std::min({found.p, found.q + found.r + 1, 2 * found.q + 2});
}

}  // namespace

OrderRange order_of(const Tableau& tableau, double tolerance) {
  const int by_trees = Trees({&tableau}, tolerance).count(most_order_by_trees);
  if (by_trees < most_order_by_trees) return {by_trees, by_trees};
  const int quadrature = simplifying_assumptions(tableau, tolerance).p;
  return {std::max(by_trees, proved_order(tableau, tolerance)), std::max(by_trees, quadrature)};
}

OrderRange order_of(const Tableau& tableau, const Tableau& partner, double tolerance) {
  assert(tableau.stages() == partner.stages());
  if (tableau.a == partner.a && tableau.b == partner.b) return order_of(tableau, tolerance);
  const int by_trees = Trees({&tableau, &partner}, tolerance).count(most_order_of_pairs_by_trees);
  if (by_trees < most_order_of_pairs_by_trees) return {by_trees, by_trees};
  const int quadrature =
      std::min(simplifying_assumptions(tableau, tolerance).p, simplifying_assumptions(partner, tolerance).p);
  return {by_trees, std::max(by_trees, quadrature)};
}

}  // namespace noslip
