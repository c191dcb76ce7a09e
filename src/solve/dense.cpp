// Blocks for large matrices of double; a few lines of LU for small ones, where blocks gain nothing, and for the other
// scalar types.
#include <noslip/solve/dense.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

#include <noslip/core/bytes.hpp>
#include <noslip/solve/newton.hpp>

#include "solve/blocked_lu.hpp"

namespace noslip {

namespace {

template <class T>
class PlainLu {
 public:
  explicit PlainLu(int n) : n_(n), entries_(static_cast<std::size_t>(n) * n), pivots_(n) {}
  void clear() { entries_.assign(entries_.size(), T(0)); }
  T& entry(int i, int j) { return entries_[static_cast<std::size_t>(i) * n_ + j]; }
  const T& entry(int i, int j) const { return entries_[static_cast<std::size_t>(i) * n_ + j]; }

  void factorise() {
    for (int k = 0; k < n_; ++k) {
      int pivot = k;
      for (int i = k + 1; i < n_; ++i) {
        if (size(entry(i, k)) > size(entry(pivot, k))) pivot = i;
      }
      pivots_[k] = pivot;
      for (int j = 0; pivot != k && j < n_; ++j) std::swap(entry(k, j), entry(pivot, j));
      for (int i = k + 1; i < n_; ++i) {
        const T factor = entry(i, k) /= entry(k, k);
        if (factor == 0) continue;
        for (int j = k + 1; j < n_; ++j) entry(i, j) -= factor * entry(k, j);
      }
    }
  }

  void solve(std::span<T> x) const {
    for (int k = 0; k < n_; ++k) std::swap(x[k], x[pivots_[k]]);
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < i; ++j) x[i] -= entry(i, j) * x[j];
    }
    for (int i = n_ - 1; i >= 0; --i) {
      for (int j = i + 1; j < n_; ++j) x[i] -= entry(i, j) * x[j];
      x[i] /= entry(i, i);
    }
  }
  int sign() const {
    int sign = 1;
    for (int k = 0; k < n_; ++k) {
      if (pivots_[k] != k) sign = -sign;
      sign *= entry(k, k) > 0 ? 1 : entry(k, k) < 0 ? -1 : 0;
    }
    return sign;
  }
  std::size_t number_count() const { return entries_.size() + pivots_.size(); }
  void copy_numbers(std::span<T> to) const {
    std::copy(pivots_.begin(), pivots_.end(), std::copy(entries_.begin(), entries_.end(), to.begin()));
  }
  void set_numbers(std::span<const T> from) {
    std::copy_n(from.begin(), entries_.size(), entries_.begin());
    for (int k = 0; k < n_; ++k) pivots_[k] = saved_index(from[entries_.size() + k], n_);
  }

 private:
  static T size(T x) { return x < 0 ? -x : x; }
  int n_;
  std::vector<T> entries_;
  std::vector<int> pivots_;
};

constexpr int largest_small = 16;

/// One of the two, by the size.
class DoubleLu {
 public:
  explicit DoubleLu(int n) : is_small_(n <= largest_small), small_(is_small_ ? n : 0), large_(is_small_ ? 0 : n) {}
  void clear() { is_small_ ? small_.clear() : large_.clear(); }
  double& entry(int i, int j) { return is_small_ ? small_.entry(i, j) : large_.entry(i, j); }
  void factorise() { is_small_ ? small_.factorise() : large_.factorise(); }
  void solve(std::span<double> x) const { is_small_ ? small_.solve(x) : large_.solve(x); }
  int sign() const { return is_small_ ? small_.sign() : large_.sign(); }
  std::size_t number_count() const { return is_small_ ? small_.number_count() : large_.number_count(); }
  void copy_numbers(std::span<double> to) const { is_small_ ? small_.copy_numbers(to) : large_.copy_numbers(to); }
  void set_numbers(std::span<const double> from) { is_small_ ? small_.set_numbers(from) : large_.set_numbers(from); }

 private:
  bool is_small_;
  PlainLu<double> small_;
  BlockedLu large_;
};

}  // namespace

template <class T>
struct DenseSolver<T>::Data {
  explicit Data(int n) : lu(n) {}
  std::conditional_t<std::is_same_v<T, double>, DoubleLu, PlainLu<T>> lu;
};

template <class T>
DenseSolver<T>::DenseSolver(int n) : data_(std::make_unique<Data>(n)) {
  clear();
}
template <class T>
DenseSolver<T>::~DenseSolver() = default;
template <class T>
DenseSolver<T>::DenseSolver(DenseSolver&& other) noexcept = default;
template <class T>
DenseSolver<T>& DenseSolver<T>::operator=(DenseSolver&& other) noexcept = default;
template <class T>
void DenseSolver<T>::clear() {
  data_->lu.clear();
}
template <class T>
T& DenseSolver<T>::entry(int row, int column) {
  return data_->lu.entry(row, column);
}
template <class T>
void DenseSolver<T>::factorise() {
  data_->lu.factorise();
}
template <class T>
void DenseSolver<T>::solve(std::span<T> x) const {
  data_->lu.solve(x);
}

template <class T>
int DenseSolver<T>::sign() const {
  return data_->lu.sign();
}

template <class T>
std::size_t DenseSolver<T>::number_count() const {
  return data_->lu.number_count();
}
template <class T>
void DenseSolver<T>::copy_numbers(std::span<T> to) const {
  data_->lu.copy_numbers(to);
}
template <class T>
void DenseSolver<T>::set_numbers(std::span<const T> from) {
  data_->lu.set_numbers(from);
}

template <class T>
T size_of_inverse(const DenseSolver<T>& factors, std::span<T> column, std::span<T> sums) {
  std::fill(sums.begin(), sums.end(), T(0));
  for (std::size_t j = 0; j < column.size(); ++j) {
    std::fill(column.begin(), column.end(), T(0));
    column[j] = 1;
    factors.solve(column);
    for (std::size_t i = 0; i < column.size(); ++i) sums[i] += size_of(column[i]);
  }
  return largest_size<T>(sums);
}

#define NOSLIP_INSTANTIATE(T)    \
  template class DenseSolver<T>; \
  template T size_of_inverse<T>(const DenseSolver<T>&, std::span<T>, std::span<T>);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
