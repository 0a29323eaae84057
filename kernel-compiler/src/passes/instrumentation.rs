//! Counters of timed code: executions of each block of the work-group function, in its order, and
//! after them the counters of active lanes. `device_cost_model::cost` gives the cost of each.

use crate::intrinsics::{DMA_TRANSFER, DMA_WAIT};
use crate::ir::{self, Block, Builder, Opcode, Type, Value};
use crate::passes::footprints::ArgumentLoads;
use crate::work_items::timing_markers::{is_marker, marks_active_lanes};
use host_exec::work_group::WorkGroupContext;
use llvm_sys::LLVMIntPredicate;
use std::collections::HashMap;
use std::mem::offset_of;

/// Starts a transfer and records it: the recorder, the site, then what `DMA_TRANSFER` takes.
pub const TIMED_TRANSFER: &str = "__mocl3_timed_transfer";
/// Records that the transfers of an event are waited for: the recorder, the site, the event.
pub const TIMED_WAIT: &str = "__mocl3_timed_wait";

/// Most counters that are kept in registers: LLVM takes long with more.
const MAX_IN_REGISTERS: usize = 160;

/// A counter of groups of adjacent lanes with an active one, summed over all runs of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneCounter {
    /// The marker, whose mask says which lanes are active.
    pub marker: Value,
    /// Lanes of a group, a power of two; 1 to count active lanes.
    pub group: u32,
}

impl LaneCounter {
    /// Counts the active lanes of a marker.
    pub fn of_lanes(marker: Value) -> Self {
        Self { marker, group: 1 }
    }

    /// Counts how often some lane of a marker is active.
    pub fn of_any_lane(marker: Value) -> Self {
        let (_, lanes) = marker.operand(0).ty().vector_elements();
        let group = lanes.next_power_of_two();
        Self { marker, group }
    }
}

/// What is counted and recorded besides executions of blocks.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The counters of active lanes, which follow those of the blocks.
    pub lane_counters: Vec<LaneCounter>,
    /// The numbers of calls that start or wait for DMA transfers (`KernelCost::dma_sites`); others
    /// have number 0.
    pub dma_sites: HashMap<Value, u32>,
    /// The loads of arguments, which `footprints` records.
    pub argument_loads: Vec<ArgumentLoads>,
}

/// Adds the counters to a work-group function, and removes the markers of lanes and barriers. The
/// counters of the group are in memory when a DMA event is recorded and when the function returns.
pub fn insert(function: Value, plan: &Plan) {
    let lane_counters = &plan.lane_counters;
    let instructions = function.instructions();
    let blocks = function.blocks();
    let starts: Vec<Value> = blocks
        .iter()
        .map(|block| block.first_after_phis())
        .collect();
    let number = blocks.len() + lane_counters.len();
    let counters = Counters::new(function, number);
    let same = runs_as_often_as(&blocks);
    for (at, &start) in starts.iter().enumerate() {
        if same[at] == at {
            counters.b.before(start);
            counters.count(at, counters.b.i64().constant(1));
        }
    }
    for (at, counter) in lane_counters.iter().enumerate() {
        counters.b.before(counter.marker);
        let active = counters.b.active(counter.marker.operand(0), counter.group);
        counters.count(blocks.len() + at, active);
    }
    let numbers: Vec<usize> = same.into_iter().chain(blocks.len()..number).collect();
    let site = |call: Value| plan.dma_sites.get(&call).copied().unwrap_or(0);
    for instruction in instructions {
        if is_marker(instruction) {
            instruction.erase();
        } else if instruction.is(Opcode::LLVMRet) {
            counters.flush(instruction, &numbers);
        } else if instruction.calls(DMA_TRANSFER) {
            counters.flush(instruction, &numbers);
            counters.record(instruction, TIMED_TRANSFER, site(instruction));
        } else if instruction.calls(DMA_WAIT) {
            counters.flush(instruction, &numbers);
            counters.record(instruction, TIMED_WAIT, site(instruction));
        }
    }
}

/// Whether a call marks lanes that have to be counted: not all of them are active.
pub fn counts_active_lanes(instruction: Value) -> bool {
    marks_active_lanes(instruction) && !instruction.operand(0).is_all_ones()
}

