// Functions that no expression can say: a table, somebody's library. Written in C++, called from expressions.
//
//   const ExternalFunction pull("pull", 2, [](std::span<const double> a) { return table(a[0], a[1]); });
//   text.forces = {{x, pull(x, dot(x))}};
//
// It is called with whatever numbers an iteration comes to, NaN included, and by several threads at once where there are
// several: it has to be a function of its arguments and of nothing else. What it throws leaves the call that evaluates
// it, integrate() for example. What is not finite makes a step fail, as in any expression.
//
// Its derivatives are what is given here, exact ones, or central differences: of the function where nothing is given, of
// the given first derivatives for those of higher order. The step is eps^(1/3) of the size of the argument (for second
// differences eps^(1/4), and so on), which leaves about ten digits (seven). Newton needs no more of a Jacobian; a force
// that is a derivative, because the function is part of a Lagrangian, has no more. Whoever shows a system says which.
//
// In extended precision the arguments are rounded to double and the result has the digits of a double, unless there are
// functions for quadruple precision. Machine code does not call: what contains a call is interpreted.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <noslip/core/scalar.hpp>

namespace noslip {

struct ExternalOptions {
  /// The derivative by argument `by`, counted from 0.
  std::function<double(std::span<const double> arguments, std::size_t by)> derivative = {};
  std::function<quad(std::span<const quad> arguments)> quad_value = {};
  std::function<quad(std::span<const quad> arguments, std::size_t by)> quad_derivative = {};
  /// How large each argument typically is, where not one: what steps of differences are measured by near zero.
  std::vector<double> sizes = {};
  bool has_corners = false;  ///< corners or jumps, as abs and sign have them; otherwise it counts as smooth
};

/// Immutable; copies share the function, and are equal.
class ExternalFunction {
 public:
  using Value = std::function<double(std::span<const double> arguments)>;
  static constexpr std::size_t most_arguments = 64;

  /// InputError for a name that expressions cannot have, no arguments or too many, no function, bad sizes.
  ExternalFunction(std::string name, std::size_t argument_count, Value value, ExternalOptions options = {});

  const std::string& name() const { return data_->name; }
  std::size_t argument_count() const { return data_->argument_count; }
  bool has_derivatives() const { return static_cast<bool>(data_->options.derivative); }  ///< given, not differences
  bool has_corners() const { return data_->options.has_corners; }
  double size(std::size_t argument) const { return data_->options.sizes[argument]; }

  /// The derivative by all of these arguments (counted from 0, one of them as often as it is in the list), the value for
  /// none. T is double, long double or quad. `arguments` are changed on the way. Allocates nothing.
  template <class T>
  T evaluate(std::span<const std::uint32_t> by, std::span<T> arguments) const;

  /// How many of the derivatives in such a list are differences.
  std::size_t differences(std::size_t order) const { return order > 0 && has_derivatives() ? order - 1 : order; }
  /// The step of differences of this order (one or more), relative to the argument, in double precision.
  static double step_fraction(std::size_t order);

  /// An expression; as many arguments as it takes, all of one graph.
  template <class First, class... Rest>
  First operator()(First first, Rest... rest) const {
    return call(*this, std::initializer_list<First>{first, rest...});
  }

  friend bool operator==(const ExternalFunction& a, const ExternalFunction& b) { return a.data_ == b.data_; }

 private:
  struct Data {
    std::string name;
    std::size_t argument_count;
    Value value;
    ExternalOptions options;
  };
  std::shared_ptr<const Data> data_;
};

template <>
double ExternalFunction::evaluate(std::span<const std::uint32_t> by, std::span<double> arguments) const;
extern template long double ExternalFunction::evaluate(std::span<const std::uint32_t>, std::span<long double>) const;
extern template quad ExternalFunction::evaluate(std::span<const std::uint32_t>, std::span<quad>) const;

/// What a node calls: a function, or a derivative of it.
struct Call {
  ExternalFunction function;
  std::vector<std::uint32_t> by;  ///< ascending; empty for the function itself
  friend bool operator==(const Call&, const Call&) = default;
};

}  // namespace noslip
