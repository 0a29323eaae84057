//! The function that is priced, and facts about it that several costs depend on.

use super::active_lanes;
use super::addressing::address::{self, Root};
use super::addressing::objects::Addressing;
use super::addressing::space::{self, Space};
use super::machine_params::MachineParams;
use super::predicated_sections::PredicatedSections;
use crate::analysis::cfg::Cfg;
use crate::analysis::dominators::Dominators;
use crate::analysis::iteration_step::{IterationStep, IterationSteps};
use crate::analysis::loops::LoopForest;
use crate::ir::{DataLayout, Opcode, Value};
use crate::passes::instrumentation::{LaneCounter, counts_active_lanes};
use device_sim::timing::cost::Active;
use std::collections::{HashMap, HashSet};

/// A function and what is known of it.
pub struct Code<'a> {
    pub params: &'a MachineParams,
    addressing: &'a Addressing,
    pub layout: DataLayout,
    pub cfg: Cfg,
    /// The instructions of each block.
    pub instructions: Vec<Vec<Value>>,
    pub loops: LoopForest,
    /// Vectors of fewer elements than lanes that are computed from vectors of the lanes.
    narrow: HashSet<Value>,
    /// Whether some vector has an element for each lane.
    pub has_lanes: bool,
    /// The parts of blocks that run only if some lane is active.
    pub sections: PredicatedSections,
    /// The counters of active lanes. The first ones, which follow the blocks' counters, are those of
    /// `sections`.
    pub lane_counters: Vec<LaneCounter>,
    /// Instructions that only some lanes execute, and the markers of these lanes.
    counted: HashMap<Value, Value>,
    /// Private variables of which each lane has a copy, in AM.
    in_am: HashSet<Value>,
    /// Bytes of the other private variables.
    pub stack_bytes: u64,
    /// Whether these are in SM, not in DDR.
    pub stack_in_sm: bool,
}

/// Bytes of the scalar stack for a function's saved registers.
const SAVED_REGISTER_BYTES: u64 = 256;

impl<'a> Code<'a> {
    pub fn new(function: Value, params: &'a MachineParams, addressing: &'a Addressing) -> Self {
        let cfg = Cfg::compute(function);
        let instructions: Vec<Vec<Value>> = cfg.blocks.iter().map(|b| b.instructions()).collect();
        let counted = active_lanes::markers(&instructions);
        let sections = PredicatedSections::find(&instructions, &counted);
        let markers = instructions.iter().flatten().copied();
        let some_lanes = markers.filter(|marker| counts_active_lanes(*marker));
        let of_sections = sections.markers().map(LaneCounter::of_any_lane);
        let lane_counters = of_sections
            .chain(some_lanes.map(LaneCounter::of_lanes))
            .collect();
        let mut code = Self {
            params,
            addressing,
            layout: DataLayout::of_function(function),
            loops: LoopForest::compute(&cfg.graph, &Dominators::compute(&cfg.graph)),
            cfg,
            instructions,
            sections,
            lane_counters,
            narrow: HashSet::new(),
            has_lanes: false,
            counted,
            in_am: HashSet::new(),
            stack_bytes: SAVED_REGISTER_BYTES,
            stack_in_sm: true,
        };
        code.find_lanes();
        code.find_variables();
        code.stack_in_sm = code.stack_bytes <= params.stack_in_sm;
        code
    }

    /// Number of counters: those of the blocks, then those of active lanes.
    pub fn counters(&self) -> u32 {
        (self.instructions.len() + self.lane_counters.len()) as u32
    }

    /// The lanes that execute a vector instruction.
    pub fn active(&self, instruction: Value) -> Active {
        self.active_groups(instruction, 1)
            .unwrap_or(Active::Always(self.params.lanes))
    }

    /// The groups of `group` adjacent lanes of which one executes an instruction; none if that is
    /// not counted.
    pub fn active_groups(&self, instruction: Value, group: u32) -> Option<Active> {
        let marker = *self.counted.get(&instruction)?;
        let counter = LaneCounter { marker, group };
        let number = self.lane_counters.iter().position(|c| *c == counter)?;
        Some(Active::Counted((self.instructions.len() + number) as u32))
    }

    /// Counts the groups of `group` adjacent lanes of which one executes an instruction, if not all
    /// lanes do.
    pub fn count_active_groups(&mut self, instruction: Value, group: u32) {
        if let Some(&marker) = self.counted.get(&instruction)
            && self.active_groups(instruction, group).is_none()
        {
            self.lane_counters.push(LaneCounter { marker, group });
        }
    }

    fn find_lanes(&mut self) {
        let mut narrow = HashSet::new();
        let mut has_lanes = false;
        // The second pass covers values carried by loops.
        for _ in 0..2 {
            for &instruction in self.instructions.iter().flatten() {
                let whole = |value: &Value| self.is_whole(*value);
                let operands = instruction.operands();
                has_lanes |= whole(&instruction) || operands.iter().any(whole);
                let is_narrow = instruction.ty().is_vector() && !self.is_whole(instruction);
                let of_lanes = |value: &Value| whole(value) || narrow.contains(value);
                if is_narrow && operands.iter().any(of_lanes) {
                    narrow.insert(instruction);
                }
            }
            if narrow.is_empty() {
                break;
            }
        }
        self.narrow = narrow;
        self.has_lanes = has_lanes;
    }

