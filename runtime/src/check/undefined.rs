//! Findings of values from memory that was never written.

use super::description::{described_of_launch, name_and_size, work_item};
use findings::{Finding, Kind};
use host_exec::definedness::uses::{Use, UseKind, UseTable};
use host_exec::first_findings::Found;
use host_exec::memory_checker::ArgumentMemory;

/// What the checker found, as a finding.
pub fn finding(
    kernel: &str,
    table: &UseTable,
    arguments: &[ArgumentMemory],
    found: &Found<u64>,
) -> Option<Finding> {
    let used: &Use = table.uses.get(found.what as usize)?;
    let site = &used.site;
    let object = used.object.as_ref();
    let object = object.map(|object| described_of_launch(object, arguments));
    let what = match used.kind {
        UseKind::Branch => "a condition depends on",
        UseKind::Address => "an address depends on",
        UseKind::Stored => "global memory or printf gets",
        UseKind::Argument => "an operation depends on",
    };
    let of = match &object {
        Some(object) if !object.name.is_empty() => format!(" of {}", name_and_size(object)),
        _ => String::new(),
    };
    Some(Finding {
        kind: Kind::Uninitialised,
        message: format!("{what} a value{of} that was never written"),
        kernel: kernel.to_owned(),
        function: site.function.clone(),
        place: site.place.clone(),
        work_item: Some(work_item(found)),
        thread: None,
        object,
        access: None,
        other: None,
        value: None,
        count: found.count,
    })
}
