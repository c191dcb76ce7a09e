// To be loaded before the C library (LD_PRELOAD): allocations fail. The program goes on as if nothing were, and at every
// NOSLIP_FAIL_STRIDE-th allocation (all: 1) a copy of it begins, in which this one fails, and with NOSLIP_FAIL_ON=1 all
// that follow. The file NOSLIP_FAIL_REPORT gets a line for each copy: the number of the allocation, the exit code (or 1000
// and the signal), and the first line that it wrote to standard error. Copies run in the folder NOSLIP_FAIL_FOLDER.
// There are at most NOSLIP_FAIL_MOST of them, from the NOSLIP_FAIL_FIRST-th allocation on. Without a stride, the number of allocations is written to standard error at the end.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/wait.h>

extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* __libc_calloc(std::size_t count, std::size_t size);
extern "C" void* __libc_realloc(void* memory, std::size_t size);

namespace {

std::atomic<long> calls = 0;
long stride = 0, first = 1, most = -1, copies = 0;
bool fails_on = false, has_failed = false, is_copy = false;
int report = -1, messages = -1;
const char* folder = nullptr;

long number_of(const char* name, long otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::atol(text) : otherwise;
}

// After the C library and before the program: what happens earlier is not counted.
__attribute__((constructor)) void read_environment() {
  stride = number_of("NOSLIP_FAIL_STRIDE", 0);
  first = number_of("NOSLIP_FAIL_FIRST", 1);
  most = number_of("NOSLIP_FAIL_MOST", -1);
  fails_on = std::getenv("NOSLIP_FAIL_ON") != nullptr;
  folder = std::getenv("NOSLIP_FAIL_FOLDER");
  if (stride > 0) {
    report = open(std::getenv("NOSLIP_FAIL_REPORT"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    messages = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    if (report < 0 || messages < 0) _exit(99);
  }
  calls = 0;
}

__attribute__((destructor)) void tell() {
  if (stride == 0) std::fprintf(stderr, "%ld allocations\n", calls.load());
}

/// In the copy: what it writes goes elsewhere, and it does not run for ever.
void be_a_copy() {
  is_copy = true;
  const int nothing = open("/dev/null", O_WRONLY);
  const rlimit seconds{30, 30};
  setrlimit(RLIMIT_CPU, &seconds);
  if (chdir(folder) != 0 || dup2(nothing, STDOUT_FILENO) < 0 || dup2(messages, STDERR_FILENO) < 0) _exit(98);
}

/// In the program: waits for the copy, and reports.
void wait_for(pid_t copy, long number) {
  int status = 0;
  while (waitpid(copy, &status, 0) < 0 && errno == EINTR) {
  }
  char message[200] = {}, line[300];
  const ssize_t size = pread(messages, message, sizeof message - 1, 0);
  message[size > 0 ? size : 0] = '\0';
  if (char* const end = std::strchr(message, '\n')) *end = '\0';
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  const int length = std::snprintf(line, sizeof line, "%ld %d %s\n", number, code, message);
  if (write(report, line, static_cast<std::size_t>(length)) != length) _exit(97);
  if (ftruncate(messages, 0) != 0 || lseek(messages, 0, SEEK_SET) != 0) _exit(96);
}

bool fails() {
  const long number = ++calls;
  if (stride == 0) return false;
  if (is_copy) return has_failed && fails_on;
  if (number < first || number % stride != 0 || copies == most) return false;
  ++copies;
  const int before = errno;
  const pid_t copy = fork();
  if (copy < 0) _exit(95);
  if (copy == 0) {
    be_a_copy();
    has_failed = true;
    errno = ENOMEM;
    return true;
  }
  wait_for(copy, number);
  errno = before;
  return false;
}

}  // namespace

extern "C" void* malloc(std::size_t size) { return fails() ? nullptr : __libc_malloc(size); }
extern "C" void* calloc(std::size_t count, std::size_t size) { return fails() ? nullptr : __libc_calloc(count, size); }
extern "C" void* realloc(void* memory, std::size_t size) { return fails() ? nullptr : __libc_realloc(memory, size); }
