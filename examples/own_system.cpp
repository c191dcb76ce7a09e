// A chain of pendulums, written as expressions: no text, any number of links.
#include <iostream>
#include <vector>

#include <noslip/noslip.hpp>

noslip::SystemText chain(std::size_t links) {
  const noslip::Symbols s;
  const noslip::Expr g = s["g"];
  noslip::SystemText text;
  text.name = "chain";
  noslip::Expr y = s.number(0), vx = y, vy = y, lagrangian = y;
  for (const noslip::Expr a : s.numbered("a", links)) {
    text.coordinates.push_back(a);
    y -= cos(a);
    vx += cos(a) * dot(a);
    vy += sin(a) * dot(a);
    lagrangian += (sq(vx) + sq(vy)) / 2 - g * y;
  }
  text.lagrangian = lagrangian;
  text.parameters = {{g, 9.75}};
  text.q0 = std::vector<noslip::Text>(links, 1);
  return text;
}

int main() {
  const noslip::System system = noslip::System::from(chain(5));
  const noslip::Trajectory run = noslip::integrate(system, {.method = "gauss:2", .step = 0.01, .until = 10});
  std::cout << run.summary();
  return run.outcome.status == noslip::Status::done && run.energy.max_abs_error < 1e-2 ? 0 : 1;
}
