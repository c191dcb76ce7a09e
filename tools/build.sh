# shellcheck shell=bash
# Configuring and building, quietly, with the output kept in a log. Sourced by ./noslip, ./test and tools/bench.sh.

# shellcheck source=tools/packages.sh
. "${BASH_SOURCE[0]%/*}/packages.sh"

# open_tree ROOT DIR: DIR exists, belongs to ROOT and is ours alone until close_tree; other builds of it wait.
# What was configured somewhere else (a tree that was copied or moved) or in another way is thrown away.
open_tree() {
  local root=$1 dir=$2 home
  { mkdir -p "$dir" && exec 9>"$dir/.lock"; } 2>/dev/null || return 1
  if command -v flock >/dev/null && ! flock -n 9; then
    say "another build of this tree is under way; waiting for it"
    flock 9
  fi
  if [[ -f $dir/CMakeCache.txt ]]; then
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$dir/CMakeCache.txt")
    if [[ ! $home -ef $root ]] || ! grep -q "^CMAKE_CXX_COMPILER_LAUNCHER.*tools/compile" "$dir/CMakeCache.txt"; then
      find "$dir" -mindepth 1 -not -name .lock -delete
    fi
  fi
}

close_tree() { exec 9>&-; }

# quietly LOG WHAT COMMAND...: runs a command with its output in the log; shows the log where it fails.
quietly() {
  local log=$1 what=$2
  shift 2
  say "$what"
  LC_ALL=C "$@" >>"$log" 2>&1 </dev/null 9>&- && return 0
  say "failed: $what"
  tail -n 100 "$log" >&2
  say "the whole log is $log"
  return 1
}

# configure LOG ROOT DIR OPTION...
configure() {
  local log=$1 root=$2 dir=$3 generator=()
  shift 3
  if ! command -v cmake >/dev/null; then
    say "cmake is needed to build noslip"
    return 1
  fi
  if [[ ! -f $dir/CMakeCache.txt ]] && command -v ninja >/dev/null; then
    generator=(-G Ninja)
  fi
  quietly "$log" "configuring" cmake -S "$root" -B "$dir" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$root/tools/compile" "$@"
}
