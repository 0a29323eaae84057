//! Splits grid-stride loops, and moves the iterations that all work-items execute outside the
//! loops over the work-items:
//!
//! ```text
//! base = start of the counter for the group's first work-item
//! while all ids from base to base + size - 1 are within the bound     for the group
//!     body(base + local id)                                          for each work-item
//!     base += step
//! for (i = base + local id; i < n; i += step)                        for each work-item
//!     body(i)
//! ```
//!
//! The test of a whole iteration does not wrap, so that the split is exact for all starts, steps
//! and bounds.

use super::body::BodyCopy;
use super::counter::{MAX_DEPTH, starts_with_id};
use super::hoisting::Hoisting;
use super::queries::Queries;
use super::recognition::{Candidates, GridStrideLoop};
use super::surroundings::Surroundings;
use crate::analysis::cfg::Cfg;
use crate::analysis::loop_mark::LoopMark;
use crate::analysis::uniformity::{Uniformity, has_barrier};
use crate::intrinsics::{BARRIER, ONCE};
use crate::ir::{Block, Builder, DataLayout, ModuleRef, Opcode, Type, Value};
use crate::passes::index_narrowing;
use crate::work_group::cross_barrier_values::{Slot, slot_name};
use crate::work_group::loop_interchange::{Interchanged, MAX_BLOCKS, declared};
use crate::work_group::rotated_loop::RotatedLoop;
use crate::work_items::group_variable;
use llvm_sys::LLVMIntPredicate::*;

/// Interchanges the grid-stride loops of a kernel where that pays.
pub fn run(
    module: ModuleRef,
    kernel: Value,
    local_size: [u64; 3],
    small_launch: bool,
) -> Interchanged {
    let mut result = Interchanged::default();
    if kernel.blocks().len() > MAX_BLOCKS {
        return result;
    }
    narrow_counters(kernel);
    let layout = DataLayout::of_module(module);
    while let Some(found) = next_loop(kernel, local_size, small_launch, &layout) {
        Interchange::new(module, kernel, local_size, &found).apply(found, &mut result);
        result.loops += 1;
    }
    result
}

/// Gives counters that start with an id the width that their uses have.
fn narrow_counters(kernel: Value) {
    index_narrowing::narrow_phis(kernel, |phi| {
        let mut starts = phi.incoming().into_iter().map(|(value, _)| value);
        starts.any(|start| starts_with_id(start, MAX_DEPTH))
    });
}

/// The next loop that is worth interchanging and is not the remainder of one.
fn next_loop(
    kernel: Value,
    local_size: [u64; 3],
    small_launch: bool,
    layout: &DataLayout,
) -> Option<GridStrideLoop> {
    let cfg = Cfg::compute(kernel);
    let loops = RotatedLoop::all(&cfg);
    if loops.is_empty() {
        return None;
    }
    let uniformity = Uniformity::find(kernel, &cfg, has_barrier);
    let candidates = Candidates::new(&cfg, &uniformity, small_launch);
    let mut found = loops
        .iter()
        .filter(|l| !LoopMark::Remainder.is_on(l.latch))
        .filter_map(|l| candidates.recognise(l));
    found.find(|l| local_size[l.dimension as usize] > 1 && l.is_worth_interchanging(layout))
}

/// A variable that each work-item keeps between the iterations.
#[derive(Clone, Copy)]
struct Carried {
    slot: Value,
    ty: Type,
    /// The φ of the header that holds it, if one does.
    phi: Option<Value>,
    /// Its value at the end of an iteration.
    last: Value,
}

/// The blocks that the split makes.
struct Made {
    /// Header of the loop of the group.
    main: Block,
    /// Decides for the group whether iterations remain.
    after_main: Block,
    /// Start of the remaining iterations.
    remainder: Block,
    /// Where all work-items meet after the loop.
    join: Block,
}

