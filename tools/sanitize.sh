# shellcheck shell=bash disable=SC2154,SC2034
# Builds trees with sanitizers and runs the tests in them. Sourced by ./test, which sets root, log and stage.
# The code that noslip itself compiles at run time is not instrumented.

# What runs in threads: programs, and the tests in them; and those of the tool, whose progress and reproductions do.
thread_targets=(test_exec test_method test_run test_ensemble test_io test_suite)
thread_tests='*Thread*:Ensemble*:*Widths*:*Lanes*:Programs.*:Steppers.*:Stopping.*:SmallStack.*:Locale.*:*PublishedChaos*'
thread_tool_tests='^tool\.(run_test|reproduce_quickly)$'

# excluded SANITIZER KIND SEPARATOR: names of tools/sanitize.txt, joined.
excluded() {
  awk -v sanitizer="$1" -v kind="$2" -v between="$3" \
    '$1 == sanitizer && $2 == kind { printf "%s%s", n++ ? between : "", $3 }' "$root/tools/sanitize.txt"
}

# run_tests TREE SANITIZER CTEST ARGUMENT...
run_tests() {
  local tree=$1 sanitizer=$2
  shift 2
  NOSLIP_LEFT_OUT=$(excluded "$sanitizer" python :) NOSLIP_SLOWNESS=20 ctest --test-dir "$tree" --output-on-failure \
    --no-tests=error -j2 -E "$(excluded "$sanitizer" ctest '|')" "$@" 9>&-
}

sanitize_with() {
  local preset=$1 targets=() target
  local tree=$root/build/preset/$preset
  stage="configuring for $preset"
  quietly "$log" "$stage" cmake -S "$root" --preset "$preset" -DCMAKE_CXX_COMPILER_LAUNCHER="$root/tools/compile"
  [[ $preset != tsan ]] || targets=(--target "${thread_targets[@]}" noslip_tool)
  stage="building for $preset"
  # Warnings are no errors: with sanitizers GCC takes members of the standard library for uninitialised.
  NOSLIP_STRICT="" quietly "$log" "$stage (takes long)" cmake --build "$tree" --parallel 2 "${targets[@]}"
  say "built after $SECONDS s"
  stage="testing with $preset"
  if [[ $preset == tsan ]]; then
    export TSAN_OPTIONS="halt_on_error=1 suppressions='$root/tools/races.txt'"
    for target in "${thread_targets[@]}"; do
      "$tree/tests/$target" --gtest_brief=1 --gtest_filter="$thread_tests-$(excluded thread gtest :)" 9>&-
    done
    run_tests "$tree" thread -R "$thread_tool_tests"
  else
    export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
    export LSAN_OPTIONS="suppressions='$root/tools/leaks.txt'"
    GTEST_FILTER="-$(excluded address gtest :)" run_tests "$tree" address
  fi
}

# sanitize_everything [address|thread]
sanitize_everything() {
  case ${1:-} in
  address) sanitize_with asan ;;
  thread) sanitize_with tsan ;;
  "")
    sanitize_with asan
    sanitize_with tsan
    ;;
  *)
    say "--sanitize takes address, thread, or nothing"
    return 2
    ;;
  esac
}
