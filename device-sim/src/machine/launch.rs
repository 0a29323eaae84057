//! How arrays are started, and how the host learns of their end.

use super::error::MachineError;
use super::quantity::{Limit, Quantity};
use crate::units::Nanoseconds;
use environment::WAIT_MODE;
use once_cell::sync::Lazy;
use serde::{Deserialize, Serialize};

/// How arrays are started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    /// By interrupts that the runtime on the arrays answers (hthreads' `group_exec`).
    Interrupt,
    /// One after another, each with its own code and stack set up (hthreads' `group_create`).
    Fire,
}

/// How the host learns that an array has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Completion {
    /// By a hardware interrupt.
    Interrupt,
    /// By polling flags in memory.
    Polling,
}

impl Completion {
    /// What `MT_WAIT_MODE` selects, if it is set. The environment is read once.
    pub fn from_environment() -> Option<Self> {
        static SELECTED: Lazy<Option<Completion>> = Lazy::new(|| {
            let value = WAIT_MODE.get()?;
            let selected = Completion::of_wait_mode(&value.to_string_lossy());
            if selected.is_none() {
                let value = value.display();
                log::warn!(
                    "{WAIT_MODE}={value} is no number; using what the machine's description says"
                );
            }
            selected
        });
        *SELECTED
    }

    /// libMT's numbers: 0 blocks on an interrupt, 1 polls. With others it does both; polling takes longer,
    /// so that the interrupt ends the wait.
    fn of_wait_mode(text: &str) -> Option<Self> {
        let number: i64 = text.trim().parse().ok()?;
        Some(match number {
            1 => Self::Polling,
            _ => Self::Interrupt,
        })
    }

    /// Its name in machine files.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Interrupt => "interrupt",
            Self::Polling => "polling",
        }
    }
}

/// Which arrays synchronise with the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Synchronisation {
    /// Each array.
    Direct,
    /// One array, with which the others synchronise.
    Proxy,
}

/// The runtime system of the arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Runtime {
    /// It keeps running after a kernel and waits for the next.
    Resident,
    /// Arrays stop when a kernel has ended, and have to be fired for the next.
    Naive,
}

/// How kernels are launched (MOCL3 paper, hthreads).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LaunchModel {
    /// How arrays are started.
    pub start: Start,
    /// How the host learns of their end.
    pub completion: Completion,
    /// Which arrays synchronise with the host.
    pub synchronisation: Synchronisation,
    /// The runtime system of the arrays.
    pub runtime: Runtime,
    /// Its costs.
    pub costs: LaunchCosts,
}

/// The costs of launches, nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LaunchCosts {
    /// Starting by interrupt, per launch.
    pub interrupt: Quantity,
    /// Starting by interrupt, per array.
    pub interrupt_array: Quantity,
    /// Firing, per launch.
    pub fire: Quantity,
    /// Firing, per array.
    pub fire_array: Quantity,
    /// Completion by interrupt from a proxy, per launch.
    pub completion: Quantity,
    /// Completion by interrupt from a proxy, per array.
    pub completion_array: Quantity,
    /// Polling, additional per array.
    pub polling_array: Quantity,
    /// Direct synchronisation, additional per array.
    pub direct_array: Quantity,
}

impl LaunchModel {
    /// Time from the launch until the `count`th array (from 1) begins.
    pub fn time_to_start(&self, count: u64) -> Nanoseconds {
        let (once, each) = match self.start {
            Start::Interrupt => (&self.costs.interrupt, &self.costs.interrupt_array),
            Start::Fire => (&self.costs.fire, &self.costs.fire_array),
        };
        Nanoseconds(once.value + each.value * count)
    }

    /// Time from the end of the last of `count` arrays until the host learns of it.
    pub fn time_to_complete(&self, count: u64) -> Nanoseconds {
        let mut each = self.costs.completion_array.value;
        if self.completion == Completion::Polling {
            each += self.costs.polling_array.value;
        }
        if self.synchronisation == Synchronisation::Direct {
            each += self.costs.direct_array.value;
        }
        Nanoseconds(self.costs.completion.value + each * count)
    }

    /// Time of an interrupt of the host from an array.
    pub fn time_to_notify_host(&self) -> Nanoseconds {
        self.time_to_complete(1)
    }

