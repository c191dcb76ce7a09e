// Makes a static asmjit fit into a shared noslip.
//
// Debian builds libasmjit.a for programs (-fPIE): its one reference to the variable stderr cannot be resolved in a shared
// library. The linker option --wrap=stderr turns that reference into one to the variable below, which lies inside.
#include <cstdio>

extern std::FILE* real_stderr __asm__("__real_stderr");
extern std::FILE* wrapped_stderr __asm__("__wrap_stderr") __attribute__((visibility("hidden")));
std::FILE* wrapped_stderr = real_stderr;
