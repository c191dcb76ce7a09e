#include "method/group_points.hpp"

#include <algorithm>

#include "method/coefficients.hpp"

namespace noslip {

using Vector = std::vector<Expr>;

GroupPoints::GroupPoints(const Group& group, const Chart& chart, StepRecipe& recipe, Vector q0, Vector v0,
                         std::vector<Vector> D, std::vector<quad> b)
    : group_(group),
      map_(chart.map),
      phi_(chart.centre == Chart::Centre::middle ? quad(1) / 2 : quad(0)),
      graph_(*recipe.graph),
      h_(recipe.h),
      q0_(std::move(q0)),
      v0_(std::move(v0)),
      D_(std::move(D)),
      b_(std::move(b)) {
  std::vector<quad> part = b_;
  for (quad& weight : part) weight *= phi_;
  theta_ = reach(phi_, part);
  const Vector to_centre = group_.increment(map_, q0_, theta_);
  for (std::size_t k = 0; k < q0_.size(); ++k) centre_.push_back(graph_.alias(q0_[k] + to_centre[k]));
  end_ = at(reach_from_centre(1, b_));
  end_.is_end = true;
  const Vector onward = group_.increment(map_, centre_, end_.xi);
  for (std::size_t k = 0; k < q0_.size(); ++k) {
    recipe.state[k].increment = to_centre[k] + onward[k];
    end_.q[k] = recipe.state[k].next(graph_);
  }
}

Vector GroupPoints::reach(quad total, const std::vector<quad>& weights) const {
  Vector xi;
  for (std::size_t k = 0; k < v0_.size(); ++k) {
    xi.push_back(graph_.alias(h_ * (coefficient(graph_, total) * v0_[k] + combine(graph_, weights, D_, k))));
  }
  return xi;
}

Vector GroupPoints::reach_from_centre(quad total, std::vector<quad> weights) const {
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] -= phi_ * b_[j];
  return reach(total - phi_, weights);
}

GroupPoint GroupPoints::at(Vector xi) const {
  GroupPoint result;
  result.xi = std::move(xi);
  result.tangent = group_.tangent_less_one(map_, result.xi);
  result.back = group_.adjoint_less_one(map_, negative(result.xi));
  const Vector increment = group_.increment(map_, centre_, result.xi);
  for (std::size_t k = 0; k < centre_.size(); ++k) result.q.push_back(graph_.alias(centre_[k] + increment[k]));
  return result;
}

GroupPoint GroupPoints::along(quad total, const std::vector<quad>& weights) const {
  if (weights == b_) return end_;
  GroupPoint result = at(reach_from_centre(total, weights));
  if (std::all_of(weights.begin(), weights.end(), [](quad x) { return x == 0; })) result.q = q0_;
  return result;
}

Vector GroupPoints::body_velocity(const GroupPoint& at, const Vector& increment) const {
  Vector H;
  for (std::size_t k = 0; k < v0_.size(); ++k) H.push_back(graph_.alias(v0_[k] + increment[k]));
  const Vector turned = times(at.tangent, H);
  Vector eta;
  for (std::size_t k = 0; k < H.size(); ++k) eta.push_back(graph_.alias(H[k] + turned[k]));
  return eta;
}

Vector negative(const Vector& a) {
  Vector result;
  for (const Expr& x : a) result.push_back(-x);
  return result;
}

}  // namespace noslip
