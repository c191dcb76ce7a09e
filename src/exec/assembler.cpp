#include "exec/assembler.hpp"

#if NOSLIP_HAS_ASMJIT

#include <asmjit/x86.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

#include "exec/executable_memory.hpp"
#include "exec/instruction_ids.hpp"

namespace noslip {
namespace {

namespace Inst = asmjit::x86::Inst;

struct Failure : asmjit::ErrorHandler {
  void handleError(asmjit::Error error, const char* message, asmjit::BaseEmitter*) override {
    if (error == asmjit::kErrorOutOfMemory) throw std::bad_alloc();
    throw std::logic_error(std::string("machine code: ") + message);
  }
  /// Begins the code; a holder without memory for that tells no handler.
  void watch(asmjit::CodeHolder& code) {
    if (code.init(asmjit::Environment::host()) != asmjit::kErrorOk) throw std::bad_alloc();
    code.setErrorHandler(this);
  }
};

// Masks at the start of the pool, each wide enough for any register.
enum Mask : std::uint32_t { sign_bits, magnitude_bits, ones, zeros, mask_count };
constexpr std::uint32_t mask_bytes = 64;

}  // namespace

struct CodeAssembler::Impl {
  Impl(const Shape& shape, std::span<const double> constants)
      : has_evex(shape.isa == Isa::avx512),
        width(shape.width),
        stride(shape.stride),
        has_calls(shape.has_calls),
        is_loop(shape.is_loop) {
    failure.watch(code);
    code.attach(&a);
    // A power of two times a typical size: the buffer rarely has to grow.
    code.reserveBuffer(&code.textSection()->buffer(), 32768);
    embed_pool(constants);
    begin();
  }

  void embed_pool(std::span<const double> constants) {
    pool = a.newLabel();
    a.bind(pool);
    static constexpr std::array<std::uint64_t, mask_count> masks = {0x8000000000000000u, 0x7FFFFFFFFFFFFFFFu,
                                                                    std::bit_cast<std::uint64_t>(1.0), 0};
    std::vector<std::uint64_t> words;
    for (const std::uint64_t mask : masks) words.insert(words.end(), mask_bytes / sizeof mask, mask);
    constant_bytes = width == 1 || has_evex ? 8 : static_cast<std::uint32_t>(width) * 8;
    for (const double constant : constants) {
      words.insert(words.end(), constant_bytes / 8, std::bit_cast<std::uint64_t>(constant));
    }
    while (words.size() % 8 != 0) words.push_back(0);
    a.embed(words.data(), words.size() * sizeof(std::uint64_t));
    entry_offset = a.offset();
  }

  void begin() {
    using namespace asmjit;
    if (has_calls) {
      for (const x86::Gp& reg : kept()) a.push(reg);
      a.sub(x86::rsp, 8);  // calls want the stack aligned
      workspace = x86::rbx;
      scratch = x86::r12;
      a.mov(workspace, x86::rdi);
      a.mov(scratch, x86::rsi);
      if (is_loop) {
        all_runs = x86::r13;
        runs = x86::r14;
        a.mov(all_runs, x86::rdx);
      }
    }
    a.add(scratch, 63);
    a.and_(scratch, -64);
  }

  // Registers of the caller that are used where there are calls: an even number.
  std::span<const asmjit::x86::Gp> kept() const {
    using namespace asmjit;
    static const std::array<x86::Gp, 4> all = {x86::rbx, x86::r12, x86::r13, x86::r14};
    return std::span(all).first(is_loop ? 4 : 2);
  }

  void end() {
    using namespace asmjit;
    if (width > 1) a.vzeroupper();
    if (is_loop) a.mov(x86::rax, runs);
    if (has_calls) {
      a.add(x86::rsp, 8);
      const std::span<const x86::Gp> registers = kept();
      for (std::size_t k = registers.size(); k-- > 0;) a.pop(registers[k]);
    }
    a.ret();
  }

  asmjit::x86::Vec vec(int reg) const {
    const auto id = static_cast<std::uint32_t>(reg);
    if (width == 1) return asmjit::x86::xmm(id);
    if (width == 4) return asmjit::x86::ymm(id);
    return asmjit::x86::zmm(id);
  }
  std::uint32_t bytes() const { return static_cast<std::uint32_t>(width) * 8; }

