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
  data_ = compiled(from, to, backend, 1);
}

template <class T>
Function<T>::Function(std::span<const PlacedBlock> inputs, std::span<const PlacedBlock> outputs, Backend backend,
                      int lanes)
    : data_(compiled(inputs, outputs, backend, lanes)) {}

template <class T>
std::shared_ptr<const typename Function<T>::Data> Function<T>::compiled(std::span<const PlacedBlock> inputs,
                                                                        std::span<const PlacedBlock> outputs,
                                                                        Backend backend, int lanes) {
  auto data = std::make_shared<Data>();
  std::vector<Tape::Input> from;
  std::vector<Tape::Output> to;
  const auto add = [&data](std::span<const PlacedBlock> blocks, std::vector<Place>& places, auto& list) {
    for (const PlacedBlock& placed : blocks) {
      places.push_back({placed.slot, placed.block.size()});
      data->workspace_size = std::max(data->workspace_size, placed.slot + placed.block.size());
      for (std::size_t i = 0; i < placed.block.size(); ++i) {
        list.push_back({placed.block[i], static_cast<std::uint32_t>(placed.slot + i)});
      }
    }
  };
  add(inputs, data->inputs, from);
  add(outputs, data->outputs, to);
  data->kernel = Kernel<T>(Tape(from, to), backend, lanes);
  return data;
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
