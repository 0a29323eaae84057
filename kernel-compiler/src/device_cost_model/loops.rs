//! Natural loops of a function, whatever their form, and how values move in them.

use crate::ir::{Block, DataLayout, Opcode, TypeKind, Value};
use std::collections::HashMap;

/// A natural loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Number of its header.
    pub header: usize,
    /// Numbers of its blocks, those of inner loops too, in order.
    pub blocks: Vec<usize>,
    /// The loop around it.
    pub parent: Option<usize>,
}

/// The loops of a function.
pub struct Loops {
    /// Outer ones before inner ones.
    pub loops: Vec<Loop>,
    /// By block: the innermost loop that it is in.
    pub innermost: Vec<Option<usize>>,
    pub successors: Vec<Vec<usize>>,
    pub predecessors: Vec<Vec<usize>>,
}

impl Loops {
    pub fn of(blocks: &[Block], number: &HashMap<Block, usize>) -> Self {
        let successors: Vec<Vec<usize>> = blocks
            .iter()
            .map(|block| {
                let mut next: Vec<usize> = block.successors().iter().map(|s| number[s]).collect();
                next.dedup();
                next
            })
            .collect();
        let order = postorder(&successors);
        let mut place = vec![usize::MAX; blocks.len()];
        for (at, &block) in order.iter().enumerate() {
            place[block] = at;
        }
        let mut predecessors = vec![Vec::new(); blocks.len()];
        for (from, next) in successors.iter().enumerate() {
            for &to in next {
                // Nobody comes from where nobody gets to.
                if place[from] != usize::MAX && !predecessors[to].contains(&from) {
                    predecessors[to].push(from);
                }
            }
        }
        let dominator = dominators(&order, &place, &predecessors);
        let dominates = |above: usize, mut below: usize| {
            while below != above && below != 0 {
                below = dominator[below];
            }
            below == above
        };
        let mut loops = Vec::new();
        for &header in order.iter().rev() {
            let latches = predecessors[header].iter().copied();
            let latches: Vec<usize> = latches.filter(|&from| dominates(header, from)).collect();
            if latches.is_empty() {
                continue;
            }
            let mut inside = vec![false; blocks.len()];
            inside[header] = true;
            let mut pending = latches;
            while let Some(block) = pending.pop() {
                if !std::mem::replace(&mut inside[block], true) {
                    pending.extend(&predecessors[block]);
                }
            }
            let blocks = (0..blocks.len()).filter(|&block| inside[block]).collect();
            loops.push(Loop {
                header,
                blocks,
                parent: None,
            });
        }
        loops.sort_by_key(|l| std::cmp::Reverse(l.blocks.len()));
        let mut innermost: Vec<Option<usize>> = vec![None; blocks.len()];
        for (at, l) in loops.iter_mut().enumerate() {
            l.parent = innermost[l.header];
            for &block in &l.blocks {
                innermost[block] = Some(at);
            }
        }
        Self {
            loops,
            innermost,
            successors,
            predecessors,
        }
    }

    /// Whether a block is in a loop.
    pub fn holds(&self, l: usize, block: usize) -> bool {
        self.loops[l].blocks.binary_search(&block).is_ok()
    }

    /// Where a loop is entered from.
    pub fn entering(&self, l: usize) -> Vec<usize> {
        let from = self.predecessors[self.loops[l].header].iter().copied();
        from.filter(|&from| !self.holds(l, from)).collect()
    }
}

/// Blocks that can be reached, each after those that it leads to first.
fn postorder(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    let mut way = Vec::new();
    if !successors.is_empty() {
        seen[0] = true;
        way.push((0, 0));
    }
    while let Some((block, next)) = way.pop() {
        match successors[block].get(next) {
            Some(&to) => {
                way.push((block, next + 1));
                if !std::mem::replace(&mut seen[to], true) {
                    way.push((to, 0));
                }
            }
            None => order.push(block),
        }
    }
    order
}

/// The nearest block before each that is on every way to it (Cooper, Harvey and Kennedy's way).
fn dominators(order: &[usize], place: &[usize], predecessors: &[Vec<usize>]) -> Vec<usize> {
    let unknown = usize::MAX;
    let mut dominator = vec![unknown; predecessors.len()];
    if let Some(first) = dominator.first_mut() {
        *first = 0;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().rev().filter(|&&block| block != 0) {
            let mut nearest = unknown;
            for &from in &predecessors[block] {
                if dominator[from] == unknown {
                    continue;
                }
                nearest = if nearest == unknown {
                    from
                } else {
                    let (mut a, mut b) = (from, nearest);
                    while a != b {
                        while place[a] < place[b] {
                            a = dominator[a];
                        }
                        while place[b] < place[a] {
                            b = dominator[b];
                        }
                    }
                    a
                };
            }
            if nearest != unknown && dominator[block] != nearest {
                dominator[block] = nearest;
                changed = true;
            }
        }
    }
    for at in dominator.iter_mut().filter(|at| **at == unknown) {
        *at = 0;
    }
    dominator
}

/// How a value changes from one round of a loop to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// By as much each time, bytes for addresses; 0: not at all.
    By(i64),
    /// By something that is the same each time, but not known.
    Steady,
    /// Anyhow.
    Unknown,
}

impl Motion {
    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::By(a), Self::By(b)) => a.checked_add(b).map_or(Self::Unknown, Self::By),
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            _ => Self::Steady,
        }
    }

    fn times(self, factor: Option<i64>) -> Self {
        match (self, factor) {
            (Self::By(0), _) => Self::By(0),
            (Self::By(a), Some(b)) => a.checked_mul(b).map_or(Self::Unknown, Self::By),
            (Self::Unknown, _) => Self::Unknown,
            _ => Self::Steady,
        }
    }
}

