//! Branches that are not decided.

use crate::interpreter::State;
use std::collections::VecDeque;

/// A branch that is not decided.
pub(super) struct Undecided {
    /// Its number in the order of tasks.
    pub number: u64,
    /// The task whose announcement decides it.
    pub source: (usize, u64),
    /// When it was announced.
    pub known: Option<u64>,
    /// What the scheduler restores, if the branch jumps.
    pub taken: Option<Box<State>>,
}

/// The branches that are not decided, the oldest first.
#[derive(Default)]
pub(super) struct Branches {
    all: VecDeque<Undecided>,
    pub decided: u64,
    pub mispredicted: u64,
}

impl Branches {
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// The number of the oldest one.
    pub fn oldest(&self) -> Option<u64> {
        self.all.front().map(|branch| branch.number)
    }

    pub fn add(&mut self, branch: Undecided) {
        self.all.push_back(branch);
    }

    /// A task was announced.
    pub fn announced(&mut self, source: (usize, u64), now: u64) {
        for branch in &mut self.all {
            if branch.source == source {
                branch.known = Some(now);
            }
        }
    }

    /// The next cycle in which a branch can be decided.
    pub fn next_decision(&self, resolve: u64) -> Option<u64> {
        let known = self.all.iter().filter_map(|branch| branch.known);
        known.min().map(|known| known + resolve)
    }

    /// Takes the oldest branch whose value has been known for `resolve` cycles; returns its place, too.
    pub fn take_decided(&mut self, now: u64, resolve: u64) -> Option<(usize, Undecided)> {
        let is_known = |known: Option<u64>| known.is_some_and(|at| at + resolve <= now);
        let place = self.all.iter().position(|branch| is_known(branch.known))?;
        let branch = self.all.remove(place)?;
        self.decided += 1;
        Some((place, branch))
    }

    /// Removes the branches from a place on: they are behind one that was predicted wrongly.
    pub fn remove_from(&mut self, place: usize) {
        self.mispredicted += 1;
        self.all.truncate(place);
    }
}
