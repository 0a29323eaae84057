//! The table of the instructions: mnemonics, units, latencies, operands, and what they do. Units, latencies
//! and operands are those of the 64-bit core in repository Nudt-Dc/FT-Matrix, `instruction_64.csv`; what an
//! instruction does is taken from its description there, and from public assembly code.

mod access;
mod control;
mod memory;
mod mnemonic;
mod scalar;
mod sequence;
mod units;
mod vector;

pub use access::{ScalarAccess, VectorLayout};
pub use mnemonic::{Action, Kind, Mnemonic, OneWord, Saturated, ThreeWords, TwoWords};
pub use sequence::{Condition, Control};
pub use units::{Unit, Units};

use std::collections::HashMap;
use std::sync::LazyLock;

/// All instructions.
pub fn all() -> impl Iterator<Item = &'static Mnemonic> {
    let scalar = scalar::ROWS.iter().chain(control::ROWS);
    scalar.chain(memory::ROWS).chain(vector::ROWS)
}

static BY_NAME: LazyLock<HashMap<&'static str, &'static Mnemonic>> =
    LazyLock::new(|| all().map(|one| (one.name, one)).collect());

/// The instruction of a name in capital letters.
pub fn find(name: &str) -> Option<&'static Mnemonic> {
    BY_NAME.get(name).copied()
}
