"""Systems, and what can be done with them."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _noslip
from .run import ProgressLine, Run, save_header, start_run
from .studies import Ensemble, Section, Study
from .types import Events, Inputs, Number, Numbers, Path, Progress, Start, Values


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

    Or its parts, as the keys of a system file, in expressions, texts and numbers:

    >>> import noslip
    >>> x, y, theta = noslip.coordinates("x y theta")
    >>> skate = System(
    ...     coordinates=[x, y, theta],
    ...     lagrangian=(x.dot**2 + y.dot**2 + theta.dot**2) / 2 + x,
    ...     constraints=[noslip.equal(y.dot * noslip.cos(theta), x.dot * noslip.sin(theta))],
    ...     initial={theta.dot: 1},
    ... )
    >>> skate.run(step=0.1, until=1).status
    'done'
    """

    def __init__(
        self,
        source: Optional[Union[Path, _noslip.System]] = None,
        *,
        coordinates: Optional[Sequence[Any]] = None,
        lagrangian: Any = None,
        hamiltonian: Any = None,
        constraints: Any = None,
        holonomic: Any = None,
        parameters: Optional[Mapping[Any, Any]] = None,
        initial: Optional[Mapping[Any, Any]] = None,
        forces: Optional[Mapping[Any, Any]] = None,
        inputs: Optional[Mapping[Any, Any]] = None,
        definitions: Optional[Mapping[Any, Any]] = None,
        invariants: Optional[Mapping[Any, Any]] = None,
        name: Optional[str] = None,
        **others: Any,
    ) -> None:
        if source is None:
            from .expressions import system_text

            parts = locals()
            for key in ("self", "source", "others", "system_text", "__class__"):
                parts.pop(key, None)
            source = system_text({**parts, **others})
        elif any(part is not None for part in (coordinates, lagrangian, hamiltonian, constraints, holonomic, parameters, initial,
                                               forces, inputs, definitions, invariants, name)) or others:  # fmt: skip
            _noslip._refuse("System: a system and its parts are both given", "give one of them")
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
        init_from: Optional[Start] = None,
        inputs: Optional[Inputs] = None,
        project: bool = False,
        strict: bool = False,
        at: Optional[Sequence[Number]] = None,
        events: Optional[Events] = None,
        between: str = "polynomial",
        looks: int = 4,
        land: bool = False,
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
        1.0
        """
        options = locals()
        del options["self"]
        return start_run(self, options)

    def stepper(
        self,
        *,
        step: Number,
        method: str = "gauss:2",
        set: Optional[Values] = None,
        init: Optional[Values] = None,
        inputs: Optional[Values] = None,
        project: bool = False,
        backend: str = "auto",
        tolerance: Optional[Number] = None,
    ) -> _noslip.Stepper:
        """One state that moves step by step, for control loops.

        >>> stepper = System("sleigh").stepper(method="gauss:2", step=0.01)
        >>> stepper.advance(10), round(stepper.t, 12)
        (10, 0.1)
        """
        options = locals()
        del options["self"]
        return _noslip.Stepper(self, options)

    def ensemble(
        self,
        *,
        step: Number,
        until: Optional[Number] = None,
        steps: Optional[int] = None,
        method: str = "gauss:2",
        members: Optional[Union[Path, Mapping[str, Union[Numbers, Number]]]] = None,
        grid: Optional[Mapping[str, Union[Tuple[Number, Number, int], Numbers]]] = None,
        sample: Optional[int] = None,
        seed: Optional[int] = None,
        vary: Optional[Mapping[str, Union[str, Tuple[str, Number, Number]]]] = None,
        every: Optional[int] = None,
        columns: Optional[Sequence[str]] = None,
        reduce: Optional[Union[str, Sequence[str]]] = None,
        set: Optional[Values] = None,
        init: Optional[Values] = None,
        init_from: Optional[Start] = None,
        inputs: Optional[Inputs] = None,
        project: bool = False,
        strict: bool = False,
        events: Optional[Events] = None,
        looks: int = 4,
        output: Optional[Union[Path, Sequence[Path]]] = None,
        checkpoint: Optional[Path] = None,
        checkpoint_every: Number = 60,
        force: bool = False,
        backend: str = "auto",
        tolerance: Optional[Number] = None,
        threads: Optional[int] = None,
        lanes: Optional[int] = None,
        progress: Progress = None,
    ) -> Ensemble:
        """Many members: values by name, a grid of (first, last, count) or values, or a sample of what `vary` draws.

        Without `every` each member has one row, at the end. Results depend neither on lanes nor on threads.

        >>> many = System("sleigh").ensemble(members={"theta'": [0.5, 1.0]}, step=0.1, until=1, reduce="mean(x)")
        >>> many.done
        2
        """
        options = locals()
        del options["self"]
        return start_ensemble(self, options)

    def converge(
        self,
        *,
        method: Union[str, Sequence[str]] = "gauss:2",
        steps_list: Sequence[Number],
        until: Number,
        set: Optional[Values] = None,
        init: Optional[Values] = None,
        init_from: Optional[Start] = None,
        inputs: Optional[Inputs] = None,
        project: bool = False,
        backend: str = "auto",
        precision: Optional[str] = None,
        progress: Any = None,
    ) -> Study:
        """Measured orders of q, v and multipliers.

        >>> study = System("sleigh").converge(method="mp", steps_list=["1/10", "1/20", "1/40"], until=1)
        >>> study["results"][0]["method"]
        'mp'
        """
        options = locals()
        del options["self"]
        with ProgressLine(options, "steps"):
            return Study(_noslip._converge(self, options))

    def compare(
        self,
        *,
        method: Union[str, Sequence[str]],
        step: Number,
        until: Number,
        against: str = "cost",
        set: Optional[Values] = None,
        init: Optional[Values] = None,
        init_from: Optional[Start] = None,
        inputs: Optional[Inputs] = None,
        project: bool = False,
        backend: str = "auto",
        precision: str = "double",
        progress: Any = None,
    ) -> Study:
        """Several methods on one problem: errors, what they conserve, and (without against="time") what a step costs.

        >>> study = System("sleigh").compare(method=["mp", "gauss:2"], step=0.1, until=1, against="time")
        >>> len(study["results"])
        2
        """
        options = locals()
        del options["self"]
        with ProgressLine(options, "steps"):
            return Study(_noslip._compare(self, options))

    def section(
        self,
        *,
        step: Number,
        when: str,
        crossings: int,
        method: str = "gauss:2",
        direction: str = "both",
        columns: Optional[Sequence[str]] = None,
        orbits: Optional[Mapping[str, Numbers]] = None,
        until: Optional[Number] = None,
        set: Optional[Values] = None,
        init: Optional[Values] = None,
        init_from: Optional[Start] = None,
        inputs: Optional[Inputs] = None,
        project: bool = False,
        between: str = "polynomial",
        looks: int = 4,
        backend: str = "auto",
        precision: str = "double",
        progress: Any = None,
    ) -> Section:
        """A Poincare section: the points where `when` vanishes.

        >>> section = System("contact-oscillator").section(
        ...     method="mp", step=0.1, when="y'", crossings=3, columns=["z"], orbits={"z0": [-1, -0.5]})
        >>> section.labels
        ['z0 = -1', 'z0 = -0.5']
        """
        options = locals()
        del options["self"]
        with ProgressLine(options, "crossings"):
            return Section(self, options)

    def resized(self, **sizes: Number) -> System:
        """The same system with other sizes: parameters that decide how many coordinates there are.

        >>> len(System("chaotic").coordinates), len(System("chaotic").resized(m=4).coordinates)
        (7, 9)
        """
        return type(self)(self._resized(sizes))

    def check(
        self,
        *,
        set: Optional[Values] = None,
        init: Optional[Values] = None,
        init_from: Optional[Start] = None,
        inputs: Optional[Values] = None,
        project: bool = False,
    ) -> Dict[str, Any]:
        """What `noslip check --json` tells: dimensions, constraints, and the equations of motion at the initial state.

        >>> System("sleigh").check()["degrees_of_freedom"]
        2
        """
        import json

        document: Dict[str, Any] = json.loads(self._check(set, init, init_from, inputs, project))
        return document

    def show(self) -> str:
        """The equations of motion as text.

        >>> System("sleigh").show().splitlines()[0]
        'Chaplygin sleigh on an incline'
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
        if not isinstance(other, System):
            return NotImplemented
        return self._saved() == other._saved()

    def __hash__(self) -> int:
        return hash(self.text)


def restore(kind: type[System], saved: Tuple[Any, ...]) -> System:
    """A pickled system."""
    return kind(_noslip.System._loaded(saved))


def start_ensemble(system: System, options: Dict[str, Any], resumed: Optional[bytes] = None) -> Ensemble:
    """An ensemble from its options, which are keywords of System.ensemble."""
    header = save_header(system, options)
    with ProgressLine(options, "steps"):
        return Ensemble(system, options, header, resumed)


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
