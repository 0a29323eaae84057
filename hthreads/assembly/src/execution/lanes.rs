//! Where the lanes of an access of the vector unit are.

use crate::table::VectorLayout;

/// For each lane of a pair, even register first, the place of its word.
pub fn place(layout: VectorLayout, register: usize, lane: usize) -> i64 {
    match layout {
        VectorLayout::Interleaved { step, first } => {
            i64::from(step) * lane as i64 + i64::from(first) + register as i64
        }
        VectorLayout::EveryOther { first } => 2 * (lane + 16 * register) as i64 + i64::from(first),
        _ => (lane + 16 * register) as i64,
    }
}
