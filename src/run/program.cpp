// Programs by their keys: each is compiled once, whoever asks first.
#include <noslip/run/program.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <list>
#include <mutex>
#include <optional>
#include <type_traits>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/option_name.hpp>
#include <noslip/core/options.hpp>
#include <noslip/core/stopping.hpp>

#include "run/linear_inputs.hpp"
#include "run/program_data.hpp"
#include "run/run_tools.hpp"

namespace noslip {

namespace {

constexpr std::size_t most_programs = 64;  // of each precision

std::atomic<long long> compiled_programs = 0;

/// The programs that were used last. Those that are being compiled are among them: whoever wants one of these waits.
template <class T>
class ProgramShelf {
 public:
  using Found = std::shared_ptr<const ProgramData<T>>;

  static ProgramShelf& the() {
    static ProgramShelf shelf;
    return shelf;
  }

  ProgramShelf() {
#if defined(__unix__) || defined(__APPLE__)
    pthread_atfork([] { the().mutex_.lock(); }, [] { the().mutex_.unlock(); }, [] { the().begin_child(); });
#endif
  }

  /// A program that another thread gives up is made here.
  Found find(const ProgramKey& key) {
    for (;;) {
      try {
        return find_once(key);
      } catch (const Interrupted&) {
        end_if_stopped();
      }
    }
  }

  void clear() {
    std::list<Entry> gone;  // destroyed without the lock
    const std::lock_guard lock(mutex_);
    gone.swap(entries_);
  }

 private:
  struct Entry {
    ProgramKey key;
    std::shared_future<Found> program;
  };

  /// In a child of fork(), which has none of the threads that compile: their programs are forgotten, and made again by
  /// whoever wants them.
  void begin_child() {
    for (auto entry = entries_.begin(); entry != entries_.end();) {
      const bool is_ready = entry->program.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
      if (is_ready) {
        ++entry;
      } else {
        unfinished_.splice(unfinished_.end(), entries_, entry++);  // not destroyed: the thread has left them as they were
      }
    }
    mutex_.unlock();
  }

  Found find_once(const ProgramKey& key) {
    std::optional<std::promise<Found>> promise;  // of one that is new
    std::shared_future<Found> future;
    {
      const std::lock_guard lock(mutex_);
      const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
      if (entry != entries_.end()) {
        entries_.splice(entries_.begin(), entries_, entry);
        future = entry->program;
      } else {
        future = promise.emplace().get_future().share();
        entries_.push_front({key, future});
        if (entries_.size() > most_programs) entries_.pop_back();
      }
    }
    if (!promise) {
      constexpr std::chrono::milliseconds between_looks(20);
      while (future.wait_for(between_looks) != std::future_status::ready) end_if_stopped();
      return future.get();
    }
    try {
      auto made = std::make_shared<const ProgramData<T>>(key);
      ++compiled_programs;
      promise->set_value(std::move(made));
    } catch (...) {
      {
        const std::lock_guard lock(mutex_);
        entries_.remove_if([&](const Entry& e) { return e.key == key; });
      }
      promise->set_exception(std::current_exception());  // last: who waits may ask again at once
    }
    return future.get();
  }

  std::mutex mutex_;
  std::list<Entry> entries_;     // used last first
  std::list<Entry> unfinished_;  // of the parent of this process
};

}  // namespace

void ProgramOptions::check() const {
  std::vector<Problem> problems;
  if (lanes != 1 && lanes != 4 && lanes != 8) {
    problems.push_back({fmt::format("{} lanes are not possible", lanes), {}, "choose 1, 4 or 8"});
  }
  if (auto problem = problem_with(option_named("tolerance"), tolerance); problem && tolerance != 0) {
    problems.push_back(*problem);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

template <class T>
std::shared_ptr<const ProgramData<T>> find_program(const ProgramKey& key) {
  return ProgramShelf<T>::the().find(key);
}

template <class T>
Program<T>::Program(const System& system, const ProgramOptions& options) {
  const DefaultArithmetic arithmetic;
  options.check();
  if (options.lanes > 1 && !std::is_same_v<T, double>) {
    throw InputError("lanes compute in double precision only",
                     "use " + option("precision", "double") + " or " + option("lanes", "1"));
  }
  data_ = find_program<T>({system, options});
}

template <class T>
const System& Program<T>::system() const {
  return data_->system;
}

template <class T>
const ProgramOptions& Program<T>::options() const {
  return data_->key.options;
}

template <class T>
const MethodTraits& Program<T>::method() const {
  return data_->method->traits();
}

template <class T>
bool Program<T>::is_explicit() const {
  return data_->steps && data_->steps->is_explicit();
}

template <class T>
bool Program<T>::is_machine_code() const {
  return data_->steps && data_->steps->is_machine_code;
}

template <class T>
std::vector<std::string> Program<T>::state_names() const {
  std::vector<std::string> names;
  for (const StateVariable& variable : data_->recipe.state) names.push_back(variable.symbol.name());
  return names;
}

template <class T>
std::size_t Program<T>::bytes_per_stepper() const {
  if (!data_->steps) return 0;
  const StepLayout& layout = data_->layout();
  const auto numbers = static_cast<std::size_t>(2 * layout.size + layout.moving_count() + 5 * layout.unknown_count);
  return (numbers * static_cast<std::size_t>(lanes()) + data_->steps->scratch_size) * sizeof(T);
}

ProgramCounts program_counts() { return {most_programs, compiled_programs}; }

void forget_programs() {
  forget_linear_inputs();
  forget_tools();
  ProgramShelf<double>::the().clear();
  ProgramShelf<long double>::the().clear();
  ProgramShelf<quad>::the().clear();
}

#define NOSLIP_INSTANTIATE(T) \
  template class Program<T>;  \
  template std::shared_ptr<const ProgramData<T>> find_program<T>(const ProgramKey&);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
