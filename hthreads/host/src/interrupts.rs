//! What the host program does with interrupts: it sends them to threads, and registers handlers for theirs.

use crate::devices;
use crate::error::Error;
use crate::recorder;
use device_sim::units::Nanoseconds;
use device_threads::Interrupt;
use device_threads::interrupts::{HostHandler, NUMBERS};

/// How long an interrupt by `function` takes to an array.
///
/// # Errors
/// The runtime of the arrays answers none.
pub fn latency(function: &'static str) -> Result<Nanoseconds, Error> {
    let latency = devices::machine().and_then(|one| one.launch.time_to_interrupt_array());
    latency.ok_or(Error::NaiveRuntime(function))
}

/// Interrupts a thread of a group, in a call of `name`.
///
/// # Errors
/// There is no such group, thread or number, or the runtime of the arrays answers no interrupts.
pub fn send(name: &'static str, group: i32, thread: i32, number: u64) -> Result<(), Error> {
    let (cluster, found) = devices::group(group).ok_or(Error::NoGroup(name, group))?;
    let in_group = u32::try_from(thread).ok();
    let in_group = in_group.filter(|thread| (*thread as usize) < found.members.len());
    let in_group = in_group.ok_or(Error::NoThread(name, group, thread))?;
    if !NUMBERS.contains(&number) {
        return Err(Error::NoInterrupt(name, number));
    }
    let machine = devices::machine().ok_or(Error::NoGroup(name, group))?;
    let latency = latency(name)?;
    let time = recorder::get().map(|recorder| {
        let sent = recorder.spend(Nanoseconds(machine.host.enqueue.value));
        machine.clock().cycles(sent.saturating_add(latency))
    });
    cluster.interrupt(Interrupt {
        group: found,
        thread: in_group,
        number: number as u32,
        time,
    });
    Ok(())
}

/// Registers the function that interrupts by threads of a group call; the one before.
///
/// # Errors
/// There is no such group.
pub fn register(group: i32, handler: Option<HostHandler>) -> Result<Option<HostHandler>, Error> {
    let found = devices::group(group);
    let (_, found) = found.ok_or(Error::NoGroup("hthread_handler_register", group))?;
    Ok(found.set_handler(handler))
}
