//! The task queue manager, a processor that runs the queues of the accelerators' tasks by a policy
//! ("Accelerator Centric Computing").

use super::accelerator::Formula;
use super::error::MachineError;
use super::quantity::{Limit, MOST_CYCLES, Quantity, check_limits};
use expression::Expression;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How the host program enqueues a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EnqueueMode {
    /// By an instruction of the processor, without the operating system.
    Direct,
    /// By a call of the operating system.
    Trap,
}

/// The task queue manager.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TaskQueueManager {
    /// The name of the policy in `policies`.
    pub policy: String,
    /// How the host program enqueues a task.
    pub enqueue: EnqueueMode,
    /// Cycles of a call of the operating system.
    pub trap: Quantity,
    /// Cycles of the manager to read the descriptor of a task.
    pub request: Quantity,
    /// Cycles of the manager to select a task, and to start or give up it.
    pub select: Quantity,
    /// Cycles of the manager to note the end of a task.
    pub complete: Quantity,
    /// Descriptors that a queue has room for at first.
    pub queue: Quantity,
    /// Cycles of the operating system to double that room.
    pub expand: Quantity,
    /// General-purpose processors that execute tasks that have been given up.
    pub processors: Quantity,
    /// Cycles of such a task for a cycle of the accelerator.
    pub slowdown: Quantity,
    /// Power of an accelerator at work.
    pub power: Quantity,
    /// The power that policies may compare with.
    pub power_cap: Quantity,
    /// The memory from which accelerators load their data.
    pub memory: ManagedMemory,
    /// Policies by name.
    pub policies: BTreeMap<String, Policy>,
}

/// The memory between the host's memory and the accelerators' scratchpads: the notes' resistive memory
/// substrate.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ManagedMemory {
    /// Bytes.
    pub size: Quantity,
    /// Bytes of which the sizes of chunks are multiples.
    pub page: Quantity,
    /// Cycles to start a transfer from or to the host's memory.
    pub start: Quantity,
    /// Bytes per cycle of such a transfer.
    pub rate: Quantity,
}

/// A policy: formulas of a task and of the accelerators of its function.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// The task with the lowest value is first.
    pub order: Formula,
    /// A task is given up if the value is positive.
    pub give_up: Option<Formula>,
    /// A task stays in the queue while the value is positive.
    pub hold: Option<Formula>,
    /// Accelerators for a task that can be divided; without it, one.
    pub accelerators: Option<Formula>,
}

impl Policy {
    /// Its formulas with their keys.
    pub fn formulas(&self) -> impl Iterator<Item = (&'static str, &Formula)> {
        let others = [
            ("give_up", &self.give_up),
            ("hold", &self.hold),
            ("accelerators", &self.accelerators),
        ];
        let others = others.into_iter();
        let others = others.filter_map(|(key, formula)| Some((key, formula.as_ref()?)));
        std::iter::once(("order", &self.order)).chain(others)
    }
}

impl ManagedMemory {
    /// Cycles of a transfer of `bytes`; none for no bytes.
    pub fn cycles(&self, bytes: u64) -> u64 {
        match bytes {
            0 => 0,
            _ => self.start.value + bytes.div_ceil(self.rate.value),
        }
    }
}

impl TaskQueueManager {
    pub(super) fn limits(&self) -> Vec<Limit<'_>> {
        vec![
            ("trap", &self.trap, 0, MOST_CYCLES),
            ("request", &self.request, 0, MOST_CYCLES),
            ("select", &self.select, 0, MOST_CYCLES),
            ("complete", &self.complete, 0, MOST_CYCLES),
            ("queue", &self.queue, 1, 1 << 32),
            ("expand", &self.expand, 0, MOST_CYCLES),
            ("processors", &self.processors, 1, 1 << 10),
            ("slowdown", &self.slowdown, 1, 1 << 16),
            ("power", &self.power, 0, 1 << 32),
            ("power_cap", &self.power_cap, 0, 1 << 42),
        ]
    }

    /// Checks the parts that have sections of their own; which names a formula may have is up to the
    /// scheduler.
    pub(super) fn check(&self, section: &str) -> Result<(), MachineError> {
        let ManagedMemory {
            size,
            page,
            start,
            rate,
        } = &self.memory;
        let limits = [
            ("size", size, 1, 1 << 50),
            ("page", page, 1, 1 << 30),
            ("start", start, 0, 1 << 20),
            ("rate", rate, 1, 1 << 20),
        ];
        check_limits(&format!("{section}.memory"), &limits)?;
        if !self.policies.contains_key(&self.policy) {
            let names: Vec<&str> = self.policies.keys().map(String::as_str).collect();
            return Err(MachineError::Impossible(format!(
                "{section}.policy is `{}`, which is not among the policies: {}",
                self.policy,
                names.join(", ")
            )));
        }
        for (name, policy) in &self.policies {
            for (key, Formula { expression, .. }) in policy.formulas() {
                Expression::parse(expression).map_err(|error| {
                    MachineError::Impossible(format!(
                        "{section}.policies.{name}.{key} is `{expression}`: {error}"
                    ))
                })?;
            }
        }
        Ok(())
    }
}
