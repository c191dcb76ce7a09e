// One call of noslip ensemble, which begins or goes on.
#pragma once

#include <string>

#include <noslip/core/archive.hpp>

#include "arguments.hpp"
#include "file_texts.hpp"
#include "verbs.hpp"

namespace noslip::app {

/// What the file of a checkpoint holds.
struct SavedEnsemble {
  Words words;      ///< behind `noslip ensemble`
  FileTexts texts;  ///< of the files that it has read; not the members
  std::string state, followers;
  void carry(Archive& archive) { archive(words, texts, state, followers); }
};

/// An `Arguments` of noslip ensemble.
void declare_ensemble(Arguments& arguments);

/// The exit code. `from`: where it goes on; null at the beginning.
int run_ensemble(Arguments& arguments, const Words& words, FileTexts texts, const SavedEnsemble* from);

}  // namespace noslip::app