/// Splits a loop and interchanges its first part.
struct Interchange {
    builder: Builder,
    queries: Queries,
    layout: DataLayout,
    barrier: Value,
    once: Value,
    kernel: Value,
    /// The local id along the counter's dimension may be at most that.
    last_id: u64,
    counter_type: Type,
    /// The group's variable that holds the counter of its first work-item.
    base: Value,
    dimension: u64,
}

impl Interchange {
    fn new(module: ModuleRef, kernel: Value, local_size: [u64; 3], l: &GridStrideLoop) -> Self {
        let builder = Builder::new(kernel.ty().context());
        let counter_type = l.counter.ty();
        builder.before(kernel.entry_block().instructions()[0]);
        let base = builder.alloca(counter_type, &slot_name("base", l.counter));
        Self {
            barrier: declared(module, &builder, BARRIER),
            once: declared(module, &builder, ONCE),
            layout: DataLayout::of_module(module),
            last_id: local_size[l.dimension as usize] - 1,
            dimension: l.dimension,
            builder,
            queries: Queries { module, local_size },
            kernel,
            counter_type,
            base,
        }
    }

    fn apply(&self, mut l: GridStrideLoop, result: &mut Interchanged) {
        let surroundings = Surroundings::find(&self.builder, &mut l);
        let hoisting = Hoisting::new(&self.builder, &self.queries, surroundings.before);
        l.bound = hoisting.hoist(l.bound);
        l.step = hoisting.hoist(l.step);
        let first = hoisting.first_of_group(l.first);
        let starts: Vec<(Value, Value)> = l
            .rotated
            .header
            .phis()
            .into_iter()
            .filter(|phi| *phi != l.counter)
            .map(|phi| {
                let start = RotatedLoop::incoming(phi, l.rotated.preheader);
                (phi, hoisting.hoist(start))
            })
            .collect();
        let carried = self.carry(&l, &surroundings, &starts);
        let results = self.results(&l, &surroundings, &carried);
        let all: Vec<Carried> = distinct(carried.iter().chain(results.iter().map(|(_, c)| c)));
        let blocks = [
            ("main", l.rotated.header),
            ("after_main", l.rotated.header),
            ("remainder", l.rotated.header),
            ("join", surroundings.target),
        ];
        let [main, after_main, remainder, join] =
            blocks.map(|(name, before)| before.insert_before(&format!("grid_stride.{name}")));
        let made = Made {
            main,
            after_main,
            remainder,
            join,
        };
        self.enter(&l, first, &surroundings, &made);
        self.main_loop(&l, &all, &made);
        self.decide(&l, &made);
        self.remainder(&l, &carried, &surroundings, &made);
        self.join(&l, &results, &surroundings, &made);
        result.shared.push(self.base);
        result.slots.extend(all.iter().map(|carried| Slot {
            alloca: carried.slot,
            ty: carried.ty,
            uniform: false,
        }));
    }

    fn alloca(&self, ty: Type, name: &str) -> Value {
        let position = self.kernel.entry_block().instructions()[0];
        let b = Builder::new(self.kernel.ty().context());
        b.before(position);
        b.alloca(ty, name)
    }

    fn store(&self, value: Value, address: Value) {
        let alignment = self.layout.alignment(value.ty());
        self.builder.store(value, address, alignment);
    }

    fn load(&self, ty: Type, address: Value) -> Value {
        self.builder.load(ty, address, self.layout.alignment(ty))
    }

    fn load_base(&self) -> Value {
        let base = self.load(self.counter_type, self.base);
        group_variable::mark_load(base);
        base
    }

    /// Slots for the loop's φs other than the counter, with their values before the loop.
    fn carry(
        &self,
        l: &GridStrideLoop,
        surroundings: &Surroundings,
        starts: &[(Value, Value)],
    ) -> Vec<Carried> {
        let carried = starts.iter().map(|&(phi, start)| {
            let slot = self.alloca(phi.ty(), &slot_name("carried", phi));
            self.builder.before(surroundings.before.terminator());
            self.store(start, slot);
            Carried {
                slot,
                ty: phi.ty(),
                phi: Some(phi),
                last: RotatedLoop::incoming(phi, l.rotated.latch),
            }
        });
        carried.collect()
    }

