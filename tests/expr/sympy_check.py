# Second opinion on simplification and differentiation by sympy.
"""Second opinion on simplification and differentiation: sympy differentiates the same random expressions.

usage: sympy_check.py PRINT_RANDOM [COUNT]

Each line of PRINT_RANDOM is read twice: the unsimplified expression by sympy (exact numbers), our results by mpmath
with 50 digits. Values are compared at random points. Exit code 1 if any differ, 77 (skip) without sympy.
"""
import random
import re
import resource
import signal
import subprocess
import sys

try:
    import mpmath
    import sympy
except ImportError:
    print("sympy is not installed: skipped")
    sys.exit(77)

NAMES = {"x": "x", "y": "y", "x'": "vx", "y'": "vy"}
NUMBER = re.compile(r"(?<![A-Za-z_0-9.])(\d+\.?\d*(?:[eE][+-]?\d+)?)")
DIGITS = 50
TINY = mpmath.mpf(10) ** -12


class Rejected(Exception):
    """A point where rounding, a jump or a pole decides about the value."""


def python_text(text, number):
    """Our grammar as a Python expression, every number wrapped."""
    text = re.sub(r"\b([xy])'", r"v\1", text)
    return NUMBER.sub(rf"{number}('\1')", text).replace("^", "**")


def real(value):
    if isinstance(value, mpmath.mpc) or not mpmath.isfinite(value):
        raise Rejected
    return value


def away_from_zero(value):
    if abs(value) < TINY:
        raise Rejected
    return value


def sign(value):
    return mpmath.sign(away_from_zero(value))


def less(a, b):
    return mpmath.mpf(1 if away_from_zero(b - a) > 0 else 0)


def select(condition, positive, otherwise):
    return positive if away_from_zero(condition) > 0 else otherwise


def choose(condition, positive, otherwise):
    return positive if condition else otherwise


OUR_FUNCTIONS = {
    name: getattr(mpmath, name)
    for name in "sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt pi floor".split()
}
OUR_FUNCTIONS.update(mpf=mpmath.mpf, abs=abs, sign=sign, less=less, select=select, choose=choose, min=min, max=max, pow=pow)


def our_value(code, point):
    return real(eval(code, OUR_FUNCTIONS, point))


SYMBOLS = {name: sympy.Symbol(name, real=True) for name in NAMES.values()}
SYMPY_FUNCTIONS = {
    name: getattr(sympy, name)
    for name in "sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt sign floor pi Rational".split()
}
SYMPY_FUNCTIONS.update(
    abs=sympy.Abs, min=sympy.Min, max=sympy.Max, pow=sympy.Pow,
    less=lambda a, b: sympy.Piecewise((1, a < b), (0, True)),
    select=lambda c, a, b: sympy.Piecewise((a, c > 0), (b, True)),
    **SYMBOLS)

MP = mpmath.mp
CALLS = {
    sympy.sin: mpmath.sin, sympy.cos: mpmath.cos, sympy.tan: mpmath.tan, sympy.asin: mpmath.asin, sympy.acos: mpmath.acos,
    sympy.atan: mpmath.atan, sympy.atan2: mpmath.atan2, sympy.sinh: mpmath.sinh, sympy.cosh: mpmath.cosh,
    sympy.tanh: mpmath.tanh, sympy.exp: mpmath.exp, sympy.log: mpmath.log, sympy.Abs: abs, sympy.sign: sign, sympy.floor: mpmath.floor,
    sympy.Min: min, sympy.Max: max, sympy.Add: lambda *a: mpmath.fsum(a), sympy.Mul: lambda *a: mpmath.fprod(a),
    sympy.cot: mpmath.cot, sympy.sec: mpmath.sec, sympy.csc: mpmath.csc, sympy.coth: mpmath.coth, sympy.sech: mpmath.sech,
    sympy.csch: mpmath.csch, sympy.acot: mpmath.acot,
    sympy.Heaviside: lambda a, *_: mpmath.mpf(1 if away_from_zero(a) > 0 else 0),
    sympy.DiracDelta: lambda a, *_: 0 * away_from_zero(a),
}


