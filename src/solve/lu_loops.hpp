// The loops of LU (blocked_lu.hpp) over vectors of any width. `V` is a type of the including source, which keeps what
// is compiled for different instructions apart; functions of the standard library would not be kept apart.
#pragma once

#include <cmath>
#include <utility>

#include "solve/blocked_lu.hpp"

namespace noslip {

/// V has `lanes`, a divisor of LuBlocks::block; `strip`, how many vectors are reduced at once; load, store, all (copies
/// of one number), fnma (c - a b with one rounding), abs, max (a > b ? a : b).
template <class V>
struct LuLoopsOf {
  using Value = typename V::Value;
  static constexpr int block = LuBlocks::block;

  static double size(double x) { return x < 0 ? -x : x; }
  static double reduced(double c, double a, double b) { return std::fma(-a, b, c); }

  /// Of a column from `first` on, in the panel of block k: the first of the largest.
  static int largest(const double* column, int first, int k, int end) {
    double most = -1;
    for (int i = first; i < k + block; ++i) {
      if (size(column[i]) > most) most = size(column[i]);
    }
    Value several = V::all(most);
    for (int i = k + block; i < end; i += V::lanes) several = V::max(V::abs(V::load(column + i)), several);
    double each[V::lanes];
    V::store(each, several);
    for (const double one : each) {
      if (one > most) most = one;
    }
    for (int i = first; i < end; ++i) {
      if (size(column[i]) == most) return i;
    }
    return first;  // nothing but NaN
  }

  /// Column p of the panel of block k: chooses its pivot and takes it off the columns behind.
  template <int p>
  static void eliminate(const LuBlocks& m, int k) {
    const int n = m.size, row = k + p;
    double* const column = m.panel + p * n;
    const int other = largest(column, row, k, n);
    m.exchanges[row] = other;
    for (int j = 0; j < block; ++j) {
      const double here = m.panel[j * n + row];
      m.panel[j * n + row] = m.panel[j * n + other];
      m.panel[j * n + other] = here;
    }
    const double pivot = column[row];
    m.inverse_pivots[row] = 1 / pivot;
    for (int i = row + 1; i < k + block; ++i) {
      column[i] /= pivot;
      for (int j = p + 1; j < block; ++j) {
        m.panel[j * n + i] = reduced(m.panel[j * n + i], column[i], m.panel[j * n + row]);
      }
    }
    const Value pivots = V::all(pivot);
    Value u[block];
    for (int j = p + 1; j < block; ++j) u[j] = V::all(m.panel[j * n + row]);
    for (int i = k + block; i < n; i += V::lanes) {
      const Value l = V::load(column + i) / pivots;
      V::store(column + i, l);
      for (int j = p + 1; j < block; ++j) {
        double* const there = m.panel + j * n + i;
        V::store(there, V::fnma(l, u[j], V::load(there)));
      }
    }
  }

  /// The columns of block k, copied to where they lie one behind the other.
  static void factorise_panel(const LuBlocks& m, int k) {
    for (int i = k; i < m.size; ++i) {
      const double* const row = m.a + static_cast<std::size_t>(i) * m.stride + k;
      for (int j = 0; j < block; ++j) m.panel[j * m.size + i] = row[j];
    }
    [&]<int... p>(std::integer_sequence<int, p...>) { (eliminate<p>(m, k), ...); }
    (std::make_integer_sequence<int, block>());
  }

  /// Exchanges rows as the panel of block k has done, and puts it back.
  static void exchange_rows(const LuBlocks& m, int k) {
    const int n = m.size;
    for (int row = k; row < k + block; ++row) {
      if (m.exchanges[row] == row) continue;
      double* const one = m.a + static_cast<std::size_t>(row) * m.stride;
      double* const other = m.a + static_cast<std::size_t>(m.exchanges[row]) * m.stride;
      for (int j = 0; j < n; j += V::lanes) {
        const Value here = V::load(one + j);
        V::store(one + j, V::load(other + j));
        V::store(other + j, here);
      }
    }
    for (int i = k; i < n; ++i) {
      double* const row = m.a + static_cast<std::size_t>(i) * m.stride + k;
      for (int j = 0; j < block; ++j) row[j] = m.panel[j * n + i];
    }
  }

