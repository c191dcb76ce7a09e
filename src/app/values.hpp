// Numbers and lists on the command line.
#pragma once

#include <noslip/exec/value_text.hpp>
