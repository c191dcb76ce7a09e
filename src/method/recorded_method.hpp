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
using RecordOnGroup = std::function<StepRecipe(const System&, const Chart&)>;

/// What a method does on groups.
struct OnGroup {
  RecordOnGroup record = {};  ///< by the discrete principle of Martin de Diego and Sato; unset for local coordinates
  Chart::Centre usual_centre = Chart::Centre::middle;
  bool can_be_centred = true;
};
using WhyNot = std::function<std::string(const System&)>;

class RecordedMethod final : public Method {
 public:
  RecordedMethod(MethodTraits traits, Record record, WhyNot why_not, OnGroup on_group = {})
      : traits_(std::move(traits)),
        record_(std::move(record)),
        why_not_(std::move(why_not)),
        on_group_(std::move(on_group)) {}

  const MethodTraits& traits() const override { return traits_; }
  std::string why_not(const System& system) const override { return why_not_(system); }
  StepRecipe record(const System& system) const override { return record_(system); }
  StepRecipe record_on_group(const System& system, const Chart& chart) const override {
    return on_group_.record ? on_group_.record(system, chart) : Method::record_on_group(system, chart);
  }
  bool has_group_form() const override { return static_cast<bool>(on_group_.record); }
  Chart::Centre usual_centre() const override { return on_group_.usual_centre; }
  bool can_be_centred() const override { return on_group_.can_be_centred; }

 private:
  MethodTraits traits_;
  Record record_;
  WhyNot why_not_;
  OnGroup on_group_;
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
