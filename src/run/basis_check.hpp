// Whether the rows of a basis satisfy the constraints and are independent, for callers who ask often.
#pragma once

#include <span>
#include <vector>

#include <noslip/exec/function.hpp>
#include <noslip/model/system.hpp>

namespace noslip {

/// What the check evaluates, compiled once per program.
template <class T>
struct BasisFunctions {
  BasisFunctions() = default;
  explicit BasisFunctions(const System& system);

  std::size_t rows = 0;  ///< 0: the system has no basis
  /// Of t; q; parameters: products K X that are not zero by form alone; sums of the sizes of their terms; X.
  Function<T> function;
};

/// One per thread; allocates nothing once it is made.
template <class T>
class BasisCheck {
 public:
  explicit BasisCheck(const BasisFunctions<T>& functions);

  /// True if BasisValues (model/basis_values.hpp) certainly finds no problem at the positions of this state.
  bool is_certain(T t, std::span<const T> state, std::span<const T> parameters);

 private:
  bool is_good_here();
  bool are_independent();

  std::size_t rows_;
  Evaluation<T> at_;
  std::vector<T> X_;
};

extern template struct BasisFunctions<double>;
extern template struct BasisFunctions<long double>;
extern template struct BasisFunctions<quad>;
extern template class BasisCheck<double>;
extern template class BasisCheck<long double>;
extern template class BasisCheck<quad>;

}  // namespace noslip
