//! Findings of accesses that are out of bounds, misaligned or not allowed.

use findings::{Access, Finding, Kind, Object, Place, WorkItem};
use host_exec::memory_checker::{
    AccessSite, AccessTable, ArgumentMemory, CheckedObject, MemoryError, MemoryFinding, Space,
};

/// What the checker found, as a finding.
pub fn finding(kernel: &str, table: &AccessTable, found: &MemoryFinding) -> Finding {
    let unknown = AccessSite::default();
    let site = table.sites.get(found.site as usize).unwrap_or(&unknown);
    let object = table.objects.get(found.object as usize);
    let object = object.map(|object| described(object, found.object_bytes));
    Finding {
        kind: kind(found.error),
        message: message(site, object.as_ref(), found),
        kernel: kernel.to_owned(),
        function: site.function.clone(),
        place: place(site),
        work_item: Some(WorkItem {
            global: found.global_id,
            local: found.local_id,
            group: found.group_id,
        }),
        object,
        access: Some(Access {
            writes: site.writes,
            bytes: found.bytes,
            offset: found.place as i64,
        }),
        other: None,
        count: found.count,
    }
}

/// The place of an access in the source, if it is known.
pub fn place(site: &AccessSite) -> Option<Place> {
    (site.line > 0).then(|| Place {
        file: site.file.clone(),
        line: site.line,
        column: site.column,
        text: site.text.clone(),
    })
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

fn described(object: &CheckedObject, bytes: u64) -> Object {
    let (role, name, space) = match object {
        CheckedObject::Argument { name, space, .. } => ("argument", name, space),
        CheckedObject::Variable { name, space, .. } => ("variable", name, space),
    };
    let space = match space {
        Space::Global => "global",
        Space::Constant => "constant",
        Space::Local => "local",
        Space::Private => "private",
    };
    Object {
        role: role.to_owned(),
        name: name.clone(),
        space: space.to_owned(),
        bytes,
    }
}

/// An object of a launch with these arguments.
pub fn described_of_launch(object: &CheckedObject, arguments: &[ArgumentMemory]) -> Object {
    let bytes = match object {
        CheckedObject::Variable { bytes, .. } => *bytes,
        CheckedObject::Argument { index, .. } => {
            arguments.get(*index).map_or(0, |memory| memory.bytes)
        }
    };
    described(object, bytes)
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
            format!("{access}{} {name_and_size}", distance(found))
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

fn name(object: &Object) -> String {
    match object.name.as_str() {
        "" => format!("a {} {}", object.space, object.role),
        name => format!("{} `{name}`", object.role),
    }
}

/// An object as messages describe it.
pub fn name_and_size(object: &Object) -> String {
    let name = name(object);
    format!("{name} ({}, {})", object.space, bytes(object.bytes))
}

/// How far an access is outside of its object.
fn distance(found: &MemoryFinding) -> String {
    let (place, size) = (found.place as i64, found.object_bytes as i64);
    if place < 0 {
        return format!(", {} before the start of", bytes(place.unsigned_abs()));
    }
    match place - size {
        0 => " just after the end of".to_owned(),
        after if after > 0 => format!(", {} after the end of", bytes(after as u64)),
        within => format!(
            ", which begins {} before the end of",
            bytes(within.unsigned_abs())
        ),
    }
}

/// A size in words.
pub fn bytes(number: u64) -> String {
    match number {
        1 => "1 byte".to_owned(),
        number => format!("{number} bytes"),
    }
}
