#include <noslip/ensemble/members.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/names.hpp>
#include <noslip/core/scalar.hpp>

#include "ensemble/draws.hpp"
#include "ensemble/philox.hpp"
#include "ensemble/spaced.hpp"
#include "run/given_values.hpp"

namespace noslip {
namespace {

constexpr std::uint64_t most_members = std::uint64_t{1} << 53;
constexpr std::size_t most_problems = 20;

class ListMembers final : public Members {
 public:
  ListMembers(std::vector<std::string> names, std::size_t count, std::vector<double> values)
      : Members(std::move(names), count), values_(std::move(values)) {}

  void read(std::size_t first, std::size_t count, double* values) const override {
    std::copy_n(values_.data() + first * names().size(), count * names().size(), values);
  }
  std::string identity() const override {
    Checksum checksum;
    add_numbers(checksum, values_);
    return identity_of_values(names(), count(), checksum);
  }

 private:
  std::vector<double> values_;
};

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& list) {
  std::vector<std::string> names;
  for (const Named& named : list) names.push_back(named.name);
  return names;
}

class GridMembers final : public Members {
 public:
  GridMembers(const std::vector<GridAxis>& axes, std::size_t count) : Members(names_of(axes), count), axes_(axes) {
    for (const GridAxis& axis : axes) spaced_.emplace_back(axis.first, axis.last, axis.count);
  }

  void read(std::size_t first, std::size_t count, double* values) const override {
    const DefaultArithmetic arithmetic;
    const std::size_t width = axes_.size();
    for (std::size_t column = 0, run = Members::count(); column < width; ++column) {
      run /= axes_[column].count;  // members in a row with the same value
      std::size_t k = first / run % axes_[column].count, left = run - first % run;
      for (std::size_t i = 0; i < count; left = run) {
        const double value = spaced_[column][k];
        for (; i < count && left > 0; ++i, --left) values[i * width + column] = value;
        k = k + 1 == axes_[column].count ? 0 : k + 1;
      }
    }
  }
  bool is_table() const override { return false; }
  std::string identity() const override {
    std::string text = "grid";
    for (const GridAxis& axis : axes_) {
      text += fmt::format(" {}={}:{}:{}", axis.name, to_text(axis.first), to_text(axis.last), axis.count);
    }
    return text;
  }

 private:
  std::vector<GridAxis> axes_;
  std::vector<Spaced> spaced_;
};

class SampleMembers final : public Members {
 public:
  SampleMembers(std::size_t count, std::uint64_t seed, std::vector<Variation> variations)
      : Members(names_of(variations), count), seed_(seed), variations_(std::move(variations)) {}

  void read(std::size_t first, std::size_t count, double* values) const override {
    const DefaultArithmetic arithmetic;
    for (std::size_t member = first; member < first + count; ++member) {
      for (std::uint32_t i = 0; i < variations_.size(); ++i) *values++ = draw(member, i);
    }
  }
  bool is_table() const override { return false; }
  std::string identity() const override {
    std::string text = fmt::format("sample of {} members, seed {}:", count(), seed_);
    for (const Variation& variation : variations_) {
      text += fmt::format(" {}={}({},{})", variation.name, word_of(variation.kind), to_text(variation.a),
                          to_text(variation.b));
    }
    return text;
  }

 private:
  static const char* word_of(Variation::Kind kind) { return kind == Variation::Kind::uniform ? "uniform" : "normal"; }

  double draw(std::uint64_t member, std::uint32_t i) const {
    // The last number is for variations that need more bits than one block has.
    const PhiloxCounter bits =
        philox({static_cast<std::uint32_t>(member), static_cast<std::uint32_t>(member >> 32), i, 0},
               {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)});
    const std::uint64_t first = bits[0] | std::uint64_t{bits[1]} << 32, second = bits[2] | std::uint64_t{bits[3]} << 32;
    const Variation& variation = variations_[i];
    if (variation.kind == Variation::Kind::uniform) return uniform_draw(variation.a, variation.b, unit_draw(first));
    return variation.a + variation.b * normal_draw(first, second);
  }

  std::uint64_t seed_;
  std::vector<Variation> variations_;
};

