// Newton's method for r(x) = 0. What r is and how linear equations with its derivative are solved is up to the caller:
// LU, scaled LU, or least squares where there are more unknowns than equations.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <noslip/core/scalar.hpp>

namespace noslip {

enum class NewtonEnd {
  converged,
  exhausted,  ///< after so many iterations
  stuck,      ///< no part of the last correction made the error smaller; x is where it was before it
  not_finite  ///< there is no correction at x, or it is not finite; x is where it was before it
};

template <class T>
struct NewtonResult {
  NewtonEnd end = NewtonEnd::exhausted;
  int iterations = 0;  ///< corrections that were computed
  T correction = 0;    ///< size of the last one
  T error = 0;         ///< where the last one was computed; zero if the equations do not measure it

  bool has_converged() const { return end == NewtonEnd::converged; }
};

template <class T>
struct NewtonOptions {
  int most_iterations = 50;
  /// Sizes of corrections relative to the largest unknown. The iteration ends below `tiny`, and below `small` where
  /// corrections no longer shrink: that is rounding, since before it every one is far smaller than the last.
  T tiny = 0, small = 0;
  /// Below 1, a step that does not make the error smaller is halved down to this part of the correction; but no step is
  /// shortened below `small`, where rounding decides about errors.
  T shortest_part = 1;
};

/// The largest |x_i|; NaN if one of them is.
template <class T>
T largest_size(std::span<const T> x) {
  T most = 0;
  for (const T& value : x) {
    const T size = size_of(value);
    if (size != size) return size;
    if (size > most) most = size;
  }
  return most;
}

/// Memory for n unknowns, taken once: nothing is allocated by an iteration.
template <class T>
class Newton {
 public:
  explicit Newton(std::size_t n) : correction_(n), trial_(n) {}

  /// Improves x until it solves the equations. These are an object with
  ///
  ///   bool correct(std::span<const T> x, std::span<T> dx)
  ///       gives what x is too large by; false if there is no such thing
  ///   T error(); T error(std::span<const T> x)
  ///       tell how far the last x of `correct`, and another x, are from a solution, in the same units; only needed if
  ///       steps are shortened
  ///   bool are_solved(std::span<const T> x)
  ///       is asked after every step, in the place of `tiny` and `small`; optional
  template <class Equations>
  NewtonResult<T> operator()(std::span<T> x, Equations& equations, const NewtonOptions<T>& options) {
    constexpr bool has_error = requires { equations.error(); };
    constexpr bool has_test = requires { equations.are_solved(std::span<const T>(x)); };
    NewtonResult<T> result;
    T before = 0;
    const auto ended = [&result](NewtonEnd end) {
      result.end = end;
      return result;
    };
    while (result.iterations < options.most_iterations) {
      const bool can_step = equations.correct(x, correction_);
      ++result.iterations;
      result.correction = largest_size<T>(correction_);
      if constexpr (has_error) {
        result.error = equations.error();
        if (can_step && result.error == 0) return ended(NewtonEnd::converged);
      }
      if (!can_step || !is_finite(result.correction)) return ended(NewtonEnd::not_finite);
      T part = 1;
      if constexpr (has_error) {
        const bool is_rounding = result.correction < options.small * largest_size<T>(x);
        if (options.shortest_part < 1 && !is_rounding) part = part_that_helps(x, equations, options, result.error);
      }
      if (part == 0) return ended(NewtonEnd::stuck);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] -= part * correction_[i];
      if constexpr (has_test) {
        if (equations.are_solved(x)) return ended(NewtonEnd::converged);
      } else {
        const T scale = largest_size<T>(x), size = result.correction;
        const bool stagnates = result.iterations > 1 && size >= before / 2;
        const bool is_rounding = size <= options.tiny * scale || (stagnates && size <= options.small * scale);
        if (is_rounding) return ended(NewtonEnd::converged);
      }
      before = result.correction;
    }
    return result;
  }

 private:
  /// Zero if no part of the correction does.
  template <class Equations>
  T part_that_helps(std::span<const T> x, Equations& equations, const NewtonOptions<T>& options, T error) {
    for (T part = 1; part >= options.shortest_part; part /= 2) {
      for (std::size_t i = 0; i < x.size(); ++i) trial_[i] = x[i] - part * correction_[i];
      if (equations.error(trial_) < error) return part;
    }
    return 0;
  }

  std::vector<T> correction_, trial_;
};

}  // namespace noslip
