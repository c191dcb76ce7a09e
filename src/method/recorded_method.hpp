// A method that is a recording, its traits and the systems that it takes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <noslip/method/method.hpp>

namespace noslip {

using Made = std::shared_ptr<const Method>;
using Record = std::function<StepRecipe(const System&)>;
using RecordOnGroup = std::function<StepRecipe(const System&, Retraction)>;
using WhyNot = std::function<std::string(const System&)>;

class RecordedMethod final : public Method {
 public:
  RecordedMethod(MethodTraits traits, Record record, WhyNot why_not, RecordOnGroup record_on_group = {})
      : traits_(std::move(traits)),
        record_(std::move(record)),
        why_not_(std::move(why_not)),
        record_on_group_(std::move(record_on_group)) {}

  const MethodTraits& traits() const override { return traits_; }
  std::string why_not(const System& system) const override { return why_not_(system); }
  StepRecipe record(const System& system) const override { return record_(system); }
  StepRecipe record_on_group(const System& system, Retraction map) const override {
    return record_on_group_ ? record_on_group_(system, map) : Method::record_on_group(system, map);
  }

 private:
  MethodTraits traits_;
  Record record_;
  WhyNot why_not_;
  RecordOnGroup record_on_group_;
};

inline MethodTraits traits_of(std::string name, int stages, int order, int multiplier_order, std::string summary,
                              std::string source) {
  MethodTraits traits;
  traits.name = std::move(name);
  traits.summary = std::move(summary);
  traits.source = std::move(source);
  traits.stages = stages;
  traits.order = order;
  traits.multiplier_order = multiplier_order;
  return traits;
}

}  // namespace noslip
