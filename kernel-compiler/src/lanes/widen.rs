//! Control: the order in which the blocks of a body run for a group of lanes, the masks that
//! say which lanes take part, and the loop over the groups.
//!
//! After the partial linearisation of Moll and Hack (PLDI 2018): a branch that lanes take
//! differently goes on to the first of its targets and leaves the others pending; whatever is
//! pending is visited before control goes further. Values that one block makes and another
//! uses are kept in variables, which LLVM turns into φs.

use super::Declined;
use super::divergence::Divergence;
use super::flow::{Flow, Unfit};
use super::values::{Form, Variable, components};
use super::work_item_loop::WorkItemLoop;
use super::{LARGEST_BODY, MOST_BLOCKS, Vectors};
use crate::ir::{Block, Builder, DataLayout, Opcode, Value};
use llvm_sys::LLVMIntPredicate::*;
use std::collections::{BTreeSet, HashMap};

/// Longest block that is run whether or not a lane takes part.
const SHORT: usize = 12;

/// Where a block's mask comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MaskOf {
    /// All lanes that there are.
    Entry,
    /// The lanes of an earlier block, which all come by here.
    Same(usize),
    /// Its own, from those of the edges that lead to it.
    Own,
}

/// Makes lanes of one loop.
pub fn widen(
    function: Value,
    work_items: &WorkItemLoop,
    lanes: u32,
    vectors: Vectors,
) -> Result<(), Declined> {
    let length: usize = work_items
        .blocks
        .iter()
        .map(|block| block.instructions().len())
        .sum();
    if work_items.blocks.len() > MOST_BLOCKS || length > LARGEST_BODY {
        return Err(Declined("the kernel is too long".into()));
    }
    // The header first.
    let mut order = vec![work_items.header];
    order.extend(
        work_items
            .blocks
            .iter()
            .copied()
            .filter(|b| *b != work_items.header),
    );
    let place: HashMap<Block, usize> = order.iter().copied().zip(0..).collect();
    let mut given = Vec::new();
    for block in &order {
        let opcode = block.terminator().opcode();
        if !matches!(opcode, Opcode::LLVMBr) {
            return Err(Declined("control ends or jumps within the kernel".into()));
        }
        given.push(if *block == work_items.latch {
            Vec::new()
        } else {
            block.successors().iter().map(|to| place[to]).collect()
        });
    }
    let flow = Flow::of(&given, place[&work_items.latch]).map_err(|unfit| {
        Declined(
            match unfit {
                Unfit::Irreducible => "a loop is entered in more than one place",
                Unfit::LoopForm => "a loop is not in its plain form",
                Unfit::Endless => "a loop never ends",
            }
            .into(),
        )
    })?;
    let mut blocks = vec![work_items.header; order.len()];
    for (block, &number) in order.iter().zip(&flow.given) {
        blocks[number] = *block;
    }
    let layout = DataLayout::of_function(function);
    let facts = Divergence::find(work_items, &blocks, &flow, layout);
    let body = Body {
        function,
        layout,
        lanes,
        vectors,
        number: blocks.iter().copied().zip(0..).collect(),
        masks: masks(&flow, &facts),
        short: Vec::new(),
        flow,
        facts,
        blocks,
        work_items,
    };
    body.check()?;
    let body = Body {
        short: (0..body.blocks.len()).map(|n| body.is_short(n)).collect(),
        ..body
    };
    body.emit();
    Ok(())
}

fn masks(flow: &Flow, facts: &Divergence) -> Vec<MaskOf> {
    (0..flow.len())
        .map(|block| {
            if !facts.masked[block] {
                return MaskOf::Entry;
            }
            if let Some(number) = flow.innermost[block]
                && flow.loops[number].header == block
            {
                return if facts.loops[number] {
                    MaskOf::Own
                } else {
                    MaskOf::Same(flow.before[block][0])
                };
            }
            let mut dominator = flow.dominator[block];
            while flow.innermost[dominator] != flow.innermost[block] && dominator > 0 {
                dominator = flow.dominator[dominator];
            }
            if flow.innermost[dominator] == flow.innermost[block]
                && flow.must_pass(dominator, block)
            {
                MaskOf::Same(dominator)
            } else {
                MaskOf::Own
            }
        })
        .collect()
}