def sympy_value(e, point):
    """The value of a sympy tree; much faster than evalf and lambdify for expressions that are used once."""
    if e.is_Symbol:
        return point[e.name]
    if e.is_Rational:
        return mpmath.mpf(e.p) / e.q
    if e is sympy.S.Pi:
        return MP.pi()
    if e is sympy.S.Exp1:
        return MP.e()
    if e.is_Piecewise:
        for value, condition in e.args:
            if condition == True or holds(condition, point):  # noqa: E712: sympy's true is not Python's
                return sympy_value(value, point)
    if e.is_Pow:
        base, exponent = sympy_value(e.base, point), sympy_value(e.exp, point)
        if base == 0 or (base < 0 and not mpmath.isint(exponent)):
            raise Rejected
        return real(base ** exponent)
    if e.func not in CALLS:
        raise Rejected
    return real(CALLS[e.func](*[sympy_value(a, point) for a in e.args]))


def holds(condition, point):
    left, right = (sympy_value(a, point) for a in condition.args)
    difference = away_from_zero(right - left)
    return difference > 0 if condition.func is sympy.StrictLessThan else difference < 0


def compare(line, random_points):
    """Number of values compared; raises AssertionError where they differ."""
    tree, simplified, first, slope, second, curvature = line.split(";")
    signal.alarm(5)
    try:
        exact = eval(python_text(tree, "Rational"), SYMPY_FUNCTIONS)
        exact = sympy.sympify(exact)
        if exact.has(sympy.zoo, sympy.nan, sympy.oo, sympy.I):
            return 0
        exact_slope = sympy.diff(exact, SYMBOLS[NAMES[first]])
        exact_curvature = sympy.diff(exact_slope, SYMBOLS[NAMES[second]])
    except (ZeroDivisionError, OverflowError, TypeError, ValueError):  # not a real expression
        return 0
    except (MemoryError, TimeoutError):  # exact powers of numbers can grow beyond all bounds
        return 0
    finally:
        signal.alarm(0)
    compared = 0
    for ours, theirs in ((simplified, exact), (slope, exact_slope), (curvature, exact_curvature)):
        code = compile(python_text(ours, "mpf").replace("if(", "choose("), "<ours>", "eval")
        for point in random_points:
            try:
                expected = sympy_value(theirs, point)
                value = our_value(code, point)
            except (Rejected, ZeroDivisionError, OverflowError, TypeError, ValueError):
                continue
            if abs(expected) > 1e10:
                continue
            # Constants that are no 64-bit rationals are rounded to 113 bits, hence not all of the digits.
            assert abs(value - expected) <= mpmath.mpf(10) ** -18 * (1 + abs(expected)), (
                f"{tree}\n  simplified {simplified}\n  by {first}: {slope}\n  by {first}, {second}: {curvature}\n"
                f"  sympy: {theirs}\n  at {point}\n  ours {value}, sympy {expected}")
            compared += 1
    return compared


def out_of_time(*_):
    raise TimeoutError


def main():
    signal.signal(signal.SIGALRM, out_of_time)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    lines = subprocess.run([sys.argv[1], str(count)], check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == count
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))  # of sympy; sanitizers in the program need more
    mpmath.mp.dps = DIGITS
    generator = random.Random(1)
    expressions = values = failures = 0
    for line in lines:
        points = [{n: mpmath.mpf(generator.uniform(0.2, 2)) * generator.choice((1, 1, -1)) for n in NAMES.values()}
                  for _ in range(2)]
        try:
            compared = compare(line, points)
        except AssertionError as error:
            print(error)
            failures += 1
            continue
        expressions += compared > 0
        values += compared
    print(f"{expressions} of {count} expressions compared, {values} values, {failures} failures")
    if failures > 0:
        return 1
    # Some random expressions have no real value anywhere; many of them would mean that the check checks nothing.
    return 0 if expressions > 0.9 * count else 1


if __name__ == "__main__":
    sys.exit(main())
