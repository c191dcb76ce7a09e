#!/usr/bin/env python3
# Reads every #include of the repository and fails on an arrow that points outward (docs/design.md, "Rings").
# Looks on the way at what a reader or the linker would trip over: files too long, paths of one machine, headers without
# a guard, files that do not say what they are, numbers that depend on the locale, two things of one name (twins.py).
#
#   check_rings.py [ROOT]     prints one line per problem, `file:line: problem`; exit code 0 if there is none
import pathlib
import re
import sys

from twins import twins

RING_1 = {"expr", "tape", "exec", "tableau", "lie", "solve"}
INNER = {"core"} | RING_1 | {"model"}
EVERYTHING = INNER | {"method", "catalogue", "run", "io", "ensemble"}

# Which parts a part may include, besides itself.
MAY_SEE = {
    "core": set(),
    "expr": {"core"},
    "tape": {"core", "expr"},
    "exec": {"core", "expr", "tape"},
    "tableau": {"core", "expr"},
    "lie": {"core", "expr"},
    "solve": {"core", "expr", "tape", "exec"},
    "model": {"core"} | RING_1,
    "method": INNER,
    "catalogue": INNER,
    "run": INNER | {"method"},
    "io": INNER | {"method", "catalogue", "run"},
    "ensemble": INNER | {"method", "catalogue", "run"},
    "app": EVERYTHING,
    "noslip.hpp": EVERYTHING,  # the header for users, which no part includes
}
# What tests of a part may include besides: they evaluate the expressions that the part only records.
TESTS_MAY_SEE = {"lie": {"tape", "exec"}}
# Folders outside src that use noslip as a stranger would: any public header, nothing else of noslip.
STRANGERS = {"bench", "examples", "python", "papers", "fuzz", "viewer", "package", "suite"}

