//! How much addresses change from one row to the next, where code may rely on it. Unlike `iteration_step`,
//! which the cost models use, it takes into account where values may wrap.

use crate::analysis::linear_address::LinearAddress;
use crate::ir::{DataLayout, Value};
use std::collections::HashSet;

/// The values of a loop over rows.
pub struct RowSteps<'a> {
    /// The φ that counts rows from 0.
    pub induction: Value,
    /// Values that differ between rows.
    pub varies_by_row: &'a HashSet<Value>,
    pub layout: DataLayout,
}

impl RowSteps<'_> {
    /// The bytes from a row's address to the next row's; none if these may differ between rows.
    pub fn of_address(&self, pointer: Value) -> Option<i64> {
        let step = |value| match self.varies_by_row.contains(&value) {
            false => Some(0),
            true => (value == self.induction).then_some(1),
        };
        LinearAddress::of(pointer, self.layout)?.growth(step)
    }
}
