//! The body written for one group of lanes: the order in which its blocks run, and the masks
//! that say which lanes take part.
//!
//! After the partial linearisation of Moll and Hack (PLDI 2018): a branch that lanes take
//! differently goes on to the first of its targets and leaves the others pending; whatever is
//! pending is visited before control goes further. Values that one block makes and another
//! uses are kept in variables, which LLVM turns into φs.

use super::active_lane_markers;
use super::plan::{MaskSource, VectorPlan};
use super::values::{Form, Variable};
use crate::ir::{Block, Builder, Opcode, Value};
use std::collections::{BTreeSet, HashMap};

/// The body being written for one group of lanes.
pub struct VectorBuilder<'a> {
    pub b: &'a Builder,
    pub plan: &'a VectorPlan<'a>,
    /// The new block of each.
    made: Vec<Block>,
    /// Number of lane 0's work-item.
    pub base: Value,
    entry_mask: Option<Value>,
    /// Variables of values that other blocks use than make them; for a φ also one that
    /// predecessors write.
    pub crossing: HashMap<Value, Crossing>,
    /// Masks of blocks that have their own.
    masks: HashMap<usize, Value>,
    /// The lanes' private arrays.
    pub private: HashMap<Value, Value>,
    pending: Vec<BTreeSet<usize>>,
    /// Values at hand in the block being written.
    pub forms: HashMap<Value, Form>,
    /// The same as vectors.
    pub wide: HashMap<Value, Vec<Value>>,
    /// Lanes that take part in the block being written; none for all.
    pub mask: Option<Value>,
    /// First active lane, where that has been asked for.
    pub first_active: Option<Value>,
    /// Blocks that are run even if no lane takes part.
    short: Vec<bool>,
    /// Number of the block being written.
    pub at: usize,
}

/// The variables of a value.
#[derive(Clone)]
pub struct Crossing {
    /// Written where the value is made.
    pub made: Variable,
    /// Of a φ: written where control comes from.
    pub coming: Option<Variable>,
}

/// Writes it from where the builder is on, to where the builder is left.
pub fn write<'a>(
    plan: &'a VectorPlan<'_>,
    builder: &'a Builder,
    base: Value,
    mask: Option<Value>,
) -> VectorBuilder<'a> {
    let count = plan.blocks.len();
    let made: Vec<Block> = (0..count)
        .map(|_| plan.work_items.header.insert_before(""))
        .collect();
    builder.branch(made[0]);
    let mut group = VectorBuilder {
        b: builder,
        plan,
        made,
        base,
        entry_mask: mask,
        crossing: HashMap::new(),
        masks: HashMap::new(),
        private: HashMap::new(),
        pending: vec![BTreeSet::new(); count],
        forms: HashMap::new(),
        wide: HashMap::new(),
        mask: None,
        first_active: None,
        short: (0..count)
            .map(|number| plan.is_if_converted(number))
            .collect(),
        at: 0,
    };
    group.make_variables();
    for number in 0..count {
        group.block(number);
    }
    group
}

