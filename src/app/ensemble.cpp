// noslip ensemble: many trajectories of one system.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/stopping.hpp>
#include <noslip/ensemble/ranks.hpp>
#include <noslip/io/checkpoint_file.hpp>
#include <noslip/io/json.hpp>

#include "data_options.hpp"
#include "ensemble_files.hpp"
#include "ensemble_options.hpp"
#include "ensemble_part.hpp"
#include "ensemble_picture.hpp"
#include "ensemble_run.hpp"
#include "interrupt.hpp"
#include "notes.hpp"
#include "output.hpp"
#include "plot_options.hpp"
#include "progress.hpp"
#include "run_checkpoint.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

constexpr const char* ensemble_examples = R"help(Examples:
  noslip ensemble sleigh --method mp --step 0.05 --until 50 --grid "theta'=0:1:1000" -o ends.h5
  noslip ensemble skate --step 0.1 --until 10 --grid "phi'=0.5:2:61" --grid beta=0:1.5:31 --columns y --plot drift.svg
  noslip ensemble chaotic --method mp --step 0.05 --until 1000 --every 100 --set J=9999 --grid j=0:9999:10000
      --reduce "mean((energy - 3.06)^2)"
  noslip ensemble skate --step 0.1 --until 10 --sample 1e6 --seed 7 --vary "phi'=normal(1,0.1)"
      --reduce "mean(y), quantile(y,0.9), histogram(y,0,10,50)" --checkpoint skate.checkpoint
  mpirun -n 4 noslip ensemble sleigh --method mp --step 0.05 --until 50 --members members.csv -o ends.h5

Members are initial values, parameters and inputs from a table, a grid or a sample. What a member does depends neither
on the others nor on lanes, threads and processes: files are byte for byte the same. A member that fails is marked
(`failed` is 1, its values are missing from there on), and the others go on. All lines of a table must be consistent
initial values before anything runs; a member of a grid or a sample that cannot start has failed.

Files have the number of each member, what varies, count and first time of events, `end` if events stop members,
`failed`, and for each row the columns. -o - writes CSV to standard output. A member that an event stops has no rows
after it; without --every its row is its last state. With --reduce and without --columns the files have the reductions;
variance is over n - 1, and quantiles of more than 1000 members are off by at most 0.1 % of their value.

Jobs that know nothing of each other compute parts (--part K/N); noslip merge makes one file of their files.

Exit codes: 0 done, 1 all members have failed (with --strict: one of them), 2 bad input, 3 file or disk, 129, 130 or 143
interrupted (with --checkpoint: noslip resume goes on).
)help";

std::string summary_of(const Ensemble& ensemble) {
  std::string text = fmt::format("system      {}\nmethod      {}, step {}, {}, double\n", ensemble.system, ensemble.method,
                                 to_short_text(ensemble.step), to_text(ensemble.backend));
  text += fmt::format("status      {}\nmembers     {} done, {} failed, of {}\n", to_text(ensemble.outcome.status),
                      ensemble.done, ensemble.failed, ensemble.members);
  const double rate = static_cast<double>(ensemble.done + ensemble.failed - ensemble.earlier) / ensemble.wall_seconds;
  text += fmt::format("cost        {:.3g} s, {:.0f} trajectories per second, {}, {}, {}\n", ensemble.wall_seconds,
                      rate, counted(ensemble.lanes, "lane", "lanes"), counted(ensemble.threads, "thread", "threads"),
                      counted(ensemble.ranks, "process", "processes"));
  return text + (ensemble.outcome.status == Status::done ? reduced_text(ensemble.reduced, ensemble.times) : "");
}

EnsembleReport report_of(const Ensemble& ensemble) {
  EnsembleReport report;
  report.system = ensemble.system;
  report.method = ensemble.method;
  report.backend = ensemble.backend;
  report.step = ensemble.step;
  report.members = ensemble.members;
  report.done = ensemble.done;
  report.failed = ensemble.failed;
  report.steps = ensemble.steps;
  report.earlier = ensemble.earlier;
  report.wall_seconds = ensemble.wall_seconds;
  report.threads = ensemble.threads;
  report.lanes = ensemble.lanes;
  report.ranks = ensemble.ranks;
  report.times = ensemble.times;
  report.outputs = outputs_of(ensemble.reduced);
  for (const MemberFailure& failure : ensemble.failures) {
    report.failures.push_back({failure.member, failure.t, failure.message});
  }
  report.warnings = ensemble.warnings;
  report.outcome = ensemble.outcome;
  return report;
}

