#!/usr/bin/env python3
# Writes a system file of any size: an elastic planar chain that is pulled by a skate.
#
#   make_chain.py N                 prints the system with N coordinates (N >= 3)
#   make_chain.py N --check FILE    fails if FILE is not exactly that
#
# The head (x, y) has mass m and a knife edge along the first link: it moves along that link, never across it. The links
# 1 ... N-2 of length l trail behind it, link k at the angle theta_k, with a mass m at the end of each:
#
#   P_0 = (x, y),   P_k = P_{k-1} - l (cos theta_k, sin theta_k),   L = m/2 sum |P_k'|^2 - k/2 sum (theta_{k+1} - theta_k)^2
#
# Velocities and sums are definitions that build on the one before, so the text grows like N. The chain has unit length and
# unit mass; it starts bent into one wave, moving forward with unit speed along its first link, which is straight.
import argparse
import math
import pathlib
import sys


def chain(n):
    links = n - 2
    angles = [f"theta{k}" for k in range(1, links + 1)]
    lines = [
        f'name        = "Chain of {links} links pulled by a skate"',
        'description = "An elastic planar chain of point masses; a knife edge keeps its head moving along the first link."',
        f'source      = "tools/make_chain.py {n}"',
        'coordinates = ["x", "y", ' + ", ".join(f'"{angle}"' for angle in angles) + "]",
        f'lagrangian  = "T{links} - V{links}"',
        """constraints = ["y'*cos(theta1) = x'*sin(theta1)"]""",
        "",
        "[parameters]",
        f'm = "1/{links + 1}"      # mass of each point',
        f'l = "1/{links}"      # length of each link',
        'k = "4*m*l^2"   # stiffness of each joint',
        "",
        "[definitions]",
        """T0 = "m/2*(x'^2 + y'^2)\"""",
    ]
    for k, angle in enumerate(angles, 1):
        before_x, before_y = (f"vx{k - 1}", f"vy{k - 1}") if k > 1 else ("x'", "y'")
        lines += [
            f"""vx{k} = "{before_x} + l*sin({angle})*{angle}'\"""",
            f"""vy{k} = "{before_y} - l*cos({angle})*{angle}'\"""",
            f'T{k} = "T{k - 1} + m/2*(vx{k}^2 + vy{k}^2)"',
        ]
    lines.append('V1 = "0"')
    lines += [f'V{k} = "V{k - 1} + k/2*(theta{k} - theta{k - 1})^2"' for k in range(2, links + 1)]
    wave = [f"{0.3 * math.sin(2 * math.pi * (k - 1) / links) + 0.0:.4f}" for k in range(1, links + 1)]
    lines += [
        "",
        "[initial]",
        "q = [0, 0, " + ", ".join(value.replace("-0.0000", "0.0000") for value in wave) + "]",
        "v = [1, 0, " + ", ".join("0" for _ in angles) + "]",
    ]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="An elastic planar chain of any size, as a system file.")
    parser.add_argument("n", type=int, help="number of coordinates, at least 3")
    parser.add_argument("--check", metavar="FILE", help="compare with a file instead of printing")
    arguments = parser.parse_args()
    if arguments.n < 3:
        parser.error("a chain has at least 3 coordinates: x, y and one angle")
    text = chain(arguments.n)
    if not arguments.check:
        sys.stdout.write(text)
    elif pathlib.Path(arguments.check).read_text(encoding="utf-8") != text:
        sys.exit(f"{arguments.check} is not what make_chain.py {arguments.n} writes")


if __name__ == "__main__":
    main()
