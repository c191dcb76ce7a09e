// Where an expression makes more than one node, the order is spelled out: node numbers, and with them the order in
// which operands are printed, must not depend on the compiler.
#include "expr/slope.hpp"

#include "expr/calls.hpp"
#include "expr/maybe.hpp"
#include "expr/tangent.hpp"

namespace noslip {
namespace {

Maybe times(const Path& factor, const Maybe& slope) {
  if (!slope) return std::nullopt;
  const Expr middle = mean(factor);
  return middle * *slope;
}

Maybe slope_of_product(const Path& a, const Path& b) {
  const Maybe left = times(b, a.slope);
  return plus(left, times(a, b.slope));
}

/// f1 - f0 is (w*sa - f0*w*sb)/b1, and also (w*sa - f1*w*sb)/b0. The mean of both with the weights b1^2 and b0^2 is as
/// good as the one with the larger denominator, and needs no choice.
Maybe slope_of_quotient(const Path& a, const Path& b, Expr start, Expr end) {
  if (!b.slope) return *a.slope / b.start;
  if (!a.slope) return -(start * (*b.slope / b.end));
  const Expr left = *a.slope * (b.start + b.end);
  const Expr forward = start * b.end;
  const Expr both = forward + end * b.start;
  const Expr numerator = left - *b.slope * both;
  const Expr square = powi(b.start, 2);
  return numerator / (square + powi(b.end, 2));
}

/// Squares and products from the highest bit of the exponent down.
Expr slope_of_power(const Path& a, int exponent) {
  const Expr middle = mean(a);
  Expr result = *a.slope;
  int done = 1, bit = 1;
  while (exponent / bit > 1) bit *= 2;
  const auto twice_mean = [&] {
    if (done == 1) return 2 * middle;
    const Expr start = powi(a.start, done);
    return start + powi(a.end, done);
  };
  for (bit /= 2; bit > 0; bit /= 2) {
    result = twice_mean() * result;
    done *= 2;
    if ((exponent & bit) == 0) continue;
    const Expr rest = twice_mean() / 2 * *a.slope;
    result = middle * result + rest;
    done += 1;
  }
  return result;
}

/// atan2(a, sqrt(1 - a^2)) at both ends; the sine of the difference without cancellation.
Expr slope_of_arc_sine(const Path& a, const Width& width) {
  const auto cosine = [](Expr sine) {
    const Expr below = 1 - sine;
    return sqrt(below * (1 + sine));
  };
  const Expr start = cosine(a.start);
  const Expr end = cosine(a.end);
  const Expr middle = (start + end) / 2;
  const Expr square = powi(middle, 2);
  const Expr g = *a.slope * ((square + powi(mean(a), 2)) / middle);
  const Expr cosines = start * end;
  return width.angle(g, cosines + a.start * a.end);
}

/// The angle between the vectors (x, y) at both ends, and a full turn where the way crosses the cut.
Maybe slope_of_angle(const Path& y, const Path& x, Expr start, Expr end, const Width& width) {
  const Maybe left = times(x, y.slope);
  const Maybe sine = minus(left, times(y, x.slope));
  if (!sine) return std::nullopt;
  const Expr product_x = x.start * x.end;
  const Expr angle = width.angle(*sine, product_x + y.start * y.end);
  Graph& graph = *start.graph;
  const Expr change = end - start;
  const Expr rest = change - width.value() * angle;  // no turn or one, up to rounding
  const Expr pi = graph.pi();
  const Expr excess = abs(rest) - pi;
  const Expr turn = width.under(2 * sign(rest) * pi);
  return angle + select(excess, turn, graph.constant(0));
}

Expr slope_of_exponential(const Path& a, Expr start, Expr end, const Width& width) {
  const Expr middle = exp(mean(a));
  return width.exponential(*a.slope, middle, width.under(end - start));
}

/// Through exponential and logarithm; a negative base has powers too, if the exponent happens to be an integer. Where
/// the base is zero or changes its sign there is no logarithm, and no cancellation either.
Maybe slope_of_real_power(const Path& a, const Path& b, Expr start, Expr end, const Width& width) {
  Maybe exponent_slope;
  if (a.slope) exponent_slope = times(b, width.logarithm(*a.slope, a.start, a.end));
  if (b.slope) {
    const Expr log_start = log(a.start);
    const Expr log_mean = a.slope ? (log_start + log(a.end)) / 2 : log_start;
    exponent_slope = plus(exponent_slope, log_mean * *b.slope);
  }
  if (!exponent_slope) return std::nullopt;
  const Expr root = sqrt(abs(start));
  const Expr signed_root = sign(start) * root;
  const Expr middle = signed_root * sqrt(abs(end));
  Expr far = width.under(end - start);
  if (a.slope && !width.is_fixed()) {
    const Expr derivative = b.start * pow(a.start, b.start - 1) * *a.slope;
    far = select(abs(width.value()), far, derivative);
  }
  return width.exponential(*exponent_slope, middle, far);
}

Expr slope_of_tangent(const Path& a, const Width& width) {
  const Expr sine = width.sine(*a.slope);
  const Expr start = cos(a.start);
  return sine / (start * cos(a.end));
}

/// sinh(a1 - a0)/(cosh(a0)*cosh(a1)), kept from overflow: further out nothing changes in any precision. Long ways
/// through zero are better as they stand, since the large functions of the formula have large errors.
Expr slope_of_hyperbolic_tangent(const Path& a, Expr start, Expr end, const Width& width) {
  Graph& graph = *start.graph;
  const Expr zero = graph.constant(0), one = graph.constant(1), most = graph.constant(300),
             largest = graph.constant(350);
  const Expr crosses_zero = less(a.start * a.end, zero);
  const Expr limit = select(crosses_zero, one, most);
  const Expr is_far = less(limit, abs(width.value() * *a.slope));
  const Expr sine = width.hyperbolic_sine(select(is_far, zero, *a.slope));
  const auto cosine = [&](Expr argument) { return cosh(min(abs(argument), largest)); };
  const Expr left = cosine(a.start);
  const Expr near = sine / (left * cosine(a.end));
  return select(is_far, width.under(end - start), near);
}

/// On which side of zero something is that moves from `start` with `slope`: 1 or -1, in between where it changes sides,
/// so that the slope of its absolute value is side*slope.
Expr side(Expr start, Expr slope, const Width& width, int where_zero) {
  Graph& graph = *start.graph;
  const Expr end = start + width.value() * slope;  // not the end that was computed: near zero only this is accurate
  const Expr size_start = abs(start);
  const Expr size = size_start + abs(end);
  const Expr ratio = (start + end) / select(size, size, graph.constant(1));
  const Expr across = select(size, ratio, graph.constant(where_zero));
  const Expr side_start = sign(start);
  return select(side_start * sign(end), side_start, across);
}

/// Of min(a, b) or, with a and b exchanged, of max(b, a).
Expr slope_of_smaller(const Path& a, const Path& b, Expr is_smaller_b) {
  Graph& graph = *a.start.graph;
  const Expr zero = graph.constant(0), one = graph.constant(1);
  const Expr slope_a = a.slope ? *a.slope : zero, slope_b = b.slope ? *b.slope : zero;
  const Expr share_a = slope_a * (1 - is_smaller_b);
  const Expr both = (share_a + slope_b * (1 + is_smaller_b)) / 2;
  const Expr not_a = select(less(-one, is_smaller_b), both, slope_a);
  return select(less(is_smaller_b, one), not_a, slope_b);
}

Maybe slope_of_minimum(const Path& a, const Path& b, bool is_maximum, const Width& width) {
  const Maybe difference = minus(a.slope, b.slope);
  if (!difference) return std::nullopt;
  const Expr is_above = side(a.start - b.start, *difference, width, 1);
  return is_maximum ? slope_of_smaller(b, a, is_above) : slope_of_smaller(a, b, is_above);
}

/// Of a step function: nothing happens, or a jump.
Maybe slope_of_jump(Expr start, Expr end, const Width& width) {
  if (start == end) return std::nullopt;
  const Expr jump = end - start;
  return select(abs(jump), width.under(jump), start.graph->constant(0));
}

Maybe slope_of_choice(const Path& condition, const Path& b, const Path& c, Expr start, Expr end, const Width& width) {
  if (!condition.slope && !b.slope && !c.slope) return std::nullopt;
  const Expr zero = start.graph->constant(0);
  const Expr slope_b = b.slope ? *b.slope : zero, slope_c = c.slope ? *c.slope : zero;
  if (!condition.slope) return select(condition.start, slope_b, slope_c);
  const Expr across = width.under(end - start);
  const Expr from_b = select(condition.end, slope_b, across);
  const Expr from_c = select(condition.end, across, slope_c);
  return select(condition.start, from_b, from_c);
}

/// Of arguments, in the form of arguments.
Maybe slope_of_arguments(const Path& a, const Path& b, Expr start) {
  if (!a.slope && !b.slope) return std::nullopt;
  const Expr zero = start.graph->constant(0);
  const Expr left = a.slope ? *a.slope : zero;
  return apply(Op::arguments, left, b.slope ? *b.slope : zero, left, 0);
}

/// All that is known of a function written in C++ are values and derivatives: the plain quotient, and the derivative in
/// the middle where the arguments move so little (relatively eps^(1/3)) that this is better. There both are good to
/// eps^(2/3), so that the slope times the width, the change of an energy, is good to rounding everywhere.
Maybe slope_of_call(const Node& node, const Path& arguments, Expr start, Expr end, const Width& width) {
  Graph& graph = *start.graph;
  const Expr middle = apply(node.op, mean(arguments), mean(arguments), mean(arguments), node.payload);
  const Maybe near = tangent(middle, arguments.slope, std::nullopt, std::nullopt);
  if (!near) return std::nullopt;
  const ExternalFunction function = graph.call(node.payload).function;
  const std::vector<Expr> slopes = parts_of(*arguments.slope, function.argument_count());
  const std::vector<Expr> places = arguments_of(middle);
  Expr largest = graph.constant(0);
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const Expr size = max(abs(places[i]), function.size(i));
    const Expr distance = abs(width.value() * slopes[i]);
    largest = max(largest, distance / size);
  }
  const Expr is_near = less(largest, graph.constant(Number::rational(1, 1 << 17)));
  return select(is_near, *near, width.under(end - start));
}

/// In one interval of the table the derivative is a polynomial of degree two at most, which Simpson's rule integrates
/// exactly; from one to another interval nothing is known but the values.
Maybe slope_of_table(Expr f_start, const Path& a, Expr end, const Width& width) {
  const Table table = f_start.table();
  const int derivative = f_start.table_derivative();
  if (derivative >= table.degree()) return slope_of_jump(f_start, end, width);
  const Expr first = look_up(table, a.start, derivative + 1), last = look_up(table, a.end, derivative + 1);
  const Expr sum = first + last;
  const Expr middle = (a.start + a.end) / 2;
  const Expr simpson = (sum + 4 * look_up(table, middle, derivative + 1)) / 6;
  const Expr inside = simpson * *a.slope;
  const Expr change = look_up(table, a.end, Graph::interval) - look_up(table, a.start, Graph::interval);
  return select(abs(change), width.under(end - f_start), inside);
}

Maybe slope_of_unary(const Node& node, const Path& a, Expr start, Expr end, const Width& width) {
  const Expr s = *a.slope;
  switch (node.op) {
    case Op::alias: return s;
    case Op::neg: return -s;
    case Op::powi: return slope_of_power(a, static_cast<std::int32_t>(node.payload));
    case Op::sqrt: return s / (start + end);
    case Op::abs: return s * side(a.start, s, width, 0);
    case Op::sign:
    case Op::floor: return slope_of_jump(start, end, width);
    case Op::sin: {
      const Expr cosine = 2 * cos(mean(a));
      return cosine * width.sine(s / 2);
    }
    case Op::cos: {
      const Expr sine = -2 * sin(mean(a));
      return sine * width.sine(s / 2);
    }
    case Op::tan: return slope_of_tangent(a, width);
    case Op::asin: return slope_of_arc_sine(a, width);
    case Op::acos: return -slope_of_arc_sine(a, width);
    case Op::atan: return width.angle(s, a.start * a.end + 1);
    case Op::sinh: {
      const Expr cosine = 2 * cosh(mean(a));
      return cosine * width.hyperbolic_sine(s / 2);
    }
    case Op::cosh: {
      const Expr sine = 2 * sinh(mean(a));
      return sine * width.hyperbolic_sine(s / 2);
    }
    case Op::tanh: return slope_of_hyperbolic_tangent(a, start, end, width);
    case Op::exp: return slope_of_exponential(a, start, end, width);
    case Op::log: return width.logarithm(s, a.start, a.end);
    case Op::table: return slope_of_table(start, a, end, width);
    default: return std::nullopt;
  }
}

}  // namespace

