//! Lanes: a loop over work-items becomes a loop over groups of them, whose members run in
//! lock-step as the elements of vectors (whole-function vectorisation; architecture note,
//! decision 5).
//!
//! The body may hold any control flow that is reducible. Where work-items go different ways,
//! both ways are run, one after the other, and masks say which lanes take part; a way that
//! no lane takes is skipped. So whatever is run is run for at least one lane, and what is
//! the same for all lanes is computed once, as a scalar.

mod access;
pub mod active_lane_markers;
mod cost;
mod disjoint_or;
mod driver;
mod index_ranges;
mod instructions;
mod integer_division;
mod linearise;
mod loop_distribution;
mod memory;
mod memory_intrinsics;
mod plan;
mod private_arrays;
mod rejection;
mod remarks;
mod scalarize;
mod uniform_atomics;
mod unroll_and_jam;
mod values;
mod vector_dimension;
mod width;
mod work_item_loop;

pub use access::AccessKind;
pub use disjoint_or::to_adds as disjoint_ors_to_adds;
pub use loop_distribution::distribute as distribute_loops;
pub use rejection::Rejection;
pub use remarks::{MemoryRegion, Operation, OperationKind, Rejected, Vectorized, VectorizedLoop};
pub use unroll_and_jam::{JammedLoop, ROW_LOOP_MARK, run as unroll_and_jam};
pub use vector_dimension::innermost as innermost_dimension;
pub use width::{Lanes, WidthPolicy, choose as choose_width, width_policy};
pub use work_item_loop::WORK_ITEM_LOOP_MARK;

use crate::ir::{DataLayout, Value};
use crate::size_limits::{self, InlinedLengths};
use crate::target::HOST_CPU;
use cost::{Cost, RegisterPressure};
use device_sim::machine::Machine;
use driver::LoopBody;
use llvm_sys::prelude::LLVMModuleRef;
use std::cell::RefCell;
use std::collections::HashSet;

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

/// Loops with more instructions stay as they are.
const MAX_LOOP_INSTRUCTIONS: usize = 6000;

/// Instructions that lanes may take in all, `by_cost`.
const MAX_VECTOR_INSTRUCTIONS: f64 = 8000.0;

/// Instructions that they may take where their number is forced: LLVM would be at it for minutes.
const MAX_FORCED_INSTRUCTIONS: f64 = 20000.0;

/// With values of loops in more than so many times the registers that there are there are fewer
/// lanes, `by_cost`.
const MAX_REGISTER_USE: f64 = 22.0 / 16.0;

/// There are more lanes than so many only where all values find registers, `by_cost`: a second
/// operation under way is worth less than what going through memory costs.
const WIDEST_WITH_SPILLS: u32 = 16;

/// Instructions that may come of inlining a function everywhere.
const MAX_INLINED_INSTRUCTIONS: u64 = 2500;

/// Loops with more blocks stay as they are.
const MAX_LOOP_BLOCKS: usize = 600;

/// Makes lanes of all loops over work-items of a function that `PREPARE` has been run on;
/// tells of each; `by_cost`, there may be fewer lanes. A function that is declined is of no use
/// any more.
///
/// # Errors
/// The first loop that is not fit for it; `by_cost`, that lanes would cost more.
pub fn vectorize(
    function: Value,
    lanes: Lanes,
    vectors: VectorUnit,
    by_cost: bool,
) -> Result<Vectorized, Rejected> {
    let loops: Vec<_> = work_item_loop::find(function, WORK_ITEM_LOOP_MARK)
        .into_iter()
        .collect::<Result<_, _>>()?;
    let loop_bodies: Vec<_> = loops.iter().map(LoopBody::of).collect::<Result<_, _>>()?;
    let layout = DataLayout::of_function(function);
    let Lanes {
        count: mut lanes,
        dimension,
    } = lanes;
    let least = vectors.register_bits / width::element_bits(function);
    while by_cost && lanes > least.max(4) && exceeds_limits(function, &loop_bodies, lanes, vectors)?
    {
        lanes /= 2;
    }
    let private: Vec<_> = loops
        .iter()
        .map(|work_items| private_arrays::interleave(work_items, lanes, layout))
        .collect();
    let plans: Vec<_> = loop_bodies
        .iter()
        .zip(&private)
        .map(|(loop_body, private)| loop_body.plans(function, lanes, vectors, private))
        .collect::<Result<_, _>>()?;
    let costs = plans.iter().flatten().map(cost::of_plan);
    let cost = costs.fold(Cost::default(), Cost::plus);
    log::debug!("{cost}, {:.0} instructions", cost.instructions);
    let vectorized = Vectorized {
        lanes: Lanes {
            count: lanes,
            dimension,
        },
        cost: cost.to_string(),
        loops: plans.iter().map(|of| VectorizedLoop::of(of)).collect(),
    };
    let longest = if by_cost {
        MAX_VECTOR_INSTRUCTIONS
    } else {
        MAX_FORCED_INSTRUCTIONS
    };
    let reason = match () {
        () if cost.instructions > longest => Some(Rejection::LongCode(cost.instructions)),
        () if by_cost && cost.vector > cost.scalar => {
            Some(Rejection::Unprofitable(cost.to_string()))
        }
        () => None,
    };
    if let Some(reason) = reason {
        return Err(Rejected {
            reason,
            plan: Some(vectorized),
        });
    }
    for (number, plans) in plans.iter().enumerate() {
        driver::replace(function, number, plans);
    }
    Ok(vectorized)
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
        if calls > 0 && length.saturating_mul(calls) <= MAX_INLINED_INSTRUCTIONS {
            function.add_attribute("alwaysinline");
            inlined.borrow_mut().insert(function);
        }
    }
}

/// Whether that many lanes need too many registers at once, or too long code.
fn exceeds_limits(
    function: Value,
    loop_bodies: &[LoopBody<'_>],
    lanes: u32,
    vectors: VectorUnit,
) -> Result<bool, Rejection> {
    let layout = DataLayout::of_function(function);
    let mut registers = RegisterPressure::default();
    let mut cost = Cost::default();
    for loop_body in loop_bodies {
        let private = loop_body.separate_arrays(lanes, layout);
        for plan in loop_body.plans(function, lanes, vectors, &private)? {
            registers = registers.max(RegisterPressure::of(&plan));
            cost = cost.plus(cost::of_plan(&plan));
        }
    }
    let there_are = f64::from(vectors.registers);
    Ok(cost.instructions > MAX_VECTOR_INSTRUCTIONS
        || registers.in_loops > MAX_REGISTER_USE * there_are
        || lanes > WIDEST_WITH_SPILLS && registers.anywhere >= there_are)
}

/// Passes that bring a work-group function into the form that is needed: values instead of
/// stack slots, branches instead of switches, loops with one way in and one way back.
pub const PREPARE: &str = "function(sroa<modify-cfg>,early-cse<memssa>,\
    instcombine<no-verify-fixpoint>,simplifycfg,lower-switch,fix-irreducible,unify-loop-exits,\
    loop-simplify,lcssa)";

/// Passes between `widen` and `join_rows`: the same form again.
pub const PREPARE_UNROLL_AND_JAM: &str = "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,\
    instcombine<no-verify-fixpoint>,loop-simplify,loop-mssa(licm),simplifycfg,loop-simplify)";
