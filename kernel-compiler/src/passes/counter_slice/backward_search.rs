//! A search backwards through a function: instructions, what they depend on, and what may write the memory
//! that they read.

use super::accesses::written;
use super::memory_objects::{MemoryObject, MemoryObjects};
use crate::ir::Value;
use std::collections::HashSet;
use std::ops::Range;

/// What is known of memory besides the code.
#[derive(Clone, Copy)]
pub struct KnownMemory<'a> {
    /// Ranges of variables that the group shares in its private memory, in bytes.
    pub group_slots: &'a [Range<u64>],
    /// No two memory objects among the kernel's arguments share bytes.
    pub separate_objects: bool,
}

/// The instructions that a search has found.
pub struct BackwardSearch {
    pub objects: MemoryObjects,
    /// No two memory objects among the kernel's arguments share bytes.
    separate_objects: bool,
    /// What writes memory, with the objects that it may write.
    writers: Vec<(Value, Vec<MemoryObject>)>,
    found: HashSet<Value>,
    /// Found instructions whose operands are to be visited.
    pending: Vec<Value>,
    /// Objects that found instructions read.
    read: HashSet<MemoryObject>,
}

impl BackwardSearch {
    /// A search through `function` that has found nothing.
    pub fn new(function: Value, memory: KnownMemory<'_>) -> Self {
        let objects = MemoryObjects::new(function, memory.group_slots);
        let instructions = function.instructions().into_iter();
        let writers = instructions
            .filter_map(|instruction| Some((instruction, written(instruction, &objects)?)))
            .collect();
        Self {
            objects,
            separate_objects: memory.separate_objects,
            writers,
            found: HashSet::new(),
            pending: Vec::new(),
            read: HashSet::new(),
        }
    }

    /// Finds the instructions among these values.
    pub fn find_all(&mut self, values: impl IntoIterator<Item = Value>) {
        for value in values {
            if value.is_instruction() && self.found.insert(value) {
                self.pending.push(value);
            }
        }
    }

    /// An instruction that has been found and not been visited.
    pub fn next(&mut self) -> Option<Value> {
        self.pending.pop()
    }

    /// The instructions that may write an object, if it is read for the first time.
    pub fn writers_at_first_read(&mut self, object: MemoryObject) -> Option<Vec<Value>> {
        if !self.read.insert(object) {
            return None;
        }
        let is_argument = |object: MemoryObject| matches!(object, MemoryObject::Argument(_));
        let may_write = |written: &MemoryObject| {
            let may_share = !self.separate_objects && is_argument(*written) && is_argument(object);
            may_share || written.overlaps(object)
        };
        let writers = self.writers.iter();
        let writers = writers.filter(|(_, written)| written.iter().any(may_write));
        Some(writers.map(|(writer, _)| *writer).collect())
    }

    /// All instructions that have been found.
    pub fn into_found(self) -> HashSet<Value> {
        self.found
    }
}
