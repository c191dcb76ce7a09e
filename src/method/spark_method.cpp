#include "method/spark_method.hpp"

#include <algorithm>

#include <noslip/method/group_spark.hpp>

namespace noslip {

namespace {

std::string needs_velocity_constraints(const System& system) {
  if (system.holonomic().empty()) return {};
  return "it does not take position constraints (holonomic); take gauss or lobatto-ab";
}

/// What Jay 2007 adds: position constraints hold where there are nodes.
std::string needs_nodes(const System& system, const SparkCoefficients& coefficients) {
  if (!system.holonomic().empty() && !coefficients.nodes) return needs_velocity_constraints(system);
  if (!system.constraints().empty() && coefficients.for_positions_only) {
    return "it takes position constraints (holonomic) only, no velocity constraints; take gauss or lobatto-ab";
  }
  if (!system.nonideal().empty() && coefficients.for_positions_only) {
    return "its reactions at the start of a step are no values that nonideal ones could depend on; take gauss or "
           "lobatto-ab";
  }
  return {};
}

/// The last stage is the end of the step, velocity included, and there is a condition on it.
bool has_condition_at_last_stage(const SparkCoefficients& coefficients) {
  const auto ends = [](const Tableau& tableau) { return tableau.a.back() == tableau.b && tableau.c.back() == 1; };
  const auto s = static_cast<std::ptrdiff_t>(coefficients.q.b.size());
  return ends(coefficients.q) && ends(coefficients.forces) && ends(coefficients.reactions) &&
         std::any_of(coefficients.omega.begin(), coefficients.omega.end(), [&](const std::vector<quad>& row) {
           return row[s - 1] != 0 && std::count(row.begin(), row.end(), quad(0)) == s;
         });
}

using Rows = std::vector<std::vector<quad>>;

/// By elimination with pivoting; what is at most `tolerance` is zero.
std::size_t rank_of(Rows rows, double tolerance) {
  std::size_t rank = 0;
  for (std::size_t column = 0; !rows.empty() && column < rows.front().size() && rank < rows.size(); ++column) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(rank);
    const auto pivot = std::max_element(
        first, rows.end(), [&](const auto& a, const auto& b) { return size_of(a[column]) < size_of(b[column]); });
    if (size_of((*pivot)[column]) <= quad(tolerance)) continue;
    std::iter_swap(first, pivot);
    for (auto row = first + 1; row != rows.end(); ++row) {
      const quad factor = (*row)[column] / (*first)[column];
      for (std::size_t j = column; j < row->size(); ++j) (*row)[j] -= factor * (*first)[j];
    }
    ++rank;
  }
  return rank;
}

/// Do the conditions on velocities and positions, and the reactions at the nodes, stay the same when a step is
/// reversed? The condition at the end then is the one at the start, which holds.
bool has_symmetric_conditions(const SparkCoefficients& coefficients, double tolerance) {
  if (coefficients.first_multiplier_given) return false;
  Rows rows;
  for (const std::vector<quad>& omega : coefficients.omega) {
    if (omega.back() == 0) rows.emplace_back(omega.begin(), omega.end() - 1);
  }
  if (rows.size() + 1 != coefficients.omega.size() || !has_condition_at_end(coefficients)) return false;
  const std::size_t count = rank_of(rows, tolerance), s = coefficients.q.b.size();
  for (std::size_t i = 0, given = rows.size(); i < given; ++i) rows.emplace_back(rows[i].rbegin(), rows[i].rend());
  if (rank_of(rows, tolerance) != count) return false;
  if (!coefficients.nodes) return true;
  const NodeCoefficients& nodes = *coefficients.nodes;
  const auto last = static_cast<std::size_t>(nodes.last());
  const auto is_zero = [&](quad x) { return size_of(x) <= quad(tolerance); };
  for (std::size_t j = 0; j <= last; ++j) {
    if (!is_zero(nodes.c[j] + nodes.c[last - j] - 1) || !is_zero(nodes.b[j] - nodes.b[last - j])) return false;
    for (std::size_t i = 0; i < s; ++i) {
      const bool reaches = is_zero(nodes.reach[j][i] + nodes.reach[last - j][s - 1 - i] - coefficients.q.b[i]);
      if (!reaches || !is_zero(nodes.a[i][j] + nodes.a[s - 1 - i][last - j] - nodes.b[j])) return false;
    }
  }
  return nodes.correction.empty();
}

class SparkMethod final : public Method {
 public:
  SparkMethod(MethodTraits traits, SparkCoefficients coefficients, double tolerance)
      : traits_(std::move(traits)),
        coefficients_(std::move(coefficients)),
        has_condition_at_end_(coefficients_.for_positions_only || has_condition_at_end(coefficients_)) {
    const bool keeps_constraints = has_condition_at_end_ || has_condition_at_last_stage(coefficients_);
    evaluate(traits_, coefficients_, keeps_constraints, tolerance);
    traits_.symmetric = traits_.symmetric && has_symmetric_conditions(coefficients_, tolerance);
    traits_.holonomic = coefficients_.nodes.has_value();
    traits_.symplectic = is_symplectic_with_positions(coefficients_, tolerance);
  }

