//! `libmocl3.so`: OpenCL's C interface over `runtime`. Checks arguments, turns handles
//! into objects and results into error codes; holds no policy.
//!
//! `abi` is the C side: the table of all functions, the entry points that it expands to,
//! handles, and pointers and functions of the host program. `api` implements each function, in
//! the file of its object; `check` reports errors and leaks (`MOCL3_CHECK=api`), `trace` prints calls
//! (`MOCL3_TRACE_API`).

mod abi;
mod api;
mod check;
mod fault;
mod trace;

#[cfg(test)]
mod api_coverage_test;
