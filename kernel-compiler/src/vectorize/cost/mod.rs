//! Cost model for the host: estimates the cycles of a loop over work-items as scalar and as
//! vector code, without knowing trip counts of its inner loops or branch probabilities.

mod accesses;
pub mod cache_lines;
mod critical_path;
mod frequency;
pub mod group_loops;
mod records;
mod recurrence;
pub mod register_pressure;

use crate::analysis::all_lanes::Version;
use crate::analysis::compact_cfg::Loop;
use crate::analysis::effects::{is_annotation, is_pure};
use crate::analysis::loop_mark::LoopMark;
use crate::ir::{Opcode, Type, Value};
use crate::vectorize::access::AccessKind;
use crate::vectorize::instruction_queries::{
    accessed_type, components, is_integer_division, uses_double_division,
};
use crate::vectorize::plan::VectorPlan;
use crate::work_group::nonatomic_local;
use critical_path::CriticalPath;
use frequency::{Frequencies, Misprediction};
use recurrence::Walk;
use register_pressure::RegisterPressure;
use std::fmt;

/// Work-items of a row whose length is not known.
const ASSUMED_ROW_LENGTH: u64 = 64;

/// Cost of a cache line that an iteration comes to first: what the second-level cache takes for a line.
const LINE_COST: f64 = 4.0;

/// Cycles of a locked atomic instruction.
const LOCKED_ATOMIC_COST: f64 = 18.0;

/// Cycles of an atomic operation on local memory: a load of what was stored just before, an
/// operation and a store.
const LOCAL_ATOMIC_COST: f64 = 5.0;

/// What a lane adds to the cost of an atomic operation on local memory in vectors of more than
/// [`MAX_LEARNT_LANES`]. Each lane has its own load and store: a processor that does not learn which
/// of them meet executes loads before earlier stores to the same address, and has to start again.
const LANE_CONFLICT_COST: f64 = 20.0;

/// The same in vectors of fewer lanes.
const LEARNT_CONFLICT_COST: f64 = 5.0;

/// Lanes whose conflicts a processor without `learns_all_conflicts` learns: with 8, a histogram of random bytes
/// takes twice as long for each of them as scalar code on Zen 4, with 16 six times. On Emerald Rapids, which learns all,
/// it takes 1.3 times as long with 8 to 32.
const MAX_LEARNT_LANES: u32 = 8;

/// Mask operations of a check in vector code: the lanes that pass, those that do not, and whether
/// there are any.
const CHECK_COST: f64 = 3.0;

/// Least cost of an iteration that adds to a floating-point number of the last one: the latency of
/// four cycles, in each of which a processor issues four instructions that cost 1.
const RECURRENCE_COST: f64 = 16.0;

/// The same for a work-item's iteration of a loop that work-items leave in different iterations: it
/// is short as a rule, and overlaps with the next work-item's.
const SHORT_RECURRENCE_COST: f64 = 10.0;

/// Least cost of a work-item's iteration that loads from where what the last one loaded says: the latencies of a load, a
/// comparison and two additions.
const WALK_COST: f64 = 32.0;

/// The same if it selects from where: LLVM branches then, and every second branch is not predicted.
const SEARCH_COST: f64 = 56.0;

/// Cost of each register too many for an iteration: a store and a load.
const SPILL_COST: f64 = 2.0;

/// Instructions of a loop that executes an atomic operation for each active lane, with those that store its operands.
const LOOP_OVER_LANES: f64 = 40.0;

/// Cycles of a call of the C library.
const LIBRARY_CALL_COST: f64 = 20.0;

/// Estimated cost of a loop over work-items.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Cycles of a row as scalar code.
    pub scalar: f64,
    /// Cycles of a row as vector code.
    pub vector: f64,
    /// The same, with what waiting for results and spilt registers add. It compares widths: scalar code waits too.
    pub vector_with_waits: f64,
    /// Instructions of the vector code, with one version of the code under each guard.
    pub instructions: f64,
}

impl Cost {
    /// The sum of two costs.
    pub fn plus(self, other: Self) -> Self {
        Self {
            scalar: self.scalar + other.scalar,
            vector: self.vector + other.vector,
            vector_with_waits: self.vector_with_waits + other.vector_with_waits,
            instructions: self.instructions + other.instructions,
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scalar, vector, .. } = self;
        write!(
            f,
            "{vector:.0} cycles a row as vector code, {scalar:.0} as scalar code"
        )
    }
}

