//! The numbers of a task queue manager that a run depends on.

use super::policy::{Policy, PolicyError};
use device_sim::machine::{EnqueueMode, ManagedMemory, TaskQueueManager};

/// Its numbers and its policy; `device_sim::machine::TaskQueueManager` describes each.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ManagerSettings {
    pub policy: Policy,
    /// Cycles of a call of the operating system for each task; 0 without one.
    pub trap: u64,
    pub request: u64,
    pub select: u64,
    pub complete: u64,
    pub queue: usize,
    pub expand: u64,
    pub processors: usize,
    pub slowdown: u64,
    pub power: u64,
    pub power_cap: u64,
    pub memory: ManagedMemory,
}

impl ManagerSettings {
    /// # Errors
    /// A formula of a policy, chosen or not, has a name that it cannot have. The chosen policy exists: the
    /// machine has been checked.
    pub fn new(manager: &TaskQueueManager) -> Result<Self, PolicyError> {
        let mut chosen = None;
        for (name, policy) in &manager.policies {
            let policy = Policy::new(name, policy)?;
            if *name == manager.policy {
                chosen = Some(policy);
            }
        }
        let policy = chosen.ok_or_else(|| PolicyError {
            policy: manager.policy.clone(),
            key: "order".to_owned(),
            reason: "there is no such policy".to_owned(),
        })?;
        let count = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
        Ok(Self {
            policy,
            trap: match manager.enqueue {
                EnqueueMode::Direct => 0,
                EnqueueMode::Trap => manager.trap.value,
            },
            request: manager.request.value,
            select: manager.select.value,
            complete: manager.complete.value,
            queue: count(manager.queue.value),
            expand: manager.expand.value,
            processors: count(manager.processors.value),
            slowdown: manager.slowdown.value,
            power: manager.power.value,
            power_cap: manager.power_cap.value,
            memory: manager.memory.clone(),
        })
    }
}
