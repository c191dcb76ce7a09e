#!/usr/bin/env python3
# Writes seeds for the fuzzers: system files and expressions of the catalogue, commands of the documents and of the tests,
# tables of numbers. What is in fuzz/corpus was made from them with `-merge=1`, which keeps what covers something new.
#
#   seeds.py FOLDER
import pathlib
import random
import re
import shlex
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def system_files():
    for path in sorted([*ROOT.glob("src/catalogue/*.toml"), *ROOT.glob("examples/systems/*.toml")]):
        lines = [line for line in path.read_text().splitlines() if line.strip() and not line.startswith(("#", "description", "source"))]
        yield "\n".join(lines)
    for path in sorted([*ROOT.glob("tests/**/*.cpp"), *ROOT.glob("docs/*.md"), *ROOT.glob("tests/app/*.py")]):
        text = path.read_text()
        yield from re.findall(r'R"toml\((.*?)\)toml"', text, re.DOTALL)
        yield from re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
        yield from (block for block in re.findall(r'"""(.*?)"""', text, re.DOTALL) if "lagrangian" in block)


def expressions():
    for text in system_files():
        yield from re.findall(r'"([^"\n]*)"', text)
    for path in sorted(ROOT.glob("tests/expr/*.cpp")):
        yield from re.findall(r'"([^"\n\\]*)"', path.read_text())


def command_lines():
    for path in sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md", *ROOT.glob("src/app/*.cpp")]):
        for line in re.findall(r"noslip ([a-z]+ [^`\n|>#)]*)", path.read_text()):
            try:
                yield "\n".join(shlex.split(line))
            except ValueError:
                continue
    for path in sorted(ROOT.glob("tests/app/*.py")):
        for words in re.findall(r'((?:"[^"\n]*", )+"[^"\n]*")', path.read_text()):
            yield "\n".join(re.findall(r'"([^"\n]*)"', words))


def tables():
    yield "t,tau\n0,1\n1,2\n2.5,-3e-4\n"
    yield "0,1\n1,2\n"
    yield "# a comment\n\n\"t\",\"tau, of a motor\"\n0, 1\n1, \n"
    yield "t,tau,x\r\n0,nan,3\r\n1,2,inf\r\n"
    for path in sorted(ROOT.glob("tests/io/*reader*.cpp")):
        for text in re.findall(r'"((?:[^"\n\\]|\\.)*)"', path.read_text()):
            yield text.encode().decode("unicode_escape", errors="ignore")


def random_bytes(seed, count, most):
    source = random.Random(seed)
    for _ in range(count):
        yield source.randbytes(1 + source.randrange(most))


def write(folder, texts, longest):
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(sorted({text if isinstance(text, bytes) else text.encode() for text in texts})):
        if 0 < len(text) <= longest:
            (folder / f"seed{number:04}").write_bytes(text)


def main():
    folder = pathlib.Path(sys.argv[1])
    write(folder / "expression", expressions(), 256)
    write(folder / "system_file", system_files(), 2048)
    write(folder / "command_line", command_lines(), 256)
    write(folder / "csv", tables(), 1024)
    write(folder / "saved_state", random_bytes(1, 500, 24), 1024)
    write(folder / "small_run", random_bytes(2, 2000, 48), 64)


if __name__ == "__main__":
    main()
