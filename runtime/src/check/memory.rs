//! Findings of accesses that are out of bounds, misaligned or not allowed.

use super::description::{described, name, name_and_size, work_item};
use findings::words::{bytes, distance};
use findings::{Access, Finding, Kind, Object};
use host_exec::first_findings::Found;
use host_exec::memory_checker::access_table::{AccessSite, AccessTable};
use host_exec::memory_checker::{MemoryError, MemoryFinding};

/// What the checker found, as a finding.
pub fn finding(kernel: &str, table: &AccessTable, found: &Found<MemoryFinding>) -> Finding {
    let what = &found.what;
    let unknown = AccessSite::default();
    let site = table.sites.get(what.site as usize).unwrap_or(&unknown);
    let object = table.objects.get(what.object as usize);
    let object = object.map(|object| described(object, what.object_bytes));
    Finding {
        kind: kind(what.error),
        message: message(site, object.as_ref(), what),
        kernel: kernel.to_owned(),
        function: site.function.clone(),
        place: site.place.clone(),
        work_item: Some(work_item(found)),
        thread: None,
        object,
        access: Some(Access {
            writes: site.writes,
            bytes: what.bytes,
            offset: what.place as i64,
        }),
        other: None,
        value: site.value.map(|ty| ty.format(what.value)),
        count: found.count,
    }
}

fn kind(error: MemoryError) -> Kind {
    match error {
        MemoryError::Null => Kind::NullPointer,
        MemoryError::OutOfBounds => Kind::OutOfBounds,
        MemoryError::UnknownAddress => Kind::UnknownAddress,
        MemoryError::Misaligned => Kind::Misaligned,
        MemoryError::ReadOnly => Kind::WriteToReadOnly,
        MemoryError::Const => Kind::WriteToConst,
        MemoryError::WriteOnly => Kind::ReadOfWriteOnly,
    }
}

fn message(site: &AccessSite, object: Option<&Object>, found: &MemoryFinding) -> String {
    let access = format!(
        "{} of {}",
        if site.writes { "write" } else { "read" },
        bytes(found.bytes)
    );
    let address = format!("{:#x}", found.place);
    let Some(object) = object else {
        return match found.error {
            MemoryError::Null => format!("{access} through a null pointer"),
            _ => format!("{access} at {address}, which is in no object of the launch"),
        };
    };
    let name = name(object);
    let name_and_size = name_and_size(object);
    match found.error {
        MemoryError::Null => format!("{access} through {name}, which is a null pointer"),
        MemoryError::OutOfBounds => {
            format!(
                "{access}{} {name_and_size}",
                distance(found.place as i64, found.object_bytes)
            )
        }
        MemoryError::Misaligned => format!(
            "{access} at byte {} of {name_and_size}, which is no multiple of {}",
            found.place as i64, site.alignment
        ),
        MemoryError::ReadOnly => format!("{access} to {name}, which kernels may only read"),
        MemoryError::Const => format!("{access} to {name}, which is declared const"),
        MemoryError::WriteOnly => format!("{access} of {name}, which kernels may only write"),
        MemoryError::UnknownAddress => format!("{access} at {address}"),
    }
}
