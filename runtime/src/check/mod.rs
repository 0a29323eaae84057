//! The checking mode, `MOCL3_CHECK`: launches of code that checks its accesses, and their findings;
//! findings of calls of the API.

pub mod api;
mod barriers;
mod description;
mod dma;
mod images;
pub mod mapped;
mod memory;
mod races;
mod red_zones;
mod sink;
mod stops;
mod undefined;

use environment::CHECK;
use findings::Finding;
use host_exec::barrier::checker::{BarrierChecker, BarrierTable};
use host_exec::cluster_executor::ClusterExecutor;
use host_exec::definedness::uses::UseTable;
use host_exec::dma_checker::checker::DmaChecker;
use host_exec::error::ExecError;
use host_exec::launch::Launch;
use host_exec::memory_checker::access_table::AccessTable;
use host_exec::memory_checker::{ArgumentMemory, MemoryChecker, MemoryFindings, PrivateMemory};
use host_exec::races::checker::RaceChecker;
use host_exec::races::exclusive::LaunchValues;
use kernel_compiler::check::Checks;
use kernel_compiler::debugger;
use kernel_compiler::executable::WorkGroupCode;
use once_cell::sync::Lazy;
use stops::LaunchStops;

pub use red_zones::report_damage;

/// What is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Selection {
    /// In kernels.
    kernels: Checks,
    /// Calls of the API.
    api: bool,
}

const fn in_kernels(kernels: Checks) -> Selection {
    let api = false;
    Selection { kernels, api }
}

const API: Selection = Selection {
    kernels: Checks::empty(),
    api: true,
};

/// With checks of memory, which give a value to reads out of bounds.
const UNINITIALISED: Selection = in_kernels(Checks::MEMORY.union(Checks::UNINITIALISED));

/// With checks of memory, which leave out accesses of memory without shadows.
const RACES: Selection = in_kernels(Checks::MEMORY.union(Checks::RACES));

const ALL: Selection = Selection {
    kernels: Checks::all().difference(Checks::FLAGS.union(Checks::TRANSFERS)),
    api: true,
};

/// What a check of that name selects.
fn selection_of(name: &str) -> Selection {
    match name {
        "memory" => in_kernels(Checks::MEMORY),
        "uninitialised" => UNINITIALISED,
        "races" => RACES,
        "barriers" => in_kernels(Checks::BARRIERS),
        "dma" => in_kernels(Checks::DMA),
        "api" => API,
        "all" => ALL,
        _ => Selection::default(),
    }
}

fn selection() -> Selection {
    static SELECTION: Lazy<Selection> = Lazy::new(|| {
        let value = CHECK.get().unwrap_or_default();
        let value = value.to_string_lossy();
        parse(&value).unwrap_or_else(|unknown| {
            log::error!("{}", findings::unknown_check(&value, unknown));
            Selection::default()
        })
    });
    *SELECTION
}

/// What accesses of kernels are checked for.
pub(crate) fn checks() -> Checks {
    selection().kernels
}

/// What code of kernels checks, and does for debuggers.
pub(crate) fn of_code() -> Checks {
    match debugger::is_on() && !checks().contains(Checks::DMA) {
        true => checks() | Checks::TRANSFERS,
        false => checks(),
    }
}

/// Whether accesses of kernels are checked.
pub(crate) fn is_on() -> bool {
    !checks().is_empty()
}

/// Whether memory objects have shadows, which say what was written.
pub(crate) fn has_shadows() -> bool {
    checks().contains(Checks::UNINITIALISED)
}

/// Whether buffers are between red zones.
pub(crate) fn has_red_zones() -> bool {
    checks().contains(Checks::MEMORY)
}

/// Whether accesses of commands and kernels to mapped memory objects are found.
pub(crate) fn follows_mappings() -> bool {
    checks().contains(Checks::MEMORY)
}

/// Parses the value of `MOCL3_CHECK`, a list; the first word that is no check if it is invalid.
fn parse(value: &str) -> Result<Selection, &str> {
    let mut selection = Selection::default();
    for name in findings::listed(value)? {
        let chosen = selection_of(name);
        selection.kernels |= chosen.kernels;
        selection.api |= chosen.api;
    }
    Ok(selection)
}

