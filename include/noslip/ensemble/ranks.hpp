// Processes that work on one ensemble together, on one machine or on many.
//
// Rank 0 leads: it hands out work and writes the files; the others compute. Messages are bytes, from a rank to another,
// and arrive whole and in order. One thread of a process uses this object.
#pragma once

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace noslip {

class Ranks {
 public:
  struct Message {
    int from = 0;
    std::string bytes;
  };

  /// After finish(), takes leave of the others. Without it (an exception is on its way) they are not told: the launcher
  /// ends them when this process exits.
  virtual ~Ranks() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// How many of them share this machine.
  virtual int size_here() const = 0;
  /// How many threads suit this rank: the processors that it may use, divided by the ranks that may use them as well.
  /// Launchers often tie a rank to one processor; `mpirun --bind-to none` and `srun -c N` give it more.
  virtual int processors() const {
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / size_here());
  }
  /// Returns at once; what was given is kept until it has gone. Large messages go on their way only while both ranks
  /// are in send(), receive() or finish(): whoever computes for long calls receive() now and then from this thread.
  virtual void send(int to, std::string bytes) = 0;
  /// A message that has arrived, if there is one; does not wait. Costs less than a microsecond if there is none.
  virtual std::optional<Message> receive() = 0;
  /// Waits until everything that was sent has arrived, and for all other ranks to come here, without using a processor.
  /// Afterwards nothing is sent; receive() still gives what arrived meanwhile.
  virtual void finish() = 0;
  /// Ends all ranks, at once and with this exit code (1 to 255); for failures after which the others would wait for ever.
  [[noreturn]] virtual void abort(int exit_code) = 0;
};

/// The ranks of this process if it was started by mpirun, srun or the like with more than one, otherwise null. Once in a
/// process. InputError if it was, and this build cannot talk to the others: they would all do the same.
/// A module beside the program or the library, noslip_mpi.so, talks to MPI; nothing is loaded without a launcher.
/// The environment variable NOSLIP_MPI_MODULE names another one; with `none` every process works by itself.
std::unique_ptr<Ranks> join_ranks();

/// Rank 0, if it cannot begin an ensemble: the others do not wait for it.
void dismiss(Ranks& ranks);
/// Another rank, if it cannot begin: integrate_ensemble of rank 0 throws what it says, as InputError, FileError or
/// std::runtime_error.
void withdraw(Ranks& ranks, std::exception_ptr why);

}  // namespace noslip
