//! Lanes: a loop over work-items becomes a loop over groups of them, whose members run in
//! lock-step as the elements of vectors (whole-function vectorisation; architecture note,
//! decision 5).
//!
//! The body may hold any control flow that is reducible. Where work-items go different ways,
//! both ways are run, one after the other, and masks say which lanes take part; a way that
//! no lane takes is skipped. So whatever is run is run for at least one lane, and what is
//! the same for all lanes is computed once, as a scalar.

mod access;
mod block_copies;
mod body;
mod combined;
mod cost;
mod dimension;
mod disjoint;
mod divergence;
mod divide;
mod fission;
mod flow;
mod instructions;
mod linearise;
mod memory;
mod per_lane;
mod private_arrays;
mod remarks;
mod rows;
mod shape;
mod spans;
pub mod timed;
mod values;
mod widen;
mod width;
mod work_item_loop;

pub use access::Way;
pub use dimension::innermost as innermost_dimension;
pub use disjoint::make_sums;
pub use fission::divide as divide_loops;
pub use remarks::{Kind, Operation, Place, Widened, WidenedLoop};
pub use rows::{Joined, MARK as ROWS_MARK, join as join_rows};
pub use width::{Lanes, Wanted, wanted, width};
pub use work_item_loop::MARK;

use crate::ir::{DataLayout, Value};
use crate::size_limits::{self, InlinedLengths};
use crate::target::HOST_CPU;
use cost::{Cost, Registers};
use device_sim::machine::Machine;
use llvm_sys::prelude::LLVMModuleRef;
use std::cell::RefCell;
use std::collections::HashSet;
use widen::Plan;

/// What a CPU's vectors can do.
#[derive(Clone, Copy, Debug)]
pub struct VectorUnit {
    /// Of a register.
    pub register_bits: u32,
    /// How many registers there are.
    pub registers: u32,
    /// Masks are bits in registers of their own.
    pub mask_registers: bool,
    /// There are conversions of halves.
    pub halves: bool,
    /// Gathering with one instruction is faster than element by element.
    pub gathers: bool,
    /// It is the machine's, whose time is kept: each access of all lanes is one operation, and
    /// code tells how many lanes take part.
    pub timed: bool,
}

impl VectorUnit {
    /// Of the host that code is made for.
    pub fn of_the_host() -> Self {
        let avx512 = HOST_CPU.has("+avx512f");
        let register_bits = match () {
            () if avx512 => 512,
            () if HOST_CPU.has("+avx2") => 256,
            () => 128,
        };
        Self {
            register_bits,
            registers: if avx512 { 32 } else { 16 },
            mask_registers: avx512,
            halves: HOST_CPU.has("+f16c"),
            gathers: avx512,
            timed: false,
        }
    }

    /// Of an array of the machine.
    pub fn of_the_machine(machine: &Machine) -> Self {
        Self {
            register_bits: machine.array.vector_register.value as u32,
            registers: machine.array.registers.vector.value as u32,
            mask_registers: true,
            // LLVM takes very long to do without.
            halves: HOST_CPU.has("+f16c"),
            gathers: true,
            timed: true,
        }
    }
}

/// Why loops stay as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declined {
    /// A sentence.
    pub why: String,
    /// What lanes would have been like, where that was reckoned.
    pub tried: Option<Widened>,
}

impl Declined {
    /// For a reason that is seen before.
    pub fn because(why: String) -> Self {
        Self { why, tried: None }
    }

    /// Lanes are not asked for.
    pub fn not_wanted() -> Self {
        Self::because(format!("{}=0 asks for that", environment::LANES))
    }
}

/// Loops with more instructions stay as they are.
const LARGEST_BODY: usize = 6000;

/// Instructions that lanes may take in all, `by_cost`.
const LONGEST: f64 = 8000.0;

/// Instructions that they may take where their number is forced: LLVM would be at it for minutes.
const LONGEST_FORCED: f64 = 20000.0;

/// With values of loops in more than so many times the registers that there are there are fewer
/// lanes, `by_cost`.
const MOST_REGISTERS: f64 = 22.0 / 16.0;

/// There are more lanes than so many only where all values find registers, `by_cost`: a second
/// operation under way is worth less than what going through memory costs.
const MANY: u32 = 16;

/// Instructions that may come of inlining a function everywhere.
const LONGEST_INLINED: u64 = 2500;

/// Loops with more blocks stay as they are.
const MOST_BLOCKS: usize = 600;

