// Machine code that runs a tape many times in a row.
//
// What one run leaves for the next stays in registers as far as they go; the rest goes through its slot of the
// workspace. What is the same in all runs is computed once before them. A first translation, which is thrown away,
// shows what is in the registers at the end of a run: that is how every run begins in the second.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "exec/loop_form.hpp"
#include "exec/machine_code.hpp"
#include "exec/translator.hpp"

namespace noslip {

class LoopTranslator : private Translator {
 public:
  /// What is in registers when a run begins.
  struct Resident {
    int reg;
    std::uint32_t value;   ///< of the run that begins
    std::uint32_t before;  ///< the same one at the end of the run before
    int carried;           ///< its number in LoopForm::carried, or -1 for a value that is the same in all runs
  };

  /// The residents that a run ends with if there are none at its beginning.
  static std::vector<Resident> find_residents(const LoopForm& loop, int width, int stride, Isa isa);

  LoopTranslator(const LoopForm& loop, std::span<const Resident> residents, const LoopGuard& guard, int width,
                 int stride, Isa isa);

  /// The code of the loop; null where the system does not allow memory for it.
  std::shared_ptr<const void> run();

  using Translator::scratch_size;

 private:
  LoopTranslator(const LoopForm& loop, std::span<const Resident> residents, const std::vector<bool>& stays,
                 const LoopGuard& guard, int width, int stride, Isa isa);

  void translate_beginning();
  void translate_run();
  void move_residents();
  std::vector<Source> guarded_values() const;
  int unused_register() const;

  const LoopForm& loop_;
  std::vector<Resident> residents_;
  LoopGuard guard_;
};

}  // namespace noslip
