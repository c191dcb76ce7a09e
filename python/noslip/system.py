"""Systems, and what can be done with them."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _noslip
from .run import Run, start_run
from .types import Events, Inputs, Number, Progress, Values


class System(_noslip.System):
    """What moves: a catalogue name, a path, or the text of a system file.

    >>> sleigh = System("sleigh")
    >>> sleigh.coordinates
    ('x', 'y', 'theta')
    >>> skate = System('''
    ... coordinates = ["x", "y", "theta"]
    ... lagrangian  = "1/2*(x'^2 + y'^2 + theta'^2) + x"
    ... constraints = ["y'*cos(theta) = x'*sin(theta)"]
    ... ''')
    """

    def __init__(self, source: Union[str, os.PathLike[str], _noslip.System]) -> None:
        super().__init__(source)

    def run(
        self,
        *,
        step: Number,
        until: Optional[Number] = None,
        steps: Optional[int] = None,
        method: str = "gauss:2",
        every: Optional[int] = None,
        set: Optional[Values] = None,
        init: Optional[Values] = None,
        inputs: Optional[Inputs] = None,
        project: bool = False,
        at: Optional[Sequence[Number]] = None,
        events: Optional[Events] = None,
        between: str = "polynomial",
        looks: int = 4,
        columns: Optional[Sequence[str]] = None,
        output: Optional[Any] = None,
        checkpoint: Optional[Union[str, os.PathLike[str]]] = None,
        checkpoint_every: Number = 60,
        force: bool = False,
        backend: str = "auto",
        precision: str = "double",
        tolerance: Optional[Number] = None,
        dense: bool = False,
        progress: Progress = None,
        check: bool = False,
    ) -> Run:
        """Integrates from the initial state, and stores a row after each step, or after each `every`-th.

        A numerical failure is `run.status == "failed"`; with check=True it raises NumericalError.

        >>> run = System("sleigh").run(method="gauss:3", step=0.1, until=10, set={"a": 0.5})
        >>> float(run["x"][0])
        0.0
        """
        options = locals()
        del options["self"]
        return start_run(self, options)

    def resized(self, **sizes: Number) -> System:
        """The same system with other sizes: parameters that decide how many coordinates there are.

        >>> len(System("links").resized(n=3).coordinates) != len(System("links").resized(n=2).coordinates)
        True
        """
        return type(self)(self._resized(sizes))

    def check(
        self,
        *,
        set: Optional[Values] = None,
        init: Optional[Values] = None,
        inputs: Optional[Values] = None,
        project: bool = False,
    ) -> Dict[str, Any]:
        """What `noslip check --json` tells: dimensions, constraints, and the equations of motion at the initial state.

        >>> System("sleigh").check()["degrees_of_freedom"]
        2
        """
        import json

        document: Dict[str, Any] = json.loads(self._check(set, init, inputs, project))
        return document

    def show(self) -> str:
        """The equations of motion as text.

        >>> "Equations" in System("sleigh").show() or "=" in System("sleigh").show()
        True
        """
        lines = [self.name]
        for title, equations in self._equations():
            lines += ["", title] if title else [""]
            lines += [f"  {left} = {right}" for left, right in equations]
        return "\n".join(lines) + "\n"

    def _repr_latex_(self) -> str:
        return self.latex()

    def __repr__(self) -> str:
        return f"<noslip.System {self.name!r}: {', '.join(self.coordinates[:8])}{', ...' if len(self.coordinates) > 8 else ''}>"

    def __reduce__(self) -> Tuple[Any, ...]:
        return restore, (type(self), self._saved())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, System) and self._saved() == other._saved()

    def __hash__(self) -> int:
        return hash(self.text)


def restore(kind: type[System], saved: Tuple[Any, ...]) -> System:
    """A pickled system."""
    return kind(_noslip.System._loaded(saved))


def methods(system: Optional[System] = None) -> List[Dict[str, Any]]:
    """Families of methods with what they preserve; with a system also whether they accept it.

    >>> [family["order"] for family in methods() if family["name"] == "gauss"]
    ['2s']
    """
    return _noslip.methods(system)


def systems() -> Dict[str, str]:
    """The catalogue: a sentence for each name.

    >>> "sleigh" in systems()
    True
    """
    return _noslip.systems()
