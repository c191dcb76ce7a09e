"""Systems from Python expressions.

>>> x, y, theta = coordinates("x y theta")
>>> relation = equal(y.dot * cos(theta), x.dot * sin(theta))
>>> relation
y'*cos(theta) - x'*sin(theta)
"""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Iterable, List, Mapping, Tuple, Union

from . import _noslip
from ._noslip import (
    Expression,
    acos,
    asin,
    atan,
    atan2,
    cos,
    cosh,
    equal,
    exp,
    log,
    maximum,
    minimum,
    sign,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)
from .types import Number

__all__ = [
    "Expression", "acos", "asin", "atan", "atan2", "coordinate", "coordinates", "cos", "cosh", "equal", "exp", "expression",
    "input", "inputs", "log", "maximum", "minimum", "parameter", "parameters", "pi", "sign", "sin", "sinh", "sqrt", "t", "tan",
    "tanh",
]  # fmt: skip

#: A part of a system: an expression, a text, or a number.
Part = Union[Expression, Number]


def coordinates(names: Union[str, Iterable[str]]) -> Tuple[Expression, ...]:
    """Symbols of these names, with blanks or commas between them.

    >>> coordinates("x y")
    (x, y)
    """
    return _noslip._symbols(re.split(r"[\s,]+", names.strip()) if isinstance(names, str) else list(names))


def coordinate(name: str) -> Expression:
    """A symbol; `x.dot` is its velocity.

    >>> coordinate("x").dot
    x'
    """
    return coordinates([name])[0]


parameters = inputs = coordinates
parameter = input = coordinate

#: The time.
t = coordinate("t")
pi = _noslip._pi()


def expression(text: str) -> Expression:
    """A text of a system file as an expression.

    >>> expression("x^2")
    x^2
    """
    return _noslip._parse(text)


_TABLES = ("parameters", "inputs", "states", "definitions", "forces", "nonideal", "invariants", "outputs", "exact", "sampled", "tables",
           "units")  # fmt: skip


class Writer:
    """Writes the parts of a system as TOML; long expressions share definitions."""

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self.expressions: List[Expression] = []
        self._collect(parts)
        taken = [str(name) for table in parts.values() if isinstance(table, Mapping) for name in table]
        texts, self.definitions = _noslip._texts(self.expressions, taken)
        self.texts = iter(texts)

    def _collect(self, value: Any) -> None:
        if isinstance(value, Expression):
            self.expressions.append(value)
        elif isinstance(value, Mapping):
            for item in value.values():
                self._collect(item)
        elif not isinstance(value, str) and isinstance(value, Iterable):
            for item in value:
                self._collect(item)

    def value(self, value: Any) -> str:
        """A value in the order in which the expressions were collected."""
        if isinstance(value, bool):
            _noslip._refuse(f"{value}: an expression is needed here", "write a relation as noslip.equal(left, right)")
        if isinstance(value, Expression):
            return quoted(next(self.texts))
        if isinstance(value, str):
            return quoted(value)
        if isinstance(value, Mapping):
            return "{ " + ", ".join(f"{key(name)} = {self.value(item)}" for name, item in value.items()) + " }"
        if isinstance(value, Iterable):
            return "[" + ", ".join(self.value(item) for item in value) + "]"
        text = _noslip._number_text(value)
        return text if re.fullmatch(r"-?[0-9]{1,15}(\.[0-9]+)?", text) else quoted(text)


def quoted(text: str) -> str:
    """A TOML string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def key(name: Any) -> str:
    """A TOML key."""
    text = str(name)
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else quoted(text)


def initial_table(initial: Mapping[Any, Part], states: Iterable[Any] = ()) -> Dict[str, Any]:
    """Values of coordinates, velocities, momenta and states by name, as [initial] has them."""
    of_states = {str(name) for name in states}
    table: Dict[str, Any] = {}
    for name, value in initial.items():
        text = str(name)
        if text in ("q", "v", "p", "y", "z", "lambda", "x", "sampled", "states") and not isinstance(value, (int, float, str, Expression)):
            table[text] = value
        elif text == "t":
            table["t"] = value
        elif text.endswith("'"):
            table.setdefault("v", {})[text[:-1]] = value
        elif text.startswith("p(") and text.endswith(")"):
            table.setdefault("p", {})[text[2:-1]] = value
        else:
            table.setdefault("states" if text in of_states else "q", {})[text] = value
    return table


def system_text(parts: Mapping[str, Any]) -> str:
    """The text of a system file from the keywords of System."""
    given = {name: value for name, value in parts.items() if value is not None}
    if "initial" in given:
        given["initial"] = initial_table(given["initial"], given.get("states", ()))
    names = ("name", "description", "source", "kind")
    content = {name: value for name, value in given.items() if name not in names and name != "coordinates"}
    lines = [f"{name} = {quoted(given[name])}" for name in names if name in given]
    if "coordinates" in given:
        entries = given["coordinates"]
        entries = [entries] if isinstance(entries, (str, Expression)) else entries
        values = [Writer({}).value(one) if isinstance(one, Mapping) else quoted(str(one)) for one in entries]
        lines.append(f"coordinates = [{', '.join(values)}]")
    tables = {name: value for name, value in content.items() if name in _TABLES or name == "initial"}
    plain = {name: value for name, value in content.items() if name not in tables}
    writer = Writer({**plain, **tables})
    lines += [f"{key(name)} = {writer.value(value)}" for name, value in plain.items()]
    definitions = list(writer.definitions)
    for name, table in tables.items():
        lines += ["", f"[{name}]"] + [f"{key(entry)} = {writer.value(value)}" for entry, value in table.items()]
        if name == "definitions":
            lines += [f"{entry} = {quoted(text)}" for entry, text in definitions]
            definitions = []
    if definitions:
        lines += ["", "[definitions]"] + [f"{entry} = {quoted(text)}" for entry, text in definitions]
    return "\n".join(lines) + "\n"