    /// Time of an interrupt of an array from the host; none if its runtime answers none.
    pub fn time_to_interrupt_array(&self) -> Option<Nanoseconds> {
        let costs = &self.costs;
        match self.runtime {
            Runtime::Naive => None,
            Runtime::Resident => Some(Nanoseconds(
                costs.interrupt.value + costs.interrupt_array.value,
            )),
        }
    }

    pub(super) fn check(&self) -> Result<(), MachineError> {
        if self.runtime == Runtime::Naive && self.start == Start::Interrupt {
            return Err(MachineError::Impossible(
                "launch.start is \"interrupt\", which arrays with launch.runtime \"naive\" do \
                 not answer"
                    .into(),
            ));
        }
        Ok(())
    }

    pub(super) fn limits(&self) -> Vec<Limit<'_>> {
        let costs = &self.costs;
        let most = 1_000_000_000;
        vec![
            ("costs.interrupt", &costs.interrupt, 0, most),
            ("costs.interrupt_array", &costs.interrupt_array, 0, most),
            ("costs.fire", &costs.fire, 0, most),
            ("costs.fire_array", &costs.fire_array, 0, most),
            ("costs.completion", &costs.completion, 0, most),
            ("costs.completion_array", &costs.completion_array, 0, most),
            ("costs.polling_array", &costs.polling_array, 0, most),
            ("costs.direct_array", &costs.direct_array, 0, most),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{MT3000, Machine};

    fn model(
        start: Start,
        completion: Completion,
        synchronisation: Synchronisation,
    ) -> LaunchModel {
        LaunchModel {
            start,
            completion,
            synchronisation,
            ..Machine::mt3000().launch
        }
    }

    /// Nanoseconds of a launch whose arrays have nothing to run.
    fn empty(model: &LaunchModel, count: u64) -> u64 {
        (model.time_to_start(count) + model.time_to_complete(count)).0
    }

    /// Checks `nanoseconds` to a thousandth.
    fn about(nanoseconds: u64, expected: u64) {
        let apart = nanoseconds.abs_diff(expected);
        assert!(
            apart * 1000 <= expected,
            "{nanoseconds} ns, not {expected} ns"
        );
    }

    #[test]
    fn launches_take_what_is_published() {
        use Synchronisation::{Direct, Proxy};
        let best = Machine::mt3000().launch;
        assert_eq!(best, model(Start::Interrupt, Completion::Interrupt, Proxy));
        assert_eq!(best.runtime, Runtime::Resident);
        about(empty(&best, 24), 400_000);
        // libMT fires the arrays and asks each for its flag.
        let lib_mt = model(Start::Fire, Completion::Polling, Direct);
        about(empty(&lib_mt, 24), 700_000);
        let polling = model(Start::Interrupt, Completion::Polling, Proxy);
        let more = empty(&polling, 24) - empty(&best, 24);
        assert_eq!(more * 100 / empty(&best, 24), 14);
        let fire = model(Start::Fire, Completion::Interrupt, Proxy);
        let saved = |count| {
            let (fire, interrupt) = (empty(&fire, count), empty(&best, count));
            (fire - interrupt) * 1000 / fire
        };
        let most = (1..=24).map(saved).max().unwrap();
        assert_eq!(most, 500, "per mille");
        assert!((1..=24).all(|count| saved(count) > 300));
        let direct = model(Start::Interrupt, Completion::Interrupt, Direct);
        assert!(empty(&direct, 24) > empty(&best, 24));
    }

    #[test]
    fn wait_modes_are_those_of_libmt() {
        let modes = ["0", "1", " 2 ", "-1", "", "block"].map(Completion::of_wait_mode);
        let (interrupt, polling) = (Some(Completion::Interrupt), Some(Completion::Polling));
        assert_eq!(
            modes,
            [interrupt, polling, interrupt, interrupt, None, None]
        );
    }

    #[test]
    fn arrays_that_stop_after_a_kernel_are_not_interrupted() {
        let naive = MT3000.replace("runtime = \"resident\"", "runtime = \"naive\"");
        let error = Machine::parse(&naive).unwrap_err().to_string();
        assert!(error.contains("launch.start"), "{error}");
        let fired = naive.replace("start = \"interrupt\"", "start = \"fire\"");
        assert_eq!(
            Machine::parse(&fired).unwrap().launch.runtime,
            Runtime::Naive
        );
    }
}
