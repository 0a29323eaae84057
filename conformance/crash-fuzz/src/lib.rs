//! Damaged input of three sorts, made from seeds: program binaries, machine descriptions,
//! and sources with build options.
//!
//! Nothing is known of what they should give. The platform accepts the input or refuses it
//! with an error code and a log: the end of the process, a hang, a panic or a log that blames our
//! own passes is a failure. Crashes of clang and LLVM that stay within the build are counted. Inputs run in processes of their own, and each follows from its seed alone.

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