/// What is known of a loop's body.
pub struct Body<'a> {
    pub function: Value,
    pub layout: DataLayout,
    pub lanes: u32,
    pub vectors: Vectors,
    pub work_items: &'a WorkItemLoop,
    pub flow: Flow,
    pub facts: Divergence,
    /// By number.
    pub blocks: Vec<Block>,
    number: HashMap<Block, usize>,
    masks: Vec<MaskOf>,
    /// Blocks that are run even if no lane takes part.
    short: Vec<bool>,
}

impl Body<'_> {
    /// Whether a block is a few instructions behind a branch that do no harm without lanes.
    fn is_short(&self, number: usize) -> bool {
        let [from] = self.flow.before[number].as_slice() else {
            return false;
        };
        let instructions = self.blocks[number].instructions();
        self.facts.branches[*from]
            && self.flow.successors[number].len() == 1
            && self.flow.successors[number][0] > number
            && self.flow.innermost[*from] == self.flow.innermost[number]
            && !self.masks.contains(&MaskOf::Same(number))
            && instructions.len() <= SHORT
            && instructions.iter().all(|i| self.does_no_harm(*i))
    }

    /// Whether an instruction may be run without any lane.
    fn does_no_harm(&self, instruction: Value) -> bool {
        match instruction.opcode() {
            Opcode::LLVMPHI | Opcode::LLVMBr => true,
            Opcode::LLVMLoad | Opcode::LLVMStore => self.is_masked_access(instruction),
            Opcode::LLVMCall => instruction.is_elementwise_call(),
            Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => {
                !self.facts.of(instruction).is_scalar()
            }
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMFence => false,
            _ => true,
        }
    }

    /// Whether everything in the body can be written for lanes.
    fn check(&self) -> Result<(), Declined> {
        for instruction in self.blocks.iter().flat_map(|block| block.instructions()) {
            let makes = |value: Value| {
                value.ty().is_void()
                    || self.facts.of(value).is_scalar()
                    || components(value.ty()).is_some()
            };
            let operands = instruction.operands();
            let is_data = |value: &Value| {
                !value.is_function() && (value.is_instruction() || value.is_constant())
            };
            if !makes(instruction) || !operands.into_iter().filter(is_data).all(makes) {
                return Err(Declined("a value is of a type that has no lanes".into()));
            }
            if instruction.is(Opcode::LLVMStore)
                && components(instruction.operand(0).ty()).is_none()
                || instruction.is(Opcode::LLVMAlloca)
            {
                return Err(Declined("memory is used in a way that has no lanes".into()));
            }
        }
        // Where a loop is left by all at once nobody may wait in it.
        let mut pending = vec![BTreeSet::new(); self.blocks.len()];
        for number in 0..self.blocks.len() {
            for (l, known) in self.flow.loops.iter().zip(&self.facts.loops) {
                if l.header == number && *known {
                    pending[number].extend(l.exit_blocks());
                }
            }
            let waiting = pending[number].clone();
            if let Some(l) = self.flow.innermost[number] {
                let l = &self.flow.loops[l];
                let leaves = l.exits.iter().any(|&(from, _)| from == number) || l.latch == number;
                if leaves && !self.facts.branches[number] && waiting.iter().any(|&w| l.holds(w)) {
                    return Err(Declined("a loop is left in an involved way".into()));
                }
            }
            let onward = self.flow.successors[number].iter().copied();
            let onward: Vec<usize> = onward.filter(|&to| to > number).collect();
            let ways: Vec<Vec<usize>> = if self.facts.branches[number] {
                vec![onward]
            } else {
                onward.into_iter().map(|to| vec![to]).collect()
            };
            for way in ways {
                let mut next = waiting.clone();
                next.extend(way);
                while let Some(first) = next.pop_first() {
                    pending[first].extend(next.iter().copied());
                }
            }
        }
        Ok(())
    }

    /// Puts groups of lanes in the loop's place.
    fn emit(&self) {
        let builder = Builder::new(self.function.ty().context());
        let work_items = self.work_items;
        let count = work_items.count;
        let lanes = u64::from(self.lanes);
        let ty = work_items.counter.ty();
        let entry = work_items.header.insert_before("lanes");
        let after = work_items.header.insert_before("lanes.done");
        let results = Results::of(self, &builder);
        builder.at_end(entry);
        let known = count.as_integer();
        let whole = match known {
            Some(count) => ty.constant(count / lanes * lanes),
            None => builder.and(count, ty.constant(!(lanes - 1))),
        };
        // All lanes active.
        let has_whole = known.is_none_or(|count| count >= lanes);
        let has_rest = known.is_none_or(|count| count % lanes != 0);
        let rest = if has_rest {
            work_items.header.insert_before("lanes.rest")
        } else {
            after
        };
        if has_whole {
            let first = work_items.header.insert_before("lanes.x");
            match known {
                Some(_) => {
                    builder.branch(first);
                }
                None => {
                    let some = builder.compare(LLVMIntNE, whole, ty.constant(0));
                    builder.branch_if(some, first, rest);
                }
            }
            builder.at_end(first);
            let base = builder.phi(ty, "x");
            base.add_incoming(ty.constant(0), entry);
            let last = self.group(&builder, first, base, None, &results);
            builder.at_end(last);
            let next = builder.add(base, ty.constant(lanes)).no_wrap();
            let more = builder.compare(LLVMIntULT, next, whole);
            builder.branch_if(more, first, rest);
            base.add_incoming(next, last);
        } else {
            builder.branch(rest);
        }
        if has_rest {
            builder.at_end(rest);
            let first = work_items.header.insert_before("lanes.masked");
            let left = builder.binary(Opcode::LLVMSub, count, whole);
            if known.is_some() {
                builder.branch(first);
            } else {
                let some = builder.compare(LLVMIntNE, left, ty.constant(0));
                builder.branch_if(some, first, after);
            }
            builder.at_end(first);
            let numbers: Vec<Value> = (0..lanes).map(|lane| ty.constant(lane)).collect();
            let numbers = crate::ir::constant_vector(&numbers);
            let left = builder.splat(left, self.lanes);
            let mask = builder.compare(LLVMIntULT, numbers, left);
            let last = self.group(&builder, first, whole, Some(mask), &results);
            builder.at_end(last);
            builder.branch(after);
        }
        builder.at_end(after);
        for (phi, variable, alignment) in &results.kept {
            let value = builder.load(phi.ty(), *variable, *alignment);
            phi.add_incoming(value, after);
        }
        builder.branch(work_items.exit);
        let terminator = work_items.before.terminator();
        for (index, to) in terminator.successors().into_iter().enumerate() {
            if to == work_items.header {
                terminator.set_successor(index as u32, entry);
            }
        }
        self.abandon(&builder);
    }

    /// Leaves the loop as it was as code that is never reached, for LLVM to remove.
    fn abandon(&self, builder: &Builder) {
        let WorkItemLoop {
            header, counter, ..
        } = *self.work_items;
        let nowhere = header.insert_before("nowhere");
        builder.at_end(nowhere);
        builder.branch(header);
        builder.before(counter);
        let phi = builder.phi(counter.ty(), "");
        for (value, from) in counter.incoming() {
            let from = if from == self.work_items.before {
                nowhere
            } else {
                from
            };
            phi.add_incoming(value, from);
        }
        counter.replace_all_uses_with(phi);
        counter.erase();
    }

    /// The body for one group of lanes, from the end of `start` on; the last block of it.
    fn group(
        &self,
        builder: &Builder,
        start: Block,
        base: Value,
        mask: Option<Value>,
        results: &Results,
    ) -> Block {
        let made: Vec<Block> = (0..self.blocks.len())
            .map(|_| self.work_items.header.insert_before(""))
            .collect();
        builder.at_end(start);
        builder.branch(made[0]);
        let mut group = Group {
            b: builder,
            body: self,
            made,
            base,
            entry_mask: mask,
            crossing: HashMap::new(),
            masks: HashMap::new(),
            private: HashMap::new(),
            pending: vec![BTreeSet::new(); self.blocks.len()],
            forms: HashMap::new(),
            wide: HashMap::new(),
            mask: None,
            masked_by: None,
            at: 0,
        };
        group.make_variables();
        for number in 0..self.blocks.len() {
            group.block(number);
        }
        for (phi, variable, alignment) in &results.kept {
            let value = results.value_of(*phi, self.work_items);
            let value = group.first_lane(value);
            builder.store(value, *variable, *alignment);
        }
        builder.position()
    }
}

