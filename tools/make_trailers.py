#!/usr/bin/env python3
# Writes a system file of a car with n trailers (n = 1 ... 20), in which axles are definitions of positions.
#
#   make_trailers.py N                 prints the system with N trailers
#   make_trailers.py N --check FILE    fails if FILE is not exactly that
#
# (x, y) is the axle of the car and theta0 its heading. The bar of trailer k has length l and heading theta_k; its axle is
#
#   X_k = X_{k-1} - l cos theta_k,   Y_k = Y_{k-1} - l sin theta_k,   X_0 = x, Y_0 = y
#
# and no wheel slips sideways, Y_k' cos theta_k = X_k' sin theta_k. X_k' is derived from the definition, so the text grows
# like N. The car starts along the x axis with speed u0 and rate of turn w0, with its trailers bent into one wave. Their
# rates follow by l theta_k' = u_{k-1} sin(theta_{k-1} - theta_k), u_k = u_{k-1} cos(theta_{k-1} - theta_k).
import argparse
import math
import pathlib
import sys

most = 20


def trailers(n):
    angles = [f"theta{k}" for k in range(n + 1)]
    quoted = ", ".join(f'"{angle}"' for angle in angles)
    constraints = ",\n".join(f'''               "Y{k}'*cos(theta{k}) = X{k}'*sin(theta{k})"''' for k in range(n + 1))
    lines = [
        f'name        = "Car with {n} trailer{"s" if n > 1 else ""}"',
        'description = "A car that rolls and turns freely and pulls trailers, each hitched to the axle before it; no wheel slips."',
        f'source      = "tools/make_trailers.py {n}"',
        f'coordinates = ["x", "y", {quoted}]',
        f"angles      = [{quoted}]",
        f'lagrangian  = "T{n}"',
        f"constraints = [{constraints.lstrip()}]",
        "",
        "[parameters]",
        "m  = 0.5      # mass of each axle",
        "J  = 0.1      # of each body about its axle",
        "l  = 1        # from axle to axle",
        "u0 = 1        # initial speed of the car and rate of its heading",
        "w0 = 0.5",
        "a0 = 0        # initial headings",
    ]
    for k in range(1, n + 1):
        lines += [
            f"a{k} = {0.5 * math.sin(2 * math.pi * k / most):.4f}",
            f'u{k} = "u{k - 1}*cos(a{k - 1} - a{k})"',
            f'w{k} = "u{k - 1}*sin(a{k - 1} - a{k})/l"',
        ]
    lines += [
        "",
        "[definitions]",
        'X0 = "x"',
        'Y0 = "y"',
        """T0 = "m/2*(X0'^2 + Y0'^2) + J/2*theta0'^2\"""",
    ]
    for k in range(1, n + 1):
        lines += [
            f'X{k} = "X{k - 1} - l*cos(theta{k})"',
            f'Y{k} = "Y{k - 1} - l*sin(theta{k})"',
            f"""T{k} = "T{k - 1} + m/2*(X{k}'^2 + Y{k}'^2) + J/2*theta{k}'^2\"""",
        ]
    lines += [
        "",
        "[initial]",
        "q = { " + ", ".join(f'theta{k} = "a{k}"' for k in range(n + 1)) + " }",
        'v = { x = "u0", ' + ", ".join(f'theta{k} = "w{k}"' for k in range(n + 1)) + " }",
    ]
    return "\n".join(lines).replace("-0.0000", "0.0000") + "\n"


def main():
    parser = argparse.ArgumentParser(description="A car with trailers, as a system file.")
    parser.add_argument("n", type=int, help=f"number of trailers, 1 to {most}")
    parser.add_argument("--check", metavar="FILE", help="compare with a file instead of printing")
    arguments = parser.parse_args()
    if not 1 <= arguments.n <= most:
        parser.error(f"the number of trailers is 1 to {most}")
    text = trailers(arguments.n)
    if not arguments.check:
        sys.stdout.write(text)
    elif pathlib.Path(arguments.check).read_text(encoding="utf-8") != text:
        sys.exit(f"{arguments.check} is not what make_trailers.py {arguments.n} writes")


if __name__ == "__main__":
    main()