  asmjit::x86::Mem mem(MemoryPlace place) const {
    using namespace asmjit;
    switch (place.base) {
      case MemoryPlace::Base::pool: {
        const auto offset = static_cast<std::int32_t>(mask_count * mask_bytes + place.index * constant_bytes);
        if (width == 1 || !has_evex) return x86::ptr(pool, offset, bytes());
        const x86::Mem element = x86::ptr(pool, offset, 8);
        return width == 4 ? element._1to4() : element._1to8();
      }
      case MemoryPlace::Base::workspace:
        return x86::ptr(workspace, static_cast<std::int32_t>(place.index * static_cast<std::uint32_t>(stride) * 8),
                        bytes());
      case MemoryPlace::Base::moving_workspace:
        return x86::ptr(workspace, runs, 0, static_cast<std::int32_t>(place.index * 8), bytes());
      case MemoryPlace::Base::moving_scratch:
        return x86::ptr(scratch, runs, 0, static_cast<std::int32_t>(place.index * 8), bytes());
      default:
        assert(place.base == MemoryPlace::Base::scratch);
        return x86::ptr(scratch, static_cast<std::int32_t>(place.index * 8), bytes());
    }
  }
  asmjit::x86::Mem mask(Mask which) const {
    // Sixteen bytes for scalars too: the bitwise instructions have no scalar form.
    return asmjit::x86::ptr(pool, static_cast<std::int32_t>(which * mask_bytes), std::max(bytes(), 16u));
  }
  asmjit::Operand operand(const Source& source) const {
    if (source.reg >= 0) return vec(source.reg);
    return mem(source.place);
  }
  Inst::Id pick(Ids ids) const { return width == 1 ? ids.scalar : ids.packed; }

  void compare(int mask_register_or_to, int left, const asmjit::Operand& right, asmjit::x86::VCmpImm how) {
    const Inst::Id id = pick({Inst::kIdVcmpsd, Inst::kIdVcmppd});
    const asmjit::Imm imm(static_cast<int>(how));
    if (has_evex) {
      a.emit(id, asmjit::x86::k1, vec(left), right, imm);
    } else {
      a.emit(id, vec(mask_register_or_to), vec(left), right, imm);
    }
  }
  // The zero of a comparison: scalar compares read eight bytes only.
  asmjit::x86::Mem zero() const {
    return asmjit::x86::ptr(pool, static_cast<std::int32_t>(zeros * mask_bytes), bytes());
  }

