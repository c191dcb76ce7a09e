#!/usr/bin/env bash
# Installs a build into an empty prefix, then configures, builds and runs a project that finds it there.
# package_test.sh BUILD_DIR SCRATCH_DIR [CXX_COMPILER]
set -euo pipefail
build=$1
scratch=$2
consumer=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
[[ -z ${3:-} ]] || export CXX=$3

rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/first"
# A package must not remember where it was installed.
mv "$scratch/first" "$scratch/prefix"
if grep -rlF -e "$build" -e "$scratch/first" "$scratch/prefix" --include='*.cmake'; then
  echo "the package files above name the build tree" >&2
  exit 1
fi
cmake -S "$consumer" -B "$scratch/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$scratch/prefix"
cmake --build "$scratch/build"
"$scratch/build/consumer"
if [[ -e $build/src/app/noslip_mpi.so && -z $(find "$scratch/prefix" -path '*/lib*/noslip/noslip_mpi.so') ]]; then
  echo "the module for MPI is not installed" >&2
  exit 1
fi
if [[ -x $scratch/prefix/bin/noslip ]]; then
  "$scratch/prefix/bin/noslip" systems
  printed() {  # printed FILE WORD...: the installed file is what the tool prints
    local file=$scratch/prefix/share/$1
    shift
    "$scratch/prefix/bin/noslip" "$@" | cmp - "$file"
  }
  printed bash-completion/completions/noslip --completion bash
  printed zsh/site-functions/_noslip --completion zsh
  printed fish/vendor_completions.d/noslip.fish --completion fish
  printed man/man1/noslip.1 --man
fi
