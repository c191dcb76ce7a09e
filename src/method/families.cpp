// Names, orders and sources of the methods. What coefficients decide (symmetry, the discrete principle) is evaluated.
#include "method/families.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include <fmt/format.h>

#include <noslip/method/discrete.hpp>
#include <noslip/method/group_spark.hpp>
#include <noslip/method/index2.hpp>
#include <noslip/method/nh_lobatto.hpp>

#include "method/energy_families.hpp"
#include "method/recorded_method.hpp"
#include "method/spark_method.hpp"

namespace noslip {

namespace {

constexpr int most_stages = 64;
constexpr char jay[] = "L. O. Jay, Lagrange-d'Alembert SPARK integrators for nonholonomic Lagrangian systems (2009)";
constexpr char jay_holonomic[] =
    "L. O. Jay, Specialized partitioned additive Runge-Kutta methods for systems of overdetermined DAEs with holonomic "
    "constraints, SIAM J. Numer. Anal. 45 (2007) 1814";
constexpr char hilden[] = "S. K. Hilden, Numerical Methods for Nonholonomic Mechanics (2009)";

/// Methods for index-2 systems: those, skew-gradient systems (index-2 systems without z and g) and mechanical ones.
std::string needs_no_positions(const System& system) {
  return system.offers().parts ? std::string() : needs_mechanics(system);
}

/// The part that is made for Lobatto IIIA must not contain z (Hilden 2009, sec. 2.5).
std::string needs_part_without_z(const System& system) {
  if (!system.offers().parts || system.parts()[0].empty()) return needs_no_positions(system);
  for (const Expr& symbol : symbols_of(system.parts()[0])) {
    for (std::size_t r = 0; r < system.z().size(); ++r) {
      if (symbol != system.z()[r]) continue;
      return fmt::format("part A of f contains {}; write those terms as part B, f = [[], [...]]",
                         system.multiplier_names()[r]);
    }
  }
  return {};
}

/// The multipliers of position constraints have the order that Jay 2007 has: the number of the last node.
Made spark_family(MethodTraits traits, SparkCoefficients coefficients) {
  if (coefficients.nodes) traits.position_multiplier_order = coefficients.nodes->last();
  return spark_method(std::move(traits), std::move(coefficients));
}

Made make_gauss(int s, const MethodOptions&) {
  return spark_family(
      traits_of(
          fmt::format("gauss:{}", s), s, 2 * s, 2 * s, "Gauss SPARK",
          fmt::format("{}, sections 6, 7.3 and 7.4; Math. Comput. 75 (2006); position constraints: {}, section 3.3",
                      jay, jay_holonomic)),
      gauss_spark(s));
}

Made lobatto(const char* name, const char* summary, int s, SparkCoefficients coefficients) {
  return spark_family(traits_of(fmt::format("{}:{}", name, s), s, 2 * s - 2, s - 1, summary,
                                fmt::format("{}, sections 6, 7.5 and 7.6", jay)),
                      std::move(coefficients));
}

Made make_lobatto_ab(int s, const MethodOptions&) {
  return lobatto("lobatto-ab", "Lobatto IIIA-B SPARK", s, lobatto_ab_spark(s));
}
Made make_lobatto_abd(int s, const MethodOptions&) {
  return lobatto("lobatto-abd", "Lobatto IIIA-B-D SPARK", s, lobatto_abd_spark(s));
}
Made make_lobatto_ad(int s, const MethodOptions&) {
  return lobatto("lobatto-ad", "Lobatto IIIA-D SPARK", s, lobatto_ad_spark(s));
}
Made make_lobatto_d(int s, const MethodOptions&) {
  return lobatto("lobatto-d", "Lobatto IIID SPARK", s, lobatto_d_spark(s));
}

Made make_rattle(int, const MethodOptions&) {
  return spark_family(
      traits_of("rattle", 2, 2, 1, "RATTLE, the two-stage lobatto-ab by its name for position constraints",
                fmt::format("{}, section 3.4; H. C. Andersen, J. Comput. Phys. 52 (1983) 24", jay_holonomic)),
      lobatto_ab_spark(2));
}

/// The weight of the reaction at the start; a reaction has to remain for the end.
double alpha_of(const char* family, const MethodOptions& options, bool may_be_one) {
  const auto given = options.find("alpha");
  if (given == options.end()) return 0.5;
  double alpha = 0;
  const char* const last = given->second.data() + given->second.size();
  const auto [end, error] = std::from_chars(given->second.data(), last, alpha);
  if (error != std::errc() || end != last || !(alpha > 0) || !(may_be_one ? alpha <= 1 : alpha < 1)) {
    throw InputError(
        fmt::format("method '{}': alpha cannot be '{}'", family, given->second),
        fmt::format("it is a weight, 0 < alpha {} 1, for example {},alpha=0.5", may_be_one ? "<=" : "<", family));
  }
  return alpha;
}

Made euler_for_positions(const char* family, const char* summary, double alpha, SparkCoefficients coefficients) {
  MethodTraits traits = traits_of(alpha == 0.5 ? family : fmt::format("{},alpha={}", family, alpha), 1, 1, 1, summary,
                                  fmt::format("{}, section 3.5", jay_holonomic));
  return spark_family(std::move(traits), std::move(coefficients));
}

Made make_euler_true(int, const MethodOptions& options) {
  const double alpha = alpha_of("euler-true", options, true);
  return euler_for_positions("euler-true", "\"true\" symplectic Euler for position constraints", alpha,
                             euler_true_spark(alpha));
}

Made make_euler_natural(int, const MethodOptions& options) {
  const double alpha = alpha_of("euler-natural", options, false);
  return euler_for_positions(
      "euler-natural",
      "\"natural\" symplectic Euler; does not converge where reactions are not linear in the multipliers", alpha,
      euler_natural_spark(alpha));
}

Made make_lobatto_ab_mid(int, const MethodOptions&) {
  return spark_family(
      traits_of("lobatto-ab-mid", 2, 2, 1, "Lobatto IIIA-B SPARK with the constraint at the mean point",
                fmt::format("{}, section 8.4, in a form that stays symmetric for any mass matrix", jay)),
      lobatto_ab_mid_spark());
}

Made make_euler_a(int, const MethodOptions&) {
  return spark_family(
      traits_of("euler-a", 1, 1, 1, "\"symplectic\" Euler SPARK I", fmt::format("{}, section 7.1", jay)),
      euler_a_spark());
}

Made make_euler_b(int, const MethodOptions&) {
  return spark_family(
      traits_of("euler-b", 1, 1, 1, "\"symplectic\" Euler SPARK II", fmt::format("{}, section 7.2", jay)),
      euler_b_spark());
}

Made make_mp(int order, const MethodOptions&) {
  const Composition composition = symmetric_composition(order);
  const std::size_t parts = composition.fractions.size();
  MethodTraits traits =
      traits_of(order == 2 ? "mp" : fmt::format("mp:{}", order), 0, order, order,
                parts == 1 ? "McLachlan-Perlmutter" : fmt::format("McLachlan-Perlmutter, composed of {} steps", parts),
                "R. McLachlan and M. Perlmutter, J. Nonlinear Sci. 16 (2006) 283, in a form that stays symmetric for "
                "any mass matrix");
  if (parts > 1) traits.source += fmt::format("; composition: {}", composition.provenance);
  evaluate(traits, mclachlan_perlmutter_pair(), true);
  return std::make_shared<RecordedMethod>(
      std::move(traits),
      [composition](const System& system) { return record_mclachlan_perlmutter(system, composition); }, needs_mechanics,
      OnGroup{{}, parts == 1 ? Chart::Centre::middle : Chart::Centre::start, parts == 1});
}

std::string needs_coordinates(const System& system) {
  const std::string reason = needs_mechanics(system);
  return reason.empty() && system.is_on_group() ? "it has no form for Lie groups; take mp" : reason;
}

Made make_mp_hilden(int, const MethodOptions&) {
  MethodTraits traits =
      traits_of("mp-hilden", 0, 1, 1,
                "McLachlan-Perlmutter with the discrete Lagrangian of Hilden 2009; `mp` where the mass "
                "matrix is constant",
                fmt::format("{}, equation (4.3)", hilden));
  traits.keeps_constraints = true;
  return std::make_shared<RecordedMethod>(std::move(traits), record_hilden, needs_coordinates);
}

Made make_cm(int, const MethodOptions&) {
  MethodTraits traits = traits_of("cm", 0, 2, 2, "Cortes-Martinez: implicit midpoint, seen from midpoint to midpoint",
                                  "J. Cortes and S. Martinez, Nonlinearity 14 (2001) 1365");
  evaluate(traits, cortes_martinez_pair(), true);
  return std::make_shared<RecordedMethod>(std::move(traits), record_cortes_martinez, needs_mechanics);
}

Made make_nh_lobatto(int s, const MethodOptions&) {
  MethodTraits traits =
      traits_of(fmt::format("nh-lobatto:{}", s), s, 2 * s - 2, s % 2 == 0 ? s : s - 1,
                "nonholonomic partitioned Runge-Kutta, Lobatto IIIA-B; the multiplier is carried along",
                "D. Martin de Diego and R. Sato Martin de Almagro, High-order geometric methods for nonholonomic "
                "mechanical systems (2022), equation (14), on Lie groups appendix F");
  evaluate(traits, nh_lobatto_pair(s), true);
  const auto on_group = [s](const System& system, const Chart& chart) {
    return record_group_spark(system, nh_lobatto_pair(s), Constraints::projected, chart);
  };
  return std::make_shared<RecordedMethod>(
      std::move(traits), [s](const System& system) { return record_nh_lobatto(system, s); }, needs_mechanics,
      OnGroup{on_group, Chart::Centre::start, true});
}

/// Methods for index-2 systems. On mechanical systems they are SPARK methods: the index-2 form in (q, p), split as in
/// Hilden 2009, eq. (2.25), has velocities for part A and forces and reactions for part B.
Made index2_method(MethodTraits traits, IndexTwoCoefficients coefficients, bool keeps_constraints,
                   WhyNot why_not = needs_no_positions) {
  evaluate(traits, coefficients.conditions, keeps_constraints);
  traits.index2 = true;
  const auto record = [coefficients](const System& system) {
    return system.offers().lagrangian ? record_spark(system, coefficients.conditions)
                                      : record_index_two(system, coefficients);
  };
  const auto on_group = [coefficients](const System& system, const Chart& chart) {
    return record_group_spark(system, coefficients.conditions, Constraints::weighted, chart);
  };
  // Without a condition at the end the constraint holds there only if the last stage is the end, velocity included. On
  // groups it is with coordinates around the start.
  const bool ends_on_constraint = has_condition_at_end(coefficients.conditions);
  const Chart::Centre centre = ends_on_constraint ? Chart::Centre::middle : Chart::Centre::start;
  return std::make_shared<RecordedMethod>(std::move(traits), record, std::move(why_not),
                                          OnGroup{on_group, centre, ends_on_constraint});
}

/// `order_when_free` as MethodTraits has it.
Made standard(const char* name, const char* of, int s, int order, int multiplier_order, const Tableau& tableau,
              int order_when_free = 0) {
  const bool ends_on_constraint = tableau.a.back() == tableau.b && tableau.c.back() == 1;
  MethodTraits traits = traits_of(fmt::format("{}:{}", name, s), s, order, multiplier_order,
                                  fmt::format("standard Runge-Kutta with {} coefficients on the index-2 form", of),
                                  fmt::format("{}, section 2.4", hilden));
  traits.order_when_free = order_when_free;
  return index2_method(std::move(traits), standard_index_two(tableau), ends_on_constraint);
}

Made make_rk_gauss(int s, const MethodOptions&) {
  const bool odd = s % 2 == 1;
  return standard("rk-gauss", "Gauss", s, odd ? s + 1 : s, odd ? s - 1 : s - 2, gauss(s), 2 * s);
}
Made make_rk_radau_ia(int s, const MethodOptions&) {
  return standard("rk-radau-ia", "Radau IA", s, s, s - 1, radau_ia(s), 2 * s - 1);
}
Made make_rk_radau_iia(int s, const MethodOptions&) {
  return standard("rk-radau-iia", "Radau IIA", s, 2 * s - 1, s, radau_iia(s));
}
Made make_rk_lobatto_iiia(int s, const MethodOptions&) {
  return standard("rk-lobatto-iiia", "Lobatto IIIA", s, 2 * s - 2, s % 2 == 0 ? s : s - 1, lobatto_iiia(s));
}
Made make_rk_lobatto_iiic(int s, const MethodOptions&) {
  return standard("rk-lobatto-iiic", "Lobatto IIIC", s, 2 * s - 2, s - 1, lobatto_iiic(s));
}

Made make_srk_gauss(int s, const MethodOptions&) {
  return index2_method(traits_of(fmt::format("srk-gauss:{}", s), s, 2 * s, 2 * s, "specialised Runge-Kutta, Gauss",
                                 fmt::format("{}, section 2.6", hilden)),
                       specialised_index_two(gauss(s)), true);
}
Made make_srk_radau_ia(int s, const MethodOptions&) {
  return index2_method(traits_of(fmt::format("srk-radau-ia:{}", s), s, 2 * s - 1, 2 * s - 1,
                                 "specialised Runge-Kutta, Radau IA", fmt::format("{}, section 2.6", hilden)),
                       specialised_index_two(radau_ia(s)), true);
}

Made make_spark_lobatto(int s, const MethodOptions&) {
  return index2_method(
      traits_of(fmt::format("spark-lobatto:{}", s), s, 2 * s - 2, s - 1,
                "Lobatto IIIA-B-C-C*-D SPARK for index-2 systems", fmt::format("{}, section 2.5", hilden)),
      lobatto_index_two(s), true, needs_part_without_z);
}

std::vector<int> stages_from(int least) {
  std::vector<int> numbers(most_stages - least + 1);
  std::iota(numbers.begin(), numbers.end(), least);
  return numbers;
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"gauss", "2s", "s", stages_from(1), 2, make_gauss},
      {"lobatto-ab", "2s - 2", "s", stages_from(2), 2, make_lobatto_ab},
      {"lobatto-abd", "2s - 2", "s", stages_from(2), 2, make_lobatto_abd},
      {"lobatto-ad", "2s - 2", "s", stages_from(2), 2, make_lobatto_ad},
      {"lobatto-d", "2s - 2", "s", stages_from(2), 2, make_lobatto_d},
      {"lobatto-ab-mid", "2", "", {}, 0, make_lobatto_ab_mid},
      {"rattle", "2", "", {}, 0, make_rattle},
      {"euler-a", "1", "", {}, 0, make_euler_a},
      {"euler-b", "1", "", {}, 0, make_euler_b},
      {"euler-true", "1", "", {}, 0, make_euler_true, "alpha = 0.5"},
      {"euler-natural", "1", "", {}, 0, make_euler_natural, "alpha = 0.5"},
      {"mp", "2, or 4, 6, 8 by its name", "order", {2, 4, 6, 8}, 2, make_mp},
      {"mp-hilden", "1", "", {}, 0, make_mp_hilden},
      {"cm", "2", "", {}, 0, make_cm},
      {"nh-lobatto", "2s - 2", "s", stages_from(2), 2, make_nh_lobatto},
      {"gonzalez", "2", "", {}, 0, make_gonzalez, "derivatives = exact"},
      {"avf", "2", "", {}, 0, make_avf, "nodes = automatic"},
      {"itoh-abe", "1", "", {}, 0, make_itoh_abe},
      {"energy", "2s", "s", stages_from(1), 2, make_energy, "nodes = automatic"},
      {"gonzalez-full", "2", "", {}, 0, make_gonzalez_full},
      {"srk-gauss", "2s", "s", stages_from(1), 2, make_srk_gauss},
      {"srk-radau-ia", "2s - 1", "s", stages_from(1), 2, make_srk_radau_ia},
      {"spark-lobatto", "2s - 2", "s", stages_from(2), 2, make_spark_lobatto},
      {"rk-gauss", "s + 1 (s odd), s (s even)", "s", stages_from(1), 2, make_rk_gauss},
      {"rk-radau-ia", "s", "s", stages_from(1), 2, make_rk_radau_ia},
      {"rk-radau-iia", "2s - 1", "s", stages_from(1), 2, make_rk_radau_iia},
      {"rk-lobatto-iiia", "2s - 2", "s", stages_from(2), 2, make_rk_lobatto_iiia},
      {"rk-lobatto-iiic", "2s - 2", "s", stages_from(2), 2, make_rk_lobatto_iiic},
  };
  return all;
}

}  // namespace noslip
