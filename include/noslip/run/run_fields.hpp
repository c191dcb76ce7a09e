// The members of RunOptions by the names of their options.
//
// What is listed here is checked by RunOptions::check() against the table of options (core/options.hpp), and read by
// every verb of the tool that takes it. Enumerations have their values in the order of Option::choices.
#pragma once

#include <span>
#include <string_view>
#include <variant>

#include <noslip/run/run.hpp>

namespace noslip {

template <class T>
using RunMember = T RunOptions::*;

struct RunField {
  std::string_view option;
  std::variant<RunMember<std::string>, RunMember<quad>, RunMember<double>, RunMember<long long>, RunMember<int>,
               RunMember<bool>, RunMember<Backend>, RunMember<Precision>, RunMember<Between>>
      member;
};

std::span<const RunField> run_fields();

}  // namespace noslip
