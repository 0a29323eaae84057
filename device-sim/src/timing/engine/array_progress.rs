//! How far an array has come.

use super::cycle_account::CycleAccount;
use crate::units::Cycles;

/// How far an array that was started has come, and how it has spent its cycles.
#[derive(Debug)]
pub struct ArrayProgress {
    /// When its code began.
    pub begin: Cycles,
    /// When it had fetched its code, and began to run it.
    pub fetched: Option<Cycles>,
    /// When its last step and its last transfer ended.
    pub end: Cycles,
    /// How it has spent its cycles since it began.
    pub account: CycleAccount,
}

impl ArrayProgress {
    /// That of an array that begins now.
    pub fn new(begin: Cycles, account: CycleAccount) -> Self {
        Self {
            begin,
            fetched: None,
            end: begin,
            account,
        }
    }
}
