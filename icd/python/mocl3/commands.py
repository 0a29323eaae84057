"""The commands of this installation."""

import os
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().with_name("bin") / "mocl3"

# `mocl3 doctor` reports what programs find without this.
UNCHANGED = ("doctor",)

# ocl-icd takes a library in the place of a folder, Khronos' loader in a list.
VARIABLES = ("OCL_ICD_VENDORS", "OCL_ICD_FILENAMES")


def program(task):
    """The command line of ``mocl3 task``: the wheel's, or that of ``PATH`` without one."""
    if PROGRAM.is_file():
        return [sys.executable, "-c", "from mocl3.commands import main; main()", task]
    return ["mocl3", task]


def environment(arguments):
    """The variables with which the command's programs find this installation, unless the user has
    chosen platforms."""
    variables = dict(os.environ)
    chosen = any(name in variables for name in VARIABLES)
    if not chosen and arguments and arguments[0] not in UNCHANGED:
        library = str(PROGRAM.parent.with_name("libmocl3.so"))
        variables.update((name, library) for name in VARIABLES)
    return variables


def main():
    """The entry point ``mocl3``."""
    arguments = sys.argv[1:]
    os.execve(PROGRAM, ["mocl3", *arguments], environment(arguments))