void tell_failures(const Ensemble& ensemble) {
  constexpr std::size_t shown = 5;
  for (std::size_t i = 0; i < std::min(shown, ensemble.failures.size()); ++i) {
    const MemberFailure& failure = ensemble.failures[i];
    tell(fmt::format("member {} failed: {}", failure.member, failure.message));
  }
  if (ensemble.failed <= shown) return;
  const std::size_t listed = ensemble.failures.size();
  tell(fmt::format("{} more members failed; --json lists {}", ensemble.failed - shown,
                   ensemble.failed > listed ? fmt::format("the first {}", listed) : "them"));
}

int exit_code_of(const Ensemble& ensemble, bool is_strict) {
  if (ensemble.outcome.status == Status::interrupted && remembered_signal() != 0) return exit_signal + remembered_signal();
  const bool all_failed = ensemble.failed > 0 && ensemble.done == 0;
  return all_failed || (is_strict && ensemble.failed > 0) ? exit_numerical_failure : exit_done;
}

/// Draws the line of progress, and ends the ensemble at Ctrl-C.
class MemberProgress {
 public:
  explicit MemberProgress(bool quiet) : bar_(quiet), begin_(std::chrono::steady_clock::now()) {}
  bool operator()(long long done, long long all, long long steps) {
    if (!std::exchange(has_told_, true)) note_first_step();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    if (first_ < 0) first_ = done;
    const double rate = static_cast<double>(done - first_) / static_cast<double>(std::max(1LL, steps)) / seconds;
    bar_.update(fmt::format("{:.3g} trajectories/s", rate), done, all);
    return remembered_signal() == 0;
  }
  void clear() { bar_.clear(); }

 private:
  ProgressBar bar_;
  std::chrono::steady_clock::time_point begin_;
  long long first_ = -1;
  bool has_told_ = false;
};

void check_files(Arguments& arguments) {
  const std::vector<std::string> files = arguments.texts("--output");
  if (files.empty() && arguments.has("--force") && !arguments.has("--plot") && !arguments.has("--checkpoint")) {
    arguments.problem("--force has no effect without -o, --plot or --checkpoint", "drop it, or add -o FILE.h5");
  }
  if (arguments.has("--json") && std::find(files.begin(), files.end(), "-") != files.end()) {
    arguments.problem("--json and -o - both want standard output", "write the members to a file: -o FILE.csv");
  }
  const bool has_members = !arguments.has("--reduce") || arguments.has("--columns");
  if (arguments.has("--event") && (files.empty() || !has_members)) {
    const std::vector<std::string> events = arguments.texts("--event");
    const bool stops = std::any_of(events.begin(), events.end(), [](const std::string& text) { return text.find("stop") != std::string::npos; });
    if (!stops) {
      arguments.problem("--event has no effect without a file of members",
                        has_members ? "add -o FILE.csv" : "add -o FILE.csv and --columns EXPR,...");
    }
  }
  check_data_files(arguments, files);
  check_plot(arguments);
  if (arguments.has("--plot")) check_is_not_read(arguments, "--plot", arguments.text("--plot"));
  check_checkpoint(arguments);
}

/// The processes that compute together. However this one ends, the others do not wait for it.
class Together {
 public:
  /// Parts (--part) are computed by processes that know nothing of each other.
  explicit Together(bool is_alone) : ranks_(is_alone ? nullptr : join_ranks()) {
    if (!leads()) be_silent();
  }
  ~Together() {
    if (!ranks_) return;
    if (!has_begun_ && leads()) dismiss(*ranks_);
    if (!has_begun_ && !leads()) withdraw(*ranks_, std::make_exception_ptr(std::runtime_error("it could not begin")));
    ranks_->finish();
  }
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;

  bool leads() const { return !ranks_ || ranks_->rank() == 0; }
  Ranks* ranks() const { return ranks_.get(); }
  Ensemble integrate(const System& system, const Members& members, EnsembleOptions& options) {
    options.ranks = ranks_.get();
    has_begun_ = true;
    return integrate_ensemble(system, members, options);
  }

 private:
  std::unique_ptr<Ranks> ranks_;
  bool has_begun_ = false;
};

/// An ensemble that takes days, or more room than disks have, was perhaps not meant: it is told, and begins.
void tell_size(const EnsembleChoice& choice, const EnsembleFiles& files) {
  constexpr double many_bytes = 1e11, many_steps = 1e13;
  const RunOptions& run = choice.options.run;
  const auto members = static_cast<double>(choice.options.member_count > 0 ? choice.options.member_count
                                                                           : choice.members->count());
  const auto until = static_cast<double>(run.until / run.step);
  const double steps = run.steps > 0 ? static_cast<double>(run.steps) : std::ceil(until);
  const double bytes = files.bytes_of(members);
  if (bytes < many_bytes && members * steps < many_steps) return;
  const std::string stored = bytes > 0 ? fmt::format(", of which about {:.2g} GB are stored", bytes / 1e9) : "";
  tell(fmt::format("note: there are {:.6g} members with {:.2g} steps in all{}; Ctrl-C ends it", members, members * steps,
                   stored));
}

