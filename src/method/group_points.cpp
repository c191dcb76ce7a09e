#include "method/group_points.hpp"

#include <algorithm>

namespace noslip {

GroupPoints::GroupPoints(const Group& group, const Chart& chart, StepRecipe& recipe, Vector q0, Vector v0, Vectors D,
                         Weights b)
    : group_(group),
      map_(chart.map),
      phi_(chart.centre == Chart::Centre::middle ? quad(1) / 2 : quad(0)),
      graph_(*recipe.graph),
      h_(recipe.h),
      q0_(std::move(q0)),
      v0_(std::move(v0)),
      D_(std::move(D)),
      b_(std::move(b)) {
  Weights part = b_;
  for (quad& weight : part) weight *= phi_;
  theta_ = reach(phi_, part);
  const Vector to_centre = group_.increment(map_, q0_, theta_);
  centre_ = alias(q0_ + to_centre);
  end_ = at(reach_from_centre(1, b_));
  end_.is_end = true;
  end_.q = recipe.move(0, to_centre + group_.increment(map_, centre_, end_.xi));
}

Vector GroupPoints::reach(quad total, const Weights& weights) const {
  return alias(h_ * (total * v0_ + sum(weights, D_)));
}

Vector GroupPoints::reach_from_centre(quad total, Weights weights) const {
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] -= phi_ * b_[j];
  return reach(total - phi_, weights);
}

GroupPoint GroupPoints::at(Vector xi) const {
  GroupPoint result;
  result.xi = std::move(xi);
  result.tangent = group_.tangent_less_one(map_, result.xi);
  result.back = group_.adjoint_less_one(map_, -result.xi);
  result.q = alias(centre_ + group_.increment(map_, centre_, result.xi));
  return result;
}

GroupPoint GroupPoints::along(quad total, const Weights& weights) const {
  if (weights == b_) return end_;
  GroupPoint result = at(reach_from_centre(total, weights));
  if (std::all_of(weights.begin(), weights.end(), [](quad x) { return x == 0; })) result.q = q0_;
  return result;
}

Vector GroupPoints::body_velocity(const GroupPoint& at, const Vector& increment) const {
  const Vector H = alias(v0_ + increment);
  return alias(H + at.tangent * H);
}

}  // namespace noslip