  Failure failure;
  asmjit::CodeHolder code;
  asmjit::x86::Assembler a;
  asmjit::Label pool;
  bool has_evex;
  int width, stride;
  bool has_calls, is_loop;
  std::uint32_t constant_bytes = 8;
  std::size_t entry_offset = 0;
  asmjit::x86::Gp workspace = asmjit::x86::rdi, scratch = asmjit::x86::rsi;
  asmjit::x86::Gp all_runs = asmjit::x86::rdx, runs = asmjit::x86::rcx;
  asmjit::Label run, end_of_runs;
};

CodeAssembler::CodeAssembler(const Shape& shape, std::span<const double> constants)
    : impl_(std::make_unique<Impl>(shape, constants)) {}
CodeAssembler::~CodeAssembler() = default;

int CodeAssembler::register_count() const { return impl_->has_evex ? 32 : 16; }

void CodeAssembler::load(int to, MemoryPlace from) {
  const Impl& m = *impl_;
  asmjit::x86::Mem memory = m.mem(from);
  if (m.width == 1) {
    impl_->a.emit(Inst::kIdVmovsd, m.vec(to), memory);
  } else if (memory.hasBroadcast()) {
    memory.resetBroadcast();
    impl_->a.emit(Inst::kIdVbroadcastsd, m.vec(to), memory);
  } else {
    impl_->a.emit(Inst::kIdVmovupd, m.vec(to), memory);
  }
}

void CodeAssembler::store(MemoryPlace to, int from) {
  impl_->a.emit(impl_->pick({Inst::kIdVmovsd, Inst::kIdVmovupd}), impl_->mem(to), impl_->vec(from));
}

void CodeAssembler::move(int to, int from) { impl_->a.emit(Inst::kIdVmovapd, impl_->vec(to), impl_->vec(from)); }

void CodeAssembler::binary(TapeOp op, int to, int a, const Source& b) {
  impl_->a.emit(impl_->pick(binary_ids(op)), impl_->vec(to), impl_->vec(a), impl_->operand(b));
}

void CodeAssembler::fused(TapeOp op, Form form, int to, int second, const Source& third) {
  impl_->a.emit(impl_->pick(fused_ids(op, form)), impl_->vec(to), impl_->vec(second), impl_->operand(third));
}

void CodeAssembler::unary(TapeOp op, int to, int a) {
  Impl& m = *impl_;
  switch (op) {
    case TapeOp::neg: m.a.emit(Inst::kIdVxorpd, m.vec(to), m.vec(a), m.mask(sign_bits)); return;
    case TapeOp::abs: m.a.emit(Inst::kIdVandpd, m.vec(to), m.vec(a), m.mask(magnitude_bits)); return;
    default: break;
  }
  if (op == TapeOp::floor) {
    constexpr int downwards = 9;  // and no exceptions
    const Inst::Id scalar = m.has_evex ? Inst::kIdVrndscalesd : Inst::kIdVroundsd;
    const Inst::Id packed = m.has_evex ? Inst::kIdVrndscalepd : Inst::kIdVroundpd;
    if (m.width == 1) {
      m.a.emit(scalar, m.vec(to), m.vec(a), m.vec(a), asmjit::Imm(downwards));
    } else {
      m.a.emit(packed, m.vec(to), m.vec(a), asmjit::Imm(downwards));
    }
    return;
  }
  assert(op == TapeOp::sqrt);
  if (m.width == 1) {
    m.a.emit(Inst::kIdVsqrtsd, m.vec(to), m.vec(a), m.vec(a));
  } else {
    m.a.emit(Inst::kIdVsqrtpd, m.vec(to), m.vec(a));
  }
}

void CodeAssembler::less(int to, int a, const Source& b) {
  Impl& m = *impl_;
  m.compare(to, a, m.operand(b), asmjit::x86::VCmpImm::kLT_OQ);
  if (m.has_evex) {
    m.a.k(asmjit::x86::k1).z().emit(Inst::kIdVmovapd, m.vec(to), m.mask(ones));
  } else {
    m.a.emit(Inst::kIdVandpd, m.vec(to), m.vec(to), m.mask(ones));
  }
}

void CodeAssembler::select(int to, int a, int b, int c) {
  Impl& m = *impl_;
  m.compare(to, a, m.zero(), asmjit::x86::VCmpImm::kGT_OQ);
  if (m.has_evex) {
    m.a.k(asmjit::x86::k1).emit(Inst::kIdVblendmpd, m.vec(to), m.vec(c), m.vec(b));
  } else {
    m.a.emit(Inst::kIdVblendvpd, m.vec(to), m.vec(c), m.vec(b), m.vec(to));
  }
}

// One with the sign of a, kept where a is not zero and not NaN.
void CodeAssembler::sign(int to, int temporary, int a) {
  Impl& m = *impl_;
  m.compare(temporary, a, m.zero(), asmjit::x86::VCmpImm::kNEQ_OQ);
  m.a.emit(Inst::kIdVandpd, m.vec(to), m.vec(a), m.mask(sign_bits));
  if (m.has_evex) {
    m.a.k(asmjit::x86::k1).z().emit(Inst::kIdVorpd, m.vec(to), m.vec(to), m.mask(ones));
  } else {
    m.a.emit(Inst::kIdVorpd, m.vec(to), m.vec(to), m.mask(ones));
    m.a.emit(Inst::kIdVandpd, m.vec(to), m.vec(to), m.vec(temporary));
  }
}

void CodeAssembler::gather(std::uint32_t scratch_index, std::span<const Source> parts, int total, std::uint32_t keep) {
  using namespace asmjit;
  Impl& m = *impl_;
  // Everything is assembled in registers and written at once: a wide load of several narrow stores would stall.
  std::uint32_t taken = keep;
  for (const Source& part : parts) taken |= part.reg >= 0 ? 1u << part.reg : 0u;
  const auto temporary = [&] {
    const int reg = std::countr_one(taken);
    assert(reg < register_count());
    taken |= 1u << reg;
    return reg;
  };
  const auto part = [&](int k) {
    return parts[static_cast<std::size_t>(k) < parts.size() ? static_cast<std::size_t>(k) : 0];
  };
  const auto in_register = [&](const Source& source) {
    if (source.reg >= 0) return source.reg;
    const int reg = temporary();
    load(reg, source.place);
    return reg;
  };
  const auto xmm = [](int reg) { return x86::xmm(static_cast<std::uint32_t>(reg)); };
  const auto ymm = [](int reg) { return x86::ymm(static_cast<std::uint32_t>(reg)); };
  const auto zmm = [](int reg) { return x86::zmm(static_cast<std::uint32_t>(reg)); };
  const auto pair = [&](int k) {
    const int low = in_register(part(k));
    const int to = part(k).reg >= 0 ? temporary() : low;
    const Source high = part(k + 1);
    if (high.reg >= 0) {
      m.a.vunpcklpd(xmm(to), xmm(low), xmm(high.reg));
    } else {
      m.a.vmovhpd(xmm(to), xmm(low), m.mem(high.place));
    }
    return to;
  };
  const auto four = [&](int k) {
    if (m.width == 4) return in_register(part(k));
    const int low = pair(4 * k), high = pair(4 * k + 2);
    // The older instruction cannot name the upper sixteen registers.
    m.a.emit(m.has_evex ? Inst::kIdVinsertf64x2 : Inst::kIdVinsertf128, ymm(low), ymm(low), xmm(high), Imm(1));
    return low;
  };
  const x86::Mem to = x86::ptr(m.scratch, static_cast<std::int32_t>(scratch_index * 8));
  if (total == m.width) {
    store({MemoryPlace::Base::scratch, scratch_index}, in_register(part(0)));
  } else if (total == 4) {
    m.a.vmovupd(to, ymm(four(0)));
  } else {
    assert(total == 8);
    const int low = four(0), high = four(1), both = temporary();
    m.a.vinsertf64x4(zmm(both), zmm(low), ymm(high), 1);
    m.a.vmovupd(to, zmm(both));
  }
}

void CodeAssembler::call(FunctionCall function, std::uint32_t a, std::uint32_t b, std::uint32_t out,
                         std::uint32_t out2, const double* data) {
  using namespace asmjit;
  Impl& m = *impl_;
  assert(m.has_calls);
  const auto address = [&](std::uint32_t index) { return x86::ptr(m.scratch, static_cast<std::int32_t>(index * 8)); };
  m.a.vzeroupper();  // the function may have been compiled for older instructions
  m.a.lea(x86::rdi, address(a));
  m.a.lea(x86::rsi, address(b));
  m.a.lea(x86::rdx, address(out));
  if (data != nullptr) {
    m.a.mov(x86::rcx, Imm(reinterpret_cast<std::uintptr_t>(data)));
  } else {
    m.a.lea(x86::rcx, address(out2));
  }
  m.a.mov(x86::rax, Imm(reinterpret_cast<std::uintptr_t>(function)));
  m.a.call(x86::rax);
}

void CodeAssembler::call(PlainFunction function, const Source& a, const Source* b) {
  Impl& m = *impl_;
  assert(m.has_calls && m.width == 1);
  const auto put = [&](int to, const Source& from) {
    if (from.reg < 0) {
      load(to, from.place);
    } else if (from.reg != to) {
      move(to, from.reg);
    }
  };
  if (b == nullptr) {
    put(0, a);
  } else if (a.reg != 1) {
    put(1, *b);
    put(0, a);
  } else if (b->reg != 0) {
    put(0, a);
    put(1, *b);
  } else {
    constexpr int aside = 2;
    move(aside, 0);
    move(0, 1);
    move(1, aside);
  }
  m.a.vzeroupper();
  m.a.mov(asmjit::x86::rax, asmjit::Imm(reinterpret_cast<std::uintptr_t>(function)));
  m.a.call(asmjit::x86::rax);
}

void CodeAssembler::begin_run() {
  Impl& m = *impl_;
  assert(m.is_loop);
  m.run = m.a.newLabel();
  m.end_of_runs = m.a.newLabel();
  m.a.xor_(m.runs, m.runs);
  m.a.align(asmjit::AlignMode::kCode, 64);
  m.a.bind(m.run);
}

void CodeAssembler::end_run(std::span<const Source> guarded, MemoryPlace limit, int temporary) {
  Impl& m = *impl_;
  m.a.inc(m.runs);
  for (const Source& source : guarded) {
    int reg = source.reg;
    if (reg < 0) {
      reg = temporary;
      load(reg, source.place);
    }
    unary(TapeOp::abs, temporary, reg);
    if (m.width == 1) {
      m.a.emit(Inst::kIdVucomisd, m.vec(temporary), m.mem(limit));
      m.a.ja(m.end_of_runs);
      continue;
    }
    m.compare(temporary, temporary, m.mem(limit), asmjit::x86::VCmpImm::kGT_OQ);
    if (m.has_evex) {
      m.a.kortestb(asmjit::x86::k1, asmjit::x86::k1);
    } else {
      m.a.emit(Inst::kIdVtestpd, m.vec(temporary), m.vec(temporary));
    }
    m.a.jnz(m.end_of_runs);
  }
  m.a.cmp(m.runs, m.all_runs);
  m.a.jb(m.run);
  m.a.bind(m.end_of_runs);
}

void CodeAssembler::spread(MemoryPlace to, MemoryPlace from) {
  Impl& m = *impl_;
  asmjit::x86::Mem number = m.mem(from);
  number.setSize(8);
  m.a.emit(Inst::kIdVbroadcastsd, m.vec(0), number);
  store(to, 0);
}

// Of strips `runs` counts the bytes, and `all_runs` is the start of the last one.
void CodeAssembler::begin_strips() { begin_run(); }

void CodeAssembler::end_strips(std::uint32_t count) {
  Impl& m = *impl_;
  assert(count >= static_cast<std::uint32_t>(m.width));
  const std::uint32_t last = (count - static_cast<std::uint32_t>(m.width)) * 8;
  m.a.mov(m.all_runs, last);
  m.a.cmp(m.runs, m.all_runs);
  m.a.je(m.end_of_runs);
  m.a.add(m.runs, m.bytes());
  m.a.cmp(m.runs, m.all_runs);
  m.a.cmova(m.runs, m.all_runs);
  m.a.jmp(m.run);
  m.a.bind(m.end_of_runs);
}

namespace {

/// Position-independent and in one section: the bytes can be copied as they are.
std::shared_ptr<const void> made_executable(const asmjit::CodeHolder& code, std::size_t entry_offset) {
  assert(!code.hasUnresolvedLinks() && code.relocEntries().empty());
  const asmjit::CodeBuffer& buffer = code.textSection()->buffer();
  const auto base = executable_memory(buffer.size(), [&](std::byte* address) {
    std::memcpy(address, buffer.data(), buffer.size());
    return true;
  });
  if (base == nullptr) return nullptr;
  return {base, static_cast<const std::byte*>(base.get()) + entry_offset};
}

}  // namespace

std::shared_ptr<const void> CodeAssembler::finish() {
  impl_->end();
  return made_executable(impl_->code, impl_->entry_offset);
}

std::shared_ptr<const void> call_in_turn(const std::vector<std::shared_ptr<const void>>& functions) {
  using namespace asmjit;
  Failure failure;
  CodeHolder code;
  failure.watch(code);
  x86::Assembler a(&code);
  a.push(x86::rbx), a.push(x86::r12);
  a.sub(x86::rsp, 8);  // calls want the stack aligned
  a.mov(x86::rbx, x86::rdi);
  a.mov(x86::r12, x86::rsi);
  for (const std::shared_ptr<const void>& function : functions) {
    a.mov(x86::rdi, x86::rbx);
    a.mov(x86::rsi, x86::r12);
    a.mov(x86::rax, Imm(reinterpret_cast<std::uintptr_t>(function.get())));
    a.call(x86::rax);
  }
  a.add(x86::rsp, 8);
  a.pop(x86::r12), a.pop(x86::rbx);
  a.ret();
  const std::shared_ptr<const void> caller = made_executable(code, 0);
  if (caller == nullptr) return nullptr;
  const auto all = std::make_shared<std::pair<std::vector<std::shared_ptr<const void>>, std::shared_ptr<const void>>>(
      functions, caller);
  return {all, caller.get()};
}

}  // namespace noslip

#endif
