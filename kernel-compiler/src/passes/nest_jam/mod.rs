//! Unroll-and-jam of a work-item's loop nests, as `for j { sum = 0; for k sum += w[k] * b[k][j]; c[j] = sum; }`.
//!
//! Each iteration of the inner loop waits for the sum of the one before, and loads again what other iterations of the outer
//! loop load. Such a nest gets a version that executes [`FACTOR`] iterations of the outer loop at once, with one inner loop
//! for all. The nest as it was executes those that remain.
//!
//! The outer loop's stores come after its inner loop, so that only loads of later iterations change places with them: they
//! must be from other objects.

mod objects;
mod version;

use crate::analysis::cfg::Cfg;
use crate::analysis::counted_loop::CountedLoop;
use crate::analysis::dominators::Dominators;
use crate::analysis::effects::{Effect, effect, is_pure};
use crate::analysis::loops::LoopForest;
use crate::ir::{Block, Opcode, Value};
use objects::Objects;
use std::collections::HashSet;

/// Iterations of the outer loop in one.
const FACTOR: usize = 4;

/// Most instructions of an iteration of the outer loop, its inner loop counted once.
const MAX_INSTRUCTIONS: usize = 80;

/// Most values that iterations of an inner loop hand to the next one, in registers each of them.
const MAX_CARRIED: usize = 2;

/// Adds such versions to a kernel whose loops are in simplified and rotated form. `separate_objects` says that its arguments
/// point to objects without common bytes.
pub fn run(kernel: Value, separate_objects: bool) {
    let cfg = Cfg::compute(kernel);
    let forest = LoopForest::compute(&cfg.graph, &Dominators::compute(&cfg.graph));
    let objects = Objects { separate_objects };
    let numbers = 0..forest.loops.len();
    let nests: Vec<Nest> = numbers
        .filter_map(|inner| Nest::find(&cfg, &forest, inner))
        .filter(|nest| nest.is_independent(&objects))
        .collect();
    for nest in &nests {
        nest.add_version();
    }
}

/// A loop whose iterations are straight but for one inner loop of one block, and a condition around that, which is the same
/// in all iterations.
struct Nest {
    preheader: Block,
    /// Blocks before the inner loop, the header first.
    fore: Vec<Block>,
    inner: Block,
    /// Blocks after the inner loop, the latch last.
    aft: Vec<Block>,
    exit: Block,
    counted: CountedLoop,
    /// What the header branches to the inner loop on, and whether it does if that is true.
    guard: Option<(Value, bool)>,
    /// Values of the fore blocks and of the inner loop that differ between iterations of the outer one.
    varying: HashSet<Value>,
}

impl Nest {
    /// The nest of the inner loop with this number, and of the loop around it.
    fn find(cfg: &Cfg, forest: &LoopForest, inner: usize) -> Option<Self> {
        let (number, inner) = (inner, &forest.loops[inner]);
        let outer = &forest.loops[inner.parent?];
        let is_only = |of: &usize| *of == number || forest.loops[*of].parent != inner.parent;
        let has_one_inner = (0..forest.loops.len()).all(|of| is_only(&of));
        let (&[preheader], &[latch]) = (&outer.entering(&cfg.graph)[..], &outer.latches[..]) else {
            return None;
        };
        let (&[(from, exit)], &[(_, after)]) =
            (&outer.exits(&cfg.graph)[..], &inner.exits(&cfg.graph)[..])
        else {
            return None;
        };
        if !has_one_inner || inner.nodes.len() != 1 || from != latch || after == outer.header {
            return None;
        }
        let fore = Self::fore(cfg, outer.header, inner.header)?;
        let aft = Self::straight(cfg, after, latch)?;
        if fore.len() + 1 + aft.len() != outer.nodes.len() || cfg.successors(preheader).len() != 1 {
            return None;
        }
        let block = |number: &usize| cfg.blocks[*number];
        let header = block(&outer.header);
        let is_outside =
            |value: Value| !value.is_instruction() || !outer.contains(cfg.number(value.block()));
        let counted = CountedLoop::find(header, block(&latch), is_outside)
            .filter(CountedLoop::ends_at_limit)?;
        let branch = header.terminator();
        let guard = (branch.successors().len() == 2).then(|| {
            let next = fore.get(1).unwrap_or(&inner.header);
            (branch.operand(0), branch.successors()[0] == block(next))
        });
        let nest = Self {
            preheader: block(&preheader),
            fore: fore.iter().map(block).collect(),
            inner: block(&inner.header),
            aft: aft.iter().map(block).collect(),
            exit: block(&exit),
            counted,
            guard,
            varying: HashSet::new(),
        };
        nest.with_varying().filter(Self::is_fit)
    }

