// The test problem (6.1) of Jay 2007: y1 = z1 = exp(2 t), y2 = z2 = exp(-t), lambda1 = exp(t).
#pragma once

namespace noslip::testing {

/// Without its solution. At t = 0 the multiplier satisfies lambda1^2 + lambda1 = 2, hence 1 or -2.
inline const char* const jay_problem = R"toml(kind = "odae"
name = "jay"
y = ["y1", "y2"]
z = ["z1", "z2"]
lambda = ["lambda1"]
v = ["2*z1", "-z2"]
f = ["2*y1*y2*z1*z2 - y1*z1*z2", "z1 - y1*z2^3"]
r = ["y1*y2*lambda1^2", "-sqrt(y1)*lambda1"]
g = ["y1*y2^2 = 1"]
[initial]
y = [1, 1]
z = [1, 1]
)toml";

}  // namespace noslip::testing
