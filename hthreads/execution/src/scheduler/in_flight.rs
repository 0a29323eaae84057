//! Interrupts in simulated time, between sender and receiver.

use crate::synchronisation::ThreadNumber;
use device_sim::units::Cycles;
use std::collections::BTreeMap;

/// An interrupt that has not arrived yet.
#[derive(Clone, Copy, Debug)]
pub enum Arriving {
    /// To a thread.
    AtThread {
        /// The thread.
        thread: ThreadNumber,
        /// Its number in the group.
        place: u32,
        /// The interrupt's number.
        number: u32,
    },
    /// To the host program.
    AtHost(FromThread),
}

/// An interrupt of the host program by a thread of a group.
#[derive(Clone, Copy, Debug)]
pub struct FromThread {
    /// The thread's number in the group.
    pub thread: u32,
    /// What it passes.
    pub value: u64,
    /// Whether the host library only shows it.
    pub is_test: bool,
}

/// The interrupts of a launch that have not arrived yet, by the time of their arrival.
#[derive(Debug, Default)]
pub struct InFlight {
    /// By time, and then in the order in which they were sent.
    all: BTreeMap<(Cycles, u64), Arriving>,
    sent: u64,
}

impl InFlight {
    /// Adds one that arrives at a time.
    pub fn add(&mut self, time: Cycles, arriving: Arriving) {
        self.all.insert((time, self.sent), arriving);
        self.sent += 1;
    }

    /// The time of the first arrival.
    pub fn first(&self) -> Option<Cycles> {
        self.all.keys().next().map(|(time, _)| *time)
    }

    /// Takes the first one, with its time.
    pub fn take_first(&mut self) -> Option<(Cycles, Arriving)> {
        let ((time, _), arriving) = self.all.pop_first()?;
        Some((time, arriving))
    }
}
