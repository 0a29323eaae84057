//! Rows of work-items in spans, in each of which the comparisons of a work-item's number with
//! constants have one outcome: `if (get_local_id(0) < 64)` takes no masks.

use super::work_item_loop::WorkItemLoop;
use crate::ir::{Opcode, Value};
use llvm_sys::LLVMIntPredicate::{self, *};
use std::collections::{BTreeSet, HashMap};

/// Most spans that a row is divided into.
const MAX_RANGES: usize = 4;

/// Consecutive work-items of a row.
pub struct IndexRange {
    /// Number of the first; a multiple of the lanes.
    pub start: u64,
    /// Number of the one after the last; none: the row's end, which is not known.
    pub end: Option<u64>,
    /// Comparisons with the same outcome for all of them.
    pub known_comparisons: HashMap<Value, bool>,
}

impl IndexRange {
    /// Whether its last group may not be whole.
    pub fn has_remainder(&self, lanes: u32) -> bool {
        self.end.is_none_or(|end| end % u64::from(lanes) != 0)
    }
}

/// The spans of a row. All but the last hold whole groups of lanes.
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
    // Where an outcome changes within a group, the group is a span of its own.
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

/// A comparison of a work-item's number with a constant.
struct Comparison {
    value: Value,
    predicate: LLVMIntPredicate,
    constant: u64,
}

impl Comparison {
    /// Numbers with another outcome than the one before.
    fn boundaries(&self) -> Vec<u64> {
        let constant = self.constant;
        match self.predicate {
            LLVMIntULT | LLVMIntSLT | LLVMIntUGE | LLVMIntSGE => vec![constant],
            LLVMIntULE | LLVMIntSLE | LLVMIntUGT | LLVMIntSGT => vec![constant + 1],
            _ => vec![constant, constant + 1],
        }
    }

    /// For the numbers from `first` to before `end`, if it is the same for all.
    fn outcome(&self, first: u64, end: u64) -> Option<bool> {
        let inside = |change: &u64| first < *change && *change < end;
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

/// Those that branches in the loop depend on.
fn comparisons(work_items: &WorkItemLoop) -> Vec<Comparison> {
    let instructions = work_items.blocks.iter().flat_map(|b| b.instructions());
    let comparison = |value: Value| {
        if !value.is(Opcode::LLVMICmp) || value == work_items.latch.terminator().operand(0) {
            return None;
        }
        let number = value.operand(0);
        let is_number = number == work_items.induction
            || number.is(Opcode::LLVMZExt) && number.operand(0) == work_items.induction;
        // Row numbers are small, so that signed and unsigned comparisons are alike.
        let constant = value.operand(1).as_integer()?;
        let is_small = constant <= i32::MAX as u64 >> 1;
        let decides = |user: &Value| matches!(user.opcode(), Opcode::LLVMBr | Opcode::LLVMSelect);
        (is_number && is_small && value.users().iter().any(decides)).then(|| Comparison {
            value,
            predicate: value.predicate(),
            constant,
        })
    };
    instructions.filter_map(comparison).collect()
}
