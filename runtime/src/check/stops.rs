//! Stops of debuggers at findings: while a debugger runs the process (`MOCL3_DEBUG`), each first
//! finding calls a function in which the debugger has a breakpoint, on the thread and at the place of
//! the finding.

use super::{barriers, dma, memory, races, undefined};
use findings::{Finding, text};
use host_exec::barrier::checker::BarrierChecker;
use host_exec::dma_checker::checker::DmaChecker;
use host_exec::memory_checker::{ArgumentMemory, MemoryChecker};
use host_exec::races::checker::RaceChecker;
use kernel_compiler::check::CheckTables;
use kernel_compiler::debugger;
use kernel_compiler::executable::WorkGroupCode;
use std::ffi::{CString, c_char};
use std::sync::Arc;

/// For debuggers: is called with the text of each first finding, and does nothing.
// SAFETY: no other symbol has that name.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn mocl3_debug_finding(text: *const c_char) {
    std::hint::black_box(text);
}

/// Stops at a text, without NULs.
pub(super) fn stop(text: &str) {
    if debugger::is_on()
        && let Ok(text) = CString::new(text)
    {
        mocl3_debug_finding(text.as_ptr());
    }
}

/// A launch whose first findings stop debuggers.
pub(super) struct LaunchStops {
    kernel: String,
    tables: Arc<CheckTables>,
    arguments: Vec<ArgumentMemory>,
    groups: [u64; 3],
}

impl LaunchStops {
    /// That of checked code with these arguments and numbers of groups; none if no debugger runs the
    /// process.
    pub fn new(
        code: &WorkGroupCode,
        arguments: &[ArgumentMemory],
        groups: [u64; 3],
    ) -> Option<Arc<Self>> {
        let tables = code.checked.as_ref().filter(|_| debugger::is_on())?;
        Some(Arc::new(Self {
            kernel: code.kernel.clone(),
            tables: Arc::clone(tables),
            arguments: arguments.to_vec(),
            groups,
        }))
    }

    fn stop(finding: Option<Finding>) {
        if let Some(finding) = finding {
            stop(&text::paragraph(&finding));
        }
    }

    /// Stops at accesses, and at uses of undefined values.
    pub fn at_memory(self: &Arc<Self>, checker: &mut MemoryChecker<'_>) {
        let (of_access, of_use) = (Arc::clone(self), Arc::clone(self));
        checker.listen(
            Box::new(move |found| {
                let table = of_access.tables.memory.as_ref();
                Self::stop(table.map(|table| memory::finding(&of_access.kernel, table, found)));
            }),
            Box::new(move |found| {
                let Self {
                    kernel,
                    tables,
                    arguments,
                    ..
                } = &*of_use;
                let table = tables.uninitialised.as_ref();
                Self::stop(
                    table.and_then(|table| undefined::finding(kernel, table, arguments, found)),
                );
            }),
        );
    }

    /// Stops at races.
    pub fn at_races(self: &Arc<Self>, checker: &mut RaceChecker) {
        let stops = Arc::clone(self);
        checker.listen(Box::new(move |found| {
            let Self {
                kernel,
                tables,
                arguments,
                groups,
            } = &*stops;
            let table = tables.races.as_ref();
            let finding = |table| races::finding(kernel, table, arguments, *groups, found);
            Self::stop(table.map(finding));
        }));
    }

    /// Stops at barriers.
    pub fn at_barriers(self: &Arc<Self>, checker: &mut BarrierChecker<'_>) {
        let stops = Arc::clone(self);
        checker.listen(Box::new(move |found| {
            let table = stops.tables.barriers.as_ref();
            Self::stop(table.map(|table| barriers::finding(&stops.kernel, table, found)));
        }));
    }

    /// Has the debugger know the places of transfers; stops at conflicts if these are checked.
    pub fn at_transfers(self: &Arc<Self>, checker: &mut DmaChecker, are_checked: bool) {
        if let Some(table) = &self.tables.dma {
            checker.know_places(table);
        }
        if !are_checked {
            return;
        }
        let stops = Arc::clone(self);
        checker.listen(Box::new(move |found| {
            let table = stops.tables.dma.as_ref();
            let finding = |table| dma::finding(&stops.kernel, table, &stops.arguments, found);
            Self::stop(table.map(finding));
        }));
    }
}
