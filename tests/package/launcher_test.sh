#!/usr/bin/env bash
# Does ./noslip build when it has to, only then, and pass everything on? Tried on a small tree with a tool of its own.
# launcher_test.sh SOURCE_DIR SCRATCH_DIR
set -euo pipefail
source=$1
scratch=$2

rm -rf "$scratch"
mkdir -p "$scratch/tree/include" "$scratch/tree/src/app" "$scratch/tree/cmake" "$scratch/elsewhere"
cp -r "$source/noslip" "$source/tools" "$scratch/tree"
cd "$scratch/elsewhere"
tree=../tree
cat >"$tree/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(stub CXX)
add_subdirectory(src/app)
END
cat >"$tree/src/app/CMakeLists.txt" <<'END'
add_executable(noslip_tool main.cpp)
set_target_properties(noslip_tool PROPERTIES OUTPUT_NAME noslip)
END

write_tool() {  # write_tool WORD: a tool that prints WORD, its arguments and its folder, and exits with 4
  printf '#include <cstdio>\n#include <filesystem>\nint main(int n, char** words) {\n  std::printf("%s");\n' "$1"
  printf '  for (int i = 1; i < n; ++i) std::printf(" [%%s]", words[i]);\n'
  printf '  std::printf(" in %%s\\n", std::filesystem::current_path().filename().c_str());\n  return 4;\n}\n'
}

failures=0
expect() {  # expect NAME CODE OUTPUT MESSAGE COMMAND...: standard error has MESSAGE in it; nothing where that is empty
  local name=$1 code=$2 output=$3 message=$4 got_code=0 got_output messages
  shift 4
  got_output=$("$@" 2>stderr.txt) || got_code=$?
  messages=$(<stderr.txt)
  if [[ $got_code != "$code" || $got_output != "$output" || $messages != *"$message"* ]] ||
    [[ -z $message && -n $messages ]]; then
    printf '%s: code %s, output "%s", standard error:\n' "$name" "$got_code" "$got_output"
    cat stderr.txt
    failures=$((failures + 1))
  fi
}

write_tool one >"$tree/src/app/main.cpp"
expect "completion without a tool" 0 "" "" "$tree/noslip" --complete run
expect "first build" 4 "one [a b] [c] in elsewhere" "building" "$tree/noslip" "a b" c
expect "nothing changed" 4 "one in elsewhere" "" "$tree/noslip"
ln -s "$scratch/tree/noslip" link
expect "through a link" 4 "one [x] in elsewhere" "" ./link x
write_tool two >"$tree/src/app/main.cpp"
expect "completion with an old tool" 4 "one [--complete] [run] in elsewhere" "" "$tree/noslip" --complete run
expect "a script from an old tool" 4 "one [--completion] [bash] in elsewhere" "" "$tree/noslip" --completion bash
expect "a changed source" 4 "two in elsewhere" "building" "$tree/noslip"
touch "$tree/include/new.hpp"
expect "a new file" 4 "two in elsewhere" "building" "$tree/noslip"
rm "$tree/include/new.hpp"
expect "a deleted file" 4 "two in elsewhere" "building" "$tree/noslip"
echo "not C++" >"$tree/src/app/main.cpp"
expect "a build that fails" 70 "" "build.log" "$tree/noslip"
write_tool three >"$tree/src/app/main.cpp"
expect "mended" 4 "three in elsewhere" "building" "$tree/noslip"
# Under mpirun it looks for a module, if there is an MPI to build one with.
mkdir "$scratch/mpi"
printf '#!/bin/sh\n' >"$scratch/mpi/mpicxx"
chmod +x "$scratch/mpi/mpicxx"
expect "MPI was installed since" 4 "three in elsewhere" "building" \
  env OMPI_COMM_WORLD_SIZE=2 PATH="$scratch/mpi:$PATH" "$tree/noslip"
touch "$tree/build/release/src/app/noslip_mpi.so"
expect "the module is there" 4 "three in elsewhere" "" env OMPI_COMM_WORLD_SIZE=2 PATH="$scratch/mpi:$PATH" "$tree/noslip"
rm "$tree/build/release/src/app/noslip_mpi.so"
expect "nobody asks for it" 4 "three in elsewhere" "" env PATH="$scratch/mpi:$PATH" "$tree/noslip"
mv "$tree" "$scratch/moved"
tree=../moved
expect "a moved tree" 4 "three in elsewhere" "" "$tree/noslip"
write_tool four >"$tree/src/app/main.cpp"
expect "a moved tree that changed" 4 "four in elsewhere" "building" "$tree/noslip"
write_tool five >"$tree/src/app/main.cpp"
"$tree/noslip" >first.txt 2>/dev/null & "$tree/noslip" >second.txt 2>/dev/null || true
wait || true
[[ $(cat first.txt second.txt) == $'five in elsewhere\nfive in elsewhere' ]] || {
  echo "two at once collided"
  failures=$((failures + 1))
}
exit "$((failures > 0))"
