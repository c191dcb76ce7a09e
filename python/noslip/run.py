"""Runs: rows of numbers, and what they look like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Tuple

from . import _noslip
from .types import Array, Number, Path, Progress, package

if TYPE_CHECKING:
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
    header = save_header(system, options) if options["checkpoint"] is not None else ""
    with ProgressLine(options, "steps"):
        run = Run(system, options, header, resumed)
    if check and run.status == "failed":
        error = _noslip.NumericalError(run.message)
        error.run = run
        raise error
    return run


def save_header(system: System, options: Dict[str, Any]) -> str:
    """System and options as JSON, for the file of a checkpoint."""
    import json

    def plain(value: Any) -> Any:
        if isinstance(value, _noslip.Event):
            return ",".join([str(value.when), value.direction] + ([f"stop={value.stop}"] if value.stop else []))
        if hasattr(value, "tolist"):
            return value.tolist()
        if hasattr(value, "__fspath__"):
            return value.__fspath__()
        return str(value)

    given = {name: value for name, value in options.items() if name not in _NOT_SAVED and value is not None}
    return json.dumps({"system": system._saved(), "options": given}, default=plain)


def resume(
    file: Path,
    *,
    until: Optional[Number] = None,
    steps: Optional[int] = None,
    progress: Progress = None,
    check: bool = False,
) -> Run:
    """Goes on with a run from the file that run(checkpoint=...) has written: its rows are those of a run without a break.

    `until` or `steps` gives it another end.
    """
    import json

    from .system import System

    saved, header = _noslip._read_checkpoint(file)
    document = json.loads(header)
    options: Dict[str, Any] = {"progress": progress, "check": check, "checkpoint": file, "force": True}
    options.update(document["options"])
    if until is not None or steps is not None:
        options.update(until=until, steps=steps)
    system = System(_noslip.System._loaded(tuple(document["system"])))
    return start_run(system, options, saved)