    /// The blocks from the header to the inner loop. The header may skip it.
    fn fore(cfg: &Cfg, header: usize, inner: usize) -> Option<Vec<usize>> {
        let leads = |from: usize| {
            let path = Self::straight_before(cfg, from, inner)?;
            Some([vec![header], path].concat())
        };
        match *cfg.successors(header) {
            [next] => leads(next),
            [one, other] => leads(one).xor(leads(other)),
            _ => None,
        }
    }

    /// The blocks from `from` to before `inner`, each with one predecessor and one successor.
    fn straight_before(cfg: &Cfg, from: usize, inner: usize) -> Option<Vec<usize>> {
        let mut path = Vec::new();
        let mut at = from;
        while at != inner {
            let (&[next], &[_]) = (cfg.successors(at), cfg.predecessors(at)) else {
                return None;
            };
            path.push(at);
            at = next;
        }
        Some(path)
    }

    /// The blocks from `from` to `latch`, each with one successor but for the latch.
    fn straight(cfg: &Cfg, from: usize, latch: usize) -> Option<Vec<usize>> {
        let mut path = vec![from];
        while *path.last()? != latch {
            let &[next] = cfg.successors(*path.last()?) else {
                return None;
            };
            path.push(next);
        }
        Some(path)
    }

    /// Finds what differs between iterations of the outer loop.
    fn with_varying(mut self) -> Option<Self> {
        self.varying.insert(self.counted.counter);
        self.varying.insert(self.counted.next);
        let instructions = self.jammed();
        loop {
            let before = self.varying.len();
            for instruction in &instructions {
                let mut operands = instruction.operands().into_iter();
                if operands.any(|operand| self.varying.contains(&operand)) {
                    self.varying.insert(*instruction);
                }
            }
            if self.varying.len() == before {
                break;
            }
        }
        let varies = |value: Value| self.varying.contains(&value);
        let runs_equally_often = !varies(self.inner.terminator());
        let is_guard_fixed = self.guard.is_none_or(|(guard, _)| self.is_fixed(guard));
        (runs_equally_often && is_guard_fixed).then_some(self)
    }

    /// Whether a value can be computed before the outer loop.
    fn is_fixed(&self, value: Value) -> bool {
        let is_inside = value.is_instruction() && self.contains(value.block());
        !is_inside
            || is_pure(value)
                && !self.varying.contains(&value)
                && value.operands().into_iter().all(|of| self.is_fixed(of))
    }

    /// Whether the version is profitable, and nothing but the order of memory accesses is against it.
    fn is_fit(&self) -> bool {
        let (jammed, after) = (self.jammed(), self.after());
        let carried = self.inner.phis().into_iter();
        let carried = carried.filter(|phi| self.varying.contains(phi)).count();
        let is_read_only = |of: &Value| matches!(effect(*of), Effect::None | Effect::Read);
        let is_simple = |of: &Value| is_read_only(of) || effect(*of) == Effect::Write;
        let phis = |block: &Block| block.phis().len();
        jammed.len() + after.len() <= MAX_INSTRUCTIONS
            && (1..=MAX_CARRIED).contains(&carried)
            && phis(&self.fore[0]) == 1
            && self.fore[1..].iter().all(|block| phis(block) == 0)
            && jammed.iter().all(is_read_only)
            && after.iter().all(is_simple)
            && jammed
                .iter()
                .chain(&after)
                .all(|of| self.is_used_inside(*of))
    }

    fn is_used_inside(&self, value: Value) -> bool {
        let mut users = value.users().into_iter();
        users.all(|user| self.contains(user.block()))
    }

    /// Whether no iteration stores what later ones load before they store.
    fn is_independent(&self, objects: &Objects) -> bool {
        let [mut loads, mut stores] = [self.jammed(), self.after()];
        loads.retain(|of| of.is(Opcode::LLVMLoad));
        stores.retain(|of| of.is(Opcode::LLVMStore));
        let differ = |store: &Value| loads.iter().all(|load| objects.differ(*store, *load));
        stores.iter().all(differ)
    }

    /// The instructions whose iterations change places with what comes after the inner loop.
    fn jammed(&self) -> Vec<Value> {
        let blocks = self.fore.iter().chain([&self.inner]);
        blocks.flat_map(|block| block.instructions()).collect()
    }

    fn after(&self) -> Vec<Value> {
        let blocks = self.aft.iter();
        blocks.flat_map(|block| block.instructions()).collect()
    }

    fn contains(&self, block: Block) -> bool {
        block == self.inner || self.fore.contains(&block) || self.aft.contains(&block)
    }
}
