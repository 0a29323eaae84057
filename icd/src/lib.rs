//! `libmocl3.so`: OpenCL's C interface over `runtime`.
