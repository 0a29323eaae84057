//! What the programs `mocl3` and `mocl3-compile` share. It does not use LLVM, since `mocl3` starts
//! without it.

pub mod arguments;
pub mod table;
pub mod terminal;
