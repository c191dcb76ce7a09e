// Whether a program runs with sanitizers that have allocators and frames of their own (address, thread).
#pragma once

namespace noslip::testing {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NOSLIP_HAS_SANITIZERS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define NOSLIP_HAS_SANITIZERS
#endif
#endif

#if defined(NOSLIP_HAS_SANITIZERS)
inline constexpr bool has_sanitizers = true;
#else
inline constexpr bool has_sanitizers = false;
#endif
}  // namespace noslip::testing
