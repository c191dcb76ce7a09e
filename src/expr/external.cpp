#include <noslip/expr/external.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include <noslip/core/error.hpp>
#include <noslip/expr/parse.hpp>

namespace noslip {
namespace {

constexpr std::size_t tabulated_orders = 8;

/// eps^(1/(order + 2)): where the error of a central difference of this order and that of rounding meet.
template <class T>
T fraction(std::size_t order) {
  static const std::array<T, tabulated_orders + 1> table = [] {
    std::array<T, tabulated_orders + 1> values;
    // Only the first digits matter.
    const int bits = std::is_same_v<T, quad> ? 112 : 52;
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] = static_cast<T>(std::exp2(-bits / static_cast<double>(k + 2)));
    }
    return values;
  }();
  return table[std::min(order, tabulated_orders)];
}

/// Central differences, one inside the other; `function` is what is left when all of them are taken.
template <class T, class Function>
T difference(const ExternalFunction& of, const Function& function, std::span<const std::uint32_t> by,
             std::span<T> arguments, T relative) {
  if (by.empty()) return function(arguments);
  T& argument = arguments[by.front()];
  const T before = argument;
  const T step = relative * std::max(size_of(before), static_cast<T>(of.size(by.front())));
  const T above = before + step, below = before - step;
  argument = above;
  const T ahead = difference(of, function, by.subspan(1), arguments, relative);
  argument = below;
  const T behind = difference(of, function, by.subspan(1), arguments, relative);
  argument = before;
  return (ahead - behind) / (above - below);
}

template <class T, class Value, class Derivative>
T derived(const ExternalFunction& of, const Value& value, const Derivative& derivative,
          std::span<const std::uint32_t> by, std::span<T> arguments) {
  if (by.empty()) return value(std::span<const T>(arguments));
  if (!derivative) return difference(of, value, by, arguments, fraction<T>(by.size()));
  const auto first = [&](std::span<const T> at) { return derivative(at, by.back()); };
  return difference(of, first, by.first(by.size() - 1), arguments, fraction<T>(by.size() - 1));
}

}  // namespace

double ExternalFunction::step_fraction(std::size_t order) { return fraction<double>(order); }

ExternalFunction::ExternalFunction(std::string name, std::size_t argument_count, Value value, ExternalOptions options) {
  std::vector<Problem> problems;
  const auto refuse = [&](std::string what, std::string remedy) {
    problems.push_back({std::move(what), {}, std::move(remedy)});
  };
  if (const std::string reason = why_not_a_name(name); !reason.empty()) refuse(reason, "choose another name");
  if (argument_count < 1 || argument_count > most_arguments) {
    refuse(fmt::format("the function '{}' has {} arguments", name, argument_count),
           fmt::format("1 to {} are possible", most_arguments));
  }
  if (!value) refuse(fmt::format("there is no function '{}'", name), "give one that can be called");
  const bool good_sizes = std::all_of(options.sizes.begin(), options.sizes.end(),
                                      [](double size) { return size > 0 && std::isfinite(size); });
  if (options.sizes.empty()) {
    options.sizes.assign(argument_count, 1);
  } else if (options.sizes.size() != argument_count || !good_sizes) {
    refuse(fmt::format("the sizes of the arguments of '{}' are not {} positive numbers", name, argument_count),
           "give one per argument, or none");
  }
  if (options.quad_derivative && !options.quad_value) {
    refuse(fmt::format("the function '{}' has derivatives in quadruple precision, but no value", name),
           "give quad_value, too");
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  data_ = std::make_shared<const Data>(Data{std::move(name), argument_count, std::move(value), std::move(options)});
}

template <>
double ExternalFunction::evaluate(std::span<const std::uint32_t> by, std::span<double> arguments) const {
  assert(arguments.size() == argument_count());
  return derived(*this, data_->value, data_->options.derivative, by, arguments);
}

template <class T>
T ExternalFunction::evaluate(std::span<const std::uint32_t> by, std::span<T> arguments) const {
  const auto put = [&]<class To>(std::array<To, most_arguments>& numbers) {
    std::transform(arguments.begin(), arguments.end(), numbers.begin(), [](T x) { return static_cast<To>(x); });
    return std::span<To>(numbers.data(), arguments.size());
  };
  if (data_->options.quad_value) {
    std::array<quad, most_arguments> numbers;
    return static_cast<T>(derived(*this, data_->options.quad_value, data_->options.quad_derivative, by, put(numbers)));
  }
  std::array<double, most_arguments> numbers;
  return static_cast<T>(evaluate<double>(by, put(numbers)));
}

template long double ExternalFunction::evaluate(std::span<const std::uint32_t>, std::span<long double>) const;
template quad ExternalFunction::evaluate(std::span<const std::uint32_t>, std::span<quad>) const;

}  // namespace noslip
