// Dense output of a whole run: every step with what its polynomials need.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/run/dense_output.hpp>
#include <noslip/run/run.hpp>

#include "run/inside_step.hpp"

namespace noslip {

template <class T>
class KeptSteps final : public DenseOutput {
 public:
  /// A state as a sample, by the equations of motion with these parameters; `jumps` is the work of changes between the
  /// steps so far.
  using ToSample = std::function<Sample(T t, std::span<const T> state, std::span<const T> parameters, T jumps)>;

  KeptSteps(T start, std::span<const T> state, std::span<const T> parameters, InsideStep<T> inside, ToSample to_sample);

  void add(const StepView<T>& step);
  /// The last step ends here, inside of it.
  void cut(T t);
  /// The motion goes on from the end of the last step with another state, or other parameters.
  void restart(T t, std::span<const T> state, std::span<const T> parameters, T jumps, bool has_moved);

  double begin() const override { return static_cast<double>(start_); }
  double end() const override { return static_cast<double>(end_); }
  Sample at(double t) const override;
  void carry(Archive& archive) { archive(observed_, end_, steps_, states_, changes_, last_, pieces_); }

 private:
  /// A step; numbers of its states and of what was observed begin there in the lists.
  struct Step {
    T t, h, end;  ///< as it was made; it may have been cut
    std::size_t before, after, observed, piece;
    void carry(Archive& archive) { archive(t, h, end, before, after, observed, piece); }
  };

  std::size_t count_, observed_ = 0;  // numbers of a state, and of what is observed of a step
  T start_, end_;
  std::vector<Step> steps_;
  std::vector<T> states_, changes_;
  std::size_t last_ = 0;  // where the last state begins
  struct Piece {
    std::vector<T> parameters;
    T jumps = 0;
    bool has_moved = false;  ///< positions or velocities are others than at the end of the piece before
    void carry(Archive& archive) { archive(parameters, jumps, has_moved); }
  };
  std::vector<Piece> pieces_;  // of the run
  ToSample to_sample_;
  mutable InsideStep<T> inside_;
  mutable std::size_t piece_ = 0;  // that inside_ has the parameters of
  mutable std::vector<T> state_;
  mutable std::mutex mutex_;
};

}  // namespace noslip
