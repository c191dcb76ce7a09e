"""Types of options."""

from __future__ import annotations

import os
from decimal import Decimal
from fractions import Fraction
from typing import Any, Callable, Mapping, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _noslip

Array = npt.NDArray[np.float64]
#: A float means that double; ints, Fractions, Decimals and texts such as "1/10" are exact.
Number = Union[float, int, Fraction, Decimal, str]
#: Numbers by name.
Values = Mapping[str, Number]
#: FILE or FILE:ROW of a run, a state of a run, or numbers by name
Start = Union[str, "os.PathLike[str]", Mapping[str, Number], _noslip.State, _noslip.Hit]
Numbers = Union[Sequence[Number], Array]
#: (times, values), each held until the next, or (times, values, "linear").
Series = Union[Tuple[Numbers, Numbers], Tuple[Numbers, Numbers, str]]
#: Of inputs: values, series and controllers by name, or controllers of all inputs.
Inputs = Union[Mapping[str, Union[Number, Series, _noslip.Controller]], _noslip.Controller, Sequence[_noslip.Controller]]
EventFunction = Callable[[float, Array, Array], float]
OneEvent = Union[str, _noslip.Event, EventFunction]
Events = Union[OneEvent, Sequence[OneEvent]]
#: A function of (done, all) that returns False to stop, or True for a line on standard error.
Progress = Union[None, bool, Callable[[int, int], Any]]
Path = Union[str, "os.PathLike[str]"]


def package(name: str, needed_by: str) -> Any:
    """A package that is not always there, imported when it is needed.

    >>> package("nothing", "to_nothing()")
    Traceback (most recent call last):
    ...
    ImportError: to_nothing() needs the package nothing (Debian: python3-nothing)
    """
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        raise ImportError(f"{needed_by} needs the package {name} (Debian: python3-{name})") from None
