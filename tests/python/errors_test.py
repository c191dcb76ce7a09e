"""What is wrong is told in the words of the tool, and nothing but our own exceptions leaves the module."""

import pathlib
import pickle
import re
import sys

import hypothesis
import hypothesis.strategies as st
import pytest

import noslip

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "app"))
from bad_inputs import CASES, FILES  # noqa: E402
from tool import OSCILLATOR, SKATE  # noqa: E402

def told(error):
    """As the tool prints it."""
    return "".join(("" if problem.where.file or problem.where.line else "noslip: ") + str(problem).rstrip() + "\n" for problem in error.problems)


def spelled_as_flags(text):
    """A message with options as the tool spells them: --step 0.1 for `step=0.1`, --init x=1 for `init={"x": 1}`.

    Keys of system files stand between the same marks in both, so that both texts go through it.
    """

    def entry(match):
        name, key, value = match.groups()
        flag = "--" + {"inputs": "input", "events": "event"}.get(name, name)
        return f'{flag} "{key}={value}"' if "'" in key and value == "..." else f"{flag} {key}={value}"

    text = re.sub(r'`(\w+)=\{"(.*?)": (.*?)\}`', entry, text)
    text = re.sub(r"`(\w+)=(.*?)`", r"--\1 \2", text, flags=re.DOTALL)
    return re.sub(r"`(\w+)`", r"--\1", text.replace("`inputs`", "--input"))


@pytest.mark.parametrize("name", sorted(FILES))
def test_wrong_files(name, tool, tmp_path, monkeypatch):
    (tmp_path / name).write_text(FILES[name])
    monkeypatch.chdir(tmp_path)
    options = ["--method", "gauss:2", "--step", "0.1", "--steps", "5", "--quiet"]
    result = tool("run", name, *options, folder=tmp_path)
    if result.returncode == 2:
        with pytest.raises(noslip.InputError) as caught:
            noslip.System(name).run(method="gauss:2", step="0.1", steps=5)
        assert spelled_as_flags(told(caught.value)) == spelled_as_flags(result.stderr)
        assert str(caught.value).count("\n") >= len(caught.value.problems) - 1
    else:
        noslip.System(name).run(method="gauss:2", step="0.1", steps=5)


#: Flags of the tool that are keywords here, and how their values are given.
KEYWORDS = {"--step": "step", "--steps": "steps", "--until": "until", "--method": "method", "--precision": "precision",
            "--backend": "backend", "--tolerance": "tolerance", "--every": "every", "--between": "between",
            "--looks": "looks"}  # fmt: skip
DICTS = {"--set": "set", "--init": "init", "--input": "inputs"}


def keywords_of(words):
    """Options of the tool as keywords, or None where there is no such thing."""
    options = {}
    words = list(words)
    while words:
        flag = words.pop(0)
        if flag == "--project":
            options["project"] = True
        elif flag in KEYWORDS and words and KEYWORDS[flag] not in options:
            options[KEYWORDS[flag]] = words.pop(0)
        elif flag == "--event" and words:
            options.setdefault("events", []).append(words.pop(0))
        elif flag in DICTS and words and words[0].count("=") == 1 and all(part.strip() for part in words[0].split("=")):
            name, value = (part.strip() for part in words.pop(0).split("="))
            if name in options.setdefault(DICTS[flag], {}):
                return None
            options[DICTS[flag]][name] = value
        else:
            return None
    return options


RUNS = [(words, keywords_of(words[2:])) for words, code, _ in CASES if code == 2 and words[:1] == ["run"] and len(words) > 1]
RUNS = [(words, options) for words, options in RUNS if options is not None]
#: What the tool says of a command line before it has looked at the value of an option. Here there is no command line.
OF_THE_COMMAND_LINE = "needs a value, not"


@pytest.mark.parametrize("words, options", RUNS, ids=[" ".join(words[1:]) for words, _ in RUNS])
def test_wrong_options(words, options, tool, tmp_path, monkeypatch):
    for name, content in {**FILES, "skate.toml": SKATE, "oscillator.toml": OSCILLATOR}.items():
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    result = tool(*words, "--quiet", folder=tmp_path)
    assert result.returncode == 2
    options.setdefault("step", None)
    with pytest.raises(noslip.InputError) as caught:
        noslip.System(words[1]).run(**options)
    text = spelled_as_flags(told(caught.value))
    assert "--" not in told(caught.value).replace("--json", "")  # flags are for the tool
    if OF_THE_COMMAND_LINE in result.stderr:
        assert caught.value.problems[0].remedy
    else:
        assert text == spelled_as_flags(result.stderr)


