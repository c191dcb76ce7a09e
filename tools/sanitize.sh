# shellcheck shell=bash disable=SC2154,SC2034
# Builds trees with sanitizers and runs the tests in them. Sourced by ./test, which sets root, dir, log and stage.
# The code that noslip itself compiles at run time is not instrumented.

# What runs in threads.
thread_targets=(test_ensemble test_exec test_run test_suite)
thread_tests='Thread*:*Threads*:Ensemble*:*Parallel*:Programs.*:Functions.*:*Stepper*'

# excluded SANITIZER KIND SEPARATOR: names of tools/sanitize.txt, joined.
excluded() {
  awk -v sanitizer="$1" -v kind="$2" -v between="$3" \
    '$1 == sanitizer && $2 == kind { printf "%s%s", n++ ? between : "", $3 }' "$root/tools/sanitize.txt"
}

sanitize_with() {
  local preset=$1 targets=()
  local tree=$root/build/preset/$preset
  stage="configuring for $preset"
  quietly "$log" "$stage" cmake -S "$root" --preset "$preset" -DCMAKE_CXX_COMPILER_LAUNCHER="$root/tools/compile"
  [[ $preset != tsan ]] || targets=(--target "${thread_targets[@]}")
  stage="building for $preset"
  # Warnings are no errors: with sanitizers GCC takes members of the standard library for uninitialised.
  NOSLIP_STRICT="" quietly "$log" "$stage (takes long)" cmake --build "$tree" --parallel 2 "${targets[@]}"
  say "built after $SECONDS s"
  stage="testing with $preset"
  if [[ $preset == tsan ]]; then
    local target
    for target in "${thread_targets[@]}"; do
      TSAN_OPTIONS=halt_on_error=1 "$tree/tests/$target" --gtest_brief=1 \
        --gtest_filter="$thread_tests-$(excluded thread gtest :)" 9>&-
    done
    return
  fi
  GTEST_FILTER="-$(excluded address gtest :)" NOSLIP_LEFT_OUT=$(excluded address python :) NOSLIP_SLOWNESS=20 ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 \
    UBSAN_OPTIONS=print_stacktrace=1 ctest --test-dir "$tree" --output-on-failure --no-tests=error -j2 \
    -E "$(excluded address ctest '|')" 9>&-
}

# sanitize_everything [address|thread]
sanitize_everything() {
  case ${1:-} in
  address) sanitize_with asan ;;
  thread) sanitize_with tsan ;;
  "") sanitize_with asan && sanitize_with tsan ;;
  *)
    say "--sanitize takes address, thread, or nothing"
    return 2
    ;;
  esac
}
