#include "ensemble/quantile_sketch.hpp"

#include <algorithm>
#include <limits>

namespace noslip {
namespace {

constexpr unsigned negative = 1, positive = 0, zero = 2;

}  // namespace

std::array<std::uint32_t, QuantileSketch::page_size>& QuantileSketch::make_page(Side& side, unsigned page) {
  if (side.slots.empty()) side.first = page;
  if (page < side.first) {
    side.slots.insert(side.slots.begin(), side.first - page, 0);
    side.first = page;
  }
  if (page - side.first >= side.slots.size()) side.slots.resize(page - side.first + 1);
  pages_.emplace_back();
  side.slots[page - side.first] = static_cast<std::uint32_t>(pages_.size());
  return pages_.back();
}

void QuantileSketch::pour() {
  for (const double x : values_) drop(x);
  values_.clear();
  if (is_poured_) return;
  is_poured_ = true;
  values_ = {};
  values_.reserve(most_waiting + 1);
}

QuantileSketch QuantileSketch::poured() const {
  QuantileSketch result = *this;
  result.pour();
  return result;
}

template <class Visit>
bool QuantileSketch::visit_side(unsigned side, Visit& visit) const {
  const Side& of = sides_[side];
  for (std::size_t i = 0; i < of.slots.size(); ++i) {
    const std::size_t place = side == negative ? of.slots.size() - 1 - i : i;
    if (of.slots[place] == 0) continue;
    const auto& page = pages_[of.slots[place] - 1];
    for (unsigned j = 0; j < page_size; ++j) {
      const unsigned in_page = side == negative ? page_size - 1 - j : j;
      const unsigned bucket = (of.first + static_cast<unsigned>(place)) * page_size + in_page;
      std::uint64_t count = page[in_page];
      if (!overflows_.empty()) [[unlikely]] {
        if (const auto found = overflows_.find({side, bucket}); found != overflows_.end()) count += found->second << 32;
      }
      if (count != 0 && visit(side, bucket, count)) return true;
    }
  }
  return false;
}

template <class Visit>
void QuantileSketch::visit(Visit visit) const {
  if (visit_side(negative, visit)) return;
  if (zeros_ != 0 && visit(zero, 0U, zeros_)) return;
  visit_side(positive, visit);
}

void QuantileSketch::add(const QuantileSketch& other) {
  if (!other.is_poured_) {
    const std::vector<double> values = other.values_;  // it may be this one
    for (const double x : values) add(x);
    return;
  }
  if (!other.values_.empty()) return add(other.poured());
  if (!is_poured_) pour();
  std::vector<std::pair<std::pair<unsigned, unsigned>, std::uint64_t>> counts;
  other.visit([&](unsigned side, unsigned bucket, std::uint64_t count) {
    counts.push_back({{side, bucket}, count});
    return false;
  });
  for (const auto& [place, count] : counts) {
    if (place.first == zero) {
      zeros_ += count;
    } else {
      count_in(place.first, place.second, count);
    }
  }
}

std::uint64_t QuantileSketch::count() const {
  std::uint64_t sum = values_.size();
  visit([&](unsigned, unsigned, std::uint64_t count) {
    sum += count;
    return false;
  });
  return sum;
}

std::pair<double, double> QuantileSketch::at(std::uint64_t place) const {
  if (!is_poured_) {
    std::vector<double> sorted = values_;
    const auto found = sorted.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(sorted.begin(), found, sorted.end());
    const double next = found + 1 == sorted.end() ? *found : *std::min_element(found + 1, sorted.end());
    return {*found, next};
  }
  if (!values_.empty()) return poured().at(place);
  const auto middle = [](unsigned side, unsigned bucket) {
    if (side == zero) return 0.0;
    const std::uint64_t bits = (std::uint64_t{bucket} << 1 | 1) << (51 - bits_of_octave);
    return std::bit_cast<double>(bits | std::uint64_t{side} << 63);
  };
  std::pair<double, double> result;
  std::uint64_t before = 0;
  bool has_first = false;
  visit([&](unsigned side, unsigned bucket, std::uint64_t count) {
    before += count;
    if (!has_first && place < before) {
      has_first = true;
      result = {middle(side, bucket), middle(side, bucket)};
    }
    if (!has_first || place + 1 >= before) return false;
    result.second = middle(side, bucket);
    return true;
  });
  return result;
}

void QuantileSketch::carry(Archive& archive) {
  if (is_poured_ && !archive.loads()) pour();
  std::vector<double> values = values_;
  std::sort(values.begin(), values.end());
  std::vector<std::uint32_t> places;
  std::vector<std::uint64_t> counts;
  if (is_poured_ && !archive.loads()) {
    visit([&](unsigned side, unsigned bucket, std::uint64_t count) {
      places.push_back(side * buckets_of_side + bucket);
      counts.push_back(count);
      return false;
    });
  }
  bool is_poured = is_poured_;
  archive(is_poured, values, places, counts);
  if (!archive.loads()) return;
  *this = {};
  is_poured_ = is_poured;
  require_saved(places.size() == counts.size() && (is_poured ? values.empty() : places.empty()));
  require_saved(values.size() <= most_exact);
  for (const double x : values) require_saved(x - x == 0);
  values_ = std::move(values);
  std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const unsigned side = places[i] / buckets_of_side, bucket = places[i] % buckets_of_side;
    require_saved(counts[i] != 0 && counts[i] <= left && (side < zero || (side == zero && bucket == 0)));
    left -= counts[i];
    if (side == zero) {
      zeros_ += counts[i];
    } else {
      count_in(side, bucket, counts[i]);
    }
  }
}

}  // namespace noslip
