// The step is that of mp_by_hand.hpp, for vectors. Two or three of them in turn hide the time that one waits for its results.
#include "lanes_by_hand.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "timing.hpp"

namespace {

using Lanes = double __attribute__((vector_size(64)));
constexpr int N = 7, lane_count = 8, members = 960;

struct State {
  std::array<Lanes, N> q, v, low_q{}, low_v{};
};

void force(const std::array<Lanes, N>& q, std::array<Lanes, N>& F) {
  std::array<Lanes, 3> ww, zz;
  for (std::size_t i = 0; i < 3; ++i) {
    ww[i] = q[1 + i] * q[1 + i];
    zz[i] = q[4 + i] * q[4 + i];
    F[1 + i] = -q[1 + i] * (1 + zz[i]);
  }
  F[0] = -q[0];
  F[4] = -q[4] * (1 + zz[1] + ww[0]);
  F[5] = -q[5] * (1 + zz[0] + ww[1]);
  F[6] = -q[6] * (1 + ww[2]);
}

[[gnu::always_inline]] inline void add(Lanes& x, Lanes& low, Lanes change) {
  change = change + low;
  const Lanes sum = x + change;
  low = change - (sum - x);
  x = sum;
}

/// The constraint's row is (1, 0, 0, 0, w1, w2, w3).
template <bool is_compensated>
[[gnu::always_inline]] inline void step(State& s, double h) {
  const double half = h / 2;
  std::array<Lanes, N> Q, F, w;
  for (std::size_t i = 0; i < N; ++i) Q[i] = s.q[i] + half * s.v[i];
  force(Q, F);
  for (std::size_t i = 0; i < N; ++i) w[i] = s.v[i] + h * F[i];
  Lanes kw = w[0], kk = Lanes{} + 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const Lanes end = Q[1 + i] + half * w[1 + i];
    kw = kw + end * w[4 + i];
    kk = kk + end * Q[1 + i];
  }
  const Lanes mu = kw * (1 / kk);
  const std::array<Lanes, N> reaction = {mu, Lanes{}, Lanes{}, Lanes{}, mu * Q[1], mu * Q[2], mu * Q[3]};
  for (std::size_t i = 0; i < N; ++i) {
    if constexpr (is_compensated) {
      const Lanes before = s.v[i];
      add(s.v[i], s.low_v[i], h * F[i] - reaction[i]);
      add(s.q[i], s.low_q[i], half * (before + s.v[i]));
    } else {
      s.v[i] = w[i] - reaction[i];
      s.q[i] = Q[i] + half * s.v[i];
    }
  }
}

State start(int first) {
  State state;
  for (int lane = 0; lane < lane_count; ++lane) {
    const double angle = std::numbers::pi / 2 * (first + lane) / (members - 1);
    const double q[N] = {std::cos(angle), 0.6, 0.4, 0.2, 1, 1, 1};
    for (std::size_t i = 0; i < N; ++i) {
      state.q[i][lane] = q[i];
      state.v[i][lane] = i == 1 ? std::sin(angle) : 0;
    }
  }
  return state;
}

template <bool is_compensated, int groups>
double trajectories_per_second(double h, long steps) {
  std::vector<State> last(members / lane_count);
  const double seconds = shortest_seconds(
      [&] {
        for (int first = 0; first < members; first += groups * lane_count) {
          std::array<State, groups> now;
          for (int g = 0; g < groups; ++g) now[static_cast<std::size_t>(g)] = start(first + g * lane_count);
          for (long i = 0; i < steps; ++i) {
            for (State& state : now) step<is_compensated>(state, h);
          }
          std::copy(now.begin(), now.end(), last.begin() + first / lane_count);
        }
      },
      5, 0.5);
  return members / seconds;
}

template <bool is_compensated>
double best(double h, long steps) {
  return std::max({trajectories_per_second<is_compensated, 1>(h, steps),
                   trajectories_per_second<is_compensated, 2>(h, steps),
                   trajectories_per_second<is_compensated, 3>(h, steps)});
}

}  // namespace

double hand_tuned_trajectories_per_second(bool is_compensated, double h, long steps) {
  return is_compensated ? best<true>(h, steps) : best<false>(h, steps);
}
