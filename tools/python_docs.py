#!/usr/bin/env python3
"""The pages about the Python module: runs docs/python.md and docs/python-control.md, and writes docs/python-reference.md.

    tools/python_docs.py [--check]

Every block of code of a page is run, in order; a block of text behind it has what it prints. With --check nothing is
written. The module noslip is the one that this interpreter imports.
"""

import contextlib
import inspect
import io
import os
import pathlib
import re
import sys
import tempfile

import noslip

root = pathlib.Path(__file__).resolve().parent.parent
pages = [root / "docs" / name for name in ("python.md", "python-control.md")]
reference = root / "docs" / "python-reference.md"

BLOCK = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)

# The order of the reference; what is not here follows.
FIRST = ("System", "Run", "Rows", "State", "Stepper", "Ensemble", "Section", "Study", "Plot", "Event", "Change", "Hit", "Controller")


def run_page(page, text):
    """The page with what its blocks print now. Files that they write are in a folder of their own."""
    namespace = {"__name__": "__main__"}

    def replaced(match):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(match[1], str(page), "exec"), namespace)
        result = f"```python\n{match[1]}```\n"
        return result + (f"\n```text\n{printed.getvalue()}```\n" if printed.getvalue() or match[2] else "")

    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return BLOCK.sub(replaced, text)
        finally:
            os.chdir(before)


def plain(text):
    """Types without names of modules."""
    return re.sub(r"\b(?:noslip\._noslip|_noslip|noslip|typing|collections\.abc|numpy|builtins)\.", "", text)


def written(signature):
    """A signature with annotations as they stand in the source."""
    parts, is_keyword_only = [], False
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not is_keyword_only:
            parts.append("*")
            is_keyword_only = True
        part = {parameter.VAR_KEYWORD: "**", parameter.VAR_POSITIONAL: "*"}.get(parameter.kind, "") + parameter.name
        if parameter.annotation is not parameter.empty:
            part += f": {parameter.annotation}"
        if parameter.default is not parameter.empty:
            part += f" = {parameter.default!r}"
        parts.append(part)
    result = "" if signature.return_annotation is signature.empty else f" -> {signature.return_annotation}"
    return f"({', '.join(parts)}){result}"


def described(value):
    """The signature and the words of a function, in which extensions have the signature on their first line."""
    words = inspect.getdoc(value) or ""
    try:
        signature = written(inspect.signature(value))
    except (TypeError, ValueError):
        match = re.match(r"\w+(\(.*\)(?: -> .*)?)\n", words + "\n")
        signature = match[1] if match else "(...)"
        words = words[match.end():].lstrip("\n") if match else words
    signature = re.sub(r"\(self(?:: [\w.]+)?(?:, )?", "(", signature)
    return plain(signature), words


def with_examples(words):
    """Examples as blocks of code."""
    lines, is_code = [], False
    for line in words.splitlines():
        begins = line.startswith(">>>")
        if begins and not is_code:
            lines += ["", "```python"] if lines and lines[-1] else ["```python"]
            is_code = True
        elif is_code and not line.strip():
            lines.append("```")
            is_code = False
        lines.append(line)
    return lines + (["```"] if is_code else [])


def of_function(name, value, level):
    signature, words = described(value)
    return [f"{'#' * level} `{name}`", "", "```text", f"{name}{signature}", "```", "", *with_examples(words), ""]


def of_class(name, value):
    lines = [f"## {name}", "", *with_examples(inspect.getdoc(value) or ""), ""]
    if issubclass(value, Exception):
        return lines
    properties, methods = [], []
    for member in sorted(dir(value)):
        if member.startswith("_"):
            continue
        static = inspect.getattr_static(value, member)
        if isinstance(static, property):
            properties.append(f"- `{member}`: {(inspect.getdoc(static) or '').splitlines()[0]}" if inspect.getdoc(static) else f"- `{member}`")
        elif member not in ("get", "items", "keys", "values"):
            methods += of_function(member, getattr(value, member), 3)
    return lines + (properties + [""] if properties else []) + methods


def written_reference():
    names = [*FIRST, *(name for name in sorted(noslip.__all__, key=str.lower) if name not in FIRST)]
    classes = [name for name in names if inspect.isclass(getattr(noslip, name))]
    functions = [name for name in names if callable(getattr(noslip, name)) and name not in classes]
    lines = ["# Reference of the Python module", "",
             "Written by `tools/python_docs.py` from the module; [python.md](python.md) explains how to use it.", ""]
    for name in classes:
        lines += of_class(name, getattr(noslip, name))
    lines += ["## Functions", ""]
    for name in functions:
        lines += of_function(name, getattr(noslip, name), 3)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in lines)).strip() + "\n"


def main():
    is_check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not is_check:
        raise SystemExit(__doc__)
    failed = False
    stored = {page: page.read_text(encoding="utf-8") for page in pages}
    texts = [(page, text, run_page(page, text)) for page, text in stored.items()]
    texts.append((reference, reference.read_text(encoding="utf-8") if reference.exists() else "", written_reference()))
    for path, before, now in texts:
        if before == now:
            continue
        if is_check:
            failed = True
            print(f"{path.relative_to(root)} is not what the module gives; tools/python_docs.py writes it again")
            for old, new in zip(before.splitlines(), now.splitlines()):
                if old != new:
                    print(f"- {old}\n+ {new}")
                    break
        else:
            path.write_text(now, encoding="utf-8")
            print(path.relative_to(root))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
