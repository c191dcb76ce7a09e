# shellcheck shell=bash
# The Debian packages that noslip needs, and their installation. Sourced by ./noslip, ./test and
# tools/bench.sh.

# shellcheck disable=SC2034
build_packages=(g++ cmake ninja-build libeigen3-dev libfmt-dev libtomlplusplus-dev libasmjit-dev libsleef-dev
                libcli11-dev nlohmann-json3-dev pkgconf librsvg2-dev fonts-dejavu-core
                zlib1g-dev libsundials-dev)
# shellcheck disable=SC2034
test_packages=(libgtest-dev librapidcheck-dev libboost-dev python3 python3-sympy python3-h5py netcdf-bin locales
               libopenmpi-dev openmpi-bin pybind11-dev python3-dev python3-numpy python3-pytest python3-hypothesis
               python3-pandas python3-xarray python3-dask python3-scipy python3-matplotlib python3-pip python3-venv mypy
               zsh fish groff-base)
# shellcheck disable=SC2034
fuzz_packages=(clang libclang-rt-dev llvm)
# shellcheck disable=SC2034
bench_packages=(libboost-dev)

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# missing_packages NAME...: those that are not installed, one per line; all of them where there is no dpkg.
missing_packages() {
  if ! command -v dpkg-query >/dev/null; then
    printf '%s\n' "$@"
    return
  fi
  local installed name
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for name in "$@"; do
    grep -qxF "installed $name" <<<"$installed" || printf '%s\n' "$name"
  done
}

# install_missing LOG NAME...: installs what is missing, as root or through sudo. Where that cannot be done it says what
# is missing and goes on: the libraries may come from elsewhere, and the build itself is the judge of that.
install_missing() {
  local log=$1 missing name
  shift
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  if ! command -v apt-get >/dev/null; then
    say "there is no apt-get here to install what the build needs; the Debian names of the packages are"
    say "  ${missing[*]}"
    return 0
  fi
  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      say "these packages are missing, and only root can install them: ${missing[*]}"
      return 0
    fi
    as_root=(sudo)
  fi
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600)
  say "installing ${missing[*]}"
  "${apt[@]}" update >>"$log" 2>&1 </dev/null || say "the package lists could not be updated; trying with those at hand"
  "${apt[@]}" install --no-install-recommends "${missing[@]}" >>"$log" 2>&1 </dev/null && return 0
  for name in "${missing[@]}"; do
    "${apt[@]}" install --no-install-recommends "$name" >>"$log" 2>&1 </dev/null || say "could not install $name"
  done
}
