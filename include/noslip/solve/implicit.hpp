// Numbers x that equations r(given, x) = 0 determine, by Newton's method. The equations are expressions; their
// derivatives are exact.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <noslip/exec/function.hpp>
#include <noslip/solve/linear.hpp>
#include <noslip/solve/newton.hpp>

namespace noslip {

/// The equations: immutable, shared by threads.
template <class T>
class ImplicitFunction {
 public:
  ImplicitFunction() = default;
  /// As many residuals as unknowns; `given` are blocks of the other symbols. Derivatives are added to the graph of the
  /// residuals.
  ImplicitFunction(std::vector<std::vector<Expr>> given, const std::vector<Expr>& unknowns,
                   const std::vector<Expr>& residuals);

  std::size_t size() const { return size_; }                 ///< of x
  const Function<T>& function() const { return function_; }  ///< of given..., x: residuals; entries of the derivative
  const std::vector<std::pair<int, int>>& places() const { return places_; }  ///< row and column of these entries
  bool is_linear() const { return is_linear_; }  ///< in x: the derivative is the same everywhere

 private:
  std::size_t size_ = 0;
  Function<T> function_;
  std::vector<std::pair<int, int>> places_;
  bool is_linear_ = false;
};

/// The numbers of a solution: one object per thread, which allocates nothing once it is made, but to choose the order of a
/// large sparse matrix after forget_order().
template <class T>
class ImplicitSolver {
 public:
  explicit ImplicitSolver(const ImplicitFunction<T>& equations);

  /// Numbers of a block of `given`; they stay until they are set again.
  ImplicitSolver& set(std::size_t block, typename Function<T>::Numbers numbers) {
    at_.set(block, numbers);
    has_factors_ = false;
    return *this;
  }
  /// What follows does not depend on what was solved before (LinearSolver).
  void forget_order() {
    linear_.forget_order();
    has_factors_ = false;
  }
  /// Improves x. Steps are shortened (if options ask for that) where the correction that would follow with the same
  /// derivative is not smaller: a measure that does not depend on units.
  NewtonResult<T> solve(std::span<T> x, const NewtonOptions<T>& options);
  /// The derivative at x, factorised.
  const LinearSolver<T>& factors(std::span<const T> x);
  /// Condition of the derivative that was factorised last, in the norm of row sums. Costs about n^3 multiplications if it
  /// is dense.
  T condition() { return size({}, {}) * inverse_size(); }
  /// The same question for a limit. If the derivative is dense and has changed little since the last time, that follows
  /// from what was known then, at the cost of n^2.
  bool condition_is_at_most(T limit);
  /// In this norm: a block of the derivative, and the inverse of all of it.
  struct Range {
    std::size_t first = 0, end = static_cast<std::size_t>(-1);
  };
  T size(Range rows, Range columns);
  T inverse_size() { return linear_.inverse_size(next_, sums_); }

  // What Newton asks for.
  bool correct(std::span<const T> x, std::span<T> dx);
  T error() const { return error_; }
  T error(std::span<const T> x);

 private:
  void evaluate(std::span<const T> x);

  ImplicitFunction<T> equations_;
  Evaluation<T> at_;
  LinearSolver<T> linear_;
  Newton<T> newton_;
  std::vector<T> next_;  // correction at another point with the same derivative
  std::vector<T> sums_;  // of rows
  std::vector<T> known_entries_;  // of a derivative, and the size of its inverse
  T known_inverse_ = 0;
  T error_ = 0;
  bool has_factors_ = false;  // of linear equations with these numbers
};

extern template class ImplicitFunction<double>;
extern template class ImplicitFunction<long double>;
extern template class ImplicitFunction<quad>;
extern template class ImplicitSolver<double>;
extern template class ImplicitSolver<long double>;
extern template class ImplicitSolver<quad>;

}  // namespace noslip
