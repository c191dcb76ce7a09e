#!/usr/bin/env python3
"""Runs the notebooks of examples/notebooks and writes them with their output to docs/notebooks.

    tools/notebooks.py [--check] [NAME ...]

A notebook is a script with cells: `# %%` begins code, `# %% [markdown]` begins text. The last expression of a cell is shown as
in a notebook. With --check nothing is written: every cell has to run, and its text must be the one that docs/notebooks has
(times and pictures aside). The module noslip is the one that this interpreter imports.
"""

import argparse
import ast
import base64
import contextlib
import io
import json
import os
import pathlib
import re
import sys
import traceback

root = pathlib.Path(__file__).resolve().parent.parent
sources = root / "examples" / "notebooks"
documents = root / "docs" / "notebooks"

# What differs between runs and machines.
volatile = re.compile(r"\d[\d.]*(?:e[+-]?\d+)? *(?:ns|us|ms|s|x)\b|\d+ per second")


def cells_of(text):
    """Pairs of a kind and a text."""
    cells = []
    for line in text.splitlines():
        mark = re.fullmatch(r"# %%( \[markdown\])?\s*", line)
        if mark:
            cells.append(("markdown" if mark[1] else "code", []))
        elif cells:
            cells[-1][1].append(line)
        elif line.strip() and not line.startswith("#"):
            raise SystemExit("a notebook begins with a cell: # %%")
    result = []
    for kind, lines in cells:
        if kind == "markdown":
            lines = [re.sub(r"^# ?", "", line) for line in lines]
        result.append((kind, "\n".join(lines).strip()))
    return [cell for cell in result if cell[1]]


def shown(value):
    """The representations of a value, as notebooks store them."""
    data = {"text/plain": repr(value)}
    for kind, name in (("image/svg+xml", "_repr_svg_"), ("text/html", "_repr_html_"), ("text/latex", "_repr_latex_")):
        method = getattr(value, name, None)
        text = method() if callable(method) else None
        if text is not None:
            data[kind] = text
    png = getattr(value, "_repr_png_", None)
    if callable(png) and png() is not None:
        data["image/png"] = base64.b64encode(png()).decode()
    return data


def figures():
    """Figures of matplotlib that are open, as SVG; they are closed."""
    if "matplotlib.pyplot" not in sys.modules:
        return []
    import matplotlib.pyplot as plt

    pictures = []
    for number in plt.get_fignums():
        buffer = io.StringIO()
        plt.figure(number).savefig(buffer, format="svg", bbox_inches="tight", metadata={"Date": None})
        pictures.append(buffer.getvalue())
    plt.close("all")
    return pictures


def run_cell(source, name, namespace):
    """The outputs of a code cell; whatever it raises goes on."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    is_silent = source.rstrip().endswith(";")
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), namespace)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
    outputs = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue()})
    pictures = figures()
    if value is not None and not is_silent and not pictures:
        outputs.append({"output_type": "execute_result", "data": shown(value), "metadata": {}})
    for picture in pictures:
        outputs.append({"output_type": "display_data", "metadata": {},
                        "data": {"image/svg+xml": picture, "text/plain": "figure"}})
    return outputs


def executed(path):
    """The notebook as a document of format 4.5."""
    namespace = {"__name__": "__main__", "__file__": str(path)}
    notebook = {"cells": [], "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python",
                                                         "name": "python3"}, "language_info": {"name": "python"}},
                "nbformat": 4, "nbformat_minor": 5}
    count = 0
    for place, (kind, text) in enumerate(cells_of(path.read_text(encoding="utf-8"))):
        cell = {"cell_type": kind, "id": f"{path.stem.replace('_', '-')}-{place}", "metadata": {}, "source": text}
        if kind == "code":
            count += 1
            try:
                outputs = run_cell(text, f"{path.name}, cell {count}", namespace)
            except Exception:
                traceback.print_exc()
                raise SystemExit(f"{path.name}: cell {count} failed:\n{text}")
            for output in outputs:
                if output["output_type"] == "execute_result":
                    output["execution_count"] = count
            cell |= {"execution_count": count, "outputs": outputs}
        notebook["cells"].append(cell)
    return notebook


def texts(notebook):
    """What a check compares: printed lines and texts of values."""
    result = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            text = output.get("text") or output.get("data", {}).get("text/plain", "")
            result.append(volatile.sub("TIME", re.sub(r" at 0x[0-9a-f]+", "", text)))
        if cell["cell_type"] == "code":
            result.append(cell["source"])
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, compare with docs/notebooks")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    os.environ.setdefault("MPLBACKEND", "agg")
    paths = sorted(sources.glob("*.py"))
    if arguments.names:
        paths = [path for path in paths if path.stem in arguments.names]
    failed = False
    for path in paths:
        document = documents / (path.stem + ".ipynb")
        notebook = executed(path)
        if not arguments.check:
            documents.mkdir(parents=True, exist_ok=True)
            document.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            print(document.relative_to(root))
            continue
        stored = json.loads(document.read_text(encoding="utf-8")) if document.exists() else {"cells": []}
        for found, expected in zip(texts(notebook), texts(stored)):
            if found != expected:
                failed = True
                print(f"{path.name}: this run gives\n{found}\nbut docs/notebooks has\n{expected}")
        if len(texts(notebook)) != len(texts(stored)):
            failed = True
            print(f"{path.name}: docs/notebooks has other cells; tools/notebooks.py {path.stem} writes them again")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