/// What asks how values move in one loop.
pub struct InLoop<'a> {
    pub loops: &'a Loops,
    pub number: &'a HashMap<Block, usize>,
    pub layout: DataLayout,
    /// Number of the loop.
    pub of: usize,
}

/// Operations that are followed.
const DEPTH: u32 = 24;

impl InLoop<'_> {
    /// Whether a value is the same in all rounds, since it is made outside.
    pub fn is_from_outside(&self, value: Value) -> bool {
        !value.is_instruction()
            || self
                .number
                .get(&value.block())
                .is_none_or(|&block| !self.loops.holds(self.of, block))
    }

    /// How a value moves.
    pub fn motion(&self, value: Value) -> Motion {
        self.follow(value, DEPTH)
    }

    /// The step of a φ of the loop's header that counts.
    pub fn counter_step(&self, phi: Value) -> Motion {
        if !phi.is(Opcode::LLVMPHI) || self.is_from_outside(phi) {
            return Motion::Unknown;
        }
        if self.number.get(&phi.block()) != Some(&self.loops.loops[self.of].header) {
            return Motion::Unknown;
        }
        let mut step = None;
        for (value, from) in phi.incoming() {
            let inside = self.number.get(&from);
            if !inside.is_some_and(|&from| self.loops.holds(self.of, from)) {
                continue;
            }
            let this = self.step_to(phi, value, DEPTH);
            if step.is_some_and(|step| step != this) {
                return Motion::Unknown;
            }
            step = Some(this);
        }
        step.unwrap_or(Motion::Unknown)
    }

    /// What is added to `phi` on the way to `value`.
    fn step_to(&self, phi: Value, value: Value, depth: u32) -> Motion {
        if value == phi {
            return Motion::By(0);
        }
        if depth == 0 || self.is_from_outside(value) {
            return Motion::Unknown;
        }
        let fixed = |value: Value| match signed(value) {
            Some(step) => Motion::By(step),
            None if self.is_from_outside(value) => Motion::Steady,
            None => Motion::Unknown,
        };
        match value.opcode() {
            Opcode::LLVMAdd | Opcode::LLVMOr => {
                let (a, b) = (value.operand(0), value.operand(1));
                match fixed(b) {
                    Motion::Unknown => self.step_to(phi, b, depth - 1).plus(fixed(a)),
                    step => self.step_to(phi, a, depth - 1).plus(step),
                }
            }
            Opcode::LLVMSub => self
                .step_to(phi, value.operand(0), depth - 1)
                .plus(fixed(value.operand(1)).times(Some(-1))),
            Opcode::LLVMGetElementPtr => {
                let base = self.step_to(phi, value.operand(0), depth - 1);
                let operands = value.operands();
                let [_, index] = operands.as_slice() else {
                    return Motion::Unknown;
                };
                let size = i64::try_from(self.layout.size(value.indexed_type())).ok();
                base.plus(fixed(*index).times(size))
            }
            _ => Motion::Unknown,
        }
    }

    fn follow(&self, value: Value, depth: u32) -> Motion {
        if self.is_from_outside(value) {
            return Motion::By(0);
        }
        if depth == 0 {
            return Motion::Unknown;
        }
        let of = |index: u32| self.follow(value.operand(index), depth - 1);
        match value.opcode() {
            Opcode::LLVMPHI => self.counter_step(value),
            Opcode::LLVMAdd | Opcode::LLVMOr => of(0).plus(of(1)),
            Opcode::LLVMSub => of(0).plus(of(1).times(Some(-1))),
            Opcode::LLVMMul => match (signed(value.operand(0)), signed(value.operand(1))) {
                (_, Some(factor)) => of(0).times(Some(factor)),
                (Some(factor), _) => of(1).times(Some(factor)),
                _ if of(0) == Motion::By(0) => of(1).times(None),
                _ if of(1) == Motion::By(0) => of(0).times(None),
                _ => Motion::Unknown,
            },
            Opcode::LLVMShl => match value.operand(1).as_integer() {
                Some(bits) if bits < 63 => of(0).times(Some(1 << bits)),
                _ => of(0).times(None),
            },
            Opcode::LLVMSExt
            | Opcode::LLVMZExt
            | Opcode::LLVMTrunc
            | Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMFreeze => of(0),
            Opcode::LLVMGetElementPtr => {
                let operands = value.operands();
                let mut motion = of(0);
                let Some((first, rest)) = operands[1..].split_first() else {
                    return motion;
                };
                let mut ty = value.indexed_type();
                let size = |ty| i64::try_from(self.layout.size(ty)).ok();
                motion = motion.plus(self.follow(*first, depth - 1).times(size(ty)));
                for index in rest {
                    if ty.kind() != TypeKind::LLVMArrayTypeKind {
                        return match motion {
                            _ if rest.iter().all(|i| i.is_constant()) => motion,
                            _ => Motion::Unknown,
                        };
                    }
                    ty = ty.array_elements().0;
                    motion = motion.plus(self.follow(*index, depth - 1).times(size(ty)));
                }
                motion
            }
            _ if value
                .operands()
                .iter()
                .all(|operand| self.follow(*operand, depth.min(4) - 1) == Motion::By(0))
                && !value.is(Opcode::LLVMLoad)
                && !value.is(Opcode::LLVMCall) =>
            {
                Motion::By(0)
            }
            _ => Motion::Unknown,
        }
    }
}

/// Value of an integer constant of up to 64 bits, as a signed number.
pub fn signed(value: Value) -> Option<i64> {
    let bits = value.ty().is_integer().then(|| value.ty().integer_bits())?;
    if bits == 0 || bits > 64 {
        return None;
    }
    let shift = 64 - bits;
    value
        .as_integer()
        .map(|value| ((value << shift) as i64) >> shift)
}