  const MethodTraits& traits() const override { return traits_; }
  std::string why_not(const System& system) const override {
    const Offers& offers = system.offers();
    const bool is_taken = offers.lagrangian || (offers.momenta && coefficients_.nodes.has_value());
    return is_taken ? needs_nodes(system, coefficients_) : needs_mechanics(system);
  }
  StepRecipe record(const System& system) const override { return record_spark(system, coefficients_); }
  StepRecipe record_on_group(const System& system, const Chart& chart) const override {
    return record_group_spark(system, coefficients_, Constraints::weighted, chart);
  }
  bool has_group_form() const override { return true; }
  // Without a condition at the end the last stage has to be the end. On groups it is with coordinates around the start.
  Chart::Centre usual_centre() const override {
    return has_condition_at_end_ ? Chart::Centre::middle : Chart::Centre::start;
  }
  bool can_be_centred() const override { return has_condition_at_end_; }
  const SparkCoefficients* spark() const override { return &coefficients_; }

 private:
  MethodTraits traits_;
  SparkCoefficients coefficients_;
  bool has_condition_at_end_;
};

}  // namespace

std::string needs_mechanics(const System& system) {
  const Offers& offers = system.offers();
  if (offers.lagrangian) return needs_velocity_constraints(system);
  if (offers.momenta) return "it does not integrate overdetermined systems (odae); take gauss or lobatto-ab";
  if (offers.skew_form) {
    return "it does not integrate skew-gradient systems; take gonzalez, avf, itoh-abe, energy or srk-gauss";
  }
  return "it integrates mechanical systems, given by a Lagrangian; for index-2 systems take srk-gauss, srk-radau-ia, "
         "spark-lobatto or one of rk-*";
}

void evaluate(MethodTraits& traits, const SparkCoefficients& coefficients, bool keeps_constraints, double tolerance) {
  traits.symmetric = is_symmetric(coefficients, tolerance);
  traits.keeps_constraints = keeps_constraints;
  traits.lagrange_dalembert = keeps_constraints && satisfies_lagrange_dalembert(coefficients, tolerance);
}

bool has_condition_at_end(const SparkCoefficients& coefficients) {
  return std::any_of(coefficients.omega.begin(), coefficients.omega.end(), [](const std::vector<quad>& row) {
    return row.back() != 0 && std::all_of(row.begin(), row.end() - 1, [](quad weight) { return weight == 0; });
  });
}

Made spark_method(MethodTraits traits, SparkCoefficients coefficients, double tolerance) {
  return std::make_shared<SparkMethod>(std::move(traits), std::move(coefficients), tolerance);
}

}  // namespace noslip
