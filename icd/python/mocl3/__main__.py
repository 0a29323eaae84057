"""Prints the lines that make a shell's OpenCL programs find this installation."""

import shlex

from mocl3 import LIBRARY

# ocl-icd takes a library in the place of a folder, Khronos' loader in a list.
for variable in ("OCL_ICD_VENDORS", "OCL_ICD_FILENAMES"):
    print(f"export {variable}={shlex.quote(str(LIBRARY))}")
