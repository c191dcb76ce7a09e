// What results in double precision may depend on beside the program: the processor.
#pragma once

namespace noslip {

/// Where sin, exp and the like come from: "SLEEF" (the same bits on every processor with AVX2 and FMA), or "C library"
/// (a processor without them, or noslip without SLEEF; last digits may differ from machine to machine). Sums, products
/// and roots have the same bits everywhere.
const char* elementary_functions();

}  // namespace noslip
