// The module noslip_mpi.so: Ranks over MPI. The only source that sees mpi.h; loaded by join_ranks() when a launcher has
// started this process.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mpi.h>
#include <sched.h>
#include <stdexcept>
#include <utility>
#include <vector>

#include "ensemble/mpi_module.hpp"

namespace noslip {

namespace {

/// Messages go in pieces of at most this many bytes: MPI counts them in an int.
constexpr std::size_t piece_size = std::size_t{16} << 20;
/// The tags of pieces.
constexpr int last_piece = 0;
constexpr int more_to_come = 1;

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw std::runtime_error(std::string(call) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

/// Processors that this process may use; each counts as a fraction if other ranks `here` may use it, too. At least 1.
int share_of_processors(MPI_Comm here) {
  int size = 0;
  check(MPI_Comm_size(here, &size), "MPI_Comm_size");
  cpu_set_t mine;
  CPU_ZERO(&mine);
  // It fails on machines with more than 1024 of them, and the set is empty.
  if (sched_getaffinity(0, sizeof(mine), &mine) != 0) CPU_ZERO(&mine);
  std::vector<cpu_set_t> all(static_cast<std::size_t>(size));
  check(MPI_Allgather(&mine, sizeof(mine), MPI_BYTE, all.data(), sizeof(mine), MPI_BYTE, here), "MPI_Allgather");
  if (CPU_COUNT(&mine) == 0) return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / size);
  double share = 0;
  for (std::size_t processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (!CPU_ISSET(processor, &mine)) continue;
    int users = 0;
    for (const cpu_set_t& set : all) users += CPU_ISSET(processor, &set) ? 1 : 0;
    share += 1.0 / users;
  }
  return std::max(1, static_cast<int>(share + 1e-6));
}

/// Messages on their way out.
class Outbox {
 public:
  explicit Outbox(MPI_Comm all) : all_(all) {}

  void send(int to, std::string bytes) {
    const auto kept = std::make_shared<const std::string>(std::move(bytes));
    std::size_t begin = 0;
    do {
      const std::size_t count = std::min(piece_size, kept->size() - begin);
      const int tag = begin + count == kept->size() ? last_piece : more_to_come;
      MPI_Request request = MPI_REQUEST_NULL;
      // Synchronous: complete when the other rank has begun to receive it, which finish() counts on.
      check(MPI_Issend(kept->data() + begin, static_cast<int>(count), MPI_BYTE, to, tag, all_, &request), "MPI_Issend");
      requests_.push_back(request);
      kept_.push_back(kept);
      begin += count;
    } while (begin < kept->size());
  }

  /// Lets go of what has gone.
  void tidy() {
    if (requests_.empty()) return;
    which_.resize(requests_.size());
    int count = 0;
    check(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, which_.data(), MPI_STATUSES_IGNORE),
          "MPI_Testsome");
    if (count <= 0) return;
    std::size_t left = 0;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (requests_[i] == MPI_REQUEST_NULL) continue;
      requests_[left] = requests_[i];
      kept_[left++] = std::move(kept_[i]);
    }
    requests_.resize(left);
    kept_.resize(left);
  }

  bool empty() const { return requests_.empty(); }

 private:
  MPI_Comm all_;
  std::vector<MPI_Request> requests_;                     ///< of pieces
  std::vector<std::shared_ptr<const std::string>> kept_;  ///< the messages that they are of
  std::vector<int> which_;
};

/// Messages on their way in.
class Inbox {
 public:
  Inbox(MPI_Comm all, int size) : all_(all), from_(static_cast<std::size_t>(size)) {}

  /// Begins to receive what others send, and looks which of it is complete. False if nothing new came.
  bool look() {
    const bool has_begun = begin();
    return complete() || has_begun;
  }

  std::optional<Ranks::Message> take() {
    if (messages_.empty()) return std::nullopt;
    Ranks::Message message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }

  /// Nothing that has begun to arrive is incomplete.
  bool is_quiet() const { return incomplete_ == 0; }

 private:
  struct Piece {
    std::string bytes;
    bool is_last = true;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  struct Sender {
    std::deque<Piece> pieces;
    std::string so_far;  ///< of a message whose last piece is still missing
  };

  bool begin() {
    bool is_any = false;
    while (true) {
      int is_there = 0;
      MPI_Status status{};
      // The first look may only move messages along, and find nothing.
      for (int i = 0; i < 2 && !is_there; ++i) {
        check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, all_, &is_there, &status), "MPI_Iprobe");
      }
      if (!is_there) return is_any;
      is_any = true;
      int count = 0;
      check(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
      std::deque<Piece>& pieces = from_[static_cast<std::size_t>(status.MPI_SOURCE)].pieces;
      // Not MPI_Recv: that would wait for the sender, which may be busy with something else.
      Piece& piece = pieces.emplace_back();
      piece.bytes.resize(static_cast<std::size_t>(count));
      piece.is_last = status.MPI_TAG == last_piece;
      ++incomplete_;
      check(MPI_Irecv(piece.bytes.data(), count, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, all_, &piece.request),
            "MPI_Irecv");
    }
  }

