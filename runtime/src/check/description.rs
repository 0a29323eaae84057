//! Parts of findings that several kinds of checks have.

use findings::words::bytes;
use findings::{Object, WorkItem};
use host_exec::first_findings::Found;
use host_exec::memory_checker::ArgumentMemory;
use host_exec::memory_checker::access_table::{CheckedObject, Space};

/// The work-item of a finding.
pub fn work_item<T>(found: &Found<T>) -> WorkItem {
    WorkItem {
        global: found.global_id,
        local: found.local_id,
        group: found.group_id,
    }
}

/// An object of this size.
pub fn described(object: &CheckedObject, bytes: u64) -> Object {
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

/// An object as messages name it.
pub fn name(object: &Object) -> String {
    match object.name.as_str() {
        "" => format!("a {} {}", object.space, object.role),
        name => format!("{} `{name}`", object.role),
    }
}

/// An object with its size.
pub fn name_and_size(object: &Object) -> String {
    let name = name(object);
    format!("{name} ({}, {})", object.space, bytes(object.bytes))
}
