//! Tests of the toolchain and of programs that are built with it.

mod advice;
mod assembly;
mod assembly_checks;
mod bench;
mod checks;
mod closing;
mod command_line;
mod deadlocks;
mod debugger;
mod exceptions;
mod fortran;
mod from_opencl;
mod host_linking;
mod interface;
mod launching;
mod overlapping_groups;
mod programs;
mod real_programs;
mod timing;
mod tree;
mod undefined_checks;
mod vector_math_accuracy;
