//! Fuzzing with three kinds of mutated input: program binaries, machine descriptions, and sources
//! with build options.
//!
//! There is no expected result: the platform may accept the input or refuse it with an error code
//! and a log. The end of the process, a hang, a panic or a log that blames our own passes is a
//! failure. Crashes of clang and LLVM that fail only the build are counted. Inputs run in processes
//! of their own, and each is determined by its seed alone.

mod binaries;
mod builds;
pub mod command_line;
mod corpus;
mod exercise;
mod input;
mod machines;
mod mutation;
mod runner;
mod subject;
mod worker;
