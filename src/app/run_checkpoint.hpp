// Checkpoints of noslip run: --checkpoint, and what noslip resume finds in the file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/io/checkpoint_file.hpp>
#include <noslip/run/run.hpp>

#include "arguments.hpp"
#include "file_texts.hpp"
#include "interrupt.hpp"
#include "verbs.hpp"

namespace noslip::app {

/// Where a run is: its own bytes, and those of everybody who follows it.
struct RunPosition {
  std::string state;      ///< Checkpoint::state
  std::string followers;  ///< data files, picture
  void carry(Archive& archive) { archive(state, followers); }
};

/// What the file of a checkpoint holds.
struct SavedRun {
  Words words;      ///< behind `noslip run`
  FileTexts texts;  ///< of the files that it has read
  RunPosition here;
  /// It ended before its first step: `here` is empty.
  bool is_at_start() const { return here.state.empty(); }
  std::optional<RunPosition> before;  ///< from where it can go on to another end, if that is not certain of `here`
  void carry(Archive& archive) { archive(words, texts, here, before); }
};

/// Problems with --checkpoint and --checkpoint-every.
void check_checkpoint(Arguments& arguments);

/// A run that is interrupted before its first step: the file then says that it begins at the start.
class RunStart : public Farewell {
 public:
  /// From now on also a program that is ended in a preparation writes the file.
  RunStart(std::string file, Words words, const CheckpointLock& lock);
  ~RunStart() override { set_farewell(nullptr); }
  RunStart(const RunStart&) = delete;
  RunStart& operator=(const RunStart&) = delete;

  /// Files that have been read.
  void add(const FileTexts& texts);
  /// FileError if it cannot be written.
  void write();
  void operator()() const noexcept override;

 private:
  void prepare();

  std::string file_, told_;
  SavedRun saved_;
  const CheckpointLock& lock_;
  std::optional<ReadyCheckpoint> ready_;
};

/// How to go on, on standard error.
std::string how_to_go_on(const std::string& checkpoint);

/// Writes the file whenever the run asks for it.
class CheckpointWriter {
 public:
  /// `followers` carries what is saved beside the run. `free`: the last position of the run so far that is not bound to
  /// the end, if there is one.
  CheckpointWriter(std::string file, Words words, FileTexts texts, std::function<void(Archive&)> followers,
                   std::optional<RunPosition> free);

  void operator()(const Checkpoint& checkpoint);

 private:
  std::string file_;
  SavedRun saved_;
  std::function<void(Archive&)> followers_;
  std::optional<RunPosition> free_;  ///< the last one that is not bound to the end
};

/// A run that goes on, or begins (without a position, or with an empty one); the exit code. `words`: with which it can be repeated. `free`: as
/// above.
int run_from(Arguments& arguments, const Words& words, FileTexts texts, const RunPosition* from,
             std::optional<RunPosition> free = {});

/// An `Arguments` of noslip run.
void declare_run(Arguments& arguments);

}  // namespace noslip::app
