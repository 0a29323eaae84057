//! Sources of the programs.

/// A program with one kernel, `k`.
pub const GOOD: &str =
    "int twice(int x) { return 2 * x; } kernel void k(global int *x) { *x = twice(*x); }";

/// A program with another kernel, which links with `GOOD`.
pub const OTHER: &str = "kernel void other(global int *x) { *x = 1; }";

/// A program that does not compile.
pub const WRONG: &str = "kernel void k(global int *x) { *x = oops; }";
