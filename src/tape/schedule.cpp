// The order of the instructions. Two things are wanted of it: calls of one function stand in a row, so that a back end
// can make one vector call of them; and between the calls the longest chains start first, while the number of values in
// flight stays near the number of registers.
#include <algorithm>
#include <queue>
#include <tuple>

#include "tape/draft.hpp"

namespace noslip {
namespace {

constexpr int live_limit = 24;

class Scheduler {
 public:
  explicit Scheduler(const Draft& draft) : draft_(draft), uses_(count_uses(draft)) {
    find_users();
    find_heights();
    find_depth_first_order();
    find_call_levels();
  }

  std::vector<std::uint32_t> run() {
    const int last_level = level_.empty() ? 0 : *std::max_element(level_.begin(), level_.end());
    for (int level = 1; level <= last_level; ++level) place_calls(level);
    std::vector<std::uint32_t> rest;
    for (std::uint32_t id = 0; id < draft_.size(); ++id) {
      if (is_live_result(id) && !is_placed_[id]) rest.push_back(id);
    }
    place(rest);
    return std::move(order_);
  }

 private:
  bool is_live_result(std::uint32_t id) const { return uses_[id] > 0 && draft_.item(id).kind == Draft::Kind::result; }

  void find_users() {
    first_user_.assign(draft_.size() + 1, 0);
    reads_.assign(draft_.size(), 0);
    for_each_operand([&](std::uint32_t operand, std::uint32_t) { ++reads_[operand]; });
    for (std::size_t id = 0; id < draft_.size(); ++id) first_user_[id + 1] = first_user_[id] + reads_[id];
    users_.resize(first_user_.back());
    std::vector<std::uint32_t> next(first_user_.begin(), first_user_.end() - 1);
    for_each_operand([&](std::uint32_t operand, std::uint32_t user) { users_[next[operand]++] = user; });
    is_placed_.assign(draft_.size(), false);
    waiting_.assign(draft_.size(), 0);
    is_member_.assign(draft_.size(), false);
  }

  template <class Visit>
  void for_each_operand(Visit visit) const {
    for (std::uint32_t id = 0; id < draft_.size(); ++id) {
      if (!is_live_result(id)) continue;
      for (const std::uint32_t operand : operands(draft_.item(id))) visit(operand, id);
    }
  }

  // The longest chain from the start of an instruction to the end of the program.
  void find_heights() {
    height_.assign(draft_.size(), 0);
    for (std::uint32_t id = static_cast<std::uint32_t>(draft_.size()); id-- > 0;) {
      if (!is_live_result(id)) continue;
      height_[id] += latency(draft_.item(id).op);
      for (const std::uint32_t operand : operands(draft_.item(id))) {
        height_[operand] = std::max(height_[operand], height_[id]);
      }
    }
  }

  // The order of a depth-first walk from the outputs: long-winded, but with few values in flight.
  void find_depth_first_order() {
    depth_first_.assign(draft_.size(), 0);
    std::vector<bool> is_seen(draft_.size(), false);
    std::vector<std::pair<std::uint32_t, int>> stack;
    std::uint32_t count = 0;
    for (const Tape::Store& store : draft_.stores) {
      stack.push_back({store.value, 0});
      while (!stack.empty()) {
        auto& [id, next] = stack.back();
        const Operands children = operands(draft_.item(id));
        if (next == 0 && is_seen[id]) {
          stack.pop_back();
        } else if (next < children.count) {
          is_seen[id] = true;
          const std::uint32_t child = children.ids[static_cast<std::size_t>(next++)];
          if (!is_seen[child]) stack.push_back({child, 0});
        } else {
          is_seen[id] = true;
          depth_first_[id] = count++;
          stack.pop_back();
        }
      }
    }
  }

  // How many calls in a row lead to a value, its own included.
  void find_call_levels() {
    level_.assign(draft_.size(), 0);
    for (std::uint32_t id = 0; id < draft_.size(); ++id) {
      if (!is_live_result(id)) continue;
      for (const std::uint32_t operand : operands(draft_.item(id))) level_[id] = std::max(level_[id], level_[operand]);
      if (is_function(draft_.item(id).op)) ++level_[id];
    }
  }

