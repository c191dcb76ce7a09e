// Skew-gradient systems for the tests.
#pragma once

#include <string>

namespace noslip::testing {

/// Euler's equations of a free rigid body, m' = m x (I^-1 m): the structure depends on x, and |m|^2 is constant
/// whatever H is (a Casimir function).
inline const char* const rigid_body_text = R"toml(kind = "skew-gradient"
name = "rigid body"
x = ["m1", "m2", "m3"]
hamiltonian = "(m1^2/I1 + m2^2/I2 + m3^2/I3)/2"
structure = [["0", "-m3", "m2"],
             ["m3", "0", "-m1"],
             ["-m2", "m1", "0"]]
[parameters]
I1 = 2
I2 = 1
I3 = "2/3"
[invariants]
casimir = "m1^2 + m2^2 + m3^2"
[initial]
x = ["cos(1.1)", 0, "sin(1.1)"]
)toml";

/// x1 = cos(w t), x2 = -sin(w t).
inline const char* const oscillator_text = R"toml(kind = "skew-gradient"
name = "oscillator"
x = ["q", "p"]
hamiltonian = "w*(p^2 + q^2)/2"
structure = [[0, 1], [-1, 0]]
[parameters]
w = 1.5
[initial]
x = { q = 1 }
[exact]
q = "cos(w*t)"
p = "-sin(w*t)"
)toml";

/// Neither H is quadratic nor Pi linear: predators and prey (Lotka and Volterra), with Pi = x y [0 -1; 1 0].
inline const char* const predators_text = R"toml(kind = "skew-gradient"
name = "predators and prey"
x = ["prey", "predators"]
hamiltonian = "prey - log(prey) + predators - 2*log(predators)"
structure = [["0", "-prey*predators"], ["predators*prey", "0"]]
[initial]
x = [2, 1]
)toml";

}  // namespace noslip::testing
