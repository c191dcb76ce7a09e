#include "run_plot.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "plot_options.hpp"

namespace noslip::app {

namespace {

constexpr double most_looks = 2e6;  ///< that a picture takes at a run; a look costs more than a step

}  // namespace

void check_run_plot(Arguments& arguments) {
  check_plot(arguments);
  if (arguments.has("--show") && !arguments.has("--plot")) {
    arguments.problem("--show has no effect without --plot FILE.svg", "drop it, or add --plot FILE.svg");
  }
}

RunPicture::RunPicture(const Arguments& arguments, const SystemChoice& choice, const RunOptions& options,
                       bool is_resumed)
    : is_resumed_(is_resumed) {
  if (!arguments.has("--plot")) return;
  if (!is_resumed) refuse_plot_file(arguments);
  begin_ = choice.initial.t;
  end_ = options.steps > 0 ? begin_ + static_cast<double>(options.step) * static_cast<double>(options.steps)
                           : static_cast<double>(options.until);
  plot_.emplace(choice.system, choice.parameters, arguments.text("--show"), begin_, end_);
}

void RunPicture::watch(RunOptions& options) {
  if (!plot_) return;
  rows_ = std::move(options.sink);
  // Of very long runs the picture sees some million steps, in the rhythm of the rows that are stored.
  const double steps = (end_ - begin_) / static_cast<double>(options.step);
  long long stride = std::max(1LL, static_cast<long long>(steps / most_looks));
  if (rows_) stride = std::gcd(stride, options.every);
  every_ = rows_ ? options.every / stride : 1;
  options.every = stride;
  options.sink = [this](const Sample& sample) {
    plot_->add(sample);
    if (!rows_) return;
    is_last_left_out_ = seen_++ % every_ != 0;
    if (is_last_left_out_) {
      last_ = sample;
    } else {
      rows_(sample);
    }
  };
}

void RunPicture::carry(Archive& archive) {
  archive(seen_, is_last_left_out_, last_);
  if (plot_) archive(*plot_);
}

void RunPicture::hand_on_last_row() {
  if (std::exchange(is_last_left_out_, false)) rows_(last_);
}

void RunPicture::write(Arguments& arguments, const Trajectory& run) const {
  if (plot_) write_plot(arguments, plot_->plot(run), is_resumed_);
}

}  // namespace noslip::app
