// Two methods of one's own: the coefficients are all that one writes. Orders are measured, beside a method of noslip.
#include <iostream>

#include <noslip/noslip.hpp>

int main() {
  using noslip::quad;
  const quad one = 1;
  // Heun's method of order three, for the equations of motion without constraints.
  noslip::register_runge_kutta("heun3", {.name = "Heun, 3 stages",
                                         .provenance = "K. Heun (1900)",
                                         .c = {0, one / 3, 2 * one / 3},
                                         .b = {one / 4, 0, 3 * one / 4},
                                         .a = {{0, 0, 0}, {one / 3, 0, 0}, {0, 2 * one / 3, 0}}});
  // Radau IIA for forces and reactions: a SPARK method.
  noslip::register_spark("my-radau", noslip::specialised_spark(noslip::radau_iia(2)), {.multiplier_order = 1});

  const noslip::System sleigh = noslip::catalogue_system("sleigh");
  const noslip::Convergence study = noslip::converge(
      sleigh, {.methods = {"heun3", "my-radau", "gauss:2"}, .steps = {1 / 32.0, 1 / 64.0, 1 / 128.0}, .until = 1});
  bool are_as_claimed = study.outcome.status == noslip::Status::done;
  for (const noslip::ConvergeResult& result : study.results) {
    std::cout << result.method << ": order " << result.order_claimed << " by its coefficients, " << result.order.q
              << " (q) and " << result.order.v << " (v) measured\n";
    are_as_claimed = are_as_claimed && result.order.q > result.order_claimed - 0.2;
  }
  return are_as_claimed ? 0 : 1;
}
