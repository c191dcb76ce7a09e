"""Runs: rows of numbers, and what they look like."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, Optional, Union

from . import _noslip
from .types import Array, Number, Path, Progress, package

if TYPE_CHECKING:
    from .studies import Ensemble
    from .system import System

_NOT_SAVED = ("progress", "check", "force", "checkpoint")


class Run(_noslip.Run):
    """What a run has given. Arrays have one row for each stored time and are views of the memory of the run.

    >>> import noslip
    >>> run = noslip.System("sleigh").run(step=0.1, until=1)
    >>> run.q.shape, run["theta'"].shape
    ((11, 3), (11,))
    """

    def to_dict(self) -> Dict[str, Any]:
        """The document of `noslip run --json`.

        >>> import noslip
        >>> noslip.System("sleigh").run(step=0.1, until=1).to_dict()["steps"]
        10
        """
        import json

        document: Dict[str, Any] = json.loads(self.json())
        return document

    def to_pandas(self, columns: Optional[Iterable[str]] = None) -> Any:
        """All columns, or those of these names or expressions, over the index t."""
        pandas = package("pandas", "to_pandas()")
        return pandas.DataFrame(self._columns(columns), index=pandas.Index(self.t, name="t"))

    def to_xarray(self, columns: Optional[Iterable[str]] = None) -> Any:
        """The same as a dataset over the dimension t."""
        xarray = package("xarray", "to_xarray()")
        values = {name: ("t", array) for name, array in self._columns(columns).items()}
        attributes = {"system": self.system.name, "status": self.status}
        return xarray.Dataset(values, coords={"t": self.t}, attrs=attributes)

    def plot(self, show: str = "", *, theme: str = "light", ax: Any = None) -> Any:
        """A picture of the panels that `show` names, as `noslip run --show`; with `ax` lines on axes of matplotlib.

        >>> import noslip
        >>> noslip.System("sleigh").run(step=0.1, until=1).plot("energy,x:y")
        Plot('Chaplygin sleigh on an incline')
        """
        if ax is None:
            return self._plot(show, theme)
        for panel in (show or ",".join(self.system.coordinates)).split(","):
            first, colon, second = panel.strip().rpartition(":")
            x = self[first] if colon else self.t
            ax.plot(x, self[second], label=second)
            ax.set_xlabel(first or "t")
        ax.legend()
        return ax

    def _columns(self, columns: Optional[Iterable[str]]) -> Dict[str, Array]:
        names = self.columns if columns is None else tuple(columns)
        return {name: self[name] for name in names if name != "t"}

    def __repr__(self) -> str:
        return f"<noslip.Run of {self.system.name!r}: {self.status} at t = {self.last.t:g}, {len(self)} rows>"

    def _repr_html_(self) -> str:
        import html

        picture = self._plot("", "light")._repr_svg_() if len(self) else ""
        return f"<pre>{html.escape(self.summary())}</pre>{picture}"


class ProgressLine:
    """A line on standard error while options have progress=True, which this replaces by a function."""

    def __init__(self, options: Dict[str, Any], what: str) -> None:
        self.what = what
        self.is_drawn = False
        if options["progress"] is True:
            options["progress"] = self
        elif options["progress"] is False:
            options["progress"] = None

    def __call__(self, *arguments: Any) -> None:
        import sys

        done, every = arguments[-2:]  # studies say first what they do
        if done and every:
            self.is_drawn = True
            about = "".join(f"  {word}" for word in arguments[:-2])
            print(f"\r\033[K{100 * done / every:3.0f} %  {done} of {every} {self.what}{about}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *arguments: Any) -> None:
        import sys

        if self.is_drawn:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def start_run(system: System, options: Dict[str, Any], resumed: Optional[bytes] = None) -> Run:
    """A run from its options, which are keywords of System.run."""
    check = options.pop("check")
    header = save_header(system, options)
    with ProgressLine(options, "steps"):
        run = Run(system, options, header, resumed)
    if check and run.status == "failed":
        error = _noslip.NumericalError(run.message)
        error.run = run
        raise error
    return run


def save_header(system: System, options: Dict[str, Any]) -> str:
    """System and options as JSON, for the file of a checkpoint; nothing without one."""
    if options["checkpoint"] is None:
        return ""
    import json

    for name, value in options.items():
        if hasattr(value, "__next__"):  # can be read once only
            options[name] = list(value)
    given = {name: plain(value) for name, value in options.items() if name not in _NOT_SAVED and value is not None}
    return json.dumps({"system": system._saved(), "options": given})


def plain(value: Any) -> Any:
    """A value of an option as JSON has it; tuples, which may mean something else than lists, say that they are some."""
    if isinstance(value, (bool, int, str)) or type(value) is float:
        return value
    if isinstance(value, _noslip.Event):
        return ",".join([str(value.when), value.direction] + ([f"stop={value.stop}"] if value.stop else []))
    if hasattr(value, "__fspath__"):
        return os.fsdecode(value)
    if hasattr(value, "items"):
        return {str(name): plain(item) for name, item in value.items()}
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if isinstance(value, tuple):
        return {"(tuple)": [plain(item) for item in value]}
    return [plain(item) for item in value] if isinstance(value, list) else str(value)


def restored(value: Any) -> Any:
    """What was made plain."""
    if isinstance(value, list):
        return [restored(item) for item in value]
    if not isinstance(value, dict):
        return value
    if list(value) == ["(tuple)"]:
        return tuple(restored(value["(tuple)"]))
    return {name: restored(item) for name, item in value.items()}


def resume(
    file: Path,
    *,
    until: Optional[Number] = None,
    steps: Optional[int] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
    check: bool = False,
) -> Union[Run, Ensemble]:
    """Goes on from the file that run(checkpoint=...) or ensemble(checkpoint=...) has written.

    The results are those without a break. `until` or `steps` gives a run another end; `threads` are for an ensemble.
    """
    import json

    from .system import System, start_ensemble

    saved, header, is_ensemble = _noslip._read_checkpoint(file)
    document = json.loads(header)
    options: Dict[str, Any] = {"progress": progress, "checkpoint": file, "force": True}
    options.update(restored(document["options"]))
    system = System(_noslip.System._loaded(tuple(document["system"])))
    if is_ensemble:
        if until is not None or steps is not None:
            _noslip._refuse("an ensemble cannot be extended: its members are not kept", "start it again with the other end")
        if threads is not None:
            options["threads"] = threads
        return start_ensemble(system, options, saved)
    if threads is not None:
        _noslip._refuse("`threads`: this is the checkpoint of a single run", "drop it")
    if until is not None or steps is not None:
        options.update(until=until, steps=steps)
    return start_run(system, {**options, "check": check}, saved)
