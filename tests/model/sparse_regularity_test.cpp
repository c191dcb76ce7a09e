// Large systems are analysed with sparse matrices: the verdicts are those of the dense analysis.
#include <cmath>
#include <random>
#include <set>

#include <Eigen/Dense>

#include "model/help.hpp"
#include "model/regularity.hpp"
#include "model/scaled_solution.hpp"
#include "model/sparse_conditioning.hpp"

namespace noslip::test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Names and constraints for messages; its own equations do not matter.
System system_of(Index coordinates, Index constraints) {
  return System::parse("coordinates = ['x[1:n]']\nlagrangian = \"sum(i, 1, n, x[i]'^2/2)\"\n"
                       "constraints = [\"for i = 1:m: x[i]' = 0\"]\n[parameters]\nn = " +
                       std::to_string(coordinates) + "\nm = " + std::to_string(constraints));
}

class RandomMatrices {
 public:
  explicit RandomMatrices(unsigned seed) : numbers_(seed) {}

  double number() { return std::uniform_real_distribution<double>(-1, 1)(numbers_); }
  Index index(Index end) { return std::uniform_int_distribution<Index>(0, end - 1)(numbers_); }

  /// Positive: a diagonal, blocks of three, or a band.
  MatrixXd mass(Index n, int kind) {
    MatrixXd result = MatrixXd::Zero(n, n);
    for (Index i = 0; i < n; ++i) result(i, i) = 1 + std::abs(number());
    for (Index i = 0; kind > 0 && i + 1 < n; ++i) {
      if (kind == 1 && i % 3 == 2) continue;
      result(i, i + 1) = result(i + 1, i) = 0.45 * number();
    }
    return result;
  }
  /// Rows with three entries each, which are independent if they do not hit the same places too often.
  MatrixXd rows(Index m, Index n) {
    MatrixXd result = MatrixXd::Zero(m, n);
    for (Index i = 0; i < m; ++i) {
      result(i, i) = 2 + number();
      result(i, index(n)) += number();
      result(i, index(n)) += number();
    }
    return result;
  }

 private:
  std::mt19937 numbers_;
};

SparseRows sparse(const MatrixXd& matrix) { return matrix.sparseView(); }

/// "constraint 7": who is to blame, without what it depends on, which may be said in several ways.
std::string accused(const std::string& what) { return what.substr(0, what.find('\'')); }

std::set<std::string> accused(const Regularity& regularity) {
  std::set<std::string> result;
  for (const Problem& problem : regularity.problems) result.insert(accused(problem.what));
  return result;
}

/// The verdict of both, which have to agree.
Regularity verdict(const MatrixXd& mass, const MatrixXd& K, const std::string& about) {
  const System system = system_of(mass.rows(), K.rows());
  const Regularity dense = dense_saddle_regularity(mass, K, system);
  const Regularity found = sparse_saddle_regularity(sparse(mass), sparse(K), system);
  EXPECT_EQ(found.rank, dense.rank) << about;
  EXPECT_EQ(accused(found), accused(dense)) << about;
  EXPECT_EQ(found.problems.size(), dense.problems.size()) << about;
  EXPECT_EQ(std::isinf(found.condition), std::isinf(dense.condition)) << about;
  EXPECT_EQ(found.cause.empty(), dense.cause.empty()) << about << found.cause << " / " << dense.cause;
  if (std::isfinite(dense.condition)) {
    EXPECT_LT(found.condition, 4 * dense.condition) << about;
    EXPECT_GT(found.condition, dense.condition / 4) << about;
  }
  return found;
}

constexpr Index n = 140, m = 90;  // more rows than are analysed as a full matrix

TEST(SparseRegularity, RegularSystemsInAnyUnits) {
  for (int seed = 0; seed < 6; ++seed) {
    RandomMatrices random(seed);
    MatrixXd mass = random.mass(n, seed % 3), K = random.rows(m, n);
    EXPECT_TRUE(verdict(mass, K, "regular").problems.empty());
    for (Index i = 0; i < n; ++i) {  // other units
      const double unit = std::pow(10, 6 * random.number());
      mass.row(i) *= unit;
      mass.col(i) *= unit;
      K.col(i) *= unit;
    }
    for (Index i = 0; i < m; ++i) K.row(i) *= std::pow(10, 6 * random.number());
    EXPECT_EQ(verdict(mass, K, "units").rank, m);
  }
}

TEST(SparseRegularity, DependentConstraintsAreNamed) {
  for (int seed = 0; seed < 6; ++seed) {
    RandomMatrices random(100 + seed);
    const MatrixXd mass = random.mass(n, seed % 3);
    MatrixXd K = random.rows(m, n);
    const Index first = random.index(20), second = 30 + random.index(20), last = 60 + random.index(30);
    K.row(last) = 2 * K.row(first) - K.row(second);
    const Regularity one = verdict(mass, K, "one");
    ASSERT_EQ(one.problems.size(), 1U);
    EXPECT_TRUE(contains(one.problems.front().what, "depends on constraints " + std::to_string(first + 1) + " and " +
                                                        std::to_string(second + 1) + " "))
        << one.problems.front().what;
    K.row(25) = -3 * K.row(24);
    K.row(29).setZero();
    const Regularity several = verdict(mass, K, "several");
    EXPECT_EQ(several.rank, m - 3);
    for (Index i = 0; i < m; i += 2) K.row(i + 1) = K.row(i);  // every constraint twice
    EXPECT_LE(verdict(mass, K, "twice").rank, m / 2);
  }
}

