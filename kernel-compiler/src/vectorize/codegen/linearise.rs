//! Control flow of the vector code: the order in which blocks run, and their masks.
//!
//! After the partial linearisation of Moll and Hack (PLDI 2018): a divergent branch goes to the
//! first of its targets and leaves the others pending; pending blocks are visited before control
//! goes past them. Values that cross blocks go through stack slots, of which LLVM makes φs.

use super::builder::VectorBuilder;
use super::lane_values::{LaneValue, Slot};
use crate::ir::{Block, Builder, Opcode, Value};
use crate::vectorize::plan::{MaskSource, VectorPlan};
use crate::work_items::timing_markers;
use std::collections::{BTreeSet, HashMap};

/// Weights of a branch whose first target runs seldom.
const RARELY_FIRST: [u32; 2] = [1, 1000];

/// Writes the body of a plan for one vector of work-items, from where the builder is on, and
/// leaves the builder at its end. Lane 0 runs work-item `base`; `mask` says which lanes there are.
pub fn write<'a>(
    plan: &'a VectorPlan<'_>,
    ir: &'a Builder,
    base: Value,
    mask: Option<Value>,
) -> VectorBuilder<'a> {
    let mut lineariser = Lineariser::new(plan, ir, base, mask);
    ir.branch(lineariser.blocks[0]);
    lineariser.make_slots();
    for number in 0..plan.blocks().len() {
        lineariser.block(number);
    }
    lineariser.lanes
}

/// Writes the blocks of a body in the order of its control flow graph.
struct Lineariser<'a> {
    lanes: VectorBuilder<'a>,
    /// The vector code of each block, by its number.
    blocks: Vec<Block>,
    entry_mask: Option<Value>,
    /// The slots of φs that predecessors write.
    incoming: HashMap<Value, Slot>,
    /// The slots of masks that are not another block's.
    masks: HashMap<usize, Value>,
    /// For each block, the later ones that lanes may be waiting at when control leaves it.
    pending: Vec<BTreeSet<usize>>,
    /// Blocks that run even if no lane is active.
    if_converted: Vec<bool>,
}

impl<'a> Lineariser<'a> {
    fn new(
        plan: &'a VectorPlan<'_>,
        ir: &'a Builder,
        base: Value,
        entry_mask: Option<Value>,
    ) -> Self {
        let count = plan.blocks().len();
        let header = plan.work_items().header;
        Self {
            lanes: VectorBuilder::new(ir, plan, base),
            blocks: (0..count).map(|_| header.insert_before("")).collect(),
            entry_mask,
            incoming: HashMap::new(),
            masks: HashMap::new(),
            pending: vec![BTreeSet::new(); count],
            if_converted: (0..count)
                .map(|number| plan.is_if_converted(number))
                .collect(),
        }
    }

