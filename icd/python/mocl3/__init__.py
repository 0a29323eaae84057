"""MOCL3: OpenCL 1.2 on a simulated Matrix-3000.

PyOpenCL from PyPI finds the platform by itself. For programs that use the system's
loader, ``python -m mocl3`` prints what has to be set.
"""

from pathlib import Path

LIBRARY = Path(__file__).resolve().with_name("libmocl3.so")
