//! Versions of a kernel's code: those that launches need, or, with `MOCL3_SPECIALISE=0`, one that
//! fits all launches.

use crate::kernel::checks::Checks;
use crate::kernel::image_argument::KnownArgument;
use crate::kernel::interface::KernelInterface;
use device_sim::machine::CodeStackLayout;
use device_sim::machine::Machine;
use environment::SPECIALISE;
use once_cell::sync::Lazy;
use serde::Serialize;
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// The machine that timed code is for.
#[derive(Clone, Debug, Serialize)]
pub struct Timed {
    /// The machine.
    pub machine: Arc<Machine>,
    /// Where stack and code are on it.
    pub layout: CodeStackLayout,
    /// What it is for.
    pub purpose: TimedPurpose,
}

/// What timed code is for. Its simulated times do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum TimedPurpose {
    /// Executes launches. It is reduced to its counter slice where that is profitable.
    #[default]
    Execution,
    /// Predicts launches: the counter slice is executed for few groups, so that code is always reduced to
    /// it.
    Prediction,
    /// Executes launches, and records what some groups load of arguments. It is not reduced.
    Advice,
}

impl PartialEq for Timed {
    fn eq(&self, other: &Self) -> bool {
        let same = Arc::ptr_eq(&self.machine, &other.machine) || self.machine == other.machine;
        same && self.layout == other.layout && self.purpose == other.purpose
    }
}

impl Eq for Timed {}

impl Hash for Timed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.machine.name.hash(state);
    }
}

/// Bound of global ids, offset included, that code for small launches computes in 32 bits. A quarter of what these hold:
/// constants of a kernel that are added to an id do not make it wrap.
pub const SMALL_GRID: u64 = 1 << 30;

/// What a version of the code may rely on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Specialisation {
    /// The local size, if fixed.
    pub local_size: Option<[u64; 3]>,
    /// All global ids (offset included) are below [`SMALL_GRID`], and each buffer has less than 2 GiB
    /// (`SMALL_OBJECT_BYTES`).
    pub small_launch: bool,
    /// The global offset is zero, so that groups begin at multiples of their size. Timed code reads
    /// the offset, as the machine's does.
    pub without_offset: bool,
    /// What is known of each image and sampler among the arguments, in their order;
    /// empty if nothing is.
    pub images: Vec<KnownArgument>,
    /// No two memory objects among the arguments share bytes. Checked code does not rely on it.
    pub separate_objects: bool,
    /// The launch writes more to a buffer than the host's caches hold, so that stores bypass them
    /// (`host_exec::host_caches`). Timed and checked code does not rely on it.
    pub large_output: bool,
    /// Simulated time is kept: the code is that of the machine's lanes, and counts what it does.
    pub timed: Option<Timed>,
    /// What accesses are checked for. Checked code has no simulated time.
    pub checks: Checks,
}

static SPECIALISES: Lazy<bool> = Lazy::new(|| {
    let value = SPECIALISE.get();
    specialises(value.as_deref()).unwrap_or_else(|| {
        let value = value.unwrap_or_default();
        log::warn!("{SPECIALISE}={value:?} is neither 0 nor 1; kernels are specialised");
        true
    })
});

/// None if the value is wrong.
fn specialises(value: Option<&OsStr>) -> Option<bool> {
    match value.unwrap_or_default().as_encoded_bytes() {
        b"0" => Some(false),
        b"" | b"1" => Some(true),
        _ => None,
    }
}

/// A specialisation that the environment and the kernel's source allow. It identifies the code of
/// a kernel in memory and in the compile cache.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NormalisedSpecialisation(Specialisation);

impl NormalisedSpecialisation {
    /// The version of a kernel's code that is compiled where `wanted` is needed.
    pub fn new(wanted: Specialisation, interface: &KernelInterface) -> Self {
        Self(version(wanted, interface, *SPECIALISES))
    }
}

impl Deref for NormalisedSpecialisation {
    type Target = Specialisation;

    fn deref(&self) -> &Specialisation {
        &self.0
    }
}

/// As `NormalisedSpecialisation::new`; `specialises` says whether there may be several versions.
pub fn version(
    wanted: Specialisation,
    interface: &KernelInterface,
    specialises: bool,
) -> Specialisation {
    if !specialises {
        return Specialisation {
            timed: wanted.timed,
            checks: wanted.checks,
            ..Specialisation::default()
        };
    }
    Specialisation {
        // The runtime launches it with no other.
        local_size: wanted.local_size.or(interface.required_work_group_size),
        separate_objects: wanted.separate_objects && wanted.checks.is_empty(),
        large_output: wanted.large_output && wanted.timed.is_none() && wanted.checks.is_empty(),
        ..wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::image_argument::KnownArgument;

    #[test]
    fn without_specialisation_nothing_is_taken_for_granted() {
        let mut interface = KernelInterface {
            name: "k".into(),
            arguments: Vec::new(),
            argument_block_size: 0,
            required_work_group_size: None,
            attributes: String::new(),
            has_barriers: false,
        };
        let wanted = Specialisation {
            local_size: Some([8, 1, 1]),
            small_launch: true,
            without_offset: true,
            images: vec![KnownArgument::Sampler(37)],
            separate_objects: true,
            large_output: true,
            timed: None,
            checks: Checks::empty(),
        };
        assert_eq!(version(wanted.clone(), &interface, true), wanted);
        interface.required_work_group_size = Some([4, 1, 1]);
        let any = Specialisation::default();
        assert_eq!(version(wanted, &interface, false), any);
        // Code is specialised for the size that the source requires.
        let required = version(any, &interface, true);
        assert_eq!(required.local_size, Some([4, 1, 1]));
    }

    #[test]
    fn a_wrong_value_is_known_as_such() {
        for (value, meaning) in [
            ("", Some(true)),
            ("1", Some(true)),
            ("0", Some(false)),
            ("no", None),
            ("00", None),
        ] {
            assert_eq!(specialises(Some(OsStr::new(value))), meaning, "{value}");
        }
        assert_eq!(specialises(None), Some(true));
    }
}