    /// The φs of the target, with what holds their values after the loop.
    fn results(
        &self,
        l: &GridStrideLoop,
        surroundings: &Surroundings,
        carried: &[Carried],
    ) -> Vec<(Value, Carried)> {
        let of = |phi: Value| {
            let last = RotatedLoop::incoming(phi, surroundings.last);
            let last = self.before_exit(l, last);
            let skipped = surroundings
                .is_guarded
                .then(|| RotatedLoop::incoming(phi, surroundings.before));
            let is_carried = |c: &&Carried| {
                let start = c
                    .phi
                    .map(|phi| RotatedLoop::incoming(phi, l.rotated.preheader));
                c.last == last && (skipped.is_none() || skipped == start)
            };
            if let Some(known) = carried.iter().find(is_carried) {
                return (phi, *known);
            }
            let slot = self.alloca(phi.ty(), &slot_name("result", phi));
            if let Some(skipped) = skipped {
                self.builder.before(surroundings.before.terminator());
                self.store(skipped, slot);
            }
            let result = Carried {
                slot,
                ty: phi.ty(),
                phi: None,
                last,
            };
            (phi, result)
        };
        surroundings.target.phis().into_iter().map(of).collect()
    }

    /// What a φ between the loop and the target names.
    fn before_exit(&self, l: &GridStrideLoop, mut value: Value) -> Value {
        while value.is(Opcode::LLVMPHI)
            && !l.rotated.blocks.contains(&value.block())
            && let [(named, _)] = value.incoming()[..]
        {
            value = named;
        }
        value
    }

    /// Whether all work-items of the group execute an iteration with that counter of the first one.
    fn is_whole(&self, base: Value, l: &GridStrideLoop) -> Value {
        let b = &self.builder;
        let starts = b.compare(l.comparison.predicate(), base, l.bound);
        let left = b.binary(Opcode::LLVMSub, l.bound, base);
        let needed = self.last_id + u64::from(!l.comparison.inclusive);
        let fits = b.compare(LLVMIntUGE, left, self.counter_type.constant(needed));
        b.and(starts, fits)
    }

    fn begin_once(&self) {
        self.builder.call(self.barrier, &[]);
        self.builder.call(self.once, &[]);
    }

    /// Ends the block before the loop.
    fn enter(&self, l: &GridStrideLoop, first: Value, surroundings: &Surroundings, made: &Made) {
        let end = surroundings.before.terminator();
        self.builder.before(end);
        self.begin_once();
        self.store(first, self.base);
        let is_whole = self.is_whole(first, l);
        let otherwise = if surroundings.is_guarded {
            made.after_main
        } else {
            made.remainder
        };
        self.builder.branch_if(is_whole, made.main, otherwise);
        end.erase();
    }

    /// The loop of the group.
    fn main_loop(&self, l: &GridStrideLoop, carried: &[Carried], made: &Made) {
        let b = &self.builder;
        b.at_end(made.main);
        b.call(self.barrier, &[]);
        let base = self.load_base();
        let id = self.queries.call(b, "local_id", self.dimension);
        let counter = b.add(base, b.resize(id, self.counter_type));
        let mut copy = BodyCopy::new(b, l);
        copy.set_counter(counter, base, id);
        for carried in carried {
            if let Some(phi) = carried.phi {
                copy.set(phi, self.load(carried.ty, carried.slot));
            }
        }
        let latch = copy.write(made.main);
        b.at_end(latch);
        for carried in carried {
            self.store(copy.get(carried.last), carried.slot);
        }
        self.begin_once();
        let next = b.add(self.load_base(), l.step);
        self.store(next, self.base);
        let is_whole = self.is_whole(next, l);
        b.branch_if(is_whole, made.main, made.after_main);
    }

