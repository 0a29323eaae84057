//! The queues and their commands as debuggers show them: known while a debugger runs the process
//! (`MOCL3_DEBUG`).

use crate::event::Event;
use crate::execution::execution_status::ExecutionStatus;
use host_exec::debug_text;
use kernel_compiler::debugger;
use parking_lot::Mutex;
use std::ffi::c_char;
use std::fmt::{self, Write};
use std::sync::{Arc, Weak};

/// Queues in the order of their creation.
static QUEUES: Mutex<Vec<Arc<InspectedQueue>>> = Mutex::new(Vec::new());

/// A queue; its `CommandQueue` holds it.
pub(super) struct InspectedQueue {
    /// From 1 on.
    number: usize,
    device: usize,
    in_order: bool,
    commands: Mutex<Commands>,
}

/// Commands that have not ended, and ended ones.
#[derive(Default)]
struct Commands {
    list: Vec<InspectedCommand>,
    /// Commands so far.
    count: usize,
}

struct InspectedCommand {
    number: usize,
    name: String,
    event: Weak<Event>,
}

impl InspectedCommand {
    fn status(&self) -> Option<ExecutionStatus> {
        let event = self.event.upgrade()?;
        Some(event.status()).filter(|status| !status.has_ended())
    }
}

impl InspectedQueue {
    /// A new queue of that device; none if no debugger runs the process.
    pub fn new(device: usize, in_order: bool) -> Option<Arc<Self>> {
        if !debugger::is_on() {
            return None;
        }
        let mut queues = QUEUES.lock();
        let made = Arc::new(Self {
            number: queues.last().map_or(1, |last| last.number + 1),
            device,
            in_order,
            commands: Mutex::default(),
        });
        // The last one stays for its number.
        let last = queues.pop();
        queues.retain(Self::exists);
        queues.extend(last);
        queues.push(Arc::clone(&made));
        Some(made)
    }

    /// Whether its `CommandQueue` exists.
    fn exists(queue: &Arc<Self>) -> bool {
        Arc::strong_count(queue) > 1
    }

    /// Adds a command.
    pub fn add(&self, event: &Arc<Event>, name: String) {
        let mut commands = self.commands.lock();
        commands.list.retain(|command| command.status().is_some());
        commands.count += 1;
        let number = commands.count;
        commands.list.push(InspectedCommand {
            number,
            name,
            event: Arc::downgrade(event),
        });
    }

    fn describe(&self, text: &mut impl Write) -> fmt::Result {
        let order = match self.in_order {
            true => "in order",
            false => "out of order",
        };
        write!(
            text,
            "queue {}: device {}, {order}",
            self.number, self.device
        )?;
        let Some(commands) = self.commands.try_lock() else {
            return writeln!(text, "; a command is being enqueued");
        };
        writeln!(text, "; {} commands so far", commands.count)?;
        for command in &commands.list {
            let Some(status) = command.status() else {
                continue;
            };
            let status = match status {
                ExecutionStatus::Queued => "waits for other commands",
                ExecutionStatus::Submitted => "is ready",
                ExecutionStatus::Running => "runs",
                ExecutionStatus::Complete | ExecutionStatus::Failed(_) => "has ended",
            };
            writeln!(text, "  {} {}: {status}", command.number, command.name)?;
        }
        Ok(())
    }
}

/// For debuggers: the queues of the process, a line for each, followed by a line for each command that
/// has not ended. Null if the state cannot be read now.
// SAFETY: no other symbol has that name.
#[unsafe(no_mangle)]
pub extern "C" fn mocl3_debug_queues() -> *const c_char {
    let Some(queues) = QUEUES.try_lock() else {
        return std::ptr::null();
    };
    let mut existing = queues.iter().filter(|queue| InspectedQueue::exists(queue));
    debug_text::compose(|text| existing.try_for_each(|queue| queue.describe(text)))
}
