//! How kernels reach the arrays, and how the host learns of their end (docs/hthreads.md#launching).

use device_sim::machine::{CodeStackLayout, Completion, Machine, Start, Synchronisation};
use std::sync::Arc;

/// How a launch is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launching {
    /// `hthread_group_create`: arrays are fired, and run the runtime from then on.
    Create,
    /// `hthread_group_exec`: as the machine's description says, by default by interrupts.
    Execute,
    /// `mt_run`: arrays are fired, and the host asks each for its end.
    Fire,
    /// `mt_xrun`: arrays that have been fired are interrupted.
    Resume,
}

impl Launching {
    /// The function that launches.
    pub fn function(self) -> &'static str {
        match self {
            Self::Create => "hthread_group_create",
            Self::Execute => "hthread_group_exec",
            Self::Fire => "mt_run",
            Self::Resume => "mt_xrun",
        }
    }
}

/// The machine, as the simulation of each kind of launch sees it: they differ in `launch` only.
pub struct Machines {
    /// As described.
    pub described: Arc<Machine>,
    fired: Machine,
    low_level: Machine,
}

impl Machines {
    /// Those of a described machine; libMT waits by `completion`, or else by polling.
    pub fn new(described: Machine, completion: Option<Completion>) -> Self {
        let mut fired = described.clone();
        fired.launch.start = Start::Fire;
        let mut low_level = fired.clone();
        low_level.launch.completion = completion.unwrap_or(Completion::Polling);
        low_level.launch.synchronisation = Synchronisation::Direct;
        Self {
            described: Arc::new(described),
            fired,
            low_level,
        }
    }

    /// That of a kind of launch.
    pub fn of(&self, launching: Launching) -> &Machine {
        match launching {
            Launching::Create => &self.fired,
            Launching::Execute | Launching::Resume => &self.described,
            Launching::Fire => &self.low_level,
        }
    }
}

/// Bytes of SM, from its start, that buffers may have: what `HT_MEM_LAYOUT_POS` leaves, or all of it, whose
/// end the stack shares.
pub fn sm_for_buffers(machine: &Machine) -> u64 {
    let memory = &machine.memory;
    let layout = CodeStackLayout::from_environment(&machine.layout);
    match CodeStackLayout::is_stack_selected() {
        true => layout.sm_without_stack(memory),
        false => memory.sm.size.value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Microseconds of an empty launch on 24 arrays.
    fn empty(machine: &Machine) -> u64 {
        let launch = &machine.launch;
        (launch.time_to_start(24).0 + launch.time_to_complete(24).0) / 1000
    }

    #[test]
    fn kinds_of_launches_take_what_is_published() {
        let machines = Machines::new(Machine::mt3000(), None);
        let times = [Launching::Execute, Launching::Create, Launching::Fire]
            .map(|launching| empty(machines.of(launching)));
        assert_eq!(times, [400, 619, 700]);
        let blocking = Machines::new(Machine::mt3000(), Some(Completion::Interrupt));
        assert_eq!(empty(blocking.of(Launching::Fire)), 643);
    }
}
