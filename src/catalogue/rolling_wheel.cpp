// With the heading h = (cos(yaw), sin(yaw), 0), n = (-sin(yaw), cos(yaw), 0) to its left and the vertical e, the axle
// and the direction from the contact to the centre are
//   a = cos(lean) n + sin(lean) e,  u = cos(lean) e - sin(lean) n,
// positive lean is to the right, and the angular velocity is yaw' e + lean' h + spin' a. The point of the wheel that
// touches the ground is at rest:
//   (x', y', z') = R ((spin' + yaw' sin(lean)) h - lean' a).
// The vertical part is the rate of z = R cos(lean). Steady motions on a circle have constant lean, yaw' and
// W = spin' + yaw' sin(lean), with
//   (C + m R^2) W yaw' cos(lean) - A yaw'^2 sin(lean) cos(lean) + m g R sin(lean) = 0;
// upright and straight, the wheel is stable for v^2 > A m g R^3/(C (C + m R^2)).
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A wheel that rolls on a plane without slipping and may lean and fall; its contact is a position constraint.";
constexpr char source[] =
    "O. M. O'Reilly, The dynamics of rolling disks and sliding disks, Nonlinear Dynamics 10 (1996)";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Rolling wheel", summary, source, R"toml(
coordinates = ["x", "y", "z", "yaw", "lean", "spin"]   # of the centre; z points up
angles      = ["yaw", "spin"]
lagrangian  = """m/2*(x'^2 + y'^2 + z'^2) + A/2*(lean'^2 + (yaw'*cos(lean))^2) + C/2*(spin' + yaw'*sin(lean))^2
               - m*g*z"""
constraints = ["x'*cos(yaw) + y'*sin(yaw) = R*(spin' + yaw'*sin(lean))",
               "y'*cos(yaw) - x'*sin(yaw) = -R*lean'*cos(lean)"]
holonomic   = ["z = R*cos(lean)"]

[parameters]
m         = 1
g         = 9.81
R         = 0.5
C         = "m*R^2/2"    # about the axle
A         = "C/2"        # about a diameter
lean0     = 0.2          # initial lean; rates of yaw, lean and spin
yaw_rate  = -0.5
lean_rate = 0.5
spin_rate = 5

[initial.q]
z    = "R*cos(lean0)"
lean = "lean0"

[initial.v]
x    = "R*(spin_rate + yaw_rate*sin(lean0))"
y    = "-R*lean_rate*cos(lean0)"
z    = "-R*lean_rate*sin(lean0)"
yaw  = "yaw_rate"
lean = "lean_rate"
spin = "spin_rate"
)toml");
}

}  // namespace

CatalogueEntry rolling_wheel() { return {"rolling-wheel", summary, source, {}, toml}; }

}  // namespace noslip
