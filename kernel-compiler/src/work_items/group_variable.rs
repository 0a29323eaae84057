//! Marks loads of variables that a work-group has once: all work-items read the same value.

use crate::ir::{self, Value};

const METADATA: &str = "mocl3.group_variable";

/// Marks a load of a variable that is only written by code that is executed once for the group.
pub fn mark_load(load: Value) {
    let context = load.ty().context();
    load.set_metadata(
        ir::metadata_kind(context, METADATA),
        ir::metadata_node(context, &[]),
    );
}

/// Whether a load is marked.
pub fn is_load(load: Value) -> bool {
    let kind = ir::metadata_kind(load.ty().context(), METADATA);
    load.metadata_operands(kind).is_some()
}
