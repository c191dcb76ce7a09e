#!/usr/bin/env python3
# Do the documents tell the truth? Every system file in them passes `noslip check`, every command of the tool runs, and
# every example of a mistake is what the tool says.
#
#   check_docs.py TOOL [--example SOURCE PROGRAM]... FILE...
#   check_docs.py TOOL --update FILE...
#
# With --example, a `cpp` block has to stand in a SOURCE. Its PROGRAM has to print the last `text` block that a command
# above it prints; without commands, the `text` block below it. Otherwise a `text` block is what the last command
# above it prints (but for the line of the cost, which no two runs share), and a picture `pictures/NAME.svg` is what one of
# the commands has written to NAME.svg (its numbers may differ); --update writes both. A picture of measured times is
# written by `tools/bench.sh NAME`; its page has to say so, and --update leaves it alone. Looked at are fenced blocks: `toml`
# with coordinates or a kind (a whole system file, which commands below may call by its name, NAME.toml), `csv` with its
# name as a comment on top (# NAME.csv), `sh` (lines
# that begin with noslip or ./noslip), and blocks whose first line reads `NAME.toml:LINE:COLUMN: ...` (what the tool
# prints for the last system file above it that has the source line of the block, changed as the block shows).
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# A build with sanitizers is slower: NOSLIP_SLOWNESS says how many times.
TIMEOUT_SECONDS = 120 * float(os.environ.get("NOSLIP_SLOWNESS", "1"))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"!\[[^\]]*\]\(((?:docs/)?pictures/)([^)]+)\)")
MISTAKE = re.compile(r"^(\w+\.toml):(\d+):\d+: ")


def run(tool, folder, arguments):
    return subprocess.run([tool, *arguments], cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)


def is_system(language, text):
    return language == "toml" and re.search("^(coordinates|kind) *=", text, re.MULTILINE) is not None


def write_system(folder, text):
    """As system.toml, and as the name of the system says."""
    (folder / "system.toml").write_text(text, encoding="utf-8")
    name = re.search(r'^name *= *"([\w-]+)"', text, re.MULTILINE)
    if name:
        (folder / f"{name.group(1)}.toml").write_text(text, encoding="utf-8")


def write_table(folder, text):
    """A data file, by the name on its first line."""
    name = re.match(r"# ([\w-]+\.csv)\n", text)
    if name:
        (folder / name.group(1)).write_text(text, encoding="utf-8")


def check_system(tool, folder, text):
    write_system(folder, text)
    result = run(tool, folder, ["check", "system.toml"])
    return [] if result.returncode == 0 else [f"`check` of a system file fails:\n{result.stderr}"]


def run_commands(tool, folder, text):
    """Problems of the commands in a block, the last command, and what it printed."""
    problems, last, printed = [], "", ""
    for line in text.splitlines():
        match = re.match(r"(?:\$ )?(?:\./)?noslip (.*)", line)
        if not match:
            continue
        command = f'"{tool}" {match.group(1)}'
        result = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, capture_output=True, text=True,
                                timeout=TIMEOUT_SECONDS, check=False)
        if result.returncode != 0:
            problems.append(f"`{line}` ends with {result.returncode}:\n{result.stderr}")
        last, printed = line, result.stdout
    return problems, last, printed


def timeless(text):
    return [line for line in text.rstrip().splitlines() if not line.startswith("cost  ")]


def check_shown(shown, command, printed):
    """What the document shows is what the command prints."""
    return [] if timeless(printed) == timeless(shown) else [f"`{command}` does not print\n{shown}but\n{printed}"]


def update(tool, name, folder):
    """Puts what its commands print and draw now into a document."""
    document = pathlib.Path(name)
    text = document.read_text(encoding="utf-8")
    printed = ""

    def block(match):
        nonlocal printed
        if is_system(*match.groups()):
            write_system(folder, match.group(2))
        if match.group(1) == "csv":
            write_table(folder, match.group(2))
        if match.group(1) == "sh":
            printed = run_commands(tool, folder, match.group(2))[2]
        if match.group(1) == "text" and printed:
            return f"```text\n{printed}```"
        return match.group(0)

    document.write_text(FENCE.sub(block, text), encoding="utf-8")
    for place, picture in PICTURE.findall(text):
        if is_measured(picture, text):
            continue
        (document.parent / place / picture).write_bytes((folder / picture).read_bytes())


def is_measured(picture, text):
    return f"`tools/bench.sh {pathlib.Path(picture).stem}`" in text


def check_mistake(tool, folder, shown, system):
    """The block shows the bad line itself: put it into the system file, and the tool has to say just that."""
    name, number = MISTAKE.match(shown).groups()
    lines = system.splitlines()
    lines[int(number) - 1] = shown.splitlines()[1].strip()
    before = (folder / name).read_bytes() if (folder / name).exists() else None
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = run(tool, folder, ["check", name])
    if before is not None:  # commands below mean the good one
        (folder / name).write_bytes(before)
    if result.returncode == 2 and result.stderr.rstrip() == shown.rstrip():
        return []
    return [f"the tool does not say\n{shown}but\n{result.stderr}"]


def program_with(block, examples):
    """The program of the source in which the block stands; None if there is no such source."""
    def plain(text):
        return [line.strip() for line in text.splitlines()]

    wanted = plain(block)
    for source, program in examples:
        lines = plain(pathlib.Path(source).read_text(encoding="utf-8"))
        if any(lines[i:i + len(wanted)] == wanted for i in range(len(lines))):
            return program
    return None


def check_program(program, summary):
    """The program prints the same summary, but for the name of the system, which it does not give."""
    result = subprocess.run([program], capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    same = timeless(result.stdout)[1:] == timeless(summary)[1:]
    return [] if result.returncode == 0 and same else [f"{program} prints\n{result.stdout}{result.stderr}"]


def problems_of(tool, document, folder, examples):
    text = document.read_text(encoding="utf-8")
    system = command = printed = summary = program = ""
    for language, block in FENCE.findall(text):
        if is_system(language, block):
            system = block
            yield from check_system(tool, folder, block)
        elif language == "csv":
            write_table(folder, block)
        elif language == "sh":
            problems, command, printed = run_commands(tool, folder, block)
            yield from problems
        elif language == "cpp" and examples:
            program = program_with(block, examples)
            if not program:
                yield f"this stands in none of the examples:\n{block}"
            elif summary:
                yield from check_program(program, summary)
                summary = ""  # of other programs nothing is printed on this page
        elif language == "text" and program and not command:
            yield from check_program(program, block)
        elif language == "text" and command:
            summary = printed
            yield from check_shown(block, command, printed)
        elif MISTAKE.match(block):
            yield from check_mistake(tool, folder, block, system)
    for place, picture in PICTURE.findall(text):
        if is_measured(picture, text):
            if not (document.parent / place / picture).exists():
                yield f"there is no picture {place}{picture}; run tools/bench.sh {pathlib.Path(picture).stem}"
        elif not (folder / picture).exists():
            yield f"no command on this page makes the picture {picture}"


def main():
    tool, *files = sys.argv[1:]
    examples = []
    while files[0] == "--example":
        examples.append(files[1:3])
        files = files[3:]
    is_update = files[0] == "--update"
    if is_update:
        files = files[1:]
    tool = str(pathlib.Path(tool).resolve())
    failed = False
    for name in files:
        with tempfile.TemporaryDirectory() as folder:
            if is_update:
                update(tool, name, pathlib.Path(folder))
                continue
            for problem in problems_of(tool, pathlib.Path(name), pathlib.Path(folder), examples):
                print(f"{name}: {problem}")
                failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
