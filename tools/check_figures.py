#!/usr/bin/env python3
# Are the counts on a page those of the tests?
#
#   check_figures.py [--update] FOLDER PAGE
#
# A count on the page is followed by its name in a comment: `300 <!-- kills -->`. Tests write their counts to files
# FOLDER/NAME.TEST (tests/support/figures.hpp, `figure` in tests/app/tool.py); those of one NAME are added up. A count of
# which no test has written anything, because tests were left out or the processor lacks instructions, is not compared.
# Exit code 77 if there was nothing to compare; --update writes the counts into the page.
import pathlib
import re
import sys

COUNT = re.compile(r"(\d+) <!-- (\w+) -->")


def counts_in(folder):
    sums = {}
    for path in sorted(pathlib.Path(folder).iterdir()):
        name = path.name.split(".")[0]
        sums[name] = sums.get(name, 0) + int(path.read_text(encoding="utf-8"))
    return sums


def main(words):
    updates = "--update" in words
    folder, page = [word for word in words if word != "--update"]
    page = pathlib.Path(page)
    counts = counts_in(folder)
    text = page.read_text(encoding="utf-8")
    found = dict((name, int(count)) for count, name in COUNT.findall(text))
    problems = [f"'{name}' was counted ({counts[name]}), but {page.name} does not mention it"
                for name in sorted(counts.keys() - found.keys())]
    if updates:
        page.write_text(COUNT.sub(lambda m: f"{counts.get(m[2], m[1])} <!-- {m[2]} -->", text), encoding="utf-8")
    else:
        problems += [f"{page.name} says {found[name]} for '{name}', but the tests counted {counts[name]}"
                     for name in sorted(found.keys() & counts.keys()) if found[name] != counts[name]]
    for problem in problems:
        print(problem)
    for name in sorted(found.keys() - counts.keys()):
        print(f"not compared: '{name}' ({found[name]})")
    if problems:
        print("  tools/check_figures.py --update writes the counts of the last run into the page")
        return 1
    return 0 if found.keys() & counts.keys() else 77


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
