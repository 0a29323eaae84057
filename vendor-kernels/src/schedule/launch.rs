//! A launch as a schedule needs it, and what the arrays do in it.

use crate::precision::Precision;
use device_sim::array_range::ArrayRange;
use device_sim::machine::{CodeStackLayout, Machine};
use device_sim::timing::cost::KernelCost;
use device_sim::timing::engine::programs::{self, Program};
use device_sim::timing::launch_report::{Details, LaunchReport, Totals};
use device_sim::timing::launch_sizes::LaunchSizes;
use device_sim::units::Bytes;

/// Size of a kernel's code, bytes. Assumed: a micro-kernel of 50 packets of 11 operations, and the loops
/// around it.
const CODE: u64 = 4096;

/// A launch as a schedule needs it.
pub(crate) struct Call<'a> {
    /// The kernel.
    pub name: &'a str,
    pub precision: Precision,
    /// Vector operations that a result takes, of functions of each element.
    pub operations: u64,
    /// Sizes and numbers by name.
    pub values: &'a [(&'a str, f64)],
}

/// What the arrays do.
pub struct Schedule {
    /// By array: the first ones of a device.
    programs: Vec<Program>,
    /// What they compute in all.
    work: Work,
    /// The part of AM that an array uses.
    local_memory: Bytes,
}

/// What is computed in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Work {
    pub precision: Precision,
    /// Floating-point operations; a multiply-add is two.
    pub flops: u64,
    /// Vector instructions.
    pub operations: u64,
    /// Bytes loaded from and stored to SM and AM.
    pub scratchpad_bytes: u64,
}

impl Call<'_> {
    /// A size or a number; 0 of those that the kernel does not have.
    pub fn number(&self, name: &str) -> f64 {
        let mut values = self.values.iter();
        let value = values.find(|(known, _)| *known == name);
        value.map_or(0.0, |(_, value)| *value)
    }

    /// A size.
    pub fn size(&self, name: &str) -> u64 {
        self.number(name).abs() as u64
    }

    /// A size that is 0 or 1.
    pub fn flag(&self, name: &str) -> bool {
        self.number(name) != 0.0
    }

    /// The kernel's name without the letter of its precision.
    pub fn base(&self) -> &str {
        match self.name.strip_prefix('i') {
            Some(_) => "amax",
            None => &self.name[1..],
        }
    }
}

impl Schedule {
    /// An array without a program finds that nothing is to be done.
    pub(crate) fn new(mut programs: Vec<Program>, work: Work, local_memory: Bytes) -> Self {
        if programs.is_empty() {
            programs.push(Box::new(std::iter::empty()));
        }
        Self {
            programs,
            work,
            local_memory,
        }
    }

    /// The report of a launch on these arrays.
    pub fn report(
        self,
        machine: &Machine,
        layout: &CodeStackLayout,
        arrays: ArrayRange,
        details: Details,
    ) -> LaunchReport {
        let lanes = machine.array.lanes.value;
        let groups = self.programs.len() as u64;
        let timing = programs::run(
            machine,
            layout,
            arrays,
            self.programs,
            CODE,
            details.timeline,
        );
        let cost = KernelCost {
            code_bytes: CODE as u32,
            lanes: lanes as u32,
            ..KernelCost::default()
        };
        let sizes = LaunchSizes {
            groups,
            work_items: 1,
            local_memory: self.local_memory,
            ..LaunchSizes::default()
        };
        let mut report = LaunchReport::new(&cost, timing, &sizes, &[]);
        let Work {
            precision,
            flops,
            operations,
            scratchpad_bytes,
        } = self.work;
        let (single_flops, double_flops) = match precision {
            Precision::Double => (0, flops),
            Precision::Half | Precision::Single => (flops, 0),
        };
        report.totals = Totals {
            operations,
            single_flops,
            double_flops,
            scratchpad_bytes: Bytes(scratchpad_bytes),
            active_lanes: operations.saturating_mul(lanes),
            lane_slots: operations.saturating_mul(lanes),
            ..report.totals
        };
        report
    }
}

/// Numbers of a precision in a vector register.
pub(crate) fn vector_elements(machine: &Machine, precision: Precision) -> u64 {
    (machine.array.vector_register.value / (8 * precision.bytes())).max(1)
}
