//! Findings of values from memory that was never written.

use super::memory::{described_of_launch, place};
use findings::{Finding, Kind, WorkItem};
use host_exec::definedness::UndefinedFinding;
use host_exec::memory_checker::ArgumentMemory;
use host_exec::undefined_uses::{Use, UseKind, UseTable};

/// What the checker found, as a finding.
pub fn finding(
    kernel: &str,
    table: &UseTable,
    arguments: &[ArgumentMemory],
    found: &UndefinedFinding,
) -> Option<Finding> {
    let used: &Use = table.uses.get(found.number as usize)?;
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
        Some(object) if !object.name.is_empty() => format!(
            " of {} `{}` ({}, {} bytes)",
            object.role, object.name, object.space, object.bytes
        ),
        _ => String::new(),
    };
    Some(Finding {
        kind: Kind::Uninitialised,
        message: format!("{what} a value{of} that was never written"),
        kernel: kernel.to_owned(),
        function: site.function.clone(),
        place: place(site),
        work_item: Some(WorkItem {
            global: found.global_id,
            local: found.local_id,
            group: found.group_id,
        }),
        object,
        access: None,
        other: None,
        count: found.count,
    })
}
