// A method that is a recording, its traits and the systems that it takes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <noslip/method/method.hpp>

namespace noslip {

using Made = std::shared_ptr<const Method>;
using Record = std::function<StepRecipe(const System&)>;
using RecordOnGroup = std::function<StepRecipe(const System&, const Chart&)>;

/// A step on groups that a method has of its own, and where its coordinates are if nothing else is said.
struct OnGroup {
  RecordOnGroup record;
  Chart::Centre usual_centre;
};
using WhyNot = std::function<std::string(const System&)>;

class RecordedMethod final : public Method {
 public:
  RecordedMethod(MethodTraits traits, Record record, WhyNot why_not, std::optional<OnGroup> on_group = {})
      : traits_(std::move(traits)),
        record_(std::move(record)),
        why_not_(std::move(why_not)),
        on_group_(std::move(on_group)) {}

  const MethodTraits& traits() const override { return traits_; }
  std::string why_not(const System& system) const override { return why_not_(system); }
  StepRecipe record(const System& system) const override { return record_(system); }
  StepRecipe record_on_group(const System& system, const Chart& chart) const override {
    return on_group_ ? on_group_->record(system, chart) : Method::record_on_group(system, chart);
  }
  std::optional<Chart::Centre> usual_centre() const override {
    return on_group_ ? std::optional(on_group_->usual_centre) : std::nullopt;
  }

 private:
  MethodTraits traits_;
  Record record_;
  WhyNot why_not_;
  std::optional<OnGroup> on_group_;
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