TEST(SparseRegularity, NearlyDependentConstraints) {
  for (int seed = 0; seed < 2; ++seed) {
    for (const double distance : {1e-3, 1e-7, 1e-11}) {
      RandomMatrices random(200 + seed);
      const MatrixXd mass = random.mass(n, seed % 3);
      MatrixXd K = random.rows(m, n);
      K.col(130).setZero();
      K.row(70) = K.row(3) + K.row(50);
      K(70, 130) += distance;
      const Regularity one = verdict(mass, K, "distance " + std::to_string(distance));
      EXPECT_TRUE(one.problems.empty()) << to_text(one.problems.front());
      // With a larger one all rows that share a column with these have a part in it.
      if (distance < 1e-4) {
        EXPECT_EQ(accused(one.cause), "constraint 71 ") << one.cause;
      }
      // Two more that are close to others, and beyond that go the same way.
      K.row(75) = K.row(8);
      K(75, 130) += 2 * distance;
      K.row(76) = K.row(8);
      K(76, 130) += 4 * distance;
      EXPECT_EQ(verdict(mass, K, "together").rank, m - 2);
    }
  }
}

TEST(SparseRegularity, ChainsThatAreNearlyDependentOnlyAsAWhole) {
  MatrixXd K = MatrixXd::Zero(m, n);  // each row is far from all others, and yet
  for (Index i = 0; i < m; ++i) {
    K(i, i) = 1;
    if (i + 1 < m) K(i, i + 1) = -1.2;
  }
  const Regularity one = verdict(MatrixXd::Identity(n, n), K, "chain");
  EXPECT_GT(one.condition, 1e10);
  EXPECT_FALSE(one.cause.empty());
}

TEST(SparseRegularity, MassesThatAreSingularOrNearlySo) {
  for (int seed = 0; seed < 4; ++seed) {
    RandomMatrices random(300 + seed);
    MatrixXd K = random.rows(m, n), mass = random.mass(n, seed % 3);
    mass.row(5).setZero();
    mass.col(5).setZero();
    EXPECT_EQ(verdict(mass, K, "no inertia").problems.size(), 1U);
    for (const double least : {0.0, 1e-6}) {
      mass = MatrixXd::Identity(n, n);  // a motion of three coordinates with little inertia, or without any
      const Eigen::Vector3d u = Eigen::Vector3d(1, 2, 2) / 3;
      mass.block<3, 3>(40, 40) -= (1 - least) * u * u.transpose();
      const Regularity one = verdict(mass, K, "motion");
      EXPECT_EQ(one.problems.empty(), least > 0);
      const std::string text = one.problems.empty() ? one.cause : one.problems.front().what;
      EXPECT_TRUE(contains(text, "a motion of 'x[41]', 'x[42]' and 'x[43]'")) << text;
    }
  }
}

TEST(SparseRegularity, IndefiniteMasses) {
  for (int seed = 0; seed < 4; ++seed) {
    RandomMatrices random(400 + seed);
    MatrixXd mass = random.mass(n, seed % 3), K = random.rows(m, n);
    for (Index i = 0; i < n; i += 7) mass(i, i) = -1 - std::abs(random.number());
    const System system = system_of(n, m);
    const Regularity regular = sparse_saddle_regularity(sparse(mass), sparse(K), system);
    EXPECT_TRUE(regular.problems.empty());
    EXPECT_EQ(regular.rank, m);
    EXPECT_TRUE(std::isfinite(regular.condition));
    // u = e_120 + e_121 has no inertia and is not restricted but by a row that is its own reaction.
    mass.block(0, 120, n, 2).setZero();
    mass.block(120, 0, 2, n).setZero();
    mass(120, 120) = 1;
    mass(121, 121) = -1;
    K.block(0, 120, m, 2).setZero();
    K.row(60).setZero();
    K(60, 120) = 1;
    K(60, 121) = -1;
    const Regularity singular = verdict(mass, K, "indefinite");
    ASSERT_EQ(singular.problems.size(), 1U);
    EXPECT_TRUE(contains(singular.problems.front().what, "constraint 61 "))
        << singular.problems.front().what;
    EXPECT_TRUE(contains(singular.problems.front().what, "a motion of 'x[121]'' and 'x[122]'' without inertia"))
        << singular.problems.front().what;
  }
}