/// Makes lanes of all loops over work-items of a function that `PREPARE` has been run on;
/// tells of each; `by_cost`, there may be fewer lanes. A function that is declined is of no use
/// any more.
///
/// # Errors
/// The first loop that is not fit for it; `by_cost`, that lanes would cost more.
pub fn widen(
    function: Value,
    lanes: Lanes,
    vectors: VectorUnit,
    by_cost: bool,
) -> Result<Widened, Declined> {
    let loops: Vec<_> = work_item_loop::find(function, MARK)
        .into_iter()
        .collect::<Result<_, _>>()?;
    let plans: Vec<_> = loops.iter().map(Plan::of).collect::<Result<_, _>>()?;
    let layout = DataLayout::of_function(function);
    let Lanes {
        number: mut lanes,
        dimension,
    } = lanes;
    let least = vectors.register_bits / width::element_bits(function);
    while by_cost && lanes > least.max(4) && is_too_much(function, &plans, lanes, vectors)? {
        lanes /= 2;
    }
    let private: Vec<_> = loops
        .iter()
        .map(|work_items| private_arrays::interleave(work_items, lanes, layout))
        .collect();
    let bodies: Vec<_> = plans
        .iter()
        .zip(&private)
        .map(|(plan, private)| plan.bodies(function, lanes, vectors, private))
        .collect::<Result<_, _>>()?;
    let costs = bodies.iter().flatten().map(cost::of);
    let cost = costs.fold(Cost::default(), Cost::and);
    log::debug!("{cost}, {:.0} instructions", cost.length);
    let widened = Widened {
        lanes: Lanes {
            number: lanes,
            dimension,
        },
        cost: cost.to_string(),
        loops: bodies.iter().map(|of| WidenedLoop::of(of)).collect(),
    };
    let longest = if by_cost { LONGEST } else { LONGEST_FORCED };
    let why = match () {
        () if cost.length > longest => {
            Some(format!("it would be {:.0} instructions long", cost.length))
        }
        () if by_cost && cost.lanes > cost.in_turn => {
            Some(format!("lanes would cost more: {cost}"))
        }
        () => None,
    };
    if let Some(why) = why {
        let tried = Some(widened);
        return Err(Declined { why, tried });
    }
    for (number, bodies) in bodies.iter().enumerate() {
        widen::replace(function, number, bodies);
    }
    Ok(widened)
}

/// Marks functions for inlining: a call is run for one lane after the other. A function's length
/// is that which it has with its callees inlined.
pub fn inline_calls(module: LLVMModuleRef) {
    let inlined = RefCell::new(HashSet::new());
    let is_inlined = |function: Value| inlined.borrow().contains(&function);
    let mut lengths = InlinedLengths::new(&is_inlined);
    for function in size_limits::callees_first(module) {
        let calls = function.users().len() as u64;
        let length = lengths.of(function);
        if calls > 0 && length.saturating_mul(calls) <= LONGEST_INLINED {
            function.add_attribute("alwaysinline");
            inlined.borrow_mut().insert(function);
        }
    }
}

/// Whether that many lanes need too many registers at once, or too long code.
fn is_too_much(
    function: Value,
    plans: &[Plan<'_>],
    lanes: u32,
    vectors: VectorUnit,
) -> Result<bool, Declined> {
    let layout = DataLayout::of_function(function);
    let mut registers = Registers::default();
    let mut cost = Cost::default();
    for plan in plans {
        let private = plan.arrays_apart(lanes, layout);
        for body in plan.bodies(function, lanes, vectors, &private)? {
            registers = registers.or(Registers::of(&body));
            cost = cost.and(cost::of(&body));
        }
    }
    let there_are = f64::from(vectors.registers);
    Ok(cost.length > LONGEST
        || registers.in_loops > MOST_REGISTERS * there_are
        || lanes > MANY && registers.anywhere >= there_are)
}

/// Passes that bring a work-group function into the form that is needed: values instead of
/// stack slots, branches instead of switches, loops with one way in and one way back.
pub const PREPARE: &str = "function(sroa<modify-cfg>,early-cse<memssa>,\
    instcombine<no-verify-fixpoint>,simplifycfg,lower-switch,fix-irreducible,unify-loop-exits,\
    loop-simplify,lcssa)";

/// Passes between `widen` and `join_rows`: the same form again.
pub const PREPARE_ROWS: &str = "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,\
    instcombine<no-verify-fixpoint>,loop-simplify,loop-mssa(licm),simplifycfg,loop-simplify)";