/// The cost of the work-items of a plan's index range. Without `has_waits`, vector code is assumed not to wait.
pub fn of_plan(plan: &VectorPlan<'_>, has_waits: bool) -> Cost {
    let range = plan.range();
    let items = range
        .end
        .map_or(ASSUMED_ROW_LENGTH, |end| end - range.start);
    let lanes = u64::from(plan.lanes());
    let frequencies = Frequencies::new(plan, items);
    let lines = cache_lines::touched_lines(plan);
    // Of a work-item as scalar code, and of a vector of them: by inner loop, last what is in none.
    let loops = &plan.cfg().loops;
    let mut parts = vec![(0.0, 0.0); loops.len() + 1];
    let mut instructions = 0.0;
    for (number, block) in plan.blocks().iter().enumerate() {
        if plan.is_report(number) {
            continue;
        }
        let frequency = frequencies.of(number);
        let (item, vector) = &mut parts[plan.cfg().innermost[number].unwrap_or(loops.len())];
        for instruction in block.instructions() {
            if is_annotation(instruction) || is_hoisted(plan, instruction, number) {
                continue;
            }
            // A branch that is always predicted is one instruction with its comparison.
            let (scalar, vectorized) = match instruction.is_terminator() && plan.is_check(number) {
                true => (0.0, CHECK_COST),
                false => {
                    let scalar = scalar_cost(instruction);
                    (scalar, plan.vector_cost(instruction, scalar, number))
                }
            };
            let lines = lines.get(&instruction).copied().unwrap_or_default();
            if !plan.is_rare(number) {
                *item += frequency.scalar * (scalar + LINE_COST * lines.scalar);
                *vector += frequency.vector * (vectorized + LINE_COST * lines.vector);
            }
            if frequencies.version(number) != Some(Version::AllLanes) {
                instructions += plan.code_size(instruction, vectorized, number);
            }
        }
        if let Some(branch) = Misprediction::estimate(plan, number) {
            *item += frequency.scalar * branch.cost / branch.scalar_executions;
            *vector += frequency.vector * branch.cost / branch.vector_executions;
        }
    }
    add_dependences(plan, &frequencies, &mut parts);
    let with_waits = has_waits.then(|| {
        let parts = parts.iter().enumerate();
        let parts = parts.map(|(number, (_, vector))| {
            let l = (number < loops.len()).then_some(number);
            let iterations = l.map_or(1.0, |number| {
                let header = loops[number].header;
                frequencies.of(header).vector
            });
            iterations * with_waits(plan, l, vector / iterations)
        });
        parts.sum()
    });
    let add = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);
    let (item, vector) = parts.into_iter().fold((0.0, 0.0), add);
    let executions = plan.group_loops().map_or(1.0, |group| group.executions);
    let vectors = executions * items.div_ceil(lanes) as f64;
    Cost {
        scalar: executions * item * items as f64,
        vector: vector * vectors,
        vector_with_waits: with_waits.unwrap_or(vector) * vectors,
        instructions: match range.end {
            Some(end) if end % lanes == 0 || end < lanes => instructions,
            // There is a second copy for the remainder.
            _ => 2.0 * instructions,
        },
    }
}

/// Adds to the costs of loops, of a work-item as scalar code and of a vector, what iterations wait for those before, and
/// takes from them what LLVM does at once where they are independent.
fn add_dependences(
    plan: &VectorPlan<'_>,
    frequencies: &Frequencies<'_, '_>,
    costs: &mut [(f64, f64)],
) {
    let loops = &plan.cfg().loops;
    for (number, (l, (item, vector))) in loops.iter().zip(costs).enumerate() {
        if LoopMark::Independent.is_on(plan.blocks()[l.latch]) {
            *item /= elements_at_once(plan, l);
        } else if let Some(iterations) = recurrence::iterations(plan, l) {
            let frequency = frequencies.of(l.header);
            let latency = match plan.divergence().divergent_loops[number] {
                true => SHORT_RECURRENCE_COST,
                false => RECURRENCE_COST,
            };
            let iterations = iterations as f64;
            *item = item.max(frequency.scalar * iterations * latency);
            *vector = vector.max(frequency.vector * iterations * RECURRENCE_COST);
        } else if let Some(walk) = recurrence::walk(plan, l) {
            let least = match walk {
                Walk::Computed => WALK_COST,
                Walk::Selected => SEARCH_COST,
            };
            *item = item.max(frequencies.of(l.header).scalar * least);
        }
    }
}