/// Executes a launch of checked code, whose pointer arguments lead to `arguments`. Reports the
/// findings; returns a sentence for each that is new.
///
/// # Errors
/// As `ClusterExecutor::run`.
///
/// # Safety
/// As `host_exec::execute::execute`.
pub(crate) unsafe fn run(
    cluster: &ClusterExecutor,
    launch: &Launch<'_>,
    code: &WorkGroupCode,
    arguments: &[ArgumentMemory],
) -> Result<Vec<String>, ExecError> {
    let tables = code.checked.as_deref();
    let none = AccessTable::default();
    let table = tables.and_then(|tables| tables.memory.as_ref());
    // A kernel without transfers has no sites.
    let transfers = tables.and_then(|tables| tables.dma.as_ref());
    let transfers = transfers.filter(|table| !table.sites.is_empty());
    let checks_transfers = checks().contains(Checks::DMA);
    let mut dma_checker = DmaChecker::default();
    let uses = tables.and_then(|tables| tables.uninitialised.as_ref());
    let local_memory = launch.configuration.local_memory;
    let groups = launch.configuration.nd_range.group_count;
    let mut memory_checker = MemoryChecker::new(
        table.unwrap_or(&none),
        arguments,
        local_memory,
        uses.is_some(),
        PrivateMemory {
            arguments: launch.arguments,
            bytes: launch.configuration.private_memory,
        },
    );
    let races = tables.and_then(|tables| tables.races.as_ref());
    let values = LaunchValues {
        nd_range: &launch.configuration.nd_range,
        arguments: launch.arguments,
    };
    let mut race_checker = races
        .map(|table| RaceChecker::new(table, arguments, &mut memory_checker, local_memory, values))
        .transpose()?;
    let barriers = tables.and_then(|tables| tables.barriers.as_ref());
    let no_barriers = BarrierTable::default();
    let mut barrier_checker = BarrierChecker::new(barriers.unwrap_or(&no_barriers));
    if let Some(stops) = LaunchStops::new(code, arguments, groups) {
        stops.at_memory(&mut memory_checker);
        stops.at_barriers(&mut barrier_checker);
        stops.at_transfers(&mut dma_checker, checks_transfers);
        race_checker
            .iter_mut()
            .for_each(|checker| stops.at_races(checker));
    }
    let launch = Launch {
        barrier_checker: barriers.is_some().then_some(&barrier_checker),
        dma_checker: transfers.is_some().then_some(&dma_checker),
        memory_checker: table.is_some().then_some(&memory_checker),
        race_checker: race_checker.as_ref(),
        ..*launch
    };
    // SAFETY: as the caller promises.
    let outcome = unsafe { cluster.run(&launch) };
    let no_uses = UseTable::default();
    let mut findings = of_memory(
        &code.kernel,
        (table.unwrap_or(&none), uses.unwrap_or(&no_uses)),
        arguments,
        &memory_checker.finish(),
    );
    if let (Some(table), Some(checker)) = (races, race_checker) {
        let found = checker.finish().into_iter();
        findings.extend(
            found.map(|found| races::finding(&code.kernel, table, arguments, groups, &found)),
        );
    }
    let of_transfers = transfers.unwrap_or(&none);
    let found = dma_checker.finish().into_iter();
    let found = found.filter(|_| checks_transfers);
    findings.extend(found.map(|found| dma::finding(&code.kernel, of_transfers, arguments, &found)));
    let of_barriers = barriers.unwrap_or(&no_barriers);
    let found = barrier_checker.finish().into_iter();
    findings.extend(found.map(|found| barriers::finding(&code.kernel, of_barriers, &found)));
    let sentences = sink::report(findings);
    outcome.map(|()| sentences)
}

/// The findings of a kernel's accesses and of values that were never written.
fn of_memory(
    kernel: &str,
    (accesses, uses): (&AccessTable, &UseTable),
    arguments: &[ArgumentMemory],
    found: &MemoryFindings,
) -> Vec<Finding> {
    let accessed = found.memory.iter();
    let accessed = accessed.map(|found| memory::finding(kernel, accesses, found));
    let images = found.images.iter();
    let images = images.map(|found| images::finding(kernel, accesses, arguments, found));
    let undefined = found.undefined.iter();
    let undefined =
        undefined.filter_map(|found| undefined::finding(kernel, uses, arguments, found));
    accessed.chain(images).chain(undefined).collect()
}

#[cfg(test)]
mod tests {
    use super::{ALL, API, RACES, Selection, UNINITIALISED, in_kernels, parse, selection_of};
    use kernel_compiler::check::Checks;

    #[test]
    fn each_check_selects_something() {
        for name in findings::CHECKS {
            assert_ne!(selection_of(name), Selection::default(), "{name}");
        }
    }

    #[test]
    fn values_are_lists_of_checks() {
        for (value, meaning) in [
            ("", Ok(Selection::default())),
            ("0", Ok(Selection::default())),
            ("dma", Ok(in_kernels(Checks::DMA))),
            ("memory", Ok(in_kernels(Checks::MEMORY))),
            ("uninitialised", Ok(UNINITIALISED)),
            ("barriers", Ok(in_kernels(Checks::BARRIERS))),
            ("api", Ok(API)),
            ("memory, dma", Ok(in_kernels(Checks::MEMORY | Checks::DMA))),
            ("all", Ok(ALL)),
            ("1", Err("1")),
            ("races", Ok(RACES)),
            ("memory,race", Err("race")),
        ] {
            assert_eq!(parse(value), meaning, "{value}");
        }
    }
}
