// Machine code of one segment of a rolled tape.
#pragma once

#include <memory>

#include "exec/rolled.hpp"
#include "exec/translator.hpp"

namespace noslip {

class SegmentTranslator : private Translator {
 public:
  /// Scratch up to `kept` is what segments leave for each other. Loops run `width` elements at a time.
  SegmentTranslator(const Segment& segment, std::uint32_t kept, int width, Isa isa);

  /// A function (double* workspace, double* scratch); null where the system does not allow memory for it.
  std::shared_ptr<const void> run();

  using Translator::scratch_size;

 private:
  const Segment& segment_;
};

}  // namespace noslip