    fn ir(&self) -> &'a Builder {
        self.lanes.ir()
    }

    fn plan(&self) -> &'a VectorPlan<'a> {
        self.lanes.plan()
    }

    fn make_slots(&mut self) {
        let (incoming, masks) = (&mut self.incoming, &mut self.masks);
        self.lanes.at_allocas(|lanes| {
            lanes.add_arrays();
            let plan = lanes.plan();
            let looked_up = plan.values_of_table_indices();
            for (number, block) in plan.blocks().iter().enumerate() {
                for value in block.instructions() {
                    if value == plan.work_items().induction || value.ty().is_void() {
                        continue;
                    }
                    let is_phi = value.is(Opcode::LLVMPHI);
                    if is_phi || is_used_elsewhere(value, *block) || looked_up.contains(&value) {
                        lanes.add_slot(value);
                    }
                    if is_phi {
                        incoming.insert(value, lanes.new_slot(value));
                    }
                }
                if plan.masks()[number] == MaskSource::Own {
                    let slot = lanes.ir().alloca(lanes.mask_slot_type(), "mask");
                    masks.insert(number, slot);
                }
            }
        });
    }

    /// Clears the slots of a loop's blocks (none: of those in no loop) at the start of an
    /// iteration, so that LLVM does not carry their values from the one before.
    fn reset(&self, scope: Option<usize>) {
        let plan = self.plan();
        for (number, block) in plan.blocks().iter().enumerate() {
            if plan.cfg().innermost[number] != scope {
                continue;
            }
            let is_header = scope.is_some_and(|l| plan.cfg().loops[l].header == number);
            if let Some(&mask) = self.masks.get(&number)
                && !is_header
            {
                let none = self.lanes.mask_slot_type().zero();
                self.ir().store(none, mask, 1);
            }
            for value in block.instructions() {
                if let Some(slot) = self.lanes.slot(value) {
                    slot.poison(self.ir());
                }
                if let Some(slot) = self.incoming.get(&value)
                    && !is_header
                {
                    slot.poison(self.ir());
                }
            }
        }
    }

    fn block(&mut self, number: usize) {
        let plan = self.plan();
        self.ir().at_end(self.blocks[number]);
        self.lanes.begin_block();
        let instructions = plan.blocks()[number].instructions();
        let is_phi = |i: &Value| i.is(Opcode::LLVMPHI) && *i != plan.work_items().induction;
        let phis: Vec<Value> = instructions.iter().copied().filter(is_phi).collect();
        for &phi in &phis {
            let value = self.incoming[&phi].read(self.ir());
            self.lanes.define_as(phi, value);
        }
        if number == 0 {
            self.reset(None);
        }
        let loops = &plan.cfg().loops;
        if let Some(l) = loops.iter().position(|l| l.header == number) {
            self.reset(Some(l));
            if plan.divergence().divergent_loops[l] {
                self.pending[number].extend(loops[l].exit_blocks());
            }
        }
        for phi in phis {
            self.lanes.save(phi);
        }
        self.lanes.activate(self.mask_of(number));
        if plan.vectors().timed {
            self.mark_active_lanes(number);
        }
        for instruction in instructions {
            if instruction.is(Opcode::LLVMPHI) || instruction.is_terminator() {
                continue;
            }
            self.ir().of_the_line_of(instruction);
            match plan.range().known_comparisons.get(&instruction) {
                Some(&outcome) => {
                    let outcome = instruction.ty().constant(u64::from(outcome));
                    self.lanes.define_scalar(instruction, outcome);
                }
                None => self.lanes.instruction(instruction),
            }
            if !instruction.ty().is_void() {
                self.lanes.save(instruction);
            }
        }
        if number + 1 < plan.blocks().len() {
            self.leave(number);
        }
    }

    /// Marks the lanes that run a block, also where all do after a masked one: LLVM may merge the
    /// two.
    fn mark_active_lanes(&self, number: usize) {
        let follows_masked = number > 0 && self.mask_of(number - 1).is_some();
        let all = || follows_masked.then(|| self.lanes.mask_type().all_ones());
        if let Some(mask) = self.lanes.mask().or_else(all) {
            let predicated = self.if_converted[number];
            timing_markers::mark_active_lanes(self.ir(), self.plan().function(), mask, predicated);
        }
    }

    /// The lanes that run a block, loaded here if the mask has a slot; none for all lanes.
    fn mask_of(&self, number: usize) -> Option<Value> {
        match self.plan().masks()[number] {
            MaskSource::Entry => self.entry_mask,
            MaskSource::Same(other) => self.mask_of(other),
            MaskSource::Own => Some(self.lanes.read_mask(self.masks[&number])),
        }
    }

    /// Writes the end of a block.
    fn leave(&mut self, number: usize) {
        let plan = self.plan();
        let terminator = plan.blocks()[number].terminator();
        self.ir().of_the_line_of(terminator);
        let in_body = |to: &Block| plan.block_number(*to).expect("the latch is the last block");
        let successors: Vec<usize> = terminator.successors().iter().map(in_body).collect();
        if plan.cfg().successors[number].len() == 1 {
            let to = successors[0];
            self.edge(number, to, self.lanes.mask());
            self.go_to(number, to);
        } else if plan.divergence().divergent_branches[number] {
            self.divergent_branch(number, terminator, &successors);
        } else {
            self.uniform_branch(number, terminator, &successors);
        }
    }

    fn divergent_branch(&mut self, number: usize, terminator: Value, successors: &[usize]) {
        let mask = self.lanes.mask();
        let condition = self.lanes.vectors_of(terminator.operand(0))[0];
        let otherwise = self.lanes.not(condition);
        let masks = [
            self.lanes.both(mask, condition),
            self.lanes.both(mask, otherwise),
        ];
        for (&to, mask) in successors.iter().zip(masks) {
            self.edge(number, to, Some(mask));
        }
        let mut next = self.pending[number].clone();
        next.extend(successors.iter().filter(|&&to| to > number));
        if let Some(back) = successors.iter().position(|&to| to <= number) {
            let done = self.lanes.new_block("");
            let more = self.lanes.any(masks[back]);
            self.ir()
                .branch_if(more, self.blocks[successors[back]], done);
            self.ir().at_end(done);
        }
        self.enter(next, None);
    }

    fn uniform_branch(&mut self, number: usize, terminator: Value, successors: &[usize]) {
        let condition = self.lanes.scalar(terminator.operand(0));
        let blocks = [(); 2].map(|()| self.lanes.new_block(""));
        let mask = self.lanes.mask();
        // Both edges may use what has been loaded in this block.
        let available = self.lanes.available();
        self.ir().branch_if(condition, blocks[0], blocks[1]);
        for (&to, block) in successors.iter().zip(blocks) {
            self.ir().at_end(block);
            self.lanes.resume(&available);
            self.edge(number, to, mask);
            self.go_to(number, to);
        }
    }

    /// All active lanes of a block go to one other.
    fn go_to(&mut self, from: usize, to: usize) {
        if to <= from {
            self.ir().branch(self.blocks[to]);
        } else {
            let mut next = self.pending[from].clone();
            next.insert(to);
            // An if-converted block may have run without an active lane.
            self.enter(next, (!self.if_converted[from]).then_some(to));
        }
    }

    /// Goes to the first of the blocks at which lanes are waiting. At `certain` there are some, at
    /// the others there may be.
    fn enter(&mut self, mut waiting: BTreeSet<usize>, certain: Option<usize>) {
        while let Some(first) = waiting.pop_first() {
            self.pending[first].extend(&waiting);
            let has_own_mask = self.plan().masks()[first] == MaskSource::Own;
            let is_entered = waiting.is_empty()
                || certain == Some(first)
                || !has_own_mask
                || self.if_converted[first];
            if is_entered {
                self.ir().branch(self.blocks[first]);
                return;
            }
            let mask = self.lanes.read_mask(self.masks[&first]);
            let some = self.lanes.any(mask);
            let next = self.lanes.new_block("");
            let branch = self.ir().branch_if(some, self.blocks[first], next);
            if self.plan().is_rare(first) {
                branch.set_branch_weights(&RARELY_FIRST);
            }
            self.ir().at_end(next);
        }
        unreachable!("lanes wait at some block");
    }

    /// Writes the φs and the mask of a block for the lanes of `mask`, which come to it from
    /// another.
    fn edge(&mut self, from: usize, to: usize, mask: Option<Value>) {
        let plan = self.plan();
        let is_header = plan.cfg().loops.iter().any(|l| l.header == to);
        let merges = plan.divergence().joins[to] && !is_header;
        let mut values = Vec::new();
        for phi in plan.blocks()[to].instructions() {
            if !phi.is(Opcode::LLVMPHI) {
                break;
            }
            let (value, _) = phi
                .incoming()
                .into_iter()
                .find(|(_, block)| *block == plan.blocks()[from])
                .expect("a φ has a value for each predecessor");
            let slot = self.incoming[&phi].clone();
            let value = match &slot {
                Slot::Scalar(..) => LaneValue::Scalar(self.lanes.scalar(value)),
                Slot::Vectors(_) => LaneValue::Vectors(self.lanes.vectors_of(value)),
            };
            values.push((slot, value));
        }
        for (slot, value) in values {
            match mask {
                Some(mask) if merges => slot.write_masked(self.ir(), value, mask),
                _ => slot.write(self.ir(), value),
            }
        }
        if let Some(&slot) = self.masks.get(&to) {
            let mask = mask.unwrap_or_else(|| self.lanes.all_lanes());
            if is_header {
                self.lanes.write_mask(mask, slot);
            } else {
                let before = self.lanes.read_mask(slot);
                let both = self.ir().binary(Opcode::LLVMOr, before, mask);
                self.lanes.write_mask(both, slot);
            }
        }
    }
}

/// Whether a block other than its own uses a value; a φ uses it in the block it comes from.
fn is_used_elsewhere(value: Value, block: Block) -> bool {
    value.users().into_iter().any(|user| {
        if user.is(Opcode::LLVMPHI) {
            let incoming = user.incoming();
            let mut uses = incoming.iter().filter(|(v, _)| *v == value);
            uses.any(|(_, from)| *from != block)
        } else {
            user.block() != block
        }
    })
}