/// For each block the number of the first one with the same count: a block whose only predecessor
/// has no other successor runs as often as that one.
pub fn runs_as_often_as(blocks: &[Block]) -> Vec<usize> {
    let number: HashMap<Block, usize> = blocks.iter().copied().zip(0..).collect();
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
    for (at, block) in blocks.iter().enumerate() {
        for to in block.successors() {
            from[number[&to]].push(at);
        }
    }
    let only_predecessor = |at: usize| match from[at][..] {
        [only] if only != at && blocks[only].successors().len() == 1 => Some(only),
        _ => None,
    };
    (0..blocks.len())
        .map(|at| {
            let mut first = at;
            // Bounded, since unreachable blocks may form a cycle.
            for _ in 0..blocks.len() {
                match only_predecessor(first) {
                    Some(before) => first = before,
                    None => return first,
                }
            }
            at
        })
        .collect()
}

struct Counters {
    b: Builder,
    function: Value,
    /// The memory from which the caller reads the counters.
    memory: Value,
    recorder: Value,
    /// Variables that LLVM keeps in registers; empty if the counters are in memory.
    variables: Vec<Value>,
}

impl Counters {
    fn new(function: Value, number: usize) -> Self {
        let b = Builder::new(function.ty().context());
        let context = function.parameters()[1];
        b.before(function.entry_block().first_after_phis());
        let pointer = Type::pointer(b.context, 0);
        let field = |offset: usize| {
            let place = b.offset(context, b.i64().constant(offset as u64));
            b.load(pointer, place, 8)
        };
        let memory = field(offset_of!(WorkGroupContext, counters));
        let recorder = field(offset_of!(WorkGroupContext, recorder));
        let zero = b.i64().constant(0);
        let mut variables = Vec::new();
        for at in 0..number {
            let place = if number <= MAX_IN_REGISTERS {
                let variable = b.alloca(b.i64(), "counter");
                variables.push(variable);
                variable
            } else {
                b.offset(memory, b.i64().constant(8 * at as u64))
            };
            b.store(zero, place, 8);
        }
        Self {
            b,
            function,
            memory,
            recorder,
            variables,
        }
    }

    fn in_memory(&self, number: usize) -> Value {
        let offset = self.b.i64().constant(8 * number as u64);
        self.b.offset(self.memory, offset)
    }

    fn place(&self, number: usize) -> Value {
        match self.variables.get(number) {
            Some(variable) => *variable,
            None => self.in_memory(number),
        }
    }

    /// Adds `times` to a counter, at the builder's position.
    fn count(&self, number: usize, times: Value) {
        let place = self.place(number);
        let before = self.b.load(self.b.i64(), place, 8);
        self.b.store(self.b.add(before, times), place, 8);
    }

    /// Writes all counters to memory before `instruction`; `numbers` maps them to counted blocks.
    fn flush(&self, instruction: Value, numbers: &[usize]) {
        self.b.before(instruction);
        for (at, &number) in numbers.iter().enumerate() {
            if self.variables.is_empty() && at == number {
                continue;
            }
            let value = self.b.load(self.b.i64(), self.place(number), 8);
            self.b.store(value, self.in_memory(at), 8);
        }
    }

    /// Replaces a call by one of a function that gets the recorder and the call's site as well.
    fn record(&self, call: Value, name: &str, site: u32) {
        let arguments = call.operands();
        let mut arguments = arguments[..arguments.len() - 1].to_vec();
        let site = self.b.i32().constant(site.into());
        arguments.splice(0..0, [self.recorder, site]);
        let module = self.function.module();
        let function = ir::function(module, name).unwrap_or_else(|| {
            let types: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
            ir::add_function(module, name, Type::function(call.ty(), &types))
        });
        self.b.before(call);
        let result = self.b.call(function, &arguments);
        if !call.ty().is_void() {
            call.replace_all_uses_with(result);
        }
        call.erase();
    }
}

impl Builder {
    /// Number of groups of `group` adjacent elements of a mask of which one is set, 64 bits.
    fn active(&self, mask: Value, group: u32) -> Value {
        let (_, lanes) = mask.ty().vector_elements();
        let bits = self.bit_cast(mask, Type::integer(self.context, lanes));
        if group >= lanes {
            let none = bits.ty().constant(0);
            let some = self.compare(LLVMIntPredicate::LLVMIntNE, bits, none);
            return self.zero_extend(some, self.i64());
        }
        let mut any = self.resize(bits, self.i64());
        let mut distance = 1;
        while distance < group {
            let shifted = self.binary(Opcode::LLVMLShr, any, self.i64().constant(distance.into()));
            any = self.binary(Opcode::LLVMOr, any, shifted);
            distance *= 2;
        }
        if group > 1 {
            let is_first = |bit: &u32| bit.is_multiple_of(group);
            let firsts = (0..lanes)
                .filter(is_first)
                .fold(0, |bits, bit| bits | 1u64 << bit);
            any = self.binary(Opcode::LLVMAnd, any, self.i64().constant(firsts));
        }
        self.count_ones(any)
    }
}