/// What is used after the loop.
struct Results {
    /// φs of the exit and the variables that hold their values.
    kept: Vec<(Value, Value, u32)>,
}

impl Results {
    fn of(body: &Body<'_>, builder: &Builder) -> Self {
        builder.before(body.function.entry_block().instructions()[0]);
        let phis = body.work_items.exit.instructions();
        let kept = phis
            .into_iter()
            .filter(|i| i.opcode() == Opcode::LLVMPHI)
            .map(|phi| {
                let variable = builder.alloca(phi.ty(), "");
                (phi, variable, body.layout.alignment(phi.ty()))
            })
            .collect();
        Self { kept }
    }

    fn value_of(&self, phi: Value, work_items: &WorkItemLoop) -> Value {
        phi.incoming()
            .into_iter()
            .find(|(_, block)| *block == work_items.latch)
            .map(|(value, _)| value)
            .expect("the loop is left from its latch")
    }
}

/// The body being written for one group of lanes.
pub struct Group<'a> {
    pub b: &'a Builder,
    pub body: &'a Body<'a>,
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
    pub masked_by: Option<Value>,
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

impl Group<'_> {
    fn make_variables(&mut self) {
        let body = self.body;
        self.b.before(body.function.entry_block().instructions()[0]);
        for &array in &body.work_items.private {
            let ty = array.allocated_type().array(u64::from(body.lanes));
            let copy = self.b.alloca(ty, "lanes.private");
            copy.set_alignment(array.alignment());
            self.private.insert(array, copy);
        }
        for (number, block) in body.blocks.iter().enumerate() {
            for value in block.instructions() {
                if value == body.work_items.counter || value.ty().is_void() {
                    continue;
                }
                let is_phi = value.opcode() == Opcode::LLVMPHI;
                if is_phi || self.is_used_elsewhere(value, number) {
                    let made = self.variable(value);
                    let coming = is_phi.then(|| self.variable(value));
                    self.crossing.insert(value, Crossing { made, coming });
                }
            }
            if body.masks[number] == MaskOf::Own {
                let ty = self.mask_variable_type();
                self.masks.insert(number, self.b.alloca(ty, "mask"));
            }
        }
    }

    fn is_used_elsewhere(&self, value: Value, number: usize) -> bool {
        let block = self.body.blocks[number];
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
        let body = self.body;
        for (number, block) in body.blocks.iter().enumerate() {
            if body.flow.innermost[number] != scope {
                continue;
            }
            let is_header = scope.is_some_and(|l| body.flow.loops[l].header == number);
            if let Some(&mask) = self.masks.get(&number)
                && !is_header
            {
                self.b.store(self.mask_variable_type().zero(), mask, 1);
            }
            for value in block.instructions() {
                if let Some(crossing) = self.crossing.get(&value) {
                    self.forget(&crossing.made);
                    if let Some(coming) = &crossing.coming
                        && !is_header
                    {
                        self.forget(coming);
                    }
                }
            }
        }
    }

    fn block(&mut self, number: usize) {
        let body = self.body;
        self.b.at_end(self.made[number]);
        self.at = number;
        self.forms.clear();
        self.wide.clear();
        self.masked_by = None;
        self.mask = None;
        let instructions = body.blocks[number].instructions();
        let phis: Vec<Value> = instructions
            .iter()
            .copied()
            .filter(|i| i.opcode() == Opcode::LLVMPHI && *i != body.work_items.counter)
            .collect();
        for &phi in &phis {
            let coming = self.crossing[&phi].coming.clone().expect("of a φ");
            let form = self.read(&coming);
            self.forms.insert(phi, form);
        }
        let header_of = body.flow.loops.iter().position(|l| l.header == number);
        if number == 0 {
            self.reset(None);
        }
        if let Some(l) = header_of {
            self.reset(Some(l));
            if body.facts.loops[l] {
                let exits = body.flow.loops[l].exit_blocks();
                self.pending[number].extend(exits);
            }
        }
        for phi in phis {
            self.keep(phi);
        }
        self.mask = self.mask_of(number);
        for instruction in instructions {
            if instruction.opcode() == Opcode::LLVMPHI || instruction.is_terminator() {
                continue;
            }
            self.instruction(instruction);
            if !instruction.ty().is_void() {
                self.keep(instruction);
            }
        }
        if number + 1 < body.blocks.len() {
            self.leave(number);
        }
    }

    /// The lanes that run a block, as its variable has it now; none for all.
    fn mask_of(&self, number: usize) -> Option<Value> {
        match self.body.masks[number] {
            MaskOf::Entry => self.entry_mask,
            MaskOf::Same(other) => self.mask_of(other),
            MaskOf::Own => Some(self.read_mask(self.masks[&number])),
        }
    }

    /// From the end of a block to what comes next.
    fn leave(&mut self, number: usize) {
        let body = self.body;
        let terminator = body.blocks[number].terminator();
        let successors: Vec<usize> = terminator
            .successors()
            .iter()
            .map(|to| body.number[to])
            .collect();
        if body.flow.successors[number].len() == 1 {
            let to = successors[0];
            self.edge(number, to, self.mask);
            self.go_to(number, to);
        } else if body.facts.branches[number] {
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
                    let done = self.body.work_items.header.insert_before("");
                    let more = self.any(masks[back]);
                    self.b.branch_if(more, self.made[successors[back]], done);
                    self.b.at_end(done);
                    self.enter(next, None);
                }
                None => self.enter(next, None),
            }
        } else {
            let condition = self.scalar(terminator.operand(0));
            let blocks = [(); 2].map(|()| self.body.work_items.header.insert_before(""));
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
            self.enter(next, (!self.body.short[from]).then_some(to));
        }
    }

    /// Goes to the first of the blocks that lanes may be waiting at. Lanes are at `certain`.
    fn enter(&mut self, waiting: BTreeSet<usize>, certain: Option<usize>) {
        let mut waiting = waiting;
        while let Some(first) = waiting.pop_first() {
            self.pending[first].extend(&waiting);
            let own = self.body.masks[first] == MaskOf::Own;
            if waiting.is_empty() || certain == Some(first) || !own || self.body.short[first] {
                self.b.branch(self.made[first]);
                return;
            }
            let mask = self.read_mask(self.masks[&first]);
            let some = self.any(mask);
            let next = self.body.work_items.header.insert_before("");
            self.b.branch_if(some, self.made[first], next);
            self.b.at_end(next);
        }
        unreachable!("lanes wait somewhere");
    }

    /// What the lanes of `mask` bring along from one block to another.
    fn edge(&mut self, from: usize, to: usize, mask: Option<Value>) {
        let body = self.body;
        let is_header = body.flow.loops.iter().any(|l| l.header == to);
        let merges = body.facts.joins[to] && !is_header;
        let mut brought = Vec::new();
        for phi in body.blocks[to].instructions() {
            if phi.opcode() != Opcode::LLVMPHI {
                break;
            }
            let (value, _) = phi
                .incoming()
                .into_iter()
                .find(|(_, block)| *block == body.blocks[from])
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
        value.is_instruction() && self.body.number.contains_key(&value.block())
    }
}
