//! The counters that explain changes of a kernel's time, and which activity each explains.

use crate::profile::KernelProfile;
use crate::profile::format::{bytes, count};
use device_sim::timing::launch_timing::Activity;
use serde::Serialize;

/// How a counter is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Count,
    Bytes,
    Decimal,
}

/// A counter of a kernel.
pub struct Counter {
    /// Its key in JSON.
    pub key: &'static str,
    /// Its name in texts.
    pub name: &'static str,
    /// The activities whose time depends on it; none for what explains by itself.
    pub activities: &'static [Activity],
    form: Form,
    value: fn(&KernelProfile) -> f64,
}

/// The value of a counter before and after.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// The counter's key.
    pub counter: &'static str,
    /// Its value before, of a launch.
    pub before: f64,
    /// Its value after.
    pub after: f64,
    /// The change in percent of the value before; `None` if that is 0.
    pub change_percent: Option<f64>,
}

/// Of a launch.
fn each(kernel: &KernelProfile, total: u64) -> f64 {
    total as f64 / (kernel.launches - kernel.untimed).max(1) as f64
}

const COMPUTE: &[Activity] = &[Activity::Compute];
const LANES: &[Activity] = &[Activity::Compute, Activity::Scratchpad, Activity::Memory];
const MEMORY: &[Activity] = &[Activity::Memory, Activity::DmaWait];
const DMA: &[Activity] = &[Activity::DmaWait];
const SHARING: &[Activity] = &[Activity::Idle, Activity::Launch];

/// All counters, the most telling of an activity first.
pub const COUNTERS: &[Counter] = &[
    Counter {
        key: "instructions",
        name: "instructions",
        activities: COMPUTE,
        form: Form::Count,
        value: |kernel| each(kernel, kernel.instructions),
    },
    Counter {
        key: "lanes",
        name: "lanes",
        activities: LANES,
        form: Form::Count,
        value: |kernel| f64::from(kernel.lanes),
    },
    Counter {
        key: "lanes_active",
        name: "active lanes",
        activities: LANES,
        form: Form::Decimal,
        value: |kernel| kernel.lanes_active.unwrap_or_default(),
    },
    Counter {
        key: "single_flops",
        name: "operations in single precision",
        activities: COMPUTE,
        form: Form::Count,
        value: |kernel| each(kernel, kernel.flops.single.total),
    },
    Counter {
        key: "double_flops",
        name: "operations in double precision",
        activities: COMPUTE,
        form: Form::Count,
        value: |kernel| each(kernel, kernel.flops.double.total),
    },
    Counter {
        key: "scalar_flops",
        name: "operations of the control cores",
        activities: COMPUTE,
        form: Form::Count,
        value: |kernel| each(kernel, kernel.flops.scalar),
    },
    Counter {
        key: "dma_bytes",
        name: "DMA bytes",
        activities: DMA,
        form: Form::Bytes,
        value: |kernel| each(kernel, kernel.dma_bytes),
    },
    Counter {
        key: "dma_transfers",
        name: "DMA transfers",
        activities: DMA,
        form: Form::Count,
        value: |kernel| each(kernel, kernel.dma_transfers),
    },
    Counter {
        key: "ddr_bytes",
        name: "DDR bytes",
        activities: MEMORY,
        form: Form::Bytes,
        value: |kernel| each(kernel, kernel.bandwidth.ddr.total),
    },
    Counter {
        key: "gsm_bytes",
        name: "GSM bytes",
        activities: MEMORY,
        form: Form::Bytes,
        value: |kernel| each(kernel, kernel.bandwidth.gsm.total),
    },
    Counter {
        key: "hbsm_bytes",
        name: "HBSM bytes",
        activities: MEMORY,
        form: Form::Bytes,
        value: |kernel| each(kernel, kernel.bandwidth.hbsm.total),
    },
    Counter {
        key: "scratchpad_bytes",
        name: "SM/AM bytes",
        activities: &[Activity::Scratchpad],
        form: Form::Bytes,
        value: |kernel| each(kernel, kernel.bandwidth.scratchpad.total),
    },
    Counter {
        key: "locks",
        name: "locks",
        activities: &[Activity::LockWait],
        form: Form::Count,
        value: |kernel| each(kernel, kernel.locks),
    },
    Counter {
        key: "groups",
        name: "work-groups",
        activities: &[Activity::Barrier, Activity::Idle, Activity::Launch],
        form: Form::Count,
        value: |kernel| each(kernel, kernel.groups),
    },
    Counter {
        key: "imbalance",
        name: "the busiest array's part of the mean",
        activities: &[Activity::Idle],
        form: Form::Decimal,
        value: |kernel| kernel.imbalance,
    },
    Counter {
        key: "arrays",
        name: "arrays",
        activities: SHARING,
        form: Form::Count,
        value: |kernel| f64::from(kernel.arrays),
    },
    Counter {
        key: "work_items",
        name: "work-items",
        activities: &[],
        form: Form::Count,
        value: |kernel| each(kernel, kernel.work_items),
    },
    Counter {
        key: "local_memory",
        name: "local memory",
        activities: &[],
        form: Form::Bytes,
        value: |kernel| kernel.local_memory as f64,
    },
    Counter {
        key: "private_memory",
        name: "private memory",
        activities: &[],
        form: Form::Bytes,
        value: |kernel| kernel.private_memory as f64,
    },
    Counter {
        key: "stack",
        name: "stack",
        activities: &[],
        form: Form::Bytes,
        value: |kernel| kernel.stack as f64,
    },
    Counter {
        key: "code",
        name: "code",
        activities: &[],
        form: Form::Bytes,
        value: |kernel| kernel.code as f64,
    },
];

/// The counters that differ.
pub fn changes(before: &KernelProfile, after: &KernelProfile) -> Vec<Change> {
    let both = COUNTERS.iter().map(|counter| Change {
        counter: counter.key,
        before: (counter.value)(before),
        after: (counter.value)(after),
        change_percent: percent((counter.value)(before), (counter.value)(after)),
    });
    both.filter(|change| (change.after - change.before).abs() > 1e-9)
        .collect()
}

/// The change in percent; `None` if there was nothing before.
pub fn percent(before: f64, after: f64) -> Option<f64> {
    (before > 0.0).then(|| (after - before) * 100.0 / before)
}

impl Change {
    /// The counter.
    pub fn counter(&self) -> Option<&'static Counter> {
        COUNTERS.iter().find(|counter| counter.key == self.counter)
    }

    /// The change in words: "DMA transfers 1.31 M → 655 k".
    pub fn sentence(&self) -> String {
        let Some(counter) = self.counter() else {
            return String::new();
        };
        let shown = |value: f64| match counter.form {
            Form::Count => count(value.round() as u64),
            Form::Bytes => bytes(value.round() as u64),
            Form::Decimal => format!("{value:.2}"),
        };
        format!(
            "{} {} → {}",
            counter.name,
            shown(self.before),
            shown(self.after)
        )
    }
}