    fn find_variables(&mut self) {
        let mut in_am = HashSet::new();
        let mut variables = Vec::new();
        for &instruction in self.instructions.iter().flatten() {
            if instruction.is(Opcode::LLVMAlloca) {
                variables.push(instruction);
            }
            // Variables accessed by vector instructions are those of the lanes.
            for operand in instruction.operands() {
                let accesses = instruction.is(Opcode::LLVMLoad)
                    || instruction.is(Opcode::LLVMStore)
                    || instruction.is(Opcode::LLVMCall);
                let is_address = operand.ty().is_pointer()
                    || (operand.ty().is_vector() && operand.ty().vector_elements().0.is_pointer());
                if !accesses || !is_address || self.space(operand) != Space::Private {
                    continue;
                }
                let data = if instruction.is(Opcode::LLVMStore) {
                    instruction.operand(0)
                } else {
                    instruction
                };
                let of_lanes = self.is_of_lanes(data) || operand.ty().is_vector();
                if let (true, Root::Variable(variable)) = (of_lanes, self.root(operand)) {
                    in_am.insert(variable);
                }
            }
        }
        for variable in variables {
            if in_am.contains(&variable) {
                continue;
            }
            let count = variable.operands().first().and_then(|v| v.as_integer());
            let bytes = self.layout.size(variable.allocated_type());
            self.stack_bytes = self
                .stack_bytes
                .saturating_add(bytes.saturating_mul(count.unwrap_or(1)));
        }
        self.in_am = in_am;
    }

    /// Whether a value is a vector with one or more elements per lane.
    fn is_whole(&self, value: Value) -> bool {
        let lanes = self.params.lanes;
        value.ty().is_vector() && lanes > 0 && value.ty().vector_elements().1.is_multiple_of(lanes)
    }

    /// Whether a value is in vector registers.
    pub fn is_of_lanes(&self, value: Value) -> bool {
        self.is_whole(value) || self.narrow.contains(&value)
    }

    /// Whether an address is that of a variable in AM, of which each lane has a copy.
    pub fn lanes_have_copies(&self, pointer: Value) -> bool {
        match self.root(pointer) {
            Root::Variable(variable) => self.in_am.contains(&variable),
            _ => false,
        }
    }

    /// The memory that a pointer refers to.
    pub fn space(&self, pointer: Value) -> Space {
        match self.addressing {
            Addressing::AddressSpaces if self.params.local_in_sm => {
                space::space_of_type(pointer, Space::Sm)
            }
            Addressing::AddressSpaces => space::space_of_type(pointer, Space::Am),
            Addressing::Objects(objects) => objects.space(pointer, self.layout),
        }
    }

    /// The costs of a block and of its predicated sections: their positions in the block, as
    /// `PredicatedSections::position` gives them, and their numbers among the costs of the function.
    pub fn costs_of(&self, block: usize) -> impl Iterator<Item = (usize, usize)> {
        let sections = self.sections.in_block(block);
        let numbers = sections.map(|section| self.cfg.blocks.len() + section);
        std::iter::once(block).chain(numbers).enumerate()
    }

    /// The object that an address is derived from.
    pub fn root(&self, pointer: Value) -> Root {
        match self.addressing {
            Addressing::AddressSpaces => address::root(pointer, self.layout),
            Addressing::Objects(_) => address::root_of_object(pointer, self.layout),
        }
    }

    /// The offset in the argument block, if there is one, that a load reads from.
    pub fn argument(&self, load: Value) -> Option<u64> {
        match self.addressing {
            Addressing::AddressSpaces => address::argument(load, self.layout),
            Addressing::Objects(_) => None,
        }
    }

    /// Whether an access of AM broadcasts to the lanes what it loads: local memory of work-groups,
    /// wherever it is.
    pub fn broadcasts(&self, load: Value) -> bool {
        match self.space(load.operand(0)) {
            Space::Am => true,
            Space::Sm => matches!(self.addressing, Addressing::AddressSpaces),
            _ => false,
        }
    }

    /// How pointers name memories.
    pub fn addressing(&self) -> &Addressing {
        self.addressing
    }

    /// How a value changes in each iteration of the innermost loop around a block; none outside of
    /// loops.
    pub fn iteration_step(&self, value: Value, block: usize) -> Option<IterationStep> {
        let innermost = self.loops.innermost[block]?;
        Some(self.steps_in(innermost).step(value))
    }

    /// The steps of values in a loop.
    pub fn steps_in(&self, number: usize) -> IterationSteps<'_> {
        IterationSteps {
            cfg: &self.cfg,
            l: &self.loops.loops[number],
            layout: self.layout,
        }
    }

    /// Number of an instruction's block.
    pub fn block_of(&self, instruction: Value) -> usize {
        self.cfg.number(instruction.block())
    }
}
