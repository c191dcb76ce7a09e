// Threads take the next job until there is none.
#include "parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace noslip::papers {

namespace {

class Jobs {
 public:
  Jobs(std::size_t count, const std::string& what, const StudyProgress& report)
      : what_(what), report_(report), done_(count), all_(count) {}

  void work(const std::function<void(std::size_t, const Progress&)>& job) {
    try {
      for (std::size_t i = next_++; i < done_.size() && !ended_; i = next_++) {
        job(i, [this, i](long long done, long long all) { return tell(i, done, all); });
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      ended_ = true;
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  bool tell(std::size_t job, long long done, long long all) {
    const std::lock_guard lock(mutex_);
    done_[job] = done;
    all_[job] = all;
    if (ended_ || !report_) return !ended_;
    long long done_in_all = 0, known = 0, most = 0;
    for (std::size_t i = 0; i < done_.size(); ++i) {
      done_in_all += done_[i];
      known += all_[i];
      most = std::max(most, all_[i]);
    }
    // Jobs that have not begun are thought to be as long as the longest one.
    for (const long long steps : all_) known += steps == 0 ? most : 0;
    if (!report_(what_, done_in_all, known)) ended_ = true;
    return !ended_;
  }

  const std::string& what_;
  const StudyProgress& report_;
  std::vector<long long> done_, all_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> ended_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

void side_by_side(std::size_t count, const std::string& what, const StudyProgress& report,
                  const std::function<void(std::size_t, const Progress&)>& job) {
  Jobs jobs(count, what, report);
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < std::min(count, processors); ++i) threads.emplace_back([&] { jobs.work(job); });
  jobs.work(job);
  for (std::thread& thread : threads) thread.join();
  jobs.rethrow();
}

}  // namespace noslip::papers
