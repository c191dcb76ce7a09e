"""Ensembles, steppers and studies: what they look like in Python."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping

from . import _noslip
from .types import Array, package


class Study(Mapping[str, Any]):
    """The document of a study by its keys, and its picture.

    >>> import noslip
    >>> study = noslip.System("sleigh").converge(method="gauss:2", steps_list=[0.1, 0.05, 0.025], until=1)
    >>> round(study["results"][0]["order_q"])
    4
    """

    def __init__(self, study: _noslip.Study) -> None:
        self._study = study
        self._document: Dict[str, Any] = json.loads(study.json())

    @property
    def status(self) -> str:
        return self._study.status

    @property
    def message(self) -> str:
        return self._study.message

    @property
    def results(self) -> List[Dict[str, Any]]:
        """What was found for each method."""
        found: List[Dict[str, Any]] = self._document["results"]
        return found

    def to_dict(self) -> Dict[str, Any]:
        """The document that the tool prints."""
        return self._document

    def plot(self) -> _noslip.Plot:
        """The picture that the tool draws."""
        return self._study.plot()

    def _repr_svg_(self) -> str:
        return self.plot()._repr_svg_()

    def __getitem__(self, key: str) -> Any:
        return self._document[key]

    def __iter__(self) -> Any:
        return iter(self._document)

    def __len__(self) -> int:
        return len(self._document)

    def __repr__(self) -> str:
        return f"<noslip.Study of {self._document.get('system')!r}: {self.status}>"


class Section(_noslip.Section):
    """The points where a function of the state vanishes.

    >>> import noslip
    >>> section = noslip.System("contact-oscillator").section(
    ...     method="mp", step=0.1, when="y'", direction="down", crossings=5, columns=["z", "z'"])
    >>> section["z"].shape
    (5,)
    """

    def to_dict(self) -> Dict[str, Any]:
        """The document that the tool prints."""
        document: Dict[str, Any] = json.loads(self.json())
        return document

    def to_pandas(self) -> Any:
        """All crossings, one in each row."""
        pandas = package("pandas", "to_pandas()")
        return pandas.DataFrame({name: self[name] for name in self.columns})

    def _repr_svg_(self) -> str:
        return self.plot()._repr_svg_()

    def __repr__(self) -> str:
        return f"<noslip.Section: {self.status}, {len(self)} crossings>"


class Ensemble(_noslip.Ensemble):
    """Many trajectories of one system.

    `many["x"]` has one number for each member, and with `every` the shape (times, members). `many.varied` has what the
    members differ in.

    >>> import noslip
    >>> many = noslip.System("sleigh").ensemble(grid={"theta'": (0, 1, 5)}, step=0.1, until=1, columns=["x", "energy"])
    >>> many["x"].shape, many["theta'"].shape, many.done
    ((5,), (5,), 5)
    """

    def to_dict(self) -> Dict[str, Any]:
        """The document of `noslip ensemble --json`."""
        rate = (self.done + self.failed) / self.wall_seconds if self.wall_seconds else 0.0
        names = ("system", "method", "backend", "step", "members", "done", "failed", "steps", "wall_seconds", "threads", "lanes",
                 "ranks", "failures", "warnings", "status", "message")  # fmt: skip
        document = {name: getattr(self, name) for name in names}
        document["trajectories_per_second"] = rate
        document["times"] = self.t.tolist()
        document["outputs"] = {name: self[name].tolist() if hasattr(self[name], "tolist") else self[name] for name in self.reductions}
        return document

    def to_pandas(self) -> Any:
        """One row for each member, or for each member and time."""
        pandas = package("pandas", "to_pandas()")
        if not self.has_rows:
            columns = {**self._varied(), **{name: self[name] for name in self.columns}}
            return pandas.DataFrame(columns, index=pandas.RangeIndex(self.members, name="member"))
        index = pandas.MultiIndex.from_product([range(self.members), self.t], names=["member", "t"])
        values: Dict[str, Array] = {name: array.repeat(len(self.t)) for name, array in self._varied().items()}
        values.update({name: self[name].T.ravel() for name in self.columns})
        return pandas.DataFrame(values, index=index)

    def to_xarray(self) -> Any:
        """A dataset over the dimensions t and member."""
        xarray = package("xarray", "to_xarray()")
        kept = ("t", "member") if self.has_rows else ("member",)
        values: Dict[str, Any] = {name: ("member", array) for name, array in self._varied().items()}
        values.update({name: (kept, self[name]) for name in self.columns})
        coords = {"t": self.t} if self.has_rows else {}
        return xarray.Dataset(values, coords=coords, attrs={"system": self.system, "method": self.method})

    def _varied(self) -> Dict[str, Array]:
        """What varies, under names that no column has."""
        return {f"member {name}" if name in self.columns else name: array for name, array in self.varied.items()}

    def __repr__(self) -> str:
        return f"<noslip.Ensemble of {self.system!r}: {self.done} of {self.members} members done, {self.failed} failed>"
