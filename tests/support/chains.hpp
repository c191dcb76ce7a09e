// Systems of any number of bodies: chains, nets, skates, rods, links and trailers. Who includes it has model/system.hpp.
#pragma once

#include <string>

#include <fmt/format.h>

namespace noslip::testing {

/// Masses in a row with linear springs of stiffness k.
inline System linear_chain(int n) {
  return System::parse(fmt::format(R"toml(
    coordinates = ["q[1:{0}]"]
    lagrangian  = "sum(i, 1, {0}, q[i]'^2)/2 - k*(q[1]^2 + q[{0}]^2 + sum(i, 2, {0}, (q[i] - q[i-1])^2))/2"
    [parameters]
    k = 1
    [initial]
    q = {{ "q[i=1:{0}]" = "sin(pi*i/({0} + 1)) + sin(i)/10" }})toml",
                                   n));
}

/// Skates with linear springs between neighbours: fixed coefficients and such that turn.
inline System linear_skates(int n) {
  return System::parse(fmt::format(R"toml(
    coordinates = ["x[1:{0}]", "y[1:{0}]", "a[1:{0}]"]
    angles      = ["a[1:{0}]"]
    lagrangian  = "sum(i, 1, {0}, (x[i]'^2 + y[i]'^2 + a[i]'^2)/2 + x[i]) - sum(i, 2, {0}, (x[i] - x[i-1])^2 + (y[i] - y[i-1])^2)/2"
    constraints = ["for i = 1:{0}: y[i]'*cos(a[i]) = x[i]'*sin(a[i])"]
    [initial]
    v = {{ "a[i=1:{0}]" = "1 + i/{0}" }})toml",
                                   n));
}

/// A membrane of n x n masses.
inline System net(int n, const std::string& quartic = "0") {
  return System::parse(fmt::format(R"toml(
    coordinates = ["u[0:{0}*{0}-1]"]
    lagrangian  = "sum(i, 0, {0}*{0}-1, u[i]'^2/2 - u[i]^2/2 - {1}*u[i]^4/4) - sum(i, 0, {0}-2, sum(j, 0, {0}-1, (u[(i+1)*{0}+j] - u[i*{0}+j])^2 + (u[j*{0}+i+1] - u[j*{0}+i])^2))/2"
    [initial]
    q = {{ "u[i=0:{0}*{0}-1]" = "sin(i)" }})toml",
                                   n, quartic));
}

/// Trailers on a circle with two position constraints and a velocity constraint each.
inline System trailers_on_circle(int n) {
  return System::parse(fmt::format(R"toml(
    coordinates = ["x[0:{0}]", "y[0:{0}]", "a[0:{0}]"]
    angles      = ["a[0:{0}]"]
    lagrangian  = "sum(i, 0, {0}, (1 + i/10)/2*(x[i]'^2 + y[i]'^2) + a[i]'^2/10)"
    constraints = ["for i = 0:{0}: y[i]'*cos(a[i]) = x[i]'*sin(a[i])"]
    holonomic   = ["for i = 1:{0}: x[i] + cos(a[i])/2 = x[i-1]", "for i = 1:{0}: y[i] + sin(a[i])/2 = y[i-1]"]
    [parameters]
    "R[0]" = 7
    "R[i=1:{0}]" = "sqrt(R[i-1]^2 - 1/4)"
    "b[0]" = 0
    "b[i=1:{0}]" = "b[i-1] - asin(1/(2*R[i-1]))"
    [initial]
    q = {{ "x[i=0:{0}]" = "R[i]*sin(b[i])", "y[i=0:{0}]" = "7 - R[i]*cos(b[i])", "a[i=0:{0}]" = "b[i]" }}
    v = {{ "x[i=0:{0}]" = "0.3*R[i]*cos(b[i])", "y[i=0:{0}]" = "0.3*R[i]*sin(b[i])", "a[0:{0}]" = 0.3 }})toml",
                                   n));
}
/// A chain of masses and springs with the constraint y' = q[0] q[1]'.
inline System springs(int n) {
  return System::parse(fmt::format(R"toml(
    coordinates = ["q[0:{0}]", "y"]
    lagrangian  = "sum(i, 0, {0}, q[i]'^2/2) + y'^2/2 - sum(i, 1, {0}, (q[i] - q[i-1])^2/2 + (q[i] - q[i-1])^4/4) - q[0]^2/2 - y^2/2"
    constraints = ["y' = q[0]*q[1]'"]
    [initial]
    q = {{ "q[i=0:{0}]" = "sin(pi*(i + 1)/{0})" }}
    v = {{ "q[1]" = 0.5, y = "0.5*sin(pi/{0})" }})toml",
                                   n - 1));
}

