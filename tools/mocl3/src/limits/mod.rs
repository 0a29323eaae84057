//! What the machine's parts perform at most: not its peaks, but what micro-benchmarks reach. They are
//! measured once for a machine, and kept.

mod kept;
mod limit;
mod measurement;

use crate::open_cl::OpenCl;
use crate::profile::KernelProfile;
use crate::profile::format::{rate, time};
use anyhow::Result;
use device_sim::timing::launch_timing::Activity;
use kept::Key;
use limit::{Limit, in_activity, of_arrays, of_shared, seconds};
use mocl3_shared::arguments::machine::MachineOptions;
use serde::Serialize;

/// The kernels of the micro-benchmarks.
const KERNELS: &str = include_str!("kernels.cl");

/// A limit that a micro-benchmark measures.
#[derive(Debug)]
struct MicroBenchmark {
    /// The limit's key.
    key: &'static str,
    /// What is limited.
    title: &'static str,
    /// The unit: of a rate per second, or seconds.
    unit: &'static str,
    /// The arguments of `mocl3 launch`.
    launch: &'static str,
    /// The limit, from the kernel's profile.
    measured: fn(&KernelProfile) -> Limit,
}

/// All micro-benchmarks.
const ALL: [MicroBenchmark; 9] = [
    MicroBenchmark {
        key: "single",
        title: "products and sums in single precision",
        unit: "flop/s",
        launch: "--kernel products_float --global 49152 --local 128 -a out=192KiB -a x=0.5",
        measured: |kernel| of_arrays(kernel, kernel.flops.single),
    },
    MicroBenchmark {
        key: "double",
        title: "products and sums in double precision",
        unit: "flop/s",
        launch: "--kernel products_double --global 49152 --local 128 -a out=384KiB -a x=0.5",
        measured: |kernel| of_arrays(kernel, kernel.flops.double),
    },
    MicroBenchmark {
        key: "ddr_by_dma",
        title: "reading DDR by DMA",
        unit: "B/s",
        launch: "--kernel read_by_dma --global 12288 --local 64 -a in=16MiB -a out=48KiB",
        measured: |kernel| of_shared(kernel.event_time_ns, kernel.bandwidth.ddr),
    },
    MicroBenchmark {
        key: "ddr_by_code",
        title: "copying in DDR by loads and stores",
        unit: "B/s",
        launch: "--kernel copy_by_code --global 8388608 --local 256 -a in=64MiB -a out=64MiB",
        measured: |kernel| of_shared(kernel.event_time_ns, kernel.bandwidth.ddr),
    },
    MicroBenchmark {
        key: "scratchpad",
        title: "reading local memory",
        unit: "B/s",
        launch: "--kernel read_local_memory --global 49152 --local 64 -a out=384KiB",
        measured: |kernel| of_arrays(kernel, kernel.bandwidth.scratchpad),
    },
    MicroBenchmark {
        key: "launch",
        title: "a launch on all arrays",
        unit: "s",
        launch: "--kernel nothing --global 24 --local 1 --times 4",
        measured: |kernel| seconds(kernel.time_ns as f64 / 1e9, kernel.launches),
    },
    MicroBenchmark {
        key: "transfer",
        title: "a DMA transfer of 64 bytes",
        unit: "s",
        launch: "--kernel short_transfers --global 1 --local 1 -a in=64KiB -a out=4B",
        measured: |kernel| in_activity(kernel, Activity::DmaWait, kernel.dma_transfers),
    },
    MicroBenchmark {
        key: "barrier",
        title: "a barrier of a work-group",
        unit: "s",
        launch: "--kernel barriers --global 64 --local 64 -a out=256B",
        measured: |kernel| in_activity(kernel, Activity::Barrier, 1000),
    },
    MicroBenchmark {
        key: "atomic",
        title: "a global atomic operation",
        unit: "s",
        launch: "--kernel atomics --global 1 --local 1 -a out=4B",
        measured: |kernel| in_activity(kernel, Activity::LockWait, kernel.locks),
    },
];

/// The limits of a machine.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Limits(Vec<Measured>);

