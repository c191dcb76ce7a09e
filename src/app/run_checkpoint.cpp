#include "run_checkpoint.hpp"

#include <filesystem>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>

#include <noslip/core/printable.hpp>

#include "data_options.hpp"
#include "output.hpp"

namespace noslip::app {

namespace {

namespace fs = std::filesystem;

/// Rows go there and are gone: a pipe or a device.
bool is_passing(const std::string& file) {
  std::error_code ignored;
  const fs::file_status status = fs::status(file, ignored);
  return file == "-" || (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status));
}

}  // namespace

void check_checkpoint(Arguments& arguments) {
  if (!arguments.has("--checkpoint")) {
    if (arguments.has("--checkpoint-every")) {
      arguments.problem("--checkpoint-every has no effect without --checkpoint FILE", "drop it, or add --checkpoint FILE");
    }
    return;
  }
  const std::string file = arguments.text("--checkpoint");
  check_is_not_read(arguments, "--checkpoint", file);
  if (is_passing(file)) {
    arguments.problem(fmt::format("--checkpoint {}: this is not a file", shortened(file)),
                      "give the name of a file, for example --checkpoint run.checkpoint");
  }
  for (const std::string option : {"--output", "--events", "--plot"}) {
    for (const std::string& other : arguments.texts(option)) {
      if (!is_one(other, file) && !is_part_of(file, other)) continue;
      arguments.problem(fmt::format("--checkpoint {}: {} writes to this file", shortened(file), option),
                        "choose another name");
    }
  }
  for (const std::string option : {"--output", "--events"}) {
    const std::string shown = option == "--output" ? "-o" : option;
    for (const std::string& rows : arguments.texts(option)) {
      if (!is_passing(rows)) continue;
      arguments.problem(
          fmt::format("{} {} and --checkpoint: rows that have gone there cannot be continued", shown, shortened(rows)),
          fmt::format("write them to a file: {} FILE.csv", shown));
    }
  }
}

std::string how_to_go_on(const std::string& checkpoint) { return "to go on: noslip resume " + checkpoint; }

RunStart::RunStart(std::string file, Words words, const CheckpointLock& lock)
    : file_(std::move(file)), told_(printable(fmt::format("noslip: {}\n", how_to_go_on(file_)))), lock_(lock) {
  saved_.words = std::move(words);
  prepare();
}

void RunStart::add(const FileTexts& texts) {
  saved_.texts = texts;
  prepare();
}

void RunStart::prepare() {
  set_farewell(nullptr);
  ready_.emplace(file_, CheckpointFile{"run", saved_bytes(saved_)});
  set_farewell(this);
}

void RunStart::write() { write_checkpoint(file_, {"run", saved_bytes(saved_)}); }

void RunStart::operator()() const noexcept {
  const bool is_written = ready_->write() == 0;
  static constexpr std::string_view failure = "noslip: the checkpoint could not be written\n";
  const std::string_view message = is_written ? std::string_view(told_) : failure;
  [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, message.data(), message.size());
  lock_.remove();
}

CheckpointWriter::CheckpointWriter(std::string file, Words words, FileTexts texts,
                                   std::function<void(Archive&)> followers, std::optional<RunPosition> free)
    : file_(std::move(file)), followers_(std::move(followers)), free_(std::move(free)) {
  saved_.words = std::move(words);
  saved_.texts = std::move(texts);
}

void CheckpointWriter::operator()(const Checkpoint& checkpoint) {
  ByteWriter to;
  Archive archive(to);
  followers_(archive);
  saved_.here = {checkpoint.state, to.take()};
  if (checkpoint.is_bound_to_end) {
    saved_.before = free_;
  } else {
    saved_.before.reset();
    free_ = saved_.here;
  }
  write_checkpoint(file_, {"run", saved_bytes(saved_)});
}

}  // namespace noslip::app