  // All calls of one level: first what their arguments need, then the calls, sorted by function.
  void place_calls(int level) {
    std::vector<std::uint32_t> calls, needed, stack;
    for (std::uint32_t id = 0; id < draft_.size(); ++id) {
      if (is_live_result(id) && level_[id] == level && is_function(draft_.item(id).op)) calls.push_back(id);
    }
    std::vector<bool> is_needed(draft_.size(), false);
    for (const std::uint32_t call : calls) stack.push_back(call);
    while (!stack.empty()) {
      const std::uint32_t id = stack.back();
      stack.pop_back();
      for (const std::uint32_t operand : operands(draft_.item(id))) {
        if (!is_live_result(operand) || is_placed_[operand] || is_needed[operand]) continue;
        is_needed[operand] = true;
        needed.push_back(operand);
        stack.push_back(operand);
      }
    }
    std::sort(needed.begin(), needed.end());
    place(needed);
    std::stable_sort(calls.begin(), calls.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return draft_.item(x).op < draft_.item(y).op; });
    for (const std::uint32_t call : calls) {
      emit(call);
      for (std::uint32_t k = first_user_[call]; k < first_user_[call + 1]; ++k) {
        if (draft_.is(users_[k], TapeOp::second)) emit(users_[k]);
      }
    }
  }

  void emit(std::uint32_t id) {
    order_.push_back(id);
    is_placed_[id] = true;
    if (reads_[id] > 0) ++live_;
    const Operands read = operands(draft_.item(id));
    for (const std::uint32_t operand : read) {
      if (--reads_[operand] == 0 && draft_.item(operand).kind == Draft::Kind::result) --live_;
    }
  }

  // List scheduling of a set that is closed under operands (apart from what has been placed).
  void place(const std::vector<std::uint32_t>& members) {
    using Entry = std::tuple<int, std::uint32_t>;
    std::priority_queue<Entry> by_height;         // longest chain first, then depth-first order
    std::priority_queue<std::uint32_t> by_depth;  // depth-first order (complemented: a maximum queue)
    std::vector<std::uint32_t> id_of_depth(draft_.size());
    for (const std::uint32_t id : members) is_member_[id] = true;
    const auto offer = [&](std::uint32_t id) {
      const std::uint32_t rank = ~depth_first_[id];
      by_height.push({height_[id], rank});
      by_depth.push(rank);
    };
    for (const std::uint32_t id : members) {
      id_of_depth[depth_first_[id]] = id;
      waiting_[id] = 0;
      for (const std::uint32_t operand : operands(draft_.item(id))) waiting_[id] += is_member_[operand] ? 1 : 0;
      if (waiting_[id] == 0) offer(id);
    }
    for (std::size_t placed = 0; placed < members.size();) {
      std::uint32_t rank = 0;
      if (live_ < live_limit) {
        rank = std::get<1>(by_height.top());
        by_height.pop();
      } else {
        rank = by_depth.top();
        by_depth.pop();
      }
      const std::uint32_t id = id_of_depth[~rank];
      if (is_placed_[id]) continue;  // taken through the other queue
      emit(id);
      ++placed;
      for (std::uint32_t k = first_user_[id]; k < first_user_[id + 1]; ++k) {
        const std::uint32_t user = users_[k];
        if (is_member_[user] && --waiting_[user] == 0) offer(user);
      }
    }
    for (const std::uint32_t id : members) is_member_[id] = false;
  }

  const Draft& draft_;
  std::vector<std::uint32_t> uses_;
  std::vector<std::uint32_t> first_user_, users_;  // users of id: users_[first_user_[id]] ...
  std::vector<std::uint32_t> reads_;               // reads by instructions that are still to come
  std::vector<int> height_, level_;
  std::vector<std::uint32_t> depth_first_;
  std::vector<bool> is_placed_, is_member_;
  std::vector<int> waiting_;
  std::vector<std::uint32_t> order_;
  int live_ = 0;
};

}  // namespace

std::vector<std::uint32_t> schedule(const Draft& draft) { return Scheduler(draft).run(); }

}  // namespace noslip