/// A limit by name.
#[derive(Debug, Serialize)]
pub struct Measured {
    /// Its key.
    pub key: &'static str,
    /// What is limited.
    pub title: &'static str,
    /// `flop/s`, `B/s` or `s`.
    pub unit: &'static str,
    /// What was measured.
    #[serde(flatten)]
    pub limit: Limit,
}

/// Percentages of the limits that a kernel reaches; none where it needs nothing of the kind.
#[derive(Debug, Serialize)]
pub struct Reached {
    /// The kernel with its local size.
    pub label: String,
    /// Of products and sums in single precision.
    pub single: Option<f64>,
    /// Of those in double precision.
    pub double: Option<f64>,
    /// Of DDR, by DMA or code, whichever is faster.
    pub ddr: Option<f64>,
    /// Of local memory.
    pub scratchpad: Option<f64>,
}

/// Limits cannot be measured: micro-benchmarks are OpenCL programs, which do not see the platform.
#[derive(Debug, thiserror::Error)]
#[error("{0:#}")]
pub struct NoPlatform(anyhow::Error);

impl Limits {
    /// The limits of a machine: those that were kept, unless they are to be measured `again`.
    ///
    /// # Errors
    /// The machine is invalid, there is no platform ([`NoPlatform`]), or a micro-benchmark cannot be run.
    pub fn of_machine(machine: &MachineOptions, again: bool) -> Result<Self> {
        let key = Key::new(machine, KERNELS)?;
        if !again && let Some(limits) = key.read().and_then(Self::new) {
            return Ok(limits);
        }
        OpenCl::load(None)
            .and_then(|open_cl| open_cl.our_platform())
            .map_err(NoPlatform)?;
        let limits = ALL
            .iter()
            .map(|one| {
                let kernel = measurement::profile(one.title, one.launch, KERNELS, machine)?;
                Ok((one.measured)(&kernel))
            })
            .collect::<Result<Vec<Limit>>>()?;
        key.write(limits.clone());
        Ok(Self::of(limits))
    }

    /// The limits in the order of `ALL`; none if their number is another.
    fn new(limits: Vec<Limit>) -> Option<Self> {
        (limits.len() == ALL.len()).then(|| Self::of(limits))
    }

    fn of(limits: Vec<Limit>) -> Self {
        let named = ALL.iter().zip(limits).map(|(one, limit)| Measured {
            key: one.key,
            title: one.title,
            unit: one.unit,
            limit,
        });
        Self(named.collect())
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Measured> {
        self.0.iter()
    }

    /// What a kernel reaches of them.
    pub fn reached(&self, kernel: &KernelProfile) -> Reached {
        let part = |percent_of_peak: f64, keys: &[&str]| {
            let limits = self.0.iter().filter(|one| keys.contains(&one.key));
            let shares = limits.map(|one| one.limit.measured / one.limit.peak.unwrap_or(0.0));
            let share = shares.filter(|share| share.is_finite()).reduce(f64::max)?;
            (percent_of_peak > 0.0 && share > 0.0).then(|| percent_of_peak / share)
        };
        Reached {
            label: kernel.label(),
            single: part(kernel.flops.single.percent, &["single"]),
            double: part(kernel.flops.double.percent, &["double"]),
            ddr: part(kernel.bandwidth.ddr.percent, &["ddr_by_dma", "ddr_by_code"]),
            scratchpad: part(kernel.bandwidth.scratchpad.percent, &["scratchpad"]),
        }
    }
}

impl Measured {
    /// What was measured, with its unit.
    pub fn value(&self) -> String {
        self.text(self.limit.measured)
    }

    /// The machine's peak, and the percentage of it that was reached.
    pub fn peak(&self) -> Option<(String, f64)> {
        let peak = self.limit.peak.filter(|peak| *peak > 0.0)?;
        Some((self.text(peak), 100.0 * self.limit.measured / peak))
    }

    fn text(&self, number: f64) -> String {
        match self.unit {
            "s" => time((number * 1e9).round() as u64),
            unit => rate(number, unit),
        }
    }
}