  bool complete() {
    if (incomplete_ == 0) return false;
    bool is_any = false;
    for (std::size_t rank = 0; rank < from_.size(); ++rank) {
      Sender& sender = from_[rank];
      while (!sender.pieces.empty()) {
        Piece& piece = sender.pieces.front();
        int is_complete = 0;
        check(MPI_Test(&piece.request, &is_complete, MPI_STATUS_IGNORE), "MPI_Test");
        if (!is_complete) break;
        is_any = true;
        --incomplete_;
        if (sender.so_far.empty()) {
          sender.so_far = std::move(piece.bytes);
        } else {
          sender.so_far += piece.bytes;
        }
        if (piece.is_last) messages_.push_back({static_cast<int>(rank), std::exchange(sender.so_far, {})});
        sender.pieces.pop_front();
      }
    }
    return is_any;
  }

  MPI_Comm all_;
  std::vector<Sender> from_;
  std::size_t incomplete_ = 0;
  std::deque<Ranks::Message> messages_;
};

class MpiRanks final : public Ranks {
 public:
  /// Takes `all`, a communicator of its own. `ends_mpi`: with this object, MPI ends in this process.
  MpiRanks(MPI_Comm all, int size, bool ends_mpi) : all_(all), size_(size), ends_mpi_(ends_mpi), out_(all), in_(all, size) {
    check(MPI_Comm_rank(all_, &rank_), "MPI_Comm_rank");
    MPI_Comm here = MPI_COMM_NULL;
    check(MPI_Comm_split_type(all_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here), "MPI_Comm_split_type");
    check(MPI_Comm_size(here, &size_here_), "MPI_Comm_size");
    processors_ = share_of_processors(here);
    check(MPI_Comm_free(&here), "MPI_Comm_free");
  }

  ~MpiRanks() override {
    if (!is_finished_) return;  // MPI_Finalize would wait for the others
    MPI_Comm_free(&all_);
    if (ends_mpi_) MPI_Finalize();
  }

  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int size_here() const override { return size_here_; }
  int processors() const override { return processors_; }

  void send(int to, std::string bytes) override {
    if (is_finished_) throw std::logic_error("a message after Ranks::finish");
    if (to < 0 || to >= size_ || to == rank_) throw std::logic_error("a message to a rank that is not another one");
    out_.send(to, std::move(bytes));
    out_.tidy();
  }

  std::optional<Message> receive() override {
    if (!is_finished_) {
      out_.tidy();
      in_.look();
    }
    return in_.take();
  }

  // A rank that has nothing left on its way out enters the barrier; when all have, nothing is on its way.
  void finish() override {
    if (is_finished_) return;
    MPI_Request barrier = MPI_REQUEST_NULL;
    int is_over = 0;
    for (bool is_in_barrier = false; !is_over || !in_.is_quiet();) {
      out_.tidy();
      const bool is_busy = in_.look();
      if (!is_in_barrier && out_.empty()) {
        check(MPI_Ibarrier(all_, &barrier), "MPI_Ibarrier");
        is_in_barrier = true;
      }
      if (is_in_barrier && !is_over) check(MPI_Test(&barrier, &is_over, MPI_STATUS_IGNORE), "MPI_Test");
      if (!is_busy && !is_over) std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    is_finished_ = true;
  }

  [[noreturn]] void abort(int exit_code) override {
    std::fflush(nullptr);
    MPI_Abort(all_, exit_code);
    std::_Exit(exit_code);  // the standard does not promise that MPI_Abort never returns
  }

 private:
  MPI_Comm all_;
  int rank_ = 0;
  int size_;
  int size_here_ = 1;
  int processors_ = 1;
  bool ends_mpi_;
  bool is_finished_ = false;
  Outbox out_;
  Inbox in_;
};

std::unique_ptr<Ranks> join_mpi(std::string& problem) {
  int is_over = 0;
  check(MPI_Finalized(&is_over), "MPI_Finalized");
  if (is_over) {
    problem = "MPI has ended in this process, and cannot be started again";
    return nullptr;
  }
  int was_started = 0;
  check(MPI_Initialized(&was_started), "MPI_Initialized");
  int threads = MPI_THREAD_SINGLE;
  if (was_started) {
    check(MPI_Query_thread(&threads), "MPI_Query_thread");
  } else {
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &threads), "MPI_Init_thread");
  }
  if (threads < MPI_THREAD_FUNNELED) {
    problem = "this MPI does not allow threads (MPI_THREAD_FUNNELED)";
    return nullptr;
  }
  int size = 0;
  check(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
  if (size == 1) {
    if (!was_started) MPI_Finalize();
    return nullptr;
  }
  // A communicator of our own: if the program uses MPI itself, its messages are not mixed with ours.
  MPI_Comm all = MPI_COMM_NULL;
  check(MPI_Comm_dup(MPI_COMM_WORLD, &all), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return std::make_unique<MpiRanks>(all, size, !was_started);
}

}  // namespace

}  // namespace noslip

extern "C" __attribute__((visibility("default"))) const noslip::MpiModule* noslip_mpi_module() {
#ifdef OPEN_MPI
  constexpr bool is_open_mpi = true;
#else
  constexpr bool is_open_mpi = false;
#endif
  static constexpr noslip::MpiModule module{noslip::mpi_module_identity, is_open_mpi, noslip::join_mpi};
  return &module;
}
