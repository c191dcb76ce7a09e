// The maps of a group as functions of numbers, and what matrices say about them, in tests.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <noslip/exec/kernel.hpp>
#include <noslip/lie/group.hpp>

#include "lie/linear.hpp"

namespace noslip::testing {

/// A vector of symbols, to record with.
std::vector<Expr> symbols(Graph& graph, const std::string& name, int count);
/// The rows of a matrix one after the other.
std::vector<Expr> entries(const ExprMatrix& m);
/// The instructions that evaluate the expressions.
Tape tape_of(const std::vector<std::vector<Expr>>& arguments, const std::vector<Expr>& values);

/// Expressions of symbols as a function of numbers, compiled once.
template <class T>
class Function {
 public:
  Function(const std::vector<std::vector<Expr>>& arguments, const std::vector<Expr>& values)
      : outputs_(values.size()), kernel_(tape_of(arguments, values), Backend::interpreter) {
    for (const auto& argument : arguments) inputs_ += argument.size();
  }

  template <class... Arguments>
  Vector<T> operator()(const Arguments&... arguments) const {
    Vector<T> workspace;
    (workspace.insert(workspace.end(), arguments.begin(), arguments.end()), ...);
    EXPECT_EQ(workspace.size(), inputs_);
    workspace.resize(inputs_ + outputs_);
    Vector<T> scratch(kernel_.scratch_size());
    kernel_(workspace.data(), scratch.data());
    return {workspace.begin() + static_cast<std::ptrdiff_t>(inputs_), workspace.end()};
  }

 private:
  std::size_t inputs_ = 0, outputs_;
  Kernel<T> kernel_;
};

/// Every map of a group. Matrices come with the unit matrix added where the recorded one is less one.
template <class T>
class Maps {
 public:
  Maps(const Group& group, Retraction map);

  Vector<T> identity() const { return identity_(); }
  Matrix<T> frame(const Vector<T>& g) const { return square(frame_(g), 0); }
  Vector<T> defect(const Vector<T>& g) const { return defect_(g); }
  Vector<T> increment(const Vector<T>& g, const Vector<T>& xi) const { return increment_(g, xi); }
  Vector<T> moved(const Vector<T>& g, const Vector<T>& xi) const { return sum(g, increment_(g, xi)); }
  Vector<T> tau(const Vector<T>& xi) const { return moved(identity(), xi); }
  Vector<T> between(const Vector<T>& g, const Vector<T>& to) const { return between_(g, to); }
  Matrix<T> tangent(const Vector<T>& xi) const { return square(tangent_(xi), 1); }
  Matrix<T> inverse_tangent(const Vector<T>& xi) const { return square(inverse_tangent_(xi), 1); }
  Matrix<T> adjoint(const Vector<T>& xi) const { return square(adjoint_(xi), 1); }
  Matrix<T> ad(const Vector<T>& xi) const { return square(ad_(xi), 0); }
  Vector<T> tangent_gradient(const Vector<T>& xi, const Vector<T>& eta, const Vector<T>& p) const {
    return tangent_gradient_(xi, eta, p);
  }
  Vector<T> second_tangent(const Vector<T>& xi, const Vector<T>& eta, const Vector<T>& delta) const {
    return second_tangent_(xi, eta, delta);
  }

 private:
  struct Recording;
  Maps(const Group& group, const Recording& recording);
  Matrix<T> square(const Vector<T>& numbers, int add) const;

  std::size_t dimension_;
  Function<T> identity_, frame_, defect_, increment_, between_, tangent_, inverse_tangent_, adjoint_, ad_,
      tangent_gradient_, second_tangent_;
};

extern template class Maps<double>;
extern template class Maps<quad>;

/// A group as a group of matrices: the definition that everything is held against.
struct Case {
  std::shared_ptr<const Group> group;
  Retraction map = Retraction::cay;
  std::vector<Matrix<quad>> basis;                           // of the algebra
  Matrix<quad> (*element)(const Vector<quad>& g) = nullptr;  // the matrix of an element
  double longest = 0;                                        // vectors that are tried

  Matrix<quad> matrix(const Vector<quad>& xi) const;      ///< of an element of the algebra
  Vector<quad> coordinates(const Matrix<quad>& m) const;  ///< of a matrix of the algebra
  Matrix<quad> tau(const Vector<quad>& xi) const;
  std::size_t dimension() const { return basis.size(); }
};

std::vector<Case> cases();
std::string name_of(const Case& instance);
std::ostream& operator<<(std::ostream& out, const Case& instance);

/// Vectors of all lengths from zero to the longest, in random directions.
class Vectors {
 public:
  explicit Vectors(const Case& instance) : longest_(instance.longest), dimension_(instance.dimension()) {}
  std::vector<Vector<double>> of_all_lengths();
  Vector<double> of_length(double length);
  Vector<double> any() { return of_length(1); }

 private:
  std::mt19937 generator_{20};
  double longest_;
  std::size_t dimension_;
};

template <class T>
Vector<T> to(const Vector<double>& x) {
  return {x.begin(), x.end()};
}
inline Vector<double> to_double(const Vector<quad>& x) {
  Vector<double> y;
  for (const quad value : x) y.push_back(static_cast<double>(value));
  return y;
}
inline Matrix<quad> to_quad(const Matrix<double>& m) {
  Matrix<quad> result;
  for (const auto& row : m) result.emplace_back(row.begin(), row.end());
  return result;
}

/// The derivative of a function of one variable at zero, to 28 digits for functions that change on scales of one.
template <class Function>
Vector<quad> derivative_at_zero(const Function& f) {
  const quad h = 1e-4, weights[] = {quad(4) / 5, quad(-1) / 5, quad(4) / 105, quad(-1) / 280};
  Vector<quad> result(f(quad(0)).size());
  for (int k = 1; k <= 4; ++k) {
    result = sum(result, f(k * h), weights[k - 1] / h);
    result = sum(result, f(-k * h), -weights[k - 1] / h);
  }
  return result;
}

}  // namespace noslip::testing
