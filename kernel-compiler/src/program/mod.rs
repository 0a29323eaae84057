//! Linked programs: executables, their binaries, and the code they compile ahead of launches.

pub mod binary;
pub mod build_input;
pub mod container;
pub mod executable;
mod launch_predictor;
mod linked;
