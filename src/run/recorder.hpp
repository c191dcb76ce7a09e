// Slots of a workspace under construction, and its numbers at the state where the order of elimination is chosen.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <noslip/run/step_program.hpp>

namespace noslip {

using Outputs = std::vector<Tape::Output>;

/// Assigns slots, keeps the list of what a kernel may read, and evaluates expressions at the first state, so that
/// pivots can be chosen.
class Recorder {
 public:
  Recorder(const StepRecipe& recipe, StepLayout& layout);

  int reserve(int count);
  int place(std::span<const Expr> symbols);
  int place(Expr symbol) { return place({&symbol, 1}); }
  Expr new_symbol(const std::string& stem);
  Tape tape(const Outputs& outputs) const;
  std::uint64_t fingerprint() const { return fingerprint_; }  ///< of all tapes so far
  static void add(Outputs& outputs, Expr expression, int slot);

  const std::vector<Expr>& settled_symbols() const { return settled_; }  ///< of layout.settled
  Tape first_guess() const;
  /// Fills in the first state and its guesses.
  void begin_numbers(const StepStart& start);
  /// Runs a tape on the numbers of the first state.
  void run(const Tape& tape);
  std::vector<double> numbers(std::span<const Expr> expressions);

 private:
  const StepRecipe& recipe_;
  StepLayout& layout_;
  std::vector<Tape::Input> inputs_;
  std::vector<double> numbers_;
  std::vector<Expr> settled_;
  int new_symbols_ = 0;
  mutable std::uint64_t fingerprint_ = 14695981039346656037ULL;
};

}  // namespace noslip
