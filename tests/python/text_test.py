"""Help, types and signatures: they agree with the table of options, and examples run."""

import ast
import doctest
import importlib
import inspect
import os
import pathlib
import shutil
import subprocess

import pytest

import noslip
from noslip import _noslip

PACKAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "python" / "noslip"
MODULES = sorted(path.stem for path in PACKAGE.glob("*.py"))


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module("noslip" if name == "__init__" else f"noslip.{name}")
    names = {**vars(module), "noslip": noslip}
    result = doctest.testmod(module, globs=names, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0


@pytest.mark.parametrize("name", ["Controller", "Event"])
def test_examples_of_the_extension(name):
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
    for test in finder.find(getattr(_noslip, name), name, globs={"noslip": noslip}):
        runner.run(test)
    assert runner.summarize().failed == 0 and runner.tries > 0


#: Options of the tool that a module needs no keyword for.
OF_THE_TOOL = {"json", "quiet", "plot", "theme", "show", "quaternions", "part"}
#: Keywords that the tool has no option for.
OF_PYTHON = {"progress", "dense", "check", "columns"}
VERBS = {"run": "run", "ensemble": "ensemble", "converge": "converge", "compare": "compare", "section": "section", "check": "check"}
#: The tool writes events to a file here; in Python they are a list.
LEFT_OUT = {"check": {"method", "step"}, "section": {"output", "force"},
            "converge": {"force"}, "compare": {"force"}}  # fmt: skip


def written(option):
    """The default of an option as Python has it; what holds if nothing is given may also be a sentence."""
    text = option["default"]
    if option["type"] == "flag":
        return False
    try:
        return float(text)
    except ValueError:
        return text


@pytest.mark.parametrize("method, verb", VERBS.items())
def test_signatures_are_the_table(method, verb):
    parameters = dict(inspect.signature(getattr(noslip.System, method)).parameters)
    del parameters["self"]
    options = {option["name"]: option for option in _noslip._options(verb) if option["name"] not in OF_THE_TOOL}
    assert set(parameters) - OF_PYTHON == set(options) - OF_PYTHON - LEFT_OUT.get(verb, set())
    for name, parameter in parameters.items():
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        if name in OF_PYTHON:
            continue
        option = options[name]
        if parameter.default is None or (parameter.default is inspect.Parameter.empty and option["required"]):
            continue
        if parameter.default is inspect.Parameter.empty:
            assert (verb, name) in {("converge", "until"), ("compare", "until"), ("compare", "method"), ("compare", "step")}, name
            continue
        assert parameter.default == written(option), name
        if option["choices"]:
            assert parameter.default in option["choices"]


def test_everything_is_documented():
    for name in noslip.__all__:
        if name not in ("__version__", "pi", "t"):
            assert getattr(noslip, name).__doc__, name
    for kind in (noslip.System, noslip.Run, noslip.Ensemble, noslip.Section):
        for name, member in vars(kind).items():
            if callable(member) and not name.startswith("_"):
                assert member.__doc__, f"{kind.__name__}.{name}"


def test_types_have_all_names():
    tree = ast.parse((PACKAGE / "_noslip.pyi").read_text())
    stubs = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    real = {name for name in vars(_noslip) if not name.startswith("__")}
    assert real == set(stubs)
    for name, node in stubs.items():
        if not isinstance(node, ast.ClassDef) or name.endswith("Error"):
            continue
        members = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
        members |= {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
        for member in members:
            assert hasattr(getattr(_noslip, name), member), f"{name}.{member}"
        missing = {member for member in vars(getattr(_noslip, name)) if not member.startswith("_")} - members
        bases = {member for base in node.bases for member in dir(getattr(_noslip, base.id))}
        assert missing - bases == set(), name


USER = '''
from typing import Any

import numpy as np
import noslip

sleigh = noslip.System("sleigh")
run = sleigh.run(method="gauss:3", step=0.1, until=1, set={"a": 0.5}, events=["theta - 1,up"])
x: np.ndarray[Any, np.dtype[np.float64]] = run["x"]
total: float = float(run.q.sum()) + run.last.energy
stepper = sleigh.stepper(step=0.01)
done: int = stepper.advance(10)
many = sleigh.ensemble(members={"theta\'": np.linspace(0, 1, 5)}, step=0.1, until=1, columns=["x"])
first, second = noslip.coordinates("x y")
energy: noslip.Expression = 0.5 * first.dot**2 - noslip.cos(second)
try:
    noslip.System("slegih")
except noslip.InputError as error:
    places = [problem.where.line for problem in error.problems]
'''


@pytest.mark.skipif(shutil.which("mypy", path="/usr/bin") is None, reason="no mypy")
def test_types(tmp_path):
    # One call for the package and a program that uses it.
    (tmp_path / "user.py").write_text(USER)
    cache = pathlib.Path(os.environ.get("NOSLIP_BUILD_DIR", tmp_path)) / "mypy_cache"
    words = ["/usr/bin/mypy", "--strict", "--cache-dir", cache, PACKAGE, tmp_path / "user.py"]
    result = subprocess.run(words, cwd=PACKAGE.parent, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
