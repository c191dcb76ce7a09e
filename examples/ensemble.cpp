// Many initial states with one method: in SIMD lanes and threads, each with the bits that it has alone.
#include <cstdio>
#include <vector>

#include <noslip/noslip.hpp>

int main() {
  const noslip::System skate = noslip::catalogue_system("skate");
  std::vector<noslip::InitialState> members;
  for (int i = 0; i < 100; ++i) members.push_back({.q = {0, 0, 0}, .v = {0, 0, 1 + 0.01 * i}});
  noslip::EnsembleOptions options;
  options.method = "gauss:3";
  options.step = 0.05;
  options.until = 10;
  const noslip::Ensemble many = noslip::integrate_ensemble(skate, members, options);
  const auto alone = noslip::integrate(skate, members[42], {.method = "gauss:3", .step = 0.05, .until = 10});
  std::printf("member 42: y = %.17g, alone %.17g\n", many.members[42].q[1], alone.last.q[1]);
  return many.members[42].q == alone.last.q && many.members[42].v == alone.last.v ? 0 : 1;
}