Expr mean(const Path& path) { return path.mean ? *path.mean : (path.start + path.end) / 2; }

std::optional<Expr> slope(const Node& node, const Path& a, const Path& b, const Path& c, Expr start, Expr end,
                          const Width& width) {
  switch (node.op) {
    case Op::add: return plus(a.slope, b.slope);
    case Op::sub: return minus(a.slope, b.slope);
    case Op::mul: return slope_of_product(a, b);
    case Op::div: return a.slope || b.slope ? slope_of_quotient(a, b, start, end) : std::nullopt;
    case Op::pow: return slope_of_real_power(a, b, start, end, width);
    case Op::atan2: return slope_of_angle(a, b, start, end, width);
    case Op::min: return slope_of_minimum(a, b, false, width);
    case Op::max: return slope_of_minimum(a, b, true, width);
    case Op::less: return a.slope || b.slope ? slope_of_jump(start, end, width) : std::nullopt;
    case Op::select: return slope_of_choice(a, b, c, start, end, width);
    case Op::arguments: return slope_of_arguments(a, b, start);
    case Op::call: return a.slope ? slope_of_call(node, a, start, end, width) : std::nullopt;
    default: return a.slope ? slope_of_unary(node, a, start, end, width) : std::nullopt;
  }
}

}  // namespace noslip