# Libraries that stay in one place: the start of the include, and the folders that may have it.
KEPT_IN = [
    ("toml++/", {"src/model"}),
    ("CLI/", {"src/app"}),
    ("asmjit", {"src/exec"}),
    ("sleef", {"src/exec"}),
    ("librsvg/", {"src/io"}),
    ("cairo", {"src/io"}),
    ("nlohmann/", {"src/io", "src/app", "tests/io", "tests/app"}),
    ("pybind11/", {"src/python"}),
    ("gtest/", {"tests"}),
    ("gmock/", {"tests"}),
    ("rapidcheck", {"tests"}),
    ("boost/", {"tests", "bench"}),
    ("ida/", {"papers"}),
    ("mpi.h", {"src/ensemble/mpi"}),
    ("nvector/", {"papers"}),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
MACHINE_PATH = re.compile(r"(?<![\w.:/~$}*-])/(?:home|tmp|work|root)/")
# What reads or prints numbers as the locale has them, or asks it for letters; and the one file that deals with it.
OF_LOCALE = re.compile(r"""\b(?:v?s?n?printf|quadmath_snprintf|strto(?:d|f|ld|flt128)|atof|sto(?:d|f|ld)|sscanf
                           |is(?:alpha|alnum|digit|upper|lower|space|punct|xdigit)|to(?:upper|lower))\s*\(
                       |\b[io]?stringstream\b|<cctype>|<sstream>|<iomanip>|\{[^{}"]*:[^{}"]*L\}""", re.VERBOSE)
OUR_NUMBERS = {"include", "src", "papers"}
OF_LOCALE_ALLOWED = "src/core/scalar.cpp"
# A flag of the tool in a text of the library, which others call without flags; srun has flags of its own.
FLAG_IN_TEXT = re.compile(r'"[^"]*(?<![\w-])(?<!srun )--[a-z]')
MOST_LINES = 500
CODE = {".cpp", ".hpp", ".py", ".sh", ".cmake"}
TEXT = CODE | {".md", ".toml", ".json", ".cff", ".in", ".txt", ""}
FOLDERS = ["include", "src", "tests", "bench", "examples", "python", "papers", "fuzz", "tools", "docs", "cmake", ".ci"]


def part_of(path):
    """The part that a file belongs to, and whether it is allowed private headers; None outside the rings."""
    folders = path.parts
    if folders[:2] == ("include", "noslip"):
        return folders[2]
    if folders[0] in ("src", "tests"):
        return folders[1] if len(folders) > 2 else None
    return folders[0]


def in_any(path, folders):
    return any(path.as_posix().startswith(folder + "/") for folder in folders)


def check_noslip_include(part, is_test, target):
    """Complaint about a file of `part` that includes <noslip/target>, or None."""
    other = target.split("/")[0]
    if is_test and other in TESTS_MAY_SEE.get(part, ()):
        return None
    if part in STRANGERS or other == part:
        return None
    if part not in MAY_SEE:
        return f"'{part}' is not a part that the rings know"
    if other not in MAY_SEE[part]:
        return f"'{part}' may not look at '{other}'"
    return None


def check_own_include(root, path, target):
    """Complaint about #include "target", or None: a private header of the same part, or, within src, of an inner one."""
    if target.startswith("noslip/"):
        return "public headers are included as <noslip/...>"
    # The experiments of the papers are the one thing outside src that the tool includes.
    if target.startswith("papers/") and path.parts[:2] in (("src", "app"), ("tests", "papers")):
        return None if (root / target).is_file() else f"'{target}' is not a file"
    for base in (path.parent, pathlib.Path("src"), pathlib.Path("tests")):
        if not (root / base / target).is_file():
            continue
        found = (root / base / target).resolve().relative_to(root)
        if found.parts[0] == "include":
            return "public headers are included as <noslip/...>"
        if found.parts[:2] == ("tests", "support") and path.parts[0] == "tests":
            return None
        owner, part = part_of(found), part_of(path)
        inner = path.parts[0] == "src" and part != "app" and owner in MAY_SEE.get(part, ())
        inner = inner or part == "fuzz"  # its dictionary has the words of all tables
        if path.parts[0] == "include" or not (owner == part or inner):
            return f"'{target}' is a private header of '{owner}'"
        return None
    return f"'{target}' is not a file next to this one or in src"


def check_library_include(path, target):
    """Complaint about <target> that is not ours, or None."""
    for start, folders in KEPT_IN:
        if target.startswith(start) and not in_any(path, folders):
            return f"<{target}> belongs in {' or '.join(sorted(folders))} only"
    if path.parts[0] == "include" and not re.fullmatch(r"[a-z_0-9]+", target):
        return f"<{target}>: a public header needs the standard library and noslip, nothing else"
    return None


def check_includes(root, path, lines):
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        bracket, target = match.groups()
        if bracket == '"':
            complaint = check_own_include(root, path, target)
        elif target.startswith("noslip/"):
            complaint = check_noslip_include(part_of(path), path.parts[0] == "tests", target.removeprefix("noslip/"))
        else:
            complaint = check_library_include(path, target)
        if complaint:
            yield number, complaint


def include_group(path, place, bracket, target):
    """The header of a source itself, the standard library, other libraries, noslip, headers of the part: in this order."""
    stem = pathlib.PurePosixPath(*path.parts[1:]).with_suffix(".hpp")
    if place == 0 and path.suffix == ".cpp" and target in (f"noslip/{stem}", f"{stem}", stem.name):
        return 0
    if bracket == '"':
        return 4
    if target.startswith("noslip/"):
        return 3
    return 1 if re.fullmatch(r"[a-z_0-9]+(\.h)?", target) else 2


def check_order(path, lines):
    """The includes at the top of a file are sorted, and a blank line stands between their groups and nowhere else."""
    before, blank = None, False
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if match:
            now = (include_group(path, 0 if before is None else 1, *match.groups()), line)
            if before and (now < before or (now[0] != before[0]) != blank):
                yield number, "includes: own header, standard library, libraries, noslip, own part; sorted, a blank line between"
                return
            before, blank = now, False
        elif not line.strip():
            blank = before is not None
        elif before:
            return


def says_what_it_is(root, path, lines):
    """A comment on the first line. For a source with a header of its own the header says it; a test of it needs no more."""
    text = [line for line in lines[:2] if not line.startswith("#!")]
    opening = "// " if path.suffix in (".cpp", ".hpp") else ("# ", '"""')
    if path.suffix not in CODE or (text and text[0].startswith(opening)):
        return True
    if path.suffix != ".cpp" or len(path.parts) < 3:
        return False
    part, header = part_of(path), path.stem.removesuffix("_test") + ".hpp"
    homes = [path.parent, pathlib.Path("include/noslip", part), pathlib.Path("src", part)]
    return any((root / home / header).is_file() for home in homes)


def check_text(root, path, lines):
    if path.suffix in CODE and len(lines) > MOST_LINES:
        yield MOST_LINES + 1, f"{len(lines)} lines; more than {MOST_LINES} is two subjects"
    if not says_what_it_is(root, path, lines):
        yield 1, "the first line has to say what this file is, in a comment"
    if path.suffix == ".hpp" and "#pragma once" not in lines:
        yield 1, "no #pragma once"
    for number, line in enumerate(lines, 1):
        if MACHINE_PATH.search(line):
            yield number, "a path of one machine"
    if path.suffix in (".cpp", ".hpp") and path.as_posix() != OF_LOCALE_ALLOWED and path.parts[0] in OUR_NUMBERS:
        for number, line in enumerate(lines, 1):
            if match := OF_LOCALE.search(line.split("//")[0]):
                yield number, f"`{match.group()}` depends on the locale; use core/scalar.hpp, core/characters.hpp or fmt"
    if path.suffix in (".cpp", ".hpp") and path.parts[0] in ("include", "src") and path.parts[1] != "app":
        for number, line in enumerate(lines, 1):
            if FLAG_IN_TEXT.search(line.split("//")[0]):
                yield number, "the library does not know flags of the tool; use option(...) of core/option_name.hpp"


def files_of(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in TEXT and "__pycache__" not in path.parts:
                yield path
    for path in sorted(root.iterdir()):
        if path.is_file() and path.suffix in TEXT and path.name != ".git":
            yield path


def problems_of(root):
    """Every problem of the tree as `file:line: problem`."""
    root = root.resolve()
    sources = []
    for path in files_of(root):
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        path = path.relative_to(root)
        found = list(check_text(root, path, lines))
        if path.suffix in (".cpp", ".hpp"):
            found += check_includes(root, path, lines)
            found += check_order(path, lines)
            sources.append((path, "\n".join(lines)))
        for number, complaint in sorted(found):
            yield f"{path}:{number}: {complaint}"
    for path, number, complaint in twins(sources):
        yield f"{path}:{number}: {complaint}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    if not (root / "include" / "noslip").is_dir():
        sys.exit(f"{root} is not a noslip tree")
    problems = list(problems_of(root))
    print(*problems, sep="\n", end="\n" if problems else "")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
