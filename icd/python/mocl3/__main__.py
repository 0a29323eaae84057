"""Prints the lines that make a shell's OpenCL programs find this installation."""

import shlex

from mocl3 import LIBRARY
from mocl3.commands import VARIABLES

for variable in VARIABLES:
    print(f"export {variable}={shlex.quote(str(LIBRARY))}")