@pytest.mark.parametrize("option, value, told_by_tool", [
    ("inputs", {"tua": 1}, ["--input", "tua=1"]), ("inputs", {"x": 1}, ["--input", "x=1"]), ("inputs", {"k": 2}, ["--input", "k=2"]),
    ("set", {"tau": 1}, ["--set", "tau=1"]), ("set", {"x'": 1}, ["--set", "x'=1"]), ("init", {"tau": 1}, ["--init", "tau=1"]),
    ("init", {"zz": 1}, ["--init", "zz=1"]), ("inputs", {"tau": "no"}, ["--input", "tau=no"])])  # fmt: skip
def test_wrong_names(option, value, told_by_tool, tool, tmp_path, monkeypatch):
    (tmp_path / "input.toml").write_text(FILES["input.toml"])
    monkeypatch.chdir(tmp_path)
    result = tool("run", "input.toml", "--step", "0.1", "--steps", "5", "--quiet", *told_by_tool, folder=tmp_path)
    assert result.returncode == 2
    with pytest.raises(noslip.InputError) as caught:
        noslip.System("input.toml").run(step=0.1, steps=5, **{option: value})
    assert spelled_as_flags(told(caught.value)) == spelled_as_flags(result.stderr)


def test_there_are_many_options():
    assert len(RUNS) > 60


def test_all_problems_at_once():
    with pytest.raises(noslip.InputError) as caught:
        noslip.System("sleigh").run(step=-1, method="gaus:2", precision="double_", set={"q": "x"}, tolerance=3)
    text = str(caught.value)
    for fragment in ("step", "gaus:2", "double_", "tolerance", "'x'"):
        assert fragment in text
    assert len(caught.value.problems) >= 5
    assert all(problem.remedy for problem in caught.value.problems)


def test_exceptions_can_be_pickled():
    with pytest.raises(noslip.InputError) as caught:
        noslip.System("coordinates = [\"x\"]\nlagrangian = \"x'^2 + tehta\"\n")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value)
    problem = copy.problems[0]
    assert (problem.where.file, problem.where.line, problem.where.column) == ("system", 2, 22)
    assert problem.what == caught.value.problems[0].what
    assert isinstance(caught.value, ValueError)


VALUES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.binary(max_size=4),
                   st.lists(st.floats(), max_size=3), st.dictionaries(st.text(max_size=3), st.floats(), max_size=2),
                   st.complex_numbers(), st.decimals(), st.fractions())  # fmt: skip
OPTIONS = st.fixed_dictionaries(
    {"step": st.one_of(st.just(0.1), VALUES), "steps": st.one_of(st.just(3), VALUES)},
    optional={name: VALUES for name in ("until", "method", "every", "set", "init", "inputs", "project", "at", "events", "between",
                                        "looks", "land", "columns", "backend", "precision", "tolerance", "dense")},  # fmt: skip
)
OURS = (noslip.InputError, noslip.FileError)
SLEIGH = noslip.System("sleigh")
FEW = hypothesis.settings(max_examples=150, deadline=None, derandomize=True, database=None)


@FEW
@hypothesis.given(OPTIONS)
def test_random_options(options):
    for name in ("steps", "every"):
        if isinstance(options.get(name), int) and options[name] > 1000:
            options[name] = 1000
    if options.get("steps") is None or "until" in options:
        options["until"], options["steps"] = 0.5, None
    if isinstance(options.get("step"), (int, float)) and not isinstance(options["step"], bool) and 0 < options["step"] < 1e-3:
        options["step"] = 1e-3
    try:
        SLEIGH.run(**options)
    except OURS:
        pass


@FEW
@hypothesis.given(st.text(alphabet=st.characters(), max_size=30))
def test_random_texts(text):
    for source in (text, f"coordinates = [\"x\"]\nlagrangian = \"x'^2/2 + {text}\"\n"):
        try:
            noslip.System(source)
        except OURS:
            pass
    try:
        SLEIGH.run(step=0.1, steps=1)[text]
    except OURS:
        pass


@FEW
@hypothesis.given(VALUES, VALUES, VALUES)
def test_random_members(members, grid, vary):
    for options in ({"members": {"theta'": members}}, {"grid": {"theta'": grid}}, {"sample": 2, "vary": {"theta'": vary}}):
        try:
            SLEIGH.ensemble(step=0.1, steps=1, threads=1, **options)
        except OURS:
            pass