/// A chain of links, each with a place and an angle, that hang together by position constraints.
inline System links(int n) {
  return System::parse(fmt::format(R"toml(
    coordinates = ["x[0:{0}]", "y[0:{0}]", "a[0:{0}]"]
    lagrangian  = "sum(i, 0, {0}, (x[i]'^2 + y[i]'^2)/2 + a[i]'^2/24 - y[i])"
    holonomic   = ["x[0] = cos(a[0])/2", "y[0] = sin(a[0])/2",
                   "for i = 1:{0}: x[i] - cos(a[i])/2 = x[i-1] + cos(a[i-1])/2",
                   "for i = 1:{0}: y[i] - sin(a[i])/2 = y[i-1] + sin(a[i-1])/2"]
    [initial]
    q = {{ "x[i=0:{0}]" = "i + 1/2" }})toml",
                                   n - 1));
}

/// A planar chain of rods in absolute angles: few long expressions, and a matrix M(q) that is full.
inline System rods(int n) {
  return System::parse(fmt::format(R"toml(
    coordinates = ["a[1:{0}]"]
    lagrangian  = "sum(i, 1, {0}, (vx[i]^2 + vy[i]^2)/2 + a[i]'^2/24 - g*y[i])"
    [parameters]
    g = 1
    [definitions]
    "ex[0]" = "0"
    "ey[0]" = "0"
    "yy[0]" = "0"
    "ex[i=1:{0}]" = "ex[i-1] - sin(a[i])*a[i]'"
    "ey[i=1:{0}]" = "ey[i-1] + cos(a[i])*a[i]'"
    "yy[i=1:{0}]" = "yy[i-1] + sin(a[i])"
    "vx[i=1:{0}]" = "ex[i-1] - sin(a[i])*a[i]'/2"
    "vy[i=1:{0}]" = "ey[i-1] + cos(a[i])*a[i]'/2"
    "y[i=1:{0}]" = "yy[i-1] + sin(a[i])/2"
    [initial]
    q = {{ "a[i=1:{0}]" = "-1 + i/{0}" }}
    v = {{ "a[i=1:{0}]" = "sin(i)" }})toml",
                                   n));
}

/// Skates that springs connect, each with its blade: as many constraints as skates.
inline System skates(int n) {
  return System::parse(fmt::format(R"toml(
    coordinates = ["x[1:{0}]", "y[1:{0}]", "a[1:{0}]"]
    lagrangian  = """sum(i, 1, {0}, (1 + i/10)*(x[i]'^2 + y[i]'^2)/2 + a[i]'^2/2 + x[i])
                   - sum(i, 2, {0}, (x[i] - x[i-1])^2 + (y[i] - y[i-1] - 1)^2 + (a[i] - a[i-1])^4)"""
    constraints = ["for i = 1:{0}: y[i]'*cos(a[i]) = x[i]'*sin(a[i])"]
    [initial]
    q = {{ "y[i=1:{0}]" = "i", "a[i=1:{0}]" = "sin(i)" }}
    v = {{ "a[i=1:{0}]" = "cos(i)" }})toml",
                                   n));
}

/// A car with trailers: each has a constraint that contains the headings of all before it.
inline System trailers(int n) {
  return System::parse(fmt::format(R"toml(
    coordinates = ["x", "y", "a[0:{0}]"]
    lagrangian  = "sum(i, 0, {0}, (vx[i]^2 + vy[i]^2)/2 + a[i]'^2/5)"
    constraints = ["for i = 0:{0}: vy[i]*cos(a[i]) = vx[i]*sin(a[i])"]
    [definitions]
    "vx[0]" = "x'"
    "vy[0]" = "y'"
    "vx[i=1:{0}]" = "vx[i-1] + sin(a[i])*a[i]'"
    "vy[i=1:{0}]" = "vy[i-1] - cos(a[i])*a[i]'"
    [initial]
    v = {{ x = 1, "a[0]" = 0.5 }})toml",
                                   n));
}

/// Points in the plane that rods of length one hold together.
inline System rods_between_points(int n) {
  return System::parse(fmt::format(R"toml(
    coordinates = ["x[1:n]", "y[1:n]"]
    lagrangian  = "sum(i, 1, n, (x[i]'^2 + y[i]'^2)/2 - y[i])"
    holonomic   = ["for i = 1:n-1: (x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 = 1"]
    [parameters]
    n = {}
    [initial]
    q = {{ "x[i=1:n]" = "i" }})toml",
                                   n));
}

}  // namespace noslip::testing
