#include "interrupt.hpp"

#include <atomic>
#include <fcntl.h>
#include <initializer_list>
#include <signal.h>
#include <unistd.h>

namespace noslip::app {
namespace {

volatile sig_atomic_t last_signal = 0;
std::atomic<bool> has_first_step = false;

void remember(int number) { last_signal = number; }

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
}

int remembered_signal() { return last_signal; }

void note_first_step() { has_first_step = true; }

bool ends_preparation() { return last_signal != 0 && !has_first_step; }

}  // namespace noslip::app
