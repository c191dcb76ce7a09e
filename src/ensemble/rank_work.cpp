#include "ensemble/rank_work.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <stdexcept>

#include <fmt/format.h>

#include <noslip/core/archive.hpp>

namespace noslip {

namespace {

enum class Word : std::uint8_t {
  checked,  ///< to rank 0: problems of starts
  free,     ///< to rank 0: one more block is wanted
  result,   ///< to rank 0: a block, and one more is wanted
  broken,   ///< to rank 0: an exception, its kind and text
  work,     ///< from rank 0: the first member of a block
  over,     ///< from rank 0
};

/// Messages are polled: a wait of this length between two looks costs neither time nor processors.
constexpr std::chrono::microseconds pause(200);

template <class... Values>
std::string message(Word word, Values&... values) {
  ByteWriter to;
  Archive archive(to);
  archive(word);
  (archive(values), ...);
  return to.take();
}

struct Opened {
  explicit Opened(const Ranks::Message& of) : reader(of.bytes), archive(reader) { archive(word); }
  ByteReader reader;
  Archive archive;
  Word word = Word::over;
};

void carry(Archive& archive, std::vector<Problem>& problems) {
  std::size_t count = problems.size();
  archive(count);
  problems.resize(count);
  for (Problem& problem : problems) archive(problem.what, problem.remedy);
}

enum class Fault : std::uint8_t { input, file, other };

[[noreturn]] void throw_fault(Opened& opened, int from) {
  Fault fault = Fault::other;
  std::string what;
  opened.archive(fault, what);
  what = fmt::format("process {}: {}", from, what);
  switch (fault) {
    case Fault::input: throw InputError(what, "");
    case Fault::file: throw FileError(what);
    case Fault::other: break;
  }
  throw std::runtime_error(what);
}

std::string message_of(std::exception_ptr error) {
  Fault fault = Fault::other;
  std::string what = "an unknown exception";
  try {
    std::rethrow_exception(std::move(error));
  } catch (const InputError& known) {
    fault = Fault::input;
    what = known.what();
  } catch (const FileError& known) {
    fault = Fault::file;
    what = known.what();
  } catch (const std::exception& known) {
    what = known.what();
  } catch (...) {
  }
  return message(Word::broken, fault, what);
}

}  // namespace

void withdraw(Ranks& ranks, std::exception_ptr why) { ranks.send(0, message_of(std::move(why))); }

std::pair<std::size_t, std::size_t> share_of(const EnsemblePlan& plan, int rank, int size) {
  const auto all = static_cast<std::size_t>(size), one = static_cast<std::size_t>(rank);
  const std::size_t each = plan.members() / all, rest = plan.members() % all;
  const std::size_t first = plan.first + one * each + std::min(one, rest);
  return {first, first + each + (one < rest ? 1 : 0)};
}

std::vector<Problem> collect_problems(Ranks& ranks) {
  std::vector<std::vector<Problem>> found(static_cast<std::size_t>(ranks.size()));
  for (int left = ranks.size() - 1; left > 0;) {
    const auto received = ranks.receive();
    if (!received) {
      std::this_thread::sleep_for(pause);
      continue;
    }
    Opened opened(*received);
    if (opened.word == Word::broken) throw_fault(opened, received->from);
    carry(opened.archive, found[static_cast<std::size_t>(received->from)]);
    --left;
  }
  std::vector<Problem> all;
  for (std::vector<Problem>& some : found) std::move(some.begin(), some.end(), std::back_inserter(all));
  if (all.size() > most_start_problems) all.resize(most_start_problems);
  return all;
}

void dismiss(Ranks& ranks) {
  for (int rank = 1; rank < ranks.size(); ++rank) ranks.send(rank, message(Word::over));
}

void lead(Ranks& ranks, Crew& crew, Conductor& conductor) {
  const CrewTask task{[&] { return conductor.next(true); }, [&](MemberBlock block) { conductor.deliver(std::move(block)); },
                      [&](long long steps) { return conductor.report(steps); },
                      [&](std::exception_ptr error) { conductor.fail(std::move(error)); }};
  const std::vector<std::jthread> threads = crew.start(task);
  std::deque<int> idle;  // ranks, once for every block that they want
  try {
    while (!conductor.is_over()) {
      bool has_heard = false;
      while (const auto received = ranks.receive()) {
        has_heard = true;
        Opened opened(*received);
        if (opened.word == Word::broken) throw_fault(opened, received->from);
        if (opened.word == Word::result) {
          MemberBlock block;
          opened.archive(block);
          conductor.report(block.steps);
          conductor.deliver(std::move(block));
        }
        idle.push_back(received->from);
      }
      while (!idle.empty()) {
        std::optional<std::size_t> first = conductor.next(false);
        if (!first) break;
        ranks.send(idle.front(), message(Word::work, *first));
        idle.pop_front();
      }
      conductor.report(0);
      if (!has_heard) std::this_thread::sleep_for(pause);
    }
  } catch (...) {
    conductor.fail(std::current_exception());
  }
}

void follow(Ranks& ranks, Crew& crew, const EnsemblePlan& plan) {
  if (plan.starts.is_table()) {
    const auto [first, end] = share_of(plan, ranks.rank(), ranks.size());
    std::vector<Problem> problems = crew.problems(first, end);
    ByteWriter to;
    Archive archive(to);
    Word word = Word::checked;
    archive(word);
    carry(archive, problems);
    ranks.send(0, to.take());
  }
  std::mutex mutex;
  std::condition_variable has_work;
  std::deque<std::size_t> todo;
  std::deque<std::string> answers;
  std::atomic<bool> is_over = false;
  const auto answer = [&](std::string text) {
    const std::lock_guard lock(mutex);
    answers.push_back(std::move(text));
  };
  const CrewTask task{
      [&]() -> std::optional<std::size_t> {
        std::unique_lock lock(mutex);
        has_work.wait(lock, [&] { return is_over || !todo.empty(); });
        if (is_over) return std::nullopt;
        const std::size_t member = todo.front();
        todo.pop_front();
        return member;
      },
      [&](MemberBlock block) { answer(message(Word::result, block)); }, [&](long long) { return !is_over; },
      [&](std::exception_ptr error) { answer(message_of(std::move(error))); }};
  const std::vector<std::jthread> threads = crew.start(task);
  // One block more than there are threads, so that none waits for the answer.
  for (std::size_t i = 0; i <= threads.size(); ++i) ranks.send(0, message(Word::free));
  while (!is_over) {
    bool has_heard = false;
    while (const auto received = ranks.receive()) {
      has_heard = true;
      Opened opened(*received);
      std::size_t member = 0;
      if (opened.word == Word::work) opened.archive(member);
      const std::lock_guard lock(mutex);
      if (opened.word == Word::work) todo.push_back(member);
      if (opened.word == Word::over) is_over = true;
      has_work.notify_all();
      if (is_over) break;
    }
    std::deque<std::string> ready;
    {
      const std::lock_guard lock(mutex);
      ready.swap(answers);
    }
    for (std::string& text : ready) ranks.send(0, std::move(text));
    if (!has_heard && ready.empty()) std::this_thread::sleep_for(pause);
  }
}

}  // namespace noslip