TEST(SparseRegularity, SolutionsAreThoseOfTheDenseOnes) {
  for (int seed = 0; seed < 4; ++seed) {
    RandomMatrices random(500 + seed);
    const MatrixXd mass = random.mass(n, seed % 3);
    MatrixXd K = random.rows(m, n);
    if (seed > 1) K.row(80) = K.row(8) + K.row(9), K(80, 81) += seed == 2 ? 1e-4 : 1e-7;  // ill-conditioned
    VectorXd g(n), gamma(m);
    for (double& value : g) value = random.number();
    for (double& value : gamma) value = random.number();
    ASSERT_FALSE(is_analysed_dense(n + m, sparse(mass).nonZeros() + 2 * sparse(K).nonZeros()));
    const SaddleSolution found = solve_saddle(sparse(mass), sparse(K), g, gamma), dense = solve_saddle(mass, K, g, gamma);
    EXPECT_LT((found.a - dense.a).norm(), 1e-13 * dense.a.norm()) << seed;
    EXPECT_LT((found.lambda - dense.lambda).norm(), 1e-13 * dense.lambda.norm()) << seed;
  }
}

TEST(SparseCholesky, FactorsOfWhatIsNotLeftOut) {
  RandomMatrices random(7);
  MatrixXd G = random.mass(60, 2);
  for (int e = 0; e < 40; ++e) {
    const Index i = random.index(60), j = random.index(60);
    G(i, j) = G(j, i) = G(i, j) + (i == j ? 1 : 0.1 * random.number());
  }
  SparseCholesky factors(sparse(G));
  factors.factorise(0);
  ASSERT_TRUE(factors.is_complete());
  const VectorXd b = random.rows(1, 60).transpose();
  EXPECT_LT((G * factors.solve(b) - b).norm(), 1e-13);
  EXPECT_NEAR(factors.trace_of_inverse(), G.inverse().trace(), 1e-12 * G.inverse().trace());
  const MatrixXd K = random.rows(9, 60), A = factors.in_metric(sparse(K));
  EXPECT_LT((A * A.transpose() - K * G.inverse() * K.transpose()).norm(), 1e-12);

  std::vector<bool> without(60, false);
  std::vector<Index> left;
  for (Index i = 0; i < 60; ++i) {
    without[i] = i % 5 == 2;
    if (!without[i]) left.push_back(i);
  }
  factors.factorise(0, without);
  EXPECT_FALSE(factors.is_complete());
  const MatrixXd part = G(left, left);
  EXPECT_NEAR(factors.trace_of_inverse(), part.inverse().trace(), 1e-12 * G.inverse().trace());
  const VectorXd x = factors.solve(b), expected = part.partialPivLu().solve(VectorXd(b(left)));
  EXPECT_LT((VectorXd(x(left)) - expected).norm(), 1e-13);
  EXPECT_EQ(x[2], 0);
}

/// Links by their ends, in a row; from 200 unknowns on matrices are sparse.
std::string chain(int links, const std::string& more) {
  return "coordinates = ['x[1:n]', 'y[1:n]']\nlagrangian = \"sum(i, 1, n, (x[i]'^2 + y[i]'^2)/2 - y[i])\"\n"
         "holonomic = [\"for i = 1:n-1: (x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 = 1\"" +
         more + "]\n[parameters]\nn = " + std::to_string(links) + "\n[initial]\nq = { \"x[i=1:n]\" = \"i\" }";
}

TEST(SparseRegularity, StartsOfLargeSystems) {
  const auto message = [](const std::string& toml) {
    const System system = System::parse(toml);
    const std::vector<double> parameters = system.parameter_values({});
    return refusal([&] { Continuous(system, parameters).require_consistent(system.initial_state(parameters)); });
  };
  EXPECT_EQ(message(chain(90, "")), "");
  EXPECT_TRUE(contains(message(chain(90, ", \"(x[3] - x[2])^2 + (y[3] - y[2])^2 = 1\"")),
                       "depends on constraint 2 at the initial state (rank 89 of 90)"))
      << message(chain(90, ", \"(x[3] - x[2])^2 + (y[3] - y[2])^2 = 1\""));
  EXPECT_TRUE(contains(message(chain(90, ", \"x[3]^2 = 16\"")), "is violated by 7"));
}

TEST(SparseRegularity, LargeStatesAreProjected) {
  const System system = System::parse(chain(120, ""));
  const std::vector<double> parameters = system.parameter_values({});
  InitialState state = system.initial_state(parameters);
  for (std::size_t i = 0; i < state.q.size(); ++i) state.q[i] += 0.01 * std::sin(3.0 * static_cast<double>(i));
  state.v.assign(state.v.size(), 0);
  for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = std::cos(5.0 * static_cast<double>(i));
  const Continuous continuous(system, parameters);
  const InitialState projected = continuous.project(state);
  EXPECT_EQ(refusal([&] { continuous.require_consistent(projected); }), "");
  EXPECT_LT((Eigen::Map<const VectorXd>(projected.q.data(), 240) - Eigen::Map<const VectorXd>(state.q.data(), 240)).norm(),
            0.2);
}

}  // namespace
}  // namespace noslip::test
