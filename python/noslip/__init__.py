"""Structure-preserving simulation of mechanical systems that roll, skate and steer.

>>> import noslip
>>> sleigh = noslip.System("sleigh")
>>> run = sleigh.run(method="gauss:3", step=0.1, until=10)
>>> run.status
'done'
>>> run.q.shape
(101, 3)
"""

from ._noslip import (
    Change,
    Controller,
    Event,
    FileError,
    Hit,
    InputError,
    NumericalError,
    Place,
    Plot,
    Problem,
    Rows,
    State,
    __version__,
)
from .run import Run, resume
from .system import System, methods, systems

__all__ = [
    "Change",
    "Controller",
    "Event",
    "FileError",
    "Hit",
    "InputError",
    "NumericalError",
    "Place",
    "Plot",
    "Problem",
    "Rows",
    "Run",
    "State",
    "System",
    "__version__",
    "methods",
    "resume",
    "systems",
]
