#!/usr/bin/env bash
# tools/bench.sh [NAME ...]: installs what is missing, builds the benchmarks in build/bench and prints the tables of times in
# README.md (steps, accuracy, contacts), docs/ensembles.md (ensembles), docs/groups.md (groups) and docs/speed.md (sizes) as
# measured here. The picture of sizes goes to docs/pictures/sizes.svg. Without a NAME: all of them.
set -euo pipefail

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd -P)
dir=$root/build/bench
log=$dir/bench.log
# shellcheck source=tools/build.sh
. "$root/tools/build.sh"

names=(steps accuracy contacts ensembles groups sizes)
(($# == 0)) || names=("$@")
for name in "${names[@]}"; do
  case $name in
    steps | accuracy | contacts | ensembles | groups | sizes) ;;
    *)
      say "there is no table '$name'; the tables are ${names[*]}"
      exit 2
      ;;
  esac
done

if ! open_tree "$root" "$dir"; then
  say "cannot write to $dir, where the benchmarks have to be built"
  exit 70
fi
: >"$log"
install_missing "$log" "${build_packages[@]}" "${bench_packages[@]}"
configure "$log" "$root" "$dir" -DNOSLIP_BENCH=ON -DNOSLIP_TESTS=OFF -DNOSLIP_TOOL=OFF
quietly "$log" "building (the first time takes minutes)" cmake --build "$dir" \
  --target "${names[@]/#/bench_}" --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}"
close_tree

# Only tables go to the standard output; pictures are written to where the documents have them.
cd "$root/docs/pictures"
for i in "${!names[@]}"; do
  ((i == 0)) || echo
  say "measuring ${names[i]}"
  "$dir/bench/bench_${names[i]}" --markdown
done
