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

    /// The same in cycles since `origin`, which it does not precede.
    pub fn since(mut self, origin: Cycles) -> Self {
        self.begin = self.begin - origin;
        self.end = self.end - origin;
        self.fetched = self.fetched.map(|fetched| fetched - origin);
        let timeline = self.account.timeline.take();
        self.account.timeline = timeline.map(|timeline| timeline.since(origin));
        self
    }
}
