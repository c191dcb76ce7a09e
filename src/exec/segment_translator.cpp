#include "exec/segment_translator.hpp"

namespace noslip {

#if NOSLIP_HAS_ASMJIT

SegmentTranslator::SegmentTranslator(const Segment& segment, std::uint32_t kept, int width, Isa isa)
    : Translator(segment.body, Lifetimes(segment.body),
                 {isa, segment.count > 1 ? width : 1, 1, has_calls(segment.body), segment.count > 1},
                 constants_of(segment.body)),
      segment_(segment) {
  for (const Segment::Place& place : segment.places) output_places_.push_back(place.memory);
  // What is the same for all elements is spread out once, in front of the loop.
  std::uint32_t top = (kept + 7) / 8 * 8;
  for (std::uint32_t input = tape_.first_input(); input < tape_.first_result(); ++input) {
    const Segment::Place& place = segment.places[tape_.input_slots()[input - tape_.first_input()]];
    settle(input, place.memory);
    if (width_ == 1 || !place.is_same) continue;
    const MemoryPlace block{MemoryPlace::Base::scratch, top};
    top += width_;
    code_.spread(block, place.memory);
    settle(input, block);
  }
  keep_scratch(top);
}

std::shared_ptr<const void> SegmentTranslator::run() {
  if (segment_.count > 1) code_.begin_strips();
  translate(0, static_cast<std::uint32_t>(tape_.code().size()));
  write_outputs(Lifetimes::never);
  if (segment_.count > 1) code_.end_strips(segment_.count);
  return code_.finish();
}

#endif

}  // namespace noslip
