// noslip resume: goes on from a checkpoint.
#include <fmt/format.h>

#include <noslip/io/checkpoint_file.hpp>

#include "ensemble_run.hpp"
#include "output.hpp"
#include "run_checkpoint.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

constexpr const char* resume_examples = R"(Examples:
  noslip run sleigh --step 0.01 --until 1e6 -o path.csv --every 100 --checkpoint sleigh.checkpoint
  noslip resume sleigh.checkpoint
  noslip resume sleigh.checkpoint --until 2e6

All options are those of the run, and the file holds the texts that the run has read; --until and --steps give it
another end. Summary and files are byte for byte those of a run without a break. Names of files are relative to the
folder in which the command is started, as they were for the run.

An ensemble goes on to its end, with any number of threads and processes.

Exit codes are those of noslip run and noslip ensemble.
)";

bool gives_end(const Arguments& given) { return given.has("--until") || given.has("--steps"); }

/// The words with which the run could be repeated, with the new end.
Words changed_words(Words words, const Arguments& given) {
  const auto drop = [&](const std::string& name) {
    for (std::size_t i = 0; i < words.size();) {
      const bool is_pair = words[i] == name;
      if (!is_pair && !words[i].starts_with(name + "=")) {
        ++i;
        continue;
      }
      const auto at = words.begin() + static_cast<std::ptrdiff_t>(i);
      words.erase(at, at + (is_pair && i + 1 < words.size() ? 2 : 1));
    }
  };
  if (gives_end(given)) drop("--until"), drop("--steps");
  if (given.has("--checkpoint-every")) drop("--checkpoint-every");
  for (const std::string option : {"--until", "--steps", "--checkpoint-every"}) {
    if (given.has(option)) words.push_back(fmt::format("{}={}", option, given.text(option)));
  }
  return words;
}

void tell_changed(const FileTexts& texts) {
  for (const std::string& name : texts.changed()) {
    tell(fmt::format("note: '{}' has changed since the run began; it goes on with what was in it then", name));
  }
}

int resume_run(SavedRun saved, const std::string& file, const Arguments& given) {
  const Words words = changed_words(saved.words, given);
  const bool quiet = given.has("--quiet");
  if (!quiet) tell_changed(saved.texts);
  const auto go_on = [&](const RunPosition& from) {
    Arguments run("run", "");
    declare_run(run);
    run.parse(words);
    if (gives_end(given) && run.has("--plot") && !saved.is_at_start()) {
      throw InputError("the run draws a plot (--plot), which was laid out for its end",
                       "resume it without --until and --steps, or start again with the other end");
    }
    run.replace("--checkpoint", file);
    if (quiet) run.replace("--quiet", "yes");
    if (given.has("--json")) run.replace("--json", "yes");
    return run_from(run, words, saved.texts, &from, saved.before);
  };
  if (!saved.before) return go_on(saved.here);
  try {
    return go_on(saved.here);
  } catch (const OtherEnd&) {
    return go_on(*saved.before);
  }
}

int resume_ensemble(SavedEnsemble& saved, const std::string& file, const Arguments& given) {
  if (gives_end(given)) {
    throw InputError("an ensemble cannot be extended: its members are not kept", "start it again with the other end");
  }
  const bool quiet = given.has("--quiet");
  if (!quiet) tell_changed(saved.texts);
  Arguments ensemble("ensemble", "");
  declare_ensemble(ensemble);
  ensemble.parse(saved.words);
  ensemble.replace("--checkpoint", file);
  for (const std::string option : {"--threads", "--checkpoint-every"}) {
    if (given.has(option)) ensemble.replace(option, given.text(option));
  }
  for (const std::string flag : {"--quiet", "--json"}) {
    if (given.has(flag)) ensemble.replace(flag, "yes");
  }
  return run_ensemble(ensemble, saved.words, saved.texts, &saved);
}

}  // namespace

int resume_verb(const Words& words) {
  Arguments arguments("resume", "Goes on from a checkpoint that noslip run or noslip ensemble has written.");
  arguments.usage("FILE [--until T | --steps N] [options]");
  arguments.positional("FILE", "what --checkpoint FILE has written");
  arguments.declare();
  arguments.epilogue(resume_examples);
  if (!arguments.parse(words)) return exit_done;
  if (!arguments.has("FILE")) arguments.problem("no file is given", "name a file that --checkpoint has written");
  if (arguments.has("--until")) arguments.number("--until");
  if (arguments.has("--steps")) arguments.whole_number("--steps");
  if (arguments.has("--checkpoint-every")) arguments.number("--checkpoint-every");
  if (arguments.has("--until") && arguments.has("--steps")) {
    arguments.problem("--until and --steps are both given", "give one of --until T and --steps N");
  }
  arguments.refuse_problems();
  const std::string file = arguments.text("FILE");
  const CheckpointFile found = read_checkpoint(file);  // only a checkpoint is locked
  if (found.kind == "ensemble") {  // of several processes one locks it
    SavedEnsemble saved;
    load_bytes(saved, found.content);
    return resume_ensemble(saved, file, arguments);
  }
  const CheckpointLock lock(file);
  const CheckpointFile checkpoint = read_checkpoint(file);  // as nobody changes it any more
  if (checkpoint.kind.starts_with("python ")) {
    throw InputError(fmt::format("'{}' was written by the Python module, and holds the arguments of a call", file),
                     fmt::format("go on in Python: noslip.resume(\"{}\")", file));
  }
  if (checkpoint.kind != "run") {
    throw InputError(fmt::format("'{}' is a checkpoint of '{}', which this version does not continue", file,
                                 checkpoint.kind),
                     "give a file that noslip run --checkpoint FILE has written");
  }
  if (arguments.has("--threads")) {
    throw InputError("--threads: this is the checkpoint of a single run", "drop it");
  }
  SavedRun saved;
  load_bytes(saved, checkpoint.content);
  return resume_run(std::move(saved), file, arguments);
}

}  // namespace noslip::app
