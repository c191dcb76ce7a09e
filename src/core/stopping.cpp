// The innermost scope of each thread.
#include <noslip/core/stopping.hpp>

#include <utility>

namespace noslip {
namespace {

thread_local const StopScope* innermost_scope = nullptr;

}  // namespace

StopScope::StopScope(std::function<bool()> is_stopped) : is_stopped_(std::move(is_stopped)), outer_(innermost_scope) {
  innermost_scope = this;
}

StopScope::StopScope(std::stop_token token)
    : StopScope([token = std::move(token)] { return token.stop_requested(); }) {}

StopScope::~StopScope() { innermost_scope = outer_; }

StopShield::StopShield() : outer_(std::exchange(innermost_scope, nullptr)) {}

StopShield::~StopShield() { innermost_scope = outer_; }

bool is_stopped() {
  for (const StopScope* scope = innermost_scope; scope != nullptr; scope = scope->outer_) {
    if (scope->is_stopped_()) return true;
  }
  return false;
}

void end_if_stopped() {
  if (innermost_scope != nullptr && is_stopped()) throw Interrupted();
}

}  // namespace noslip
