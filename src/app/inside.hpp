// Options for what happens between the steps: states at given times, events.
#pragma once

#include <string>
#include <vector>

#include <noslip/run/event.hpp>
#include <noslip/run/run.hpp>

#include "arguments.hpp"

namespace noslip::app {

/// A list of numbers with commas between them; `a:b:n` stands for n numbers from a to b. A problem otherwise.
NumberList number_list(Arguments& arguments, const std::string& option, const std::string& text);

/// `EXPR`, `EXPR,up`, `EXPR,down,stop`, `EXPR,stop=3`. A problem if the count is not a whole number above zero.
Event read_event(Arguments& arguments, const std::string& text);

}  // namespace noslip::app
