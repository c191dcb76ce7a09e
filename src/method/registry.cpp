// Method names to methods.
#include <noslip/method/method.hpp>

#include <charconv>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/method/spark.hpp>

namespace noslip {

namespace {

struct Family {
  std::string name;
  std::string pattern;
  std::string order;
  int default_stages;
  int least_stages;
  int most_stages;
  std::shared_ptr<const Method> (*make)(int stages);
};

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"gauss", "gauss:s (s = 1 to 64)", "2s", 2, 1, 64, make_gauss},
  };
  return all;
}

}  // namespace

std::shared_ptr<const Method> find_method(std::string_view name) {
  const std::size_t colon = name.find(':');
  const std::string family_name(name.substr(0, colon));
  std::vector<std::string> known;
  for (const Family& family : families()) {
    known.push_back(family.name);
    if (family.name != family_name) continue;
    int stages = family.default_stages;
    if (colon != std::string_view::npos) {
      const std::string_view text = name.substr(colon + 1);
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), stages);
      if (error != std::errc() || end != text.data() + text.size() || stages < family.least_stages ||
          stages > family.most_stages) {
        throw InputError(fmt::format("method '{}': '{}' is not a number of stages", name, text),
                         fmt::format("use {}, for example {}:{}", family.pattern, family.name, family.default_stages));
      }
    }
    return family.make(stages);
  }
  std::string remedy = did_you_mean(family_name, known);
  if (remedy.empty()) remedy = fmt::format("known methods: {} ('noslip methods' tells more)", list_of(known));
  throw InputError(fmt::format("unknown method '{}'", name), remedy);
}

std::vector<MethodFamily> method_families() {
  std::vector<MethodFamily> list;
  for (const Family& family : families()) {
    list.push_back({family.name, family.pattern, family.order, family.make(family.default_stages)->traits()});
  }
  return list;
}

}  // namespace noslip
