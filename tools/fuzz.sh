# shellcheck shell=bash disable=SC2154,SC2034
# Builds the fuzzers and runs them. Sourced by ./test, which sets root, dir, log and stage.

# Longest input in bytes, and seconds that one may take.
longest_input() {
  case $1 in
  system_file) echo 2048 ;;
  csv) echo 1024 ;;
  small_run) echo 64 ;;
  *) echo 256 ;;
  esac
}

# fuzz_everything [SECONDS [TARGET ...]]: what is found is in build/preset/fuzz/found, what covers something new in
# build/preset/fuzz/corpus.
fuzz_everything() {
  local seconds=${1:-30} target failed=()
  shift || true
  local targets=("$@")
  ((${#targets[@]})) || targets=(expression system_file command_line csv data_file saved_state small_run)
  stage="configuring"
  quietly "$log" "$stage" cmake -S "$root" --preset fuzz -DCMAKE_CXX_COMPILER_LAUNCHER="$root/tools/compile"
  stage="building"
  quietly "$log" "$stage the fuzzers (the first time takes minutes)" cmake --build "$dir" --parallel 2
  say "built after $SECONDS s"
  stage="fuzzing"
  for target in "${targets[@]}"; do
    mkdir -p "$dir/corpus/$target" "$dir/found"
    say "$target for $seconds s"
    if ! ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1} "$dir/fuzz/fuzz_$target" "$dir/corpus/$target" \
      "$root/fuzz/corpus/$target" -dict="$dir/fuzz/words.dict" -max_len="$(longest_input "$target")" -timeout=30 \
      -rss_limit_mb=4096 -close_fd_mask=3 -max_total_time="$seconds" -print_final_stats=1 \
      -artifact_prefix="$dir/found/$target-" >"$dir/$target.log" 2>&1 9>&-; then
      failed+=("$target")
      tail -n 40 "$dir/$target.log" >&2
    fi
    grep -E "cov:|stat::number_of_executed_units" "$dir/$target.log" | tail -n 2 >&2 || true
  done
  if ((${#failed[@]})); then
    say "found something: ${failed[*]}; the inputs are in $dir/found"
    return 1
  fi
}