/// What is wrong, all at once.
class Complaints {
 public:
  void add(std::string what, std::string remedy) {
    if (problems_.size() < most_problems) problems_.push_back({std::move(what), {}, std::move(remedy)});
  }
  void add_names(const std::vector<std::string>& names) {
    std::unordered_set<std::string> known;
    if (names.empty()) add("nothing varies", "give at least one name");
    for (const std::string& name : names) {
      if (name.empty()) add("a name is empty", "name an initial value, a parameter or an input");
      if (!known.insert(name).second) add(fmt::format("'{}' varies twice", name), "give it once");
    }
  }
  void throw_any() {
    if (!problems_.empty()) throw InputError(std::move(problems_));
  }

 private:
  std::vector<Problem> problems_;
};

/// More than a member can be counted, or than their numbers have exact doubles.
void check_member_count(Complaints& complaints, std::uint64_t count) {
  if (count == 0) complaints.add("there are no members", "give at least one");
  if (count > most_members) complaints.add("there are more than 2^53 members", "give fewer");
}

}  // namespace

std::shared_ptr<const Members> list_members(std::vector<std::string> names, std::vector<double> values) {
  Complaints complaints;
  complaints.add_names(names);
  complaints.throw_any();
  const std::size_t count = values.size() / names.size();
  if (values.empty()) complaints.add("there are no members", "give the values of at least one");
  if (values.size() % names.size() != 0) {
    complaints.add(fmt::format("{} for members of {} each", counted(values.size(), "value"), names.size()),
                   "give each member a value for every name");
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_finite(values[i])) continue;
    complaints.add(fmt::format("member {}: the value of '{}' is {}", i / names.size(), names[i % names.size()],
                               to_text(values[i])),
                   "give a finite number");
  }
  complaints.throw_any();
  return std::make_shared<ListMembers>(std::move(names), count, std::move(values));
}

std::shared_ptr<const Members> grid_members(std::vector<GridAxis> axes) {
  Complaints complaints;
  complaints.add_names(names_of(axes));
  std::uint64_t count = 1;
  for (const GridAxis& axis : axes) {
    if (!is_finite(axis.first) || !is_finite(axis.last)) {
      complaints.add(fmt::format("'{}' goes from {} to {}", axis.name, to_text(axis.first), to_text(axis.last)),
                     "give finite numbers");
    } else if (axis.count == 0) {
      complaints.add(fmt::format("'{}' has no values", axis.name), "give a number of at least 1");
    } else if (axis.count > 1 && axis.first == axis.last) {
      complaints.add(fmt::format("all {} values of '{}' are {}", axis.count, axis.name, to_text(axis.first)),
                     "give different ends, or one value");
    }
    if (axis.count == 0) continue;
    count = axis.count > most_members / count ? most_members + 1 : count * axis.count;
    if (count > most_members) break;
  }
  check_member_count(complaints, count);
  complaints.throw_any();
  return std::make_shared<GridMembers>(axes, count);
}

std::shared_ptr<const Members> sample_members(std::size_t count, std::uint64_t seed,
                                              std::vector<Variation> variations) {
  Complaints complaints;
  complaints.add_names(names_of(variations));
  check_member_count(complaints, count);
  for (const Variation& variation : variations) {
    const bool is_uniform = variation.kind == Variation::Kind::uniform;
    if (!is_finite(variation.a) || !is_finite(variation.b)) {
      complaints.add(fmt::format("'{}' has {} {} and {}", variation.name, is_uniform ? "limits" : "mean and deviation",
                                 to_text(variation.a), to_text(variation.b)),
                     "give finite numbers");
    } else if (is_uniform && variation.a > variation.b) {
      complaints.add(
          fmt::format("'{}' goes from {} down to {}", variation.name, to_text(variation.a), to_text(variation.b)),
          "give the lower limit first");
    } else if (!is_uniform && variation.b < 0) {
      complaints.add(fmt::format("'{}' has the standard deviation {}", variation.name, to_text(variation.b)),
                     "give one that is not negative");
    } else if (!is_uniform && !is_finite(std::abs(variation.a) + 9 * variation.b)) {
      complaints.add(fmt::format("values of '{}' may be too large for a double", variation.name),
                     "give a smaller deviation");
    }
  }
  complaints.throw_any();
  return std::make_shared<SampleMembers>(count, seed, std::move(variations));
}

}  // namespace noslip
