// Many initial states with one method: in SIMD lanes and threads, each with the bits that it has alone.
#include <cstdio>

#include <noslip/noslip.hpp>

int main() {
  const noslip::System skate = noslip::catalogue_system("skate");
  const auto members = noslip::grid_members({{"phi'", 1, 2, 101}});
  const noslip::RunOptions run{.method = "gauss:3", .step = 0.05, .until = 10};
  const noslip::Ensemble many = noslip::integrate_ensemble(skate, *members, {.run = run, .columns = {"y"}});
  noslip::RunOptions same = run;
  same.init = {{"phi'", 1.42}};
  const double together = many.value(0, 0, 42), alone = noslip::integrate(skate, same).last.q[1];
  std::printf("member 42: y = %.17g, alone %.17g\n", together, alone);
  return together == alone ? 0 : 1;
}