  /// What block k takes off columns `first` ..., `strip` vectors: off its own rows and those below.
  template <int strip>
  static void reduce(const LuBlocks& m, int k, int first) {
    Value u[block][strip];
    for (int p = 0; p < block; ++p) {
      double* const row = m.a + static_cast<std::size_t>(k + p) * m.stride;
      for (int s = 0; s < strip; ++s) u[p][s] = V::load(row + first + s * V::lanes);
      for (int q = 0; q < p; ++q) {
        const Value l = V::all(row[k + q]);
        for (int s = 0; s < strip; ++s) u[p][s] = V::fnma(l, u[q][s], u[p][s]);
      }
      for (int s = 0; s < strip; ++s) V::store(row + first + s * V::lanes, u[p][s]);
    }
    for (int i = k + block; i < m.size; ++i) {
      double* const row = m.a + static_cast<std::size_t>(i) * m.stride;
      Value c[strip];
      for (int s = 0; s < strip; ++s) c[s] = V::load(row + first + s * V::lanes);
      for (int p = 0; p < block; ++p) {
        const Value l = V::all(row[k + p]);
        for (int s = 0; s < strip; ++s) c[s] = V::fnma(l, u[p][s], c[s]);
      }
      for (int s = 0; s < strip; ++s) V::store(row + first + s * V::lanes, c[s]);
    }
  }

  static void factorise(const LuBlocks& m) {
    for (int k = 0; k < m.size; k += block) {
      factorise_panel(m, k);
      exchange_rows(m, k);
      int column = k + block;
      for (; column + V::strip * V::lanes <= m.size; column += V::strip * V::lanes) reduce<V::strip>(m, k, column);
      for (; column < m.size; column += V::lanes) reduce<1>(m, k, column);
    }
  }

  /// First the transposed of U, then the transposed of L, whose diagonal is of ones.
  static void substitute(const LuBlocks& m, double* x) {
    for (int k = 0; k < m.size; k += block) {
      const double* const rows = m.a + static_cast<std::size_t>(k) * m.stride;
      Value y[block];
      for (int p = 0; p < block; ++p) {
        const double* const row = rows + static_cast<std::size_t>(p) * m.stride + k;
        x[k + p] *= m.inverse_pivots[k + p];
        for (int q = p + 1; q < block; ++q) x[k + q] = reduced(x[k + q], row[q], x[k + p]);
        y[p] = V::all(x[k + p]);
      }
      for (int i = k + block; i < m.size; i += V::lanes) {
        Value value = V::load(x + i);
        for (int p = 0; p < block; ++p) {
          value = V::fnma(V::load(rows + static_cast<std::size_t>(p) * m.stride + i), y[p], value);
        }
        V::store(x + i, value);
      }
    }
    for (int k = m.size - block; k >= 0; k -= block) {
      const double* const rows = m.a + static_cast<std::size_t>(k) * m.stride;
      Value y[block];
      for (int p = block - 1; p >= 0; --p) {
        const double* const row = rows + static_cast<std::size_t>(p) * m.stride + k;
        for (int q = 0; q < p; ++q) x[k + q] = reduced(x[k + q], row[q], x[k + p]);
        y[p] = V::all(x[k + p]);
      }
      for (int i = 0; i < k; i += V::lanes) {
        Value value = V::load(x + i);
        for (int p = block - 1; p >= 0; --p) {
          value = V::fnma(V::load(rows + static_cast<std::size_t>(p) * m.stride + i), y[p], value);
        }
        V::store(x + i, value);
      }
    }
  }

  static constexpr LuLoops loops = {factorise, substitute};
};

}  // namespace noslip
