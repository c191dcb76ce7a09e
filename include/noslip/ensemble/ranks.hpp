// Processes that work on one ensemble together, on one machine or on many.
//
// Rank 0 leads: it hands out work and writes the files; the others compute. Messages are bytes, from a rank to another,
// and arrive whole and in order. One thread of a process uses this object.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace noslip {

class Ranks {
 public:
  struct Message {
    int from = 0;
    std::string bytes;
  };

  virtual ~Ranks() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// How many of them share this machine.
  virtual int size_here() const = 0;
  /// Returns at once; what was given is kept until it has gone.
  virtual void send(int to, std::string bytes) = 0;
  /// A message that has arrived, if there is one; does not wait.
  virtual std::optional<Message> receive() = 0;
  /// Waits until everything that was sent has gone, and for all other ranks to come here. Afterwards nothing is sent.
  virtual void finish() = 0;
  /// Ends all ranks, at once and with this exit code; for failures after which the others would wait for ever.
  [[noreturn]] virtual void abort(int exit_code) = 0;
};

/// The ranks of this process if it was started by mpirun, srun or the like with more than one, otherwise null.
/// InputError if it was, and this build cannot talk to the others: they would all do the same.
std::unique_ptr<Ranks> join_ranks();

/// Rank 0, if it cannot begin an ensemble: the others do not wait for it.
void dismiss(Ranks& ranks);
/// Another rank, if it cannot begin: integrate_ensemble of rank 0 throws what it says, as InputError, FileError or
/// std::runtime_error.
void withdraw(Ranks& ranks, std::exception_ptr why);

}  // namespace noslip