    /// Skips the remainder if no work-item has iterations left: the first one has none, and the
    /// counters of the others do not wrap.
    fn decide(&self, l: &GridStrideLoop, made: &Made) {
        let b = &self.builder;
        let bits = self.counter_type.integer_bits();
        b.at_end(made.after_main);
        let base = self.load_base();
        let is_left = b.compare(l.comparison.predicate(), base, l.bound);
        let (greatest, exceeds) = if l.comparison.signed {
            (u64::MAX >> (65 - bits), LLVMIntSGT)
        } else {
            (u64::MAX >> (64 - bits), LLVMIntUGT)
        };
        let last = self.counter_type.constant(greatest - self.last_id);
        let wraps = b.compare(exceeds, base, last);
        let is_needed = b.binary(Opcode::LLVMOr, is_left, wraps);
        b.branch_if(is_needed, made.remainder, made.join);
    }

    /// Lets the original loop execute the remaining iterations.
    fn remainder(
        &self,
        l: &GridStrideLoop,
        carried: &[Carried],
        surroundings: &Surroundings,
        made: &Made,
    ) {
        let b = &self.builder;
        b.at_end(made.remainder);
        b.call(self.barrier, &[]);
        let id = self.queries.call(b, "local_id", self.dimension);
        let counter = b.add(self.load_base(), b.resize(id, self.counter_type));
        let set_start = |phi: Value, start: Value| {
            let from = |(_, block): &(Value, Block)| *block == l.rotated.preheader;
            let index = phi.incoming().iter().position(from);
            phi.set_operand(index.expect("the preheader enters the loop") as u32, start);
        };
        let more = b.compare(l.comparison.predicate(), counter, l.bound);
        let more = if surroundings.is_guarded {
            more
        } else {
            // The first iteration is executed unconditionally.
            let is_first = b.compare(LLVMIntEQ, counter, l.first);
            b.binary(Opcode::LLVMOr, more, is_first)
        };
        for carried in carried {
            let phi = carried.phi.expect("a variable of a φ");
            set_start(phi, self.load(carried.ty, carried.slot));
        }
        set_start(l.counter, counter);
        b.branch_if(more, l.rotated.preheader, made.join);
        LoopMark::Remainder.set(l.rotated.latch);
    }

    /// Makes the work-items meet between the loop and the target, where they read its results.
    fn join(
        &self,
        l: &GridStrideLoop,
        results: &[(Value, Carried)],
        surroundings: &Surroundings,
        made: &Made,
    ) {
        let b = &self.builder;
        b.before(l.rotated.exit.first_after_phis());
        for (_, result) in results {
            self.store(result.last, result.slot);
        }
        let end = surroundings.last.terminator();
        end.set_successor(0, made.join);
        b.at_end(made.join);
        b.call(self.barrier, &[]);
        let loads = results
            .iter()
            .map(|(phi, result)| (*phi, self.load(result.ty, result.slot)));
        let loads: Vec<(Value, Value)> = loads.collect();
        b.branch(surroundings.target);
        for (phi, load) in loads {
            b.before(phi);
            let merged = b.phi(phi.ty(), "");
            let is_replaced = |block: Block| {
                block == surroundings.last
                    || surroundings.is_guarded && block == surroundings.before
            };
            for (value, block) in phi.incoming() {
                if !is_replaced(block) {
                    merged.add_incoming(value, block);
                }
            }
            merged.add_incoming(load, made.join);
            let name = phi.name();
            phi.replace_all_uses_with(merged);
            phi.erase();
            merged.set_name(&name);
        }
    }
}

/// Each variable once.
fn distinct<'a>(carried: impl Iterator<Item = &'a Carried>) -> Vec<Carried> {
    let mut distinct: Vec<Carried> = Vec::new();
    for carried in carried {
        if distinct.iter().all(|known| known.slot != carried.slot) {
            distinct.push(*carried);
        }
    }
    distinct
}
