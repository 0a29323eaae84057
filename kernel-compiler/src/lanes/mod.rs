//! Lanes: a loop over work-items becomes a loop over groups of them, whose members run in
//! lock-step as the elements of vectors (whole-function vectorisation; architecture note,
//! decision 5).
//!
//! The body may hold any control flow that is reducible. Where work-items go different ways,
//! both ways are run, one after the other, and masks say which lanes take part; a way that
//! no lane takes is skipped. So whatever is run is run for at least one lane, and what is
//! the same for all lanes is computed once, as a scalar.

mod divergence;
mod flow;
mod instructions;
mod memory;
mod per_lane;
mod shape;
mod values;
mod widen;
mod width;
mod work_item_loop;

pub use divergence::SAME_FOR_THE_GROUP;
pub use width::width;
pub use work_item_loop::MARK;

use crate::ir::Value;
use crate::target::HOST_CPU;

/// What a CPU's vectors can do.
#[derive(Clone, Copy, Debug)]
pub struct Vectors {
    /// Masks are bits in registers of their own.
    pub mask_registers: bool,
    /// Gathering with one instruction is faster than element by element.
    pub gathers: bool,
}

impl Vectors {
    /// Of the host that code is made for.
    pub fn of_the_host() -> Self {
        let avx512 = HOST_CPU.has("+avx512f");
        Self {
            mask_registers: avx512,
            gathers: avx512,
        }
    }
}

/// Why a loop stays as it is: a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declined(pub String);

/// Loops with more instructions stay as they are.
const LARGEST_BODY: usize = 6000;

/// Loops with more blocks stay as they are.
const MOST_BLOCKS: usize = 600;

/// Makes lanes of all loops over work-items of a function that `PREPARE` has been run on;
/// gives how many there were. A loop that is declined is as it was, others may not be.
///
/// # Errors
/// The first loop that is not fit for it.
pub fn widen(function: Value, lanes: u32, vectors: Vectors) -> Result<usize, Declined> {
    let mut loops = 0;
    for work_items in work_item_loop::find(function) {
        widen::widen(function, &work_items?, lanes, vectors)?;
        loops += 1;
    }
    Ok(loops)
}

/// Passes that bring a work-group function into the form that is needed: values instead of
/// stack slots, branches instead of switches, loops with one way in and one way back.
pub const PREPARE: &str = "function(sroa<modify-cfg>,early-cse<memssa>,\
    instcombine<no-verify-fixpoint>,simplifycfg,lower-switch,fix-irreducible,unify-loop-exits,\
    loop-simplify,lcssa)";
