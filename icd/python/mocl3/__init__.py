"""MOCL3: OpenCL 1.2 on a simulated Matrix-3000.

PyOpenCL from PyPI finds the platform by itself. For programs that use the system's
loader, ``python -m mocl3`` prints what has to be set.

``stat`` runs a program and returns what ``mocl3 stat`` found; ``read_stat`` and
``read_recording`` read what ``mocl3 stat --json`` and ``--recording`` wrote. Tables are
pandas DataFrames where pandas is installed, lists of dicts otherwise.
"""

from pathlib import Path

from mocl3.profiling import (
    FormatError,
    Process,
    Stat,
    read_recording,
    read_stat,
    stat,
)
from mocl3.version import VERSION as __version__

LIBRARY = Path(__file__).resolve().with_name("libmocl3.so")

__all__ = [
    "LIBRARY",
    "FormatError",
    "Process",
    "Stat",
    "__version__",
    "read_recording",
    "read_stat",
    "stat",
]