/// Computes, on rank 0 with everything that follows from it; the exit code.
int lead_ensemble(Arguments& arguments, const Words& words, const SystemChoice& system, EnsembleChoice& choice,
                  const SavedEnsemble* from, Together& together) {
  const bool quiet = arguments.has("--quiet");
  const std::string checkpoint = arguments.text("--checkpoint");
  std::optional<CheckpointLock> lock;
  if (!checkpoint.empty()) lock.emplace(checkpoint);
  if (!checkpoint.empty() && from == nullptr) refuse_file(checkpoint, arguments.has("--force"));
  EnsembleOptions& options = choice.options;
  const EnsembleTable table = ensemble_table(system.system, *choice.members, options);
  if (from == nullptr) refuse_plot_file(arguments);
  EnsembleFiles files(arguments, notes_of(arguments, system, options.run), choice, table);
  EnsemblePicture picture(arguments, choice, table);
  const auto followers = [&](Archive& archive) { archive(files, picture); };
  if (from != nullptr) {
    options.from = from->state;
    ByteReader bytes(from->followers);
    Archive archive(bytes);
    followers(archive);
  }
  options.sink = [&](const MemberBlock& block) {
    files.take(block);
    picture.take(block);
  };
  if (!checkpoint.empty()) {
    options.checkpoint = [&](const EnsembleCheckpoint& here) {
      ByteWriter to;
      Archive archive(to);
      followers(archive);
      SavedEnsemble saved{words, system.texts, here.state, to.take()};
      write_checkpoint(checkpoint, {"ensemble", saved_bytes(saved)});
    };
  }
  if (from == nullptr && !quiet) tell_size(choice, files);
  MemberProgress progress(quiet);
  const auto each = static_cast<long long>(choice.options.member_count > 0 ? choice.options.member_count
                                                                           : choice.members->count());
  options.run.progress = [&](long long done, long long all) { return progress(done, all, all / std::max(1LL, each)); };

  const Ensemble ensemble = together.integrate(system.system, *choice.members, options);
  progress.clear();
  if (ends_preparation()) throw Interrupted();  // nothing is there to be shown
  files.finish(ensemble, choice);
  if (arguments.has("--json")) {
    print(to_json_text(report_of(ensemble)));
  } else if (!quiet) {
    files.use_standard_output() ? print_error(summary_of(ensemble)) : print(summary_of(ensemble));
  }
  if (!quiet) files.tell_what_was_written();
  if (!quiet && arguments.has("--reduce") && arguments.has("--columns") && arguments.has("--output")) {
    tell("note: the file has the members, and the reductions are shown here; without --columns the file has these");
  }
  if (ensemble.outcome.status == Status::done) picture.write(arguments, ensemble);
  tell(ensemble.warnings);
  tell_failures(ensemble);
  if (ensemble.outcome.status != Status::done) {
    tell(ensemble.outcome.message);
    if (!checkpoint.empty()) tell(fmt::format("to go on: noslip resume {}", checkpoint));
  }
  return exit_code_of(ensemble, arguments.has("--strict"));
}

}  // namespace

void declare_ensemble(Arguments& arguments) {
  arguments.usage("SYSTEM --step H (--until T | --steps N) (--members F | --grid NAME=A:B:N | --sample N) [options]");
  declare_system(arguments);
  arguments.epilogue(ensemble_examples);
}

int run_ensemble(Arguments& arguments, const Words& words, FileTexts texts, const SavedEnsemble* from) {
  Together together(arguments.has("--part"));
  EnsembleChoice choice;
  choice.options = read_ensemble_options(arguments);
  check_files(arguments);
  const SystemChoice system = choose_system(arguments, std::move(texts));
  choice.options.run.set = system.set;
  choice.options.run.init = system.init;
  choice.options.run.control = system.control;
  choose_members(arguments, choice);
  for (const std::string& name : choice.members->names()) {  // what varies is not that of a row
    if (system.row_inputs.contains(name)) choice.options.run.control.inputs.erase(name);
  }
  if (together.leads()) return lead_ensemble(arguments, words, system, choice, from, together);
  if (from != nullptr) choice.options.from = from->state;
  note_first_step();  // the first process decides when it ends
  together.integrate(system.system, *choice.members, choice.options);
  return exit_done;
}

int ensemble_verb(const Words& words) {
  Arguments arguments("ensemble", "Integrates many members of one system: in SIMD lanes, threads and processes.");
  declare_ensemble(arguments);
  if (!arguments.parse(words)) return exit_done;
  return run_ensemble(arguments, words, {}, nullptr);
}

}  // namespace noslip::app
