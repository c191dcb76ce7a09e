// Hilden 2009: what is wrong in it, and its experiments in the order of the thesis.
#include "hilden2009.hpp"

#include <algorithm>
#include <tuple>

namespace noslip::papers {

Paper hilden2009() {
  Paper paper{
      .key = "hilden2009",
      .name = "Hilden 2009",
      .citation = "S. K. Hilden, Numerical Methods for Nonholonomic Mechanics, master's thesis (2009)",
      .errata =
          {{"equation (2.15b)", "f(T_i, Y_i, Z_i) in the sum over j", "f(T_j, Y_j, Z_j)"},
           {"equation (2.28)", "one exact solution, z = exp(2t)",
            "the hidden constraint is quadratic in z and has a second branch, z = exp(2t)/2; an iteration has to start "
            "on the right one"},
           {"equations (3.3) to (3.6)", "L_d = L(...)", "L_d = h L(...)"},
           {"equation (3.3)", "A(q_{k+1/2}) v_{k+1/2} = 0", "A(q_{k+1/2}) v_{k+1} = 0"},
           {"section 3.3.4", "L = q'^T M q'", "L = 1/2 q'^T M q'"},
           {"equation (4.3)", "(3.4) generalised to a mass matrix M(q); its order is not stated",
            "it is of order 1 and not reversible (mp-hilden); Lobatto IIIB on q and IIIA on p keep both (mp)"},
           {"section 4.3.1", "x' = -v_z a sin t", "x' = -v_z b cos t"},
           {"section 4.3.1", "Y(t + 2 pi) = Y(t)", "Y(t + 2 pi) = Y(t) Y(2 pi)"},
           {"equation (4.11)", "-y'z in the numerator", "-y'z'"},
           {"section 4.1, figure 4.5", "the energy of the 2-stage SPARK Lobatto IIIA-B method drifts on the disk",
            "it is conserved exactly; steps that are not solved to rounding drift"},
           {"sections 4.3.3 and 4.4, figures 4.12 to 4.17",
            "the energy of the 2-stage SPARK Lobatto IIIA-B method drifts on three orbits, quasiperiodic orbits break "
            "up, a chaotic one settles at a lower energy",
            "none of this happens where the steps are solved to rounding; it does where they are solved loosely"}},
      .experiments = {}};
  for (const auto& chapter : {hilden_orders, hilden_disk, hilden_sleigh, hilden_oscillator}) {
    for (Experiment& experiment : chapter()) paper.experiments.push_back(std::move(experiment));
  }
  // By chapter; in each by number, tables before figures, and sections last.
  const auto number_of = [](const Experiment& experiment) {
    const std::string number = experiment.id.substr(experiment.id.rfind('-') + 1);
    const std::size_t dot = number.find('.');
    const bool is_table = experiment.id.find("table") != std::string::npos;
    const bool is_section = experiment.id.find("sec") != std::string::npos;
    return std::tuple(std::stoi(number.substr(0, dot)), is_section, std::stoi(number.substr(dot + 1)), !is_table);
  };
  std::stable_sort(paper.experiments.begin(), paper.experiments.end(),
                   [&](const Experiment& a, const Experiment& b) { return number_of(a) < number_of(b); });
  return paper;
}

}  // namespace noslip::papers
