//! `libmocl3_cblas.so`: the interface of CBLAS in C for real numbers of single and double precision. Each
//! call is one launch of a built-in kernel (vendor-kernels/kernels.toml) on the first OpenCL device that has
//! them, an MT-3000 device of MOCL3. OpenCL's loader is found at run time.
//!
//! The routines are those of the reference's `cblas.h` whose names have `s` or `d`. Those for complex
//! numbers are not exported. `CBLAS_INT` is `int`.
//!
//! A call returns when its results are in the program's arrays. Calls of several threads run one after the
//! other. Wrong arguments end the program as in the reference, by `cblas_xerbla`; so do failures of OpenCL, with
//! status 1: CBLAS has no error codes.
//!
//! Arrays are used in place (`CL_MEM_USE_HOST_PTR`), except for those that overlap (src/memory.rs).

mod call;
mod device;
mod errors;
#[macro_use]
mod export;
mod givens;
mod level1;
mod level2;
mod level3;
mod memory;
mod opencl;
mod order;
mod real;
mod xerbla;
