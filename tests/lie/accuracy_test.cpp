// Recorded expressions as programs: no digits are lost close to zero, they are short, and lanes agree.
#include <cstring>

#include <noslip/expr/derivative.hpp>

#include "lie/help.hpp"

namespace noslip::testing {
namespace {

/// What methods are made of, as recorded: matrices less one, increments.
struct Recorded {
  Recorded(const Group& group, Retraction map)
      : g(symbols(graph, "g", group.size())),
        xi(symbols(graph, "xi", group.dimension())),
        eta(symbols(graph, "eta", group.dimension())),
        p(symbols(graph, "p", group.dimension())),
        increment(group.increment(map, g, xi)),
        tangent(entries(group.tangent_less_one(map, xi))),
        inverse_tangent(entries(group.inverse_tangent_less_one(map, xi))),
        adjoint(entries(group.adjoint_less_one(map, xi))),
        gradient(group.tangent_gradient(map, xi, eta, p)) {}

  std::vector<std::vector<Expr>> arguments() const { return {g, xi, eta, p}; }
  std::vector<Expr> all() const {
    std::vector<Expr> result;
    for (const auto* part : {&increment, &tangent, &inverse_tangent, &adjoint, &gradient}) {
      result.insert(result.end(), part->begin(), part->end());
    }
    return result;
  }

  Graph graph;
  std::vector<Expr> g, xi, eta, p;
  std::vector<Expr> increment, tangent, inverse_tangent, adjoint, gradient;
};

class EveryRecording : public ::testing::TestWithParam<Case> {
 protected:
  const Case& given_ = GetParam();
  Recorded recorded_{*given_.group, given_.map};
  Maps<double> maps_{*given_.group, given_.map};
  Vectors vectors_{given_};

  Vector<double> element() { return maps_.moved(maps_.tau(vectors_.any()), vectors_.any()); }
};

TEST_P(EveryRecording, IsGoodToRoundingOfEveryEntry) {
  const Function<double> rounded(recorded_.arguments(), recorded_.all());
  const Function<quad> exact(recorded_.arguments(), recorded_.all());
  for (const double length : {1e-150, 1e-12, 1e-8, 1e-5, 1e-3, 0.03, 0.3, 1.0, given_.longest}) {
    // An entry is compared with how large it gets for vectors of this length: a diagonal that is of second order has to
    // be as good, relative to that, as what is of first order.
    Vector<quad> error(recorded_.all().size()), size = error;
    for (int k = 0; k < 40; ++k) {
      const Vector<double> g = element(), xi = vectors_.of_length(length), eta = vectors_.any(), p = vectors_.any();
      const Vector<double> found = rounded(g, xi, eta, p);
      const Vector<quad> expected = exact(to<quad>(g), to<quad>(xi), to<quad>(eta), to<quad>(p));
      for (std::size_t i = 0; i < error.size(); ++i) {
        error[i] = std::max(error[i], size_of(found[i] - expected[i]));
        size[i] = std::max(size[i], size_of(expected[i]));
      }
    }
    for (std::size_t i = 0; i < error.size(); ++i) {
      // Increments of rotations are made for steps of less than a radian or so.
      const bool is_increment = i < recorded_.increment.size() && given_.map == Retraction::cay;
      const double allowed = is_increment ? 2e-15 * (1 + length * length / 4) : 2e-15;
      EXPECT_LE(static_cast<double>(error[i]), allowed * static_cast<double>(size[i])) << i << " at " << length;
    }
  }
}

TEST_P(EveryRecording, LanesAndMachineCodeAgreeToTheBit) {
  const std::vector<Expr> all = recorded_.all();
  const Tape tape = tape_of(recorded_.arguments(), all);
  const std::size_t inputs = recorded_.g.size() + 3 * recorded_.xi.size(), slots = inputs + all.size();
  std::vector<Vector<double>> single;
  const Kernel<double> one(tape, Backend::interpreter);
  Vector<double> scratch(one.scratch_size());
  for (int lane = 0; lane < 8; ++lane) {
    Vector<double>& workspace = single.emplace_back();
    for (const Vector<double>& part : {element(), vectors_.of_length(0.4 * lane), vectors_.any(), vectors_.any()}) {
      workspace.insert(workspace.end(), part.begin(), part.end());
    }
    workspace.resize(slots);
  }
  const std::vector<Vector<double>> start = single;
  for (Vector<double>& workspace : single) one(workspace.data(), scratch.data());

  std::vector<Backend> backends{Backend::interpreter};
  if (why_no_machine_code().empty()) backends.push_back(Backend::jit);
  for (const Backend backend : backends) {
    for (const std::size_t lanes : {std::size_t{1}, std::size_t{4}, std::size_t{8}}) {
      const Kernel<double> kernel(tape, backend, static_cast<int>(lanes));
      Vector<double> workspace(slots * lanes), space(kernel.scratch_size());
      for (std::size_t i = 0; i < workspace.size(); ++i) workspace[i] = start[i % lanes][i / lanes];
      kernel(workspace.data(), space.data());
      for (std::size_t i = 0; i < workspace.size(); ++i) {
        EXPECT_EQ(std::memcmp(&workspace[i], &single[i % lanes][i / lanes], sizeof(double)), 0) << lanes << " " << i;
      }
    }
  }
}

TEST_P(EveryRecording, CanBeDifferentiatedAtZero) {
  std::vector<Expr> slopes;
  for (const Entry& entry : jacobian(recorded_.all(), recorded_.xi)) slopes.push_back(entry.value);
  const auto to = symbols(recorded_.graph, "to", given_.group->size());
  for (const Entry& entry : jacobian(given_.group->between(given_.map, recorded_.g, to), to)) {
    slopes.push_back(entry.value);
  }
  std::vector<std::vector<Expr>> arguments = recorded_.arguments();
  arguments.push_back(to);
  const Vector<double> g = element(), zero(given_.dimension());
  const Vector<double> values = Function<double>(arguments, slopes)(g, zero, vectors_.any(), vectors_.any(), g);
  for (const double value : values) EXPECT_TRUE(std::isfinite(value));
}

INSTANTIATE_TEST_SUITE_P(Lie, EveryRecording, ::testing::ValuesIn(cases()),
                         [](const auto& instance) { return name_of(instance.param); });

struct Length {
  std::shared_ptr<const Group> group;
  Retraction map;
  std::size_t increment, tangent, inverse_tangent, adjoint, gradient, slopes;
};

TEST(Recordings, AreShort) {
  // The most instructions of each, and of all of them together with their derivatives by xi.
  const Length lengths[] = {
      {so3(), Retraction::cay, 60, 14, 22, 28, 34, 420},   {so3(), Retraction::exp, 134, 84, 90, 86, 120, 830},
      {se2(), Retraction::cay, 20, 13, 11, 15, 26, 130},   {se2(), Retraction::exp, 76, 74, 73, 73, 98, 340},
      {se3(), Retraction::cay, 92, 52, 50, 72, 108, 1060}, {se3(), Retraction::exp, 162, 138, 135, 130, 260, 2360}};
  for (const Length& length : lengths) {
    Recorded recorded(*length.group, length.map);
    const auto count = [&](const std::vector<Expr>& values) {
      return tape_of(recorded.arguments(), values).code().size();
    };
    const std::string what = length.group->name() + " " + to_text(length.map);
    EXPECT_LE(count(recorded.increment), length.increment) << what;
    EXPECT_LE(count(recorded.tangent), length.tangent) << what;
    EXPECT_LE(count(recorded.inverse_tangent), length.inverse_tangent) << what;
    EXPECT_LE(count(recorded.adjoint), length.adjoint) << what;
    EXPECT_LE(count(recorded.gradient), length.gradient) << what;
    std::vector<Expr> slopes = recorded.all();
    for (const Entry& entry : jacobian(recorded.all(), recorded.xi)) slopes.push_back(entry.value);
    EXPECT_LE(count(slopes), length.slopes) << what;
  }
}

/// a^ with a x u = a^ u
Matrix<quad> hat(const Vector<quad>& a) { return {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}}; }

TEST(Exponential, IsGoodAsFarAsAFullTurn) {
  const Maps<quad> maps(*so3(), Retraction::exp);
  const Vector<quad> axis{quad(2) / 7, quad(-3) / 7, quad(6) / 7};
  const Matrix<quad> turn = hat(axis), square = multiplied(turn, turn);
  for (int k = 0; k <= 64; ++k) {
    const quad angle = 8 * atanq(1) * k / 64, half = sinq(angle / 2);
    const Vector<quad> found = maps.increment(maps.identity(), scaled(angle, axis));
    // The terms of the series grow until they have the size of e^angle, and their rounding with them.
    const double rounding = 2e-34 * (5 + std::exp(static_cast<double>(angle)) / 5);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        const quad expected = sinq(angle) * turn[i][j] + 2 * half * half * square[i][j];
        EXPECT_LT(static_cast<double>(size_of(found[3 * i + j] - expected)), rounding) << k;
      }
    }
  }
}

