//! libMT: what hthreads itself stands on (docs/hthreads.md#libmt). Cores are opened as sets, and fired for
//! each kernel; nothing ends the process.

use crate::core_sets::CoreSet;
use crate::cores::Cores;
use crate::devices;
use crate::error::Error;
use crate::interrupts;
use crate::launching::Launching;
use crate::recorder;
use device_sim::timing::host_command::{HostCommand, duration};
use device_threads::group::Status;
use kernel_compiler::device_c::MAX_ARGUMENTS;

/// Opens a set of cores.
///
/// # Errors
/// The cluster is not open, or a core is in use.
pub fn open_cores(cluster: i32, mask: u32) -> Result<(), Error> {
    let group = devices::take_cores("mt_open_core", cluster, Cores::Masked(mask))?;
    let set = CoreSet {
        group,
        entry: None,
        arguments: Vec::new(),
        is_fired: false,
    };
    devices::with_core_sets(cluster, |sets| sets.insert(mask, set));
    Ok(())
}

/// Closes a set of cores, and does not wait.
///
/// # Errors
/// There is no such set.
pub fn close_cores(cluster: i32, mask: u32) -> Result<(), Error> {
    let name = "mt_close_core";
    let set = devices::with_core_sets(cluster, |sets| sets.remove(&mask)).flatten();
    let set = set.ok_or(Error::NoCores(name, mask, cluster))?;
    devices::destroy(set.group);
    Ok(())
}

/// Does something with a set of cores.
fn with_set<R>(
    name: &'static str,
    cluster: i32,
    mask: u32,
    act: impl FnOnce(&mut CoreSet) -> R,
) -> Result<R, Error> {
    let found = devices::with_core_sets(cluster, |sets| sets.get_mut(&mask).map(act));
    found.flatten().ok_or(Error::NoCores(name, mask, cluster))
}

/// Sets the function that a set of cores runs next.
///
/// # Errors
/// There is no such set.
pub fn set_entry(cluster: i32, mask: u32, function: &str) -> Result<(), Error> {
    let entry = function.to_owned();
    with_set("mt_set_entry", cluster, mask, |set| set.entry = Some(entry))
}

/// Loads the arguments of that function.
///
/// # Errors
/// There is no such set, or there are too many arguments.
pub fn load_arguments(cluster: i32, mask: u32, arguments: &[u64]) -> Result<(), Error> {
    if arguments.len() > MAX_ARGUMENTS {
        return Err(Error::TooManyArguments(arguments.len() as i64));
    }
    with_set("mt_load_args", cluster, mask, |set| {
        set.arguments = arguments.to_vec();
    })
}

/// Starts a set of cores; waits first if it runs.
///
/// # Errors
/// There is no such set, it has no entry, the image lacks the function, or an interrupt is not answered.
pub fn run(cluster: i32, mask: u32, launching: Launching) -> Result<(), Error> {
    let name = launching.function();
    let (group, entry, arguments) = with_set(name, cluster, mask, |set| {
        let mut words = [0; MAX_ARGUMENTS];
        for (word, argument) in words.iter_mut().zip(&set.arguments) {
            *word = *argument;
        }
        if launching == Launching::Resume && !set.is_fired {
            return Err(Error::NotFired(mask, cluster));
        }
        let entry = set.entry.clone().ok_or(Error::NoEntry(name, mask))?;
        Ok((set.group, entry, words))
    })??;
    if launching == Launching::Resume {
        interrupts::latency(name)?;
    }
    devices::execute(group, Some((&entry, arguments)), launching)?;
    with_set(name, cluster, mask, |set| set.is_fired = true)
}

/// Waits for a set of cores.
///
/// # Errors
/// There is no such set, or a handler of its cluster waits while it runs.
pub fn wait(name: &'static str, cluster: i32, mask: u32) -> Result<Status, Error> {
    let group = with_set(name, cluster, mask, |set| set.group)?;
    devices::wait(name, group)
}

/// Interrupts a core of a set.
///
/// # Errors
/// There is no such set, core or number, or the runtime of the arrays answers no interrupts.
pub fn interrupt(cluster: i32, mask: u32, core: i32, number: u64) -> Result<(), Error> {
    let name = "mt_send_intr";
    let group = with_set(name, cluster, mask, |set| set.group)?;
    let is_core = |core: &u32| mask.checked_shr(*core).is_some_and(|rest| rest & 1 == 1);
    let core = u32::try_from(core).ok().filter(is_core);
    let core = core.ok_or(Error::NoCores(name, mask, cluster))?;
    let thread = (mask & ((1 << core) - 1)).count_ones();
    interrupts::send(name, group, thread as i32, number)
}

/// The host program invalidates lines of its caches, or writes them back. Memory of the simulation is always
/// coherent, so that this takes simulated time only.
pub fn maintain_caches(command: HostCommand, bytes: u64) {
    if let (Some(recorder), Some(machine)) = (recorder::get(), devices::machine()) {
        recorder.spend(duration(machine, command, bytes, 1));
    }
}
