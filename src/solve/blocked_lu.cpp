#include "solve/blocked_lu.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include <noslip/core/bytes.hpp>

namespace noslip {

namespace {

constexpr std::size_t lu_alignment = 64;

int rounded_up(int n) { return (n + LuBlocks::block - 1) / LuBlocks::block * LuBlocks::block; }

const LuLoops& loops_for(Isa isa) {
  const LuLoops* loops = isa == Isa::avx512 ? lu_avx512() : nullptr;
  if (loops == nullptr && isa != Isa::baseline) loops = lu_avx2();
  return loops != nullptr ? *loops : lu_baseline();
}

}  // namespace

void BlockedLu::AlignedDelete::operator()(double* p) const { ::operator delete[](p, std::align_val_t(lu_alignment)); }

BlockedLu::BlockedLu(int n, Isa isa) : n_(n), loops_(&loops_for(isa)) {
  blocks_.size = rounded_up(n);
  // An odd number of blocks: rows at distances of a power of two would share few lines of a cache.
  blocks_.stride = blocks_.size / LuBlocks::block % 2 == 1 ? blocks_.size : blocks_.size + LuBlocks::block;
  const std::size_t size = blocks_.size, panel = LuBlocks::block * size;
  const std::size_t all = std::max<std::size_t>(entry_count() + panel + 2 * size, 1);
  memory_.reset(static_cast<double*>(::operator new[](all * sizeof(double), std::align_val_t(lu_alignment))));
  std::fill_n(memory_.get(), all, 0.0);
  exchanges_.assign(size, 0);
  blocks_.a = memory_.get();
  blocks_.panel = blocks_.a + entry_count();
  blocks_.inverse_pivots = blocks_.panel + panel;
  blocks_.exchanges = exchanges_.data();
  x_ = blocks_.inverse_pivots + size;
}

/// What is behind the matrix, up to whole blocks, is of the unit matrix.
void BlockedLu::clear() {
  std::fill_n(blocks_.a, entry_count(), 0.0);
  for (int i = n_; i < blocks_.size; ++i) entry(i, i) = 1;
}

void BlockedLu::solve(std::span<double> x) const {
  std::fill(std::copy(x.begin(), x.end(), x_), x_ + blocks_.size, 0.0);
  loops_->substitute(blocks_, x_);
  for (int k = blocks_.size; k-- > 0;) std::swap(x_[k], x_[exchanges_[k]]);
  std::copy_n(x_, n_, x.begin());
}

int BlockedLu::sign() const {
  int sign = 1;
  for (int k = 0; k < blocks_.size; ++k) {
    if (exchanges_[k] != k) sign = -sign;
    sign *= pivot(k) > 0 ? 1 : pivot(k) < 0 ? -1 : 0;
  }
  return sign;
}

std::size_t BlockedLu::number_count() const { return entry_count() + exchanges_.size(); }

void BlockedLu::copy_numbers(std::span<double> to) const {
  std::copy(exchanges_.begin(), exchanges_.end(), std::copy_n(blocks_.a, entry_count(), to.begin()));
}

void BlockedLu::set_numbers(std::span<const double> from) {
  std::copy_n(from.begin(), entry_count(), blocks_.a);
  for (int k = 0; k < blocks_.size; ++k) {
    exchanges_[k] = saved_index(from[entry_count() + k], blocks_.size);
    blocks_.inverse_pivots[k] = 1 / pivot(k);
  }
}

}  // namespace noslip
