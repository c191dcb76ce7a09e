#include "exec/run_order.hpp"

#include <array>

namespace noslip {
namespace {

constexpr std::size_t op_count = static_cast<std::size_t>(TapeOp::call) + 1;

bool is_sum(TapeOp op) { return op == TapeOp::neg || (op >= TapeOp::add && op <= TapeOp::fnms && op != TapeOp::div); }

class Ordering {
 public:
  Ordering(const Tape& tape, RunKinds kinds) : tape_(tape), kinds_(kinds), waiting_(tape.code().size(), 0) {
    find_users();
    for (std::uint32_t k = 0; k < tape.code().size(); ++k) {
      if (waiting_[k] == 0) offer(k);
    }
  }

  RunOrder run() {
    for (;;) {
      const std::size_t op = longest_queue();
      if (queues_[op].waiting() == 0) return std::move(order_);
      Queue& queue = queues_[op];
      const bool is_call = is_function(static_cast<TapeOp>(op));
      const std::size_t end_of_calls = queue.items.size();
      const std::size_t first = queue.head;
      while (queue.head < (is_call ? end_of_calls : queue.items.size())) execute(queue.items[queue.head++]);
      order_.runs.push_back({static_cast<TapeOp>(op), static_cast<std::uint32_t>(queue.head - first)});
    }
  }

 private:
  struct Queue {
    std::vector<std::uint32_t> items;  // first come, first served: what depends on each other stands far apart
    std::size_t head = 0;
    std::size_t waiting() const { return items.size() - head; }
  };

  // The instruction that makes a value: a cosine is made by the sincos before its `second`.
  std::uint32_t maker(std::uint32_t value) const {
    const std::uint32_t k = value - tape_.first_result();
    return tape_.code()[k].op == TapeOp::second ? k - 1 : k;
  }

  template <class Visit>
  void for_each_dependency(Visit visit) const {
    for (std::uint32_t k = 0; k < tape_.code().size(); ++k) {
      const Instruction& instruction = tape_.code()[k];
      if (instruction.op == TapeOp::second) continue;
      const std::array<std::uint32_t, 3> reads = {instruction.a, instruction.b, instruction.c};
      for (int i = 0; i < arity(instruction.op); ++i) {
        const std::uint32_t value = reads[static_cast<std::size_t>(i)];
        if (value >= tape_.first_result()) visit(maker(value), k);
      }
    }
  }

  void find_users() {
    first_user_.assign(tape_.code().size() + 1, 0);
    for_each_dependency([&](std::uint32_t made_by, std::uint32_t user) {
      ++first_user_[made_by + 1];
      ++waiting_[user];
    });
    for (std::size_t k = 1; k < first_user_.size(); ++k) first_user_[k] += first_user_[k - 1];
    users_.resize(first_user_.back());
    std::vector<std::uint32_t> next(first_user_.begin(), first_user_.end() - 1);
    for_each_dependency([&](std::uint32_t made_by, std::uint32_t user) { users_[next[made_by]++] = user; });
  }

  void offer(std::uint32_t k) {
    TapeOp op = tape_.code()[k].op;
    if (kinds_ == RunKinds::with_one_sum && is_sum(op)) op = TapeOp::fma;
    if (op != TapeOp::second) queues_[static_cast<std::size_t>(op)].items.push_back(k);
  }

  void execute(std::uint32_t k) {
    order_.instructions.push_back(k);
    for (std::uint32_t i = first_user_[k]; i < first_user_[k + 1]; ++i) {
      if (--waiting_[users_[i]] == 0) offer(users_[i]);
    }
  }

  // Arithmetic first: the longer the calls wait, the more of them can be made together.
  std::size_t longest_queue() const {
    std::size_t best = 0, best_rank = 0;
    for (std::size_t op = 0; op < op_count; ++op) {
      const std::size_t bonus = is_function(static_cast<TapeOp>(op)) ? 0 : tape_.code().size();
      const std::size_t waiting = queues_[op].waiting();
      const std::size_t rank = waiting == 0 ? 0 : waiting + bonus;
      if (rank > best_rank) {
        best = op;
        best_rank = rank;
      }
    }
    return best;
  }

  const Tape& tape_;
  RunKinds kinds_;
  std::vector<std::uint32_t> waiting_, first_user_, users_;
  std::array<Queue, op_count> queues_;
  RunOrder order_;
};

}  // namespace

RunOrder order_in_runs(const Tape& tape, RunKinds kinds) { return Ordering(tape, kinds).run(); }

}  // namespace noslip