/// Elements of the widest type that a loop accesses which fit into a vector register.
fn elements_at_once(plan: &VectorPlan<'_>, l: &Loop) -> f64 {
    let blocks = plan.blocks().iter().enumerate();
    let blocks = blocks.filter(|(number, _)| l.contains(*number));
    let bytes = blocks
        .flat_map(|(_, block)| block.instructions())
        .filter(|access| access.is(Opcode::LLVMLoad) || access.is(Opcode::LLVMStore))
        .filter_map(|access| Some(plan.component_size(accessed_type(access))?.0));
    let widest = bytes.max().unwrap_or(u64::from(u32::BITS / 8));
    f64::from(plan.vectors().register_bits / 8) / widest as f64
}

/// The cost of an iteration of a loop of the kernel, or of what is in none, by vectors. `throughput` is its cost if nothing
/// waits and no register is spilt.
fn with_waits(plan: &VectorPlan<'_>, l: Option<usize>, throughput: f64) -> f64 {
    let pressure = RegisterPressure::of_part(plan, l);
    let spilt = (pressure - f64::from(plan.vectors().registers)).max(0.0);
    CriticalPath::find(plan, l).cost(throughput + SPILL_COST * spilt)
}

/// Whether LLVM computes an instruction before the loop within the kernel that it is in: a value
/// that the loop's values do not enter.
fn is_hoisted(plan: &VectorPlan<'_>, instruction: Value, block: usize) -> bool {
    let Some(l) = plan.cfg().innermost[block] else {
        return false;
    };
    let l = &plan.cfg().loops[l];
    let is_inside = |value: &Value| {
        value.is_instruction()
            && plan
                .block_number(value.block())
                .is_some_and(|number| l.contains(number))
    };
    is_pure(instruction) && !instruction.operands().iter().any(is_inside)
}

/// Cycles of an instruction for one work-item.
fn scalar_cost(instruction: Value) -> f64 {
    let components = component_count(instruction.ty());
    // An OpenCL vector fits into one or two registers.
    let registers = components.div_euclid(8.0).max(1.0);
    match instruction.opcode() {
        Opcode::LLVMPHI | Opcode::LLVMFreeze | Opcode::LLVMBitCast => 0.0,
        // These are mostly folded into the addresses of accesses.
        Opcode::LLVMGetElementPtr
        | Opcode::LLVMZExt
        | Opcode::LLVMSExt
        | Opcode::LLVMTrunc
        | Opcode::LLVMAddrSpaceCast => 0.5,
        Opcode::LLVMFDiv => 4.0 * components,
        _ if is_constant_division(instruction) => 4.0 * components,
        _ if is_integer_division(instruction) => 12.0 * components,
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
            if nonatomic_local::is_on_local_memory(instruction) {
                LOCAL_ATOMIC_COST
            } else {
                LOCKED_ATOMIC_COST
            }
        }
        Opcode::LLVMCall => match call_cost(instruction) {
            LIBRARY_CALL_COST => LIBRARY_CALL_COST * components,
            intrinsic => intrinsic * registers,
        },
        _ => registers,
    }
}

/// Whether LLVM multiplies by the reciprocal of a constant, or shifts.
fn is_constant_division(instruction: Value) -> bool {
    is_integer_division(instruction) && instruction.operand(1).is_constant()
}

/// Cycles of a call for a component.
fn call_cost(instruction: Value) -> f64 {
    const CHEAP: &[&str] = &[
        "llvm.f",
        "llvm.m",
        "llvm.s",
        "llvm.u",
        "llvm.copysign",
        "llvm.ceil",
        "llvm.rint",
        "llvm.trunc",
        "llvm.nearbyint",
        "llvm.round",
        "llvm.ctpop",
        "llvm.ctlz",
        "llvm.cttz",
        "llvm.fsh",
        "llvm.bswap",
        "llvm.abs",
    ];
    let name = instruction.called_function().map(Value::name);
    match name {
        Some(name) if name.starts_with("llvm.sqrt") => 5.0,
        Some(name) if name.starts_with("llvm.sin") => LIBRARY_CALL_COST,
        Some(name) if CHEAP.iter().any(|start| name.starts_with(start)) => 1.0,
        _ => LIBRARY_CALL_COST,
    }
}

