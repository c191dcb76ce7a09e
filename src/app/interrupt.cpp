#include "interrupt.hpp"

#include <atomic>
#include <fcntl.h>
#include <initializer_list>
#include <signal.h>
#include <string_view>
#include <unistd.h>

#include "verbs.hpp"

namespace noslip::app {
namespace {

/// A preparation that takes no notice of a signal is ended after so many seconds.
constexpr unsigned patience_after_signal = 1;

/// `ended`: by the handler, while the rest of the program may still be busy.
enum class Phase { preparing, running, telling, ended };

volatile sig_atomic_t last_signal = 0;
std::atomic<Phase> phase = Phase::preparing;
std::atomic<const Farewell*> last_words = nullptr;
static_assert(decltype(phase)::is_always_lock_free && decltype(last_words)::is_always_lock_free);

void remember(int number) {
  last_signal = number;
  if (phase == Phase::preparing) alarm(patience_after_signal);
}

void end_preparation(int) {
  Phase before = Phase::preparing;
  if (last_signal == 0 || !phase.compare_exchange_strong(before, Phase::ended)) return;
  const std::string_view message = interruption_message;
  for (const std::string_view part : {std::string_view("noslip: "), message, std::string_view("\n")}) {
    [[maybe_unused]] const ssize_t told = write(STDERR_FILENO, part.data(), part.size());
  }
  if (const Farewell* farewell = last_words) (*farewell)();
  _exit(exit_signal + last_signal);
}

void leave_preparation(Phase next) {
  Phase before = Phase::preparing;
  if (phase.compare_exchange_strong(before, next)) return;
  while (before == Phase::ended) pause();  // another thread is just leaving the program
}

}  // namespace

void prepare_process() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);  // a file that grows beyond its limit is an error of the write
  // A program started with a closed standard output would get its number for the first file it opens, and then print
  // into that file. Opened for reading only, a later write to it fails and is reported.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) == -1 && open("/dev/null", O_RDONLY) != descriptor) return;
  }
}

void remember_signals() {
  struct sigaction action = {};
  action.sa_handler = remember;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);  // nohup, or a shell in the background
  }
  action.sa_handler = end_preparation;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
}

int remembered_signal() { return last_signal; }

void note_first_step() { leave_preparation(Phase::running); }

bool ends_preparation() { return last_signal != 0 && phase != Phase::running; }

void note_end() { leave_preparation(Phase::telling); }

void set_farewell(const Farewell* farewell) { last_words = farewell; }

}  // namespace noslip::app