TEST(RotationBy, IsTheExponentialForShortVectorsAndPowersOfItForLongOnes) {
  Graph graph;
  const auto u = symbols(graph, "u", 3);
  const Function<quad> in_quad({u}, rotation_by(u));
  const Function<double> in_double({u}, rotation_by(u));
  const auto matrix = [](const Vector<quad>& g) {
    return Matrix<quad>{{g[0], g[1], g[2]}, {g[3], g[4], g[5]}, {g[6], g[7], g[8]}};
  };
  for (const double length : {0.0, 1e-40, 1e-12, 1e-3, 1.0, 3.14, 6.28, 100.0, 1e4}) {
    const Vector<double> vector{length * 2 / 7, length * -3 / 7, length * 6 / 7};
    Matrix<quad> expected = exponential(hat(scaled(quad(1) / 2048, to<quad>(vector))));
    for (int k = 0; k < 11; ++k) expected = multiplied(expected, expected);
    EXPECT_LT(distance(matrix(in_quad(to<quad>(vector))), expected), 1e-30 * (1 + length));
    EXPECT_LT(distance(matrix(to<quad>(in_double(vector))), expected), 1e-15 * (1 + length));
  }
}

TEST(RotationBy, CanBeDifferentiatedAtZero) {
  Graph graph;
  const auto u = symbols(graph, "u", 3);
  const auto rotation = rotation_by(u);
  std::vector<Expr> slopes;
  for (const Expr& entry : rotation) slopes.push_back(derivative(entry, u[0]));
  EXPECT_EQ(Function<double>({u}, slopes)(Vector<double>{0, 0, 0}), (Vector<double>{0, 0, 0, 0, 0, -1, 0, 1, 0}));
}

}  // namespace
}  // namespace noslip::testing
