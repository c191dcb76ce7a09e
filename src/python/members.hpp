// Members of an ensemble as Python has them.
#pragma once

#include <memory>

#include <noslip/ensemble/members.hpp>

#include "options.hpp"

namespace noslip::python {

/// One of `members` (a dict of columns, or a file), `grid` and `sample` with `vary` and `seed`. InputError with all
/// problems of `given` so far.
std::shared_ptr<const Members> chosen_members(Given& given);

}  // namespace noslip::python
