#include <noslip/exec/function.hpp>

namespace noslip {

template <class T>
Function<T>::Function(const Blocks& inputs, const Blocks& outputs, Backend backend) {
  std::size_t slot = 0;
  const auto placed = [&slot](const Blocks& blocks) {
    std::vector<PlacedBlock> result;
    for (const std::vector<Expr>& block : blocks) {
      result.push_back({block, slot});
      slot += block.size();
    }
    return result;
  };
  const std::vector<PlacedBlock> from = placed(inputs), to = placed(outputs);
  compile(from, to, backend, 1);
}

template <class T>
Function<T>::Function(std::span<const PlacedBlock> inputs, std::span<const PlacedBlock> outputs, Backend backend,
                      int lanes) {
  compile(inputs, outputs, backend, lanes);
}

template <class T>
void Function<T>::compile(std::span<const PlacedBlock> inputs, std::span<const PlacedBlock> outputs, Backend backend,
                          int lanes) {
  std::vector<Tape::Input> from;
  std::vector<Tape::Output> to;
  const auto add = [this](std::span<const PlacedBlock> blocks, std::vector<Place>& places, auto& list) {
    for (const PlacedBlock& placed : blocks) {
      places.push_back({placed.slot, placed.block.size()});
      workspace_size_ = std::max(workspace_size_, placed.slot + placed.block.size());
      for (std::size_t i = 0; i < placed.block.size(); ++i) {
        list.push_back({placed.block[i], static_cast<std::uint32_t>(placed.slot + i)});
      }
    }
  };
  add(inputs, inputs_, from);
  add(outputs, outputs_, to);
  kernel_ = Kernel<T>(Tape(from, to), backend, lanes);
}

template <class T>
Evaluation<T> Function<T>::operator()(std::initializer_list<Numbers> inputs) const {
  assert(inputs.size() == input_count());
  Evaluation<T> result(*this);
  std::size_t block = 0;
  for (const Numbers& numbers : inputs) result.set(block++, numbers);
  result.run();
  return result;
}

template class Function<double>;
template class Function<long double>;
template class Function<quad>;

}  // namespace noslip
