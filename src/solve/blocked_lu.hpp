// LU with partial pivoting of large matrices of double, in blocks of eight, with the widest vectors of the processor.
//
// The bits do not depend on the width: every entry is reduced by one fused product after the other, a - l u in the
// order of the pivots, whoever does it. A matrix is kept by columns: its transposed is factorised by rows, which can be
// exchanged and reduced as they lie in memory, and the factors serve to substitute column by column.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "exec/isa.hpp"

namespace noslip {

/// What the loops work on. The size is a multiple of `block`; row i of the transposed matrix begins at a + i * stride.
struct LuBlocks {
  static constexpr int block = 8;
  double* a = nullptr;
  double* panel = nullptr;  ///< memory for `block` columns
  double* inverse_pivots = nullptr;
  int* exchanges = nullptr;  ///< of row k with row exchanges[k] >= k, one after the other
  int size = 0, stride = 0;
};

struct LuLoops {
  void (*factorise)(const LuBlocks&);
  /// Overwrites x, of the size of the blocks, by the solution but for its order.
  void (*substitute)(const LuBlocks&, double* x);
};

const LuLoops& lu_baseline();
const LuLoops* lu_avx2();  ///< null where the compiler does not know such instructions
const LuLoops* lu_avx512();

/// One matrix at a time; memory is taken once.
class BlockedLu {
 public:
  explicit BlockedLu(int n, Isa isa = native_isa());

  void clear();
  double& entry(int i, int j) { return blocks_.a[static_cast<std::size_t>(j) * blocks_.stride + i]; }
  void factorise() { loops_->factorise(blocks_); }
  void solve(std::span<double> x) const;
  int sign() const;

  std::size_t number_count() const;
  void copy_numbers(std::span<double> to) const;
  void set_numbers(std::span<const double> from);

 private:
  struct AlignedDelete {
    void operator()(double* p) const;
  };
  double pivot(int k) const { return blocks_.a[static_cast<std::size_t>(k) * (blocks_.stride + 1)]; }
  std::size_t entry_count() const { return static_cast<std::size_t>(blocks_.size) * blocks_.stride; }

  int n_;
  const LuLoops* loops_;
  std::unique_ptr<double[], AlignedDelete> memory_;
  std::vector<int> exchanges_;
  double* x_ = nullptr;  ///< of the memory, for solve()
  LuBlocks blocks_;
};

}  // namespace noslip
