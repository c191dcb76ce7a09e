// What data files tell of the command that has made them.
#pragma once

#include <noslip/io/row_sink.hpp>

#include "arguments.hpp"
#include "options.hpp"

namespace noslip::app {

/// Enough to repeat the run with noslip run: the text of the system, and every option that changes the numbers of a row,
/// as it was given. Where the run ends and which rows are stored the file shows itself.
FileNotes notes_of(const Arguments& arguments, const SystemChoice& choice, const RunOptions& options);

}  // namespace noslip::app
