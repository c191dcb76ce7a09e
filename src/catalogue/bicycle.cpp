// The Whipple bicycle: a rear wheel, a rear frame with a rigid rider, a front frame and a front wheel; the wheels have
// knife edges. Axes as in the paper: x forward, y to the right, z down. The rear frame is turned by yaw about z, lean
// about x and pitch about y; its basis (e1, e2, e3) here has e3 along the steering axis and e2 along the rear axle;
// that of the front frame, (g1, g2, g3 = e3), is turned by steer about e3. Vectors have their components in these:
//   V, w     velocity of the centre of the rear wheel, angular velocity of the rear frame, in e
//   S, W     velocity of the point of the steering axis next to the front centre, angular velocity of the front frame,
//            in g
//   F        velocity of the centre of the front wheel, in g
//   k        the vertical, in g (k3 also in e)
// The front wheel has its lowest point in the direction (k1, 0, k3)/rho of g, rho = sqrt(k1^2 + k3^2) = sqrt(1 - k2^2);
// its centre is rF rho above the ground, as the rear one is rR cos(lean). Both points of contact are at rest: along the
// wheel, and across it. (The remaining component is the rate of the position constraint.)
// Linearised about straight running at v = 5 the eigenvalues are -0.7753 +- 4.4649 i (weave), -0.3229 (capsize) and
// -14.0784 (castering); straight running is stable for 4.292 < v < 6.024.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "The benchmark bicycle with nobody steering: two wheels and two frames; at its speed it rights itself after a "
    "push.";
constexpr char source[] =
    "J. P. Meijaard, J. M. Papadopoulos, A. Ruina and A. L. Schwab, Linearized dynamics equations for the balance and "
    "steer of a bicycle: a benchmark and review (2007)";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Benchmark bicycle", summary, source, R"toml(
# x, y, z of the centre of the rear wheel; z points down, the ground is z = 0, the wheels turn backwards about y
coordinates = ["x", "y", "z", "yaw", "lean", "pitch", "steer", "rear", "front"]
angles      = ["yaw", "rear", "front"]
lagrangian  = "T_R + T_B + T_H + T_F + g*(mR*z + mB*z_B + mH*(z_S + h1*k1 + h3*k3) + mF*z_F)"
constraints = ["forward + rR*(w2 + rear') = 0",
               "across = rR*lean'*cos(lean)",
               "F1*k3 - F3*k1 + rF*rho*(W2 + front') = 0",
               "F2*rho + rF*(W3*k1 - W1*k3) = 0"]
holonomic   = ["z + rR*cos(lean) = 0", "z_F + rF*rho = 0"]

[parameters]   # table 1 of the paper, in kg, m, s
w_base = 1.02         # wheel base
trail  = 0.08
tilt   = "pi/10"      # tilt of the steering axis
g      = 9.81
rR     = 0.3          # rear wheel
mR     = 2
IRxx   = 0.0603
IRyy   = 0.12
xB     = 0.3          # rear frame with rider
zB     = -0.9
mB     = 85
IBxx   = 9.2
IByy   = 11
IBzz   = 2.8
IBxz   = 2.4
xH     = 0.9          # front frame: fork and handlebar
zH     = -0.7
mH     = 4
IHxx   = 0.05892
IHyy   = 0.06
IHzz   = 0.00708
IHxz   = -0.00756
rF     = 0.35         # front wheel
mF     = 3
IFxx   = 0.1405
IFyy   = 0.28
v0     = 4.6       # initial speed
lean_rate = 0.5    # a push: initial rate of lean of the upright bicycle

[definitions]
# lengths in the directions of e1 and e3: rear centre to steering axis, along it, on to the front centre; masses
cl = "cos(tilt)"
sl = "sin(tilt)"
d1 = "(w_base + trail)*cl - rR*sl"
d2 = "w_base*sl + (rR - rF)*cl"
d3 = "rF*sl - trail*cl"
b1 = "xB*cl - (zB + rR)*sl"
b3 = "xB*sl + (zB + rR)*cl"
h1 = "(xH - w_base - trail)*cl - zH*sl"
h3 = "(xH - w_base)*sl + (zH + rF)*cl"
B11 = "IBxx*cl^2 - 2*IBxz*cl*sl + IBzz*sl^2"
B13 = "(IBxx - IBzz)*cl*sl + IBxz*(cl^2 - sl^2)"
B33 = "IBxx*sl^2 + 2*IBxz*cl*sl + IBzz*cl^2"
H11 = "IHxx*cl^2 - 2*IHxz*cl*sl + IHzz*sl^2"
H13 = "(IHxx - IHzz)*cl*sl + IHxz*(cl^2 - sl^2)"
H33 = "IHxx*sl^2 + 2*IHxz*cl*sl + IHzz*cl^2"

# rear frame
ct = "cos(pitch + tilt)"
st = "sin(pitch + tilt)"
forward = "x'*cos(yaw) + y'*sin(yaw)"
across  = "y'*cos(yaw) - x'*sin(yaw)"
down    = "z'*cos(lean) - across*sin(lean)"
V1 = "forward*ct - down*st"
V2 = "across*cos(lean) + z'*sin(lean)"
V3 = "forward*st + down*ct"
turn = "yaw'*cos(lean)"
w1 = "lean'*ct - turn*st"
w2 = "yaw'*sin(lean) + pitch'"
w3 = "lean'*st + turn*ct"
z_B = "z + b3*k3 - b1*st*cos(lean)"

# front frame
cs = "cos(steer)"
ss = "sin(steer)"
k1 = "ss*sin(lean) - cs*st*cos(lean)"
k3 = "ct*cos(lean)"
rho = "sqrt(k1^2 + k3^2)"
W1 = "cs*w1 + ss*w2"
W2 = "cs*w2 - ss*w1"
W3 = "w3 + steer'"
along_1 = "V1 + d2*w2"
along_2 = "V2 + d1*w3 - d2*w1"
S1 = "cs*along_1 + ss*along_2"
S2 = "cs*along_2 - ss*along_1"
S3 = "V3 - d1*w2"
z_S = "z + d2*k3 - d1*st*cos(lean)"
F1 = "S1"
F2 = "S2 + d3*W3"
F3 = "S3 - d3*W2"
z_F = "z_S + d3*k1"

# kinetic energies
T_R = "mR/2*(x'^2 + y'^2 + z'^2) + IRxx/2*(lean'^2 + turn^2) + IRyy/2*(w2 + rear')^2"
T_B = """mB/2*((V1 + b3*w2)^2 + (V2 + b1*w3 - b3*w1)^2 + (V3 - b1*w2)^2)
       + B11/2*w1^2 + IByy/2*w2^2 + B33/2*w3^2 + B13*w1*w3"""
T_H = """mH/2*((S1 + h3*W2)^2 + (S2 + h1*W3 - h3*W1)^2 + (S3 - h1*W2)^2)
       + H11/2*W1^2 + IHyy/2*W2^2 + H33/2*W3^2 + H13*W1*W3"""
T_F = "mF/2*(F1^2 + F2^2 + F3^2) + IFxx/2*(W1^2 + W3^2) + IFyy/2*(W2 + front')^2"

[initial]
q = { z = "-rR" }
v = { x = "v0", y = "rR*lean_rate", lean = "lean_rate", rear = "-v0/rR", front = "-v0/rF" }
)toml");
}

}  // namespace

CatalogueEntry bicycle() { return {"bicycle", summary, source, {}, toml}; }

}  // namespace noslip