fn component_count(ty: Type) -> f64 {
    components(ty).map_or(1.0, |parts| parts.len() as f64)
}

impl VectorPlan<'_> {
    /// Instructions of the vector code of one that costs `vectorized` for all lanes.
    fn code_size(&self, instruction: Value, vectorized: f64, block: usize) -> f64 {
        let masked = self.divergence().masked[block];
        if let Some(each) = self.instructions_by_cost(instruction, masked) {
            return vectorized * each;
        }
        let is_atomic =
            instruction.is(Opcode::LLVMAtomicRMW) || instruction.is(Opcode::LLVMAtomicCmpXchg);
        if !is_atomic || self.atomic_access_kind(instruction) != AccessKind::Scalarized {
            return vectorized;
        }
        // With its operands from vectors, for each lane.
        let each = 1.0 + instruction.operands().len() as f64;
        if masked {
            LOOP_OVER_LANES
        } else {
            f64::from(self.lanes()) * each
        }
    }

    /// Cycles of an instruction for all lanes; `scalar` are those for one work-item.
    fn vector_cost(&self, instruction: Value, scalar: f64, block: usize) -> f64 {
        let lanes = f64::from(self.lanes());
        match instruction.opcode() {
            Opcode::LLVMLoad | Opcode::LLVMStore => {
                self.access_cost(instruction, self.divergence().masked[block])
            }
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
                match self.atomic_access_kind(instruction) {
                    AccessKind::UniformAtomic => {
                        let registers = self.registers(instruction.operand(1).ty());
                        scalar + self.reduction_cost(instruction, registers)
                    }
                    _ if !self.vectors().learns_all_conflicts
                        && nonatomic_local::is_on_local_memory(instruction) =>
                    {
                        let conflicts = match self.lanes() > MAX_LEARNT_LANES {
                            true => LANE_CONFLICT_COST,
                            false => LEARNT_CONFLICT_COST,
                        };
                        self.scalarized_cost(instruction, scalar) + lanes * conflicts
                    }
                    _ => self.scalarized_cost(instruction, scalar),
                }
            }
            // Masks of elements of 32 bits.
            Opcode::LLVMBr if self.divergence().divergent_branches[block] => {
                (lanes * 32.0 / f64::from(self.vectors().register_bits)).max(1.0)
            }
            Opcode::LLVMBr => 1.0,
            _ if self.shape(instruction).is_scalar() => scalar,
            Opcode::LLVMCall if !instruction.is_elementwise_call() => {
                self.scalarized_cost(instruction, scalar)
            }
            _ if uses_double_division(instruction) => {
                let is_reciprocal = self.shape(instruction.operand(1)).is_uniform();
                let each = if is_reciprocal { 10.0 } else { 26.0 };
                each * self.registers(instruction.ty())
            }
            _ if is_constant_division(instruction) => 4.0 * self.registers(instruction.ty()),
            // LLVM scalarises the others.
            _ if is_integer_division(instruction) => scalar * lanes * 1.1,
            Opcode::LLVMCall if scalar >= LIBRARY_CALL_COST => scalar * lanes,
            Opcode::LLVMPHI => self.registers(instruction.ty()),
            // Components are separate vectors already.
            Opcode::LLVMExtractElement
            | Opcode::LLVMInsertElement
            | Opcode::LLVMShuffleVector
            | Opcode::LLVMExtractValue
            | Opcode::LLVMInsertValue => 0.0,
            _ => scalar.max(1.0) * self.registers(computed_type(instruction)),
        }
    }

    /// Cycles of an instruction lane by lane: operands are extracted, results inserted.
    fn scalarized_cost(&self, instruction: Value, scalar: f64) -> f64 {
        let operands = instruction.operands().into_iter();
        let extracted =
            operands.filter(|operand| !operand.is_function() && !self.shape(*operand).is_uniform());
        f64::from(self.lanes()) * (scalar + 7.0 + 2.0 * extracted.count() as f64)
    }
}

/// The type whose registers a computation uses.
fn computed_type(instruction: Value) -> Type {
    match instruction.opcode() {
        Opcode::LLVMICmp | Opcode::LLVMFCmp => instruction.operand(0).ty(),
        _ => instruction.ty(),
    }
}