impl VectorBuilder<'_> {
    fn make_variables(&mut self) {
        let plan = self.plan;
        self.b.before(plan.function.entry_block().instructions()[0]);
        for (&array, lies) in plan.work_items.private_arrays.iter().zip(plan.private) {
            let ty = self.b.i8().array(lies.size);
            let copy = self.b.alloca(ty, "lanes.private");
            copy.set_alignment(array.alignment());
            self.private.insert(array, copy);
        }
        for (number, block) in plan.blocks.iter().enumerate() {
            for value in block.instructions() {
                if value == plan.work_items.induction || value.ty().is_void() {
                    continue;
                }
                let is_phi = value.opcode() == Opcode::LLVMPHI;
                if is_phi || self.is_used_elsewhere(value, number) {
                    let made = self.variable(value);
                    let coming = is_phi.then(|| self.variable(value));
                    self.crossing.insert(value, Crossing { made, coming });
                }
            }
            if plan.masks[number] == MaskSource::Own {
                let ty = self.mask_variable_type();
                self.masks.insert(number, self.b.alloca(ty, "mask"));
            }
        }
    }

    fn is_used_elsewhere(&self, value: Value, number: usize) -> bool {
        let block = self.plan.blocks[number];
        value.users().into_iter().any(|user| {
            if user.opcode() == Opcode::LLVMPHI {
                let incoming = user.incoming();
                incoming
                    .iter()
                    .any(|(v, from)| *v == value && *from != block)
            } else {
                user.block() != block
            }
        })
    }

    /// Starts anew what a loop (none: the body) keeps from one round to the next by mistake.
    fn reset(&self, scope: Option<usize>) {
        let plan = self.plan;
        for (number, block) in plan.blocks.iter().enumerate() {
            if plan.cfg.innermost[number] != scope {
                continue;
            }
            let is_header = scope.is_some_and(|l| plan.cfg.loops[l].header == number);
            if let Some(&mask) = self.masks.get(&number)
                && !is_header
            {
                self.b.store(self.mask_variable_type().zero(), mask, 1);
            }
            for value in block.instructions() {
                if let Some(crossing) = self.crossing.get(&value) {
                    self.poison(&crossing.made);
                    if let Some(coming) = &crossing.coming
                        && !is_header
                    {
                        self.poison(coming);
                    }
                }
            }
        }
    }

    fn block(&mut self, number: usize) {
        let plan = self.plan;
        self.b.at_end(self.made[number]);
        self.at = number;
        self.forms.clear();
        self.wide.clear();
        self.first_active = None;
        self.mask = None;
        let instructions = plan.blocks[number].instructions();
        let phis: Vec<Value> = instructions
            .iter()
            .copied()
            .filter(|i| i.opcode() == Opcode::LLVMPHI && *i != plan.work_items.induction)
            .collect();
        for &phi in &phis {
            let coming = self.crossing[&phi].coming.clone().expect("of a φ");
            let form = self.read(&coming);
            self.forms.insert(phi, form);
        }
        let header_of = plan.cfg.loops.iter().position(|l| l.header == number);
        if number == 0 {
            self.reset(None);
        }
        if let Some(l) = header_of {
            self.reset(Some(l));
            if plan.divergence.divergent_loops[l] {
                let exits = plan.cfg.loops[l].exit_blocks();
                self.pending[number].extend(exits);
            }
        }
        for phi in phis {
            self.save(phi);
        }
        self.mask = self.mask_of(number);
        if plan.vectors.timed {
            self.mark_active_lanes(number);
        }
        for instruction in instructions {
            if instruction.opcode() == Opcode::LLVMPHI || instruction.is_terminator() {
                continue;
            }
            self.b.of_the_line_of(instruction);
            match plan.range.known_comparisons.get(&instruction) {
                Some(&outcome) => {
                    let outcome = instruction.ty().constant(u64::from(outcome));
                    self.forms.insert(instruction, Form::Scalar(outcome));
                }
                None => self.instruction(instruction),
            }
            if !instruction.ty().is_void() {
                self.save(instruction);
            }
        }
        if number + 1 < plan.blocks.len() {
            self.leave(number);
        }
    }

    /// Tells which lanes run a block: the block may become one with that before it.
    fn mark_active_lanes(&self, number: usize) {
        let masked_before = number > 0 && self.mask_of(number - 1).is_some();
        let all = || masked_before.then(|| self.mask_type().all_ones());
        if let Some(mask) = self.mask.or_else(all) {
            active_lane_markers::mark_active_lanes(self.b, self.plan.function, mask);
        }
    }

    /// The lanes that run a block, as its variable has it now; none for all.
    fn mask_of(&self, number: usize) -> Option<Value> {
        match self.plan.masks[number] {
            MaskSource::Entry => self.entry_mask,
            MaskSource::Same(other) => self.mask_of(other),
            MaskSource::Own => Some(self.read_mask(self.masks[&number])),
        }
    }

    /// From the end of a block to what comes next.
    fn leave(&mut self, number: usize) {
        let plan = self.plan;
        let terminator = plan.blocks[number].terminator();
        self.b.of_the_line_of(terminator);
        let successors: Vec<usize> = terminator
            .successors()
            .iter()
            .map(|to| plan.number[to])
            .collect();
        if plan.cfg.successors[number].len() == 1 {
            let to = successors[0];
            self.edge(number, to, self.mask);
            self.go_to(number, to);
        } else if plan.divergence.divergent_branches[number] {
            let condition = self.lanes_of(terminator.operand(0))[0];
            let otherwise = self.not(condition);
            let masks = [
                self.both(self.mask, condition),
                self.both(self.mask, otherwise),
            ];
            for (&to, mask) in successors.iter().zip(masks) {
                self.edge(number, to, Some(mask));
            }
            let mut next = self.pending[number].clone();
            next.extend(successors.iter().filter(|&&to| to > number));
            match successors.iter().position(|&to| to <= number) {
                Some(back) => {
                    let done = self.plan.work_items.header.insert_before("");
                    let more = self.any(masks[back]);
                    self.b.branch_if(more, self.made[successors[back]], done);
                    self.b.at_end(done);
                    self.enter(next, None);
                }
                None => self.enter(next, None),
            }
        } else {
            let condition = self.scalar(terminator.operand(0));
            let blocks = [(); 2].map(|()| self.plan.work_items.header.insert_before(""));
            // Both ways need what the edges bring; it is read before.
            let (mask, forms, wide) = (self.mask, self.forms.clone(), self.wide.clone());
            self.b.branch_if(condition, blocks[0], blocks[1]);
            for (&to, block) in successors.iter().zip(blocks) {
                self.b.at_end(block);
                self.forms.clone_from(&forms);
                self.wide.clone_from(&wide);
                self.edge(number, to, mask);
                self.go_to(number, to);
            }
        }
    }

    /// All lanes of the block that is left go to one other.
    fn go_to(&mut self, from: usize, to: usize) {
        if to <= from {
            self.b.branch(self.made[to]);
        } else {
            let mut next = self.pending[from].clone();
            next.insert(to);
            // A short block may have been run without lanes.
            self.enter(next, (!self.short[from]).then_some(to));
        }
    }

    /// Goes to the first of the blocks that lanes may be waiting at. Lanes are at `certain`.
    fn enter(&mut self, waiting: BTreeSet<usize>, certain: Option<usize>) {
        let mut waiting = waiting;
        while let Some(first) = waiting.pop_first() {
            self.pending[first].extend(&waiting);
            let own = self.plan.masks[first] == MaskSource::Own;
            if waiting.is_empty() || certain == Some(first) || !own || self.short[first] {
                self.b.branch(self.made[first]);
                return;
            }
            let mask = self.read_mask(self.masks[&first]);
            let some = self.any(mask);
            let next = self.plan.work_items.header.insert_before("");
            self.b.branch_if(some, self.made[first], next);
            self.b.at_end(next);
        }
        unreachable!("lanes wait somewhere");
    }

    /// What the lanes of `mask` bring along from one block to another.
    fn edge(&mut self, from: usize, to: usize, mask: Option<Value>) {
        let plan = self.plan;
        let is_header = plan.cfg.loops.iter().any(|l| l.header == to);
        let merges = plan.divergence.joins[to] && !is_header;
        let mut brought = Vec::new();
        for phi in plan.blocks[to].instructions() {
            if phi.opcode() != Opcode::LLVMPHI {
                break;
            }
            let (value, _) = phi
                .incoming()
                .into_iter()
                .find(|(_, block)| *block == plan.blocks[from])
                .expect("a φ has a value for each predecessor");
            let coming = self.crossing[&phi].coming.clone().expect("of a φ");
            let form = match &coming {
                Variable::Scalar(..) => Form::Scalar(self.scalar(value)),
                Variable::Lanes(_) => Form::Lanes(self.lanes_of(value)),
            };
            brought.push((coming, form));
        }
        for (coming, form) in brought {
            match mask {
                Some(mask) if merges => self.write_where(&coming, form, mask),
                _ => self.write(&coming, form),
            }
        }
        if let Some(&variable) = self.masks.get(&to) {
            let mask = mask.unwrap_or_else(|| self.all_lanes());
            if is_header {
                self.write_mask(mask, variable);
            } else {
                let before = self.read_mask(variable);
                let both = self.b.binary(Opcode::LLVMOr, before, mask);
                self.write_mask(both, variable);
            }
        }
    }

    /// The values of the body that are made in it.
    pub fn is_inside(&self, value: Value) -> bool {
        value.is_instruction() && self.plan.number.contains_key(&value.block())
    }
}
