// The chain of springs with Boost.odeint, as its users would call it.
#include <array>

#include <boost/numeric/odeint.hpp>

#include "chain_by_hand.hpp"

namespace {

namespace odeint = boost::numeric::odeint;
using Chain = by_hand::Chain;
using State = std::array<double, Chain::size>;

template <class Make>
ChainSolver solver(const char* name, Make make) {
  return {name, [make](double tolerance, double end, const std::function<void(double)>& each_step) {
            const auto equations = [](const State& x, State& rates, double) { Chain::rate(x.data(), rates.data()); };
            State x;
            Chain::start(x.data());
            if (each_step) {
              odeint::integrate_adaptive(make(tolerance), equations, x, 0.0, end, 0.01,
                                         [&](const State& now, double) { each_step(Chain::energy(now.data())); });
            } else {
              odeint::integrate_adaptive(make(tolerance), equations, x, 0.0, end, 0.01);
            }
            return std::vector<double>(x.begin(), x.begin() + Chain::coordinates);
          }};
}

}  // namespace

std::vector<ChainSolver> odeint_solvers() {
  return {
      solver("dopri5", [](double t) { return odeint::make_controlled(t, t, odeint::runge_kutta_dopri5<State>()); }),
      solver("fehlberg78",
             [](double t) { return odeint::make_controlled(t, t, odeint::runge_kutta_fehlberg78<State>()); }),
      solver("bulirsch_stoer", [](double t) { return odeint::bulirsch_stoer<State>(t, t); }),
  };
}
