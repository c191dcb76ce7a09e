// Several jobs at once, one thread per processor.
#pragma once

#include <functional>
#include <string>

#include <noslip/run/converge.hpp>

namespace noslip::papers {

/// How far one job is; false: stop.
using Progress = std::function<bool(long long done, long long all)>;

/// Calls `job(0, ...)`, `job(1, ...)`, ..., `job(count - 1, ...)`, each once, in threads; `report` is told the sum of
/// their steps, from one thread at a time. What a job throws arrives when all have ended; no further ones are begun
/// then, nor after `report` has asked to stop.
void side_by_side(std::size_t count, const std::string& what, const StudyProgress& report,
                  const std::function<void(std::size_t, const Progress&)>& job);

}  // namespace noslip::papers
