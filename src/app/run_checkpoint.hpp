// Checkpoints of noslip run: --checkpoint, and what noslip resume finds in the file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/run/run.hpp>

#include "arguments.hpp"
#include "file_texts.hpp"
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
  std::optional<RunPosition> before;  ///< from where it can go on to another end, if that is not certain of `here`
  void carry(Archive& archive) { archive(words, texts, here, before); }
};

/// Problems with --checkpoint and --checkpoint-every.
void check_checkpoint(Arguments& arguments);

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

/// A run that goes on, or begins (without a position); the exit code. `words`: with which it can be repeated. `free`: as
/// above.
int run_from(Arguments& arguments, const Words& words, FileTexts texts, const RunPosition* from,
             std::optional<RunPosition> free = {});

/// An `Arguments` of noslip run.
void declare_run(Arguments& arguments);

}  // namespace noslip::app
