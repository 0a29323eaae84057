//! Index-set splitting: divides a row of work-items into ranges in which comparisons of the local id
//! with constants have one outcome, so that `if (get_local_id(0) < 64)` needs no masks.

use super::work_item_loop::WorkItemLoop;
use crate::ir::{Opcode, Value};
use llvm_sys::LLVMIntPredicate::{self, *};
use std::collections::{BTreeSet, HashMap};

/// Most ranges that a row is divided into.
const MAX_RANGES: usize = 4;

/// Consecutive work-items of a row.
pub struct IndexRange {
    /// Number of the first; a multiple of the number of lanes.
    pub start: u64,
    /// Number after the last; none for the end of a row of unknown length.
    pub end: Option<u64>,
    /// Comparisons that have one outcome in the range.
    pub known_comparisons: HashMap<Value, bool>,
}

impl IndexRange {
    /// Whether the last vector may have lanes without a work-item.
    pub fn has_remainder(&self, lanes: u32) -> bool {
        self.end.is_none_or(|end| end % u64::from(lanes) != 0)
    }
}

/// The ranges of a row. All but the last consist of whole vectors.
pub fn split(work_items: &WorkItemLoop, lanes: u32) -> Vec<IndexRange> {
    let row = |end| {
        vec![IndexRange {
            start: 0,
            end,
            known_comparisons: HashMap::new(),
        }]
    };
    let Some(count) = work_items.trip_count.as_integer() else {
        return row(None);
    };
    let comparisons = comparisons(work_items);
    let lanes = u64::from(lanes);
    // A vector in which an outcome changes is a range by itself.
    let bounds: BTreeSet<u64> = comparisons
        .iter()
        .flat_map(|comparison| comparison.boundaries())
        .flat_map(|change| [change / lanes * lanes, change.next_multiple_of(lanes)])
        .filter(|&bound| 0 < bound && bound < count)
        .collect();
    if bounds.is_empty() && !comparisons.iter().any(|c| c.outcome(0, count).is_some())
        || bounds.len() >= MAX_RANGES
    {
        return row(Some(count));
    }
    let firsts = std::iter::once(0).chain(bounds.iter().copied());
    let ends = bounds.iter().copied().chain([count]);
    firsts
        .zip(ends)
        .map(|(first, end)| IndexRange {
            start: first,
            end: Some(end),
            known_comparisons: comparisons
                .iter()
                .filter_map(|c| Some((c.value, c.outcome(first, end)?)))
                .collect(),
        })
        .collect()
}

/// A comparison of the local id with a constant.
struct Comparison {
    value: Value,
    predicate: LLVMIntPredicate,
    constant: u64,
}

impl Comparison {
    /// Local ids whose outcome may differ from that of the one before.
    fn boundaries(&self) -> Vec<u64> {
        let constant = self.constant;
        match self.predicate {
            LLVMIntULT | LLVMIntSLT | LLVMIntUGE | LLVMIntSGE => vec![constant],
            LLVMIntULE | LLVMIntSLE | LLVMIntUGT | LLVMIntSGT => vec![constant + 1],
            _ => vec![constant, constant + 1],
        }
    }

    /// The outcome for the local ids from `first` up to `end`, exclusive, if they have one.
    fn outcome(&self, first: u64, end: u64) -> Option<bool> {
        let inside = |boundary: &u64| first < *boundary && *boundary < end;
        if self.boundaries().iter().any(inside) {
            return None;
        }
        let constant = self.constant;
        Some(match self.predicate {
            LLVMIntULT | LLVMIntSLT => first < constant,
            LLVMIntUGE | LLVMIntSGE => first >= constant,
            LLVMIntULE | LLVMIntSLE => first <= constant,
            LLVMIntUGT | LLVMIntSGT => first > constant,
            LLVMIntEQ => first == constant,
            _ => first != constant,
        })
    }
}

/// The comparisons that branches and selects in the loop depend on.
fn comparisons(work_items: &WorkItemLoop) -> Vec<Comparison> {
    let instructions = work_items.blocks.iter().flat_map(|b| b.instructions());
    let comparison = |value: Value| {
        if !value.is(Opcode::LLVMICmp) || value == work_items.latch.terminator().operand(0) {
            return None;
        }
        let id = value.operand(0);
        let is_local_id = id == work_items.induction
            || id.is(Opcode::LLVMZExt) && id.operand(0) == work_items.induction;
        // Local ids are small: signed and unsigned comparisons agree.
        let constant = value.operand(1).as_integer()?;
        let is_small = constant <= i32::MAX as u64 >> 1;
        let decides = |user: &Value| matches!(user.opcode(), Opcode::LLVMBr | Opcode::LLVMSelect);
        (is_local_id && is_small && value.users().iter().any(decides)).then(|| Comparison {
            value,
            predicate: value.predicate(),
            constant,
        })
    };
    instructions.filter_map(comparison).collect()
}
