//! Sets of cores that programs of libMT open, and what is loaded for them.

use std::collections::BTreeMap;

/// A set of cores.
#[derive(Debug)]
pub struct CoreSet {
    /// The group that its cores are.
    pub group: i32,
    /// The function that runs next.
    pub entry: Option<String>,
    /// Its arguments.
    pub arguments: Vec<u64>,
    /// Whether its cores have been fired, so that their runtime answers interrupts.
    pub is_fired: bool,
}

/// The open sets of a cluster, by the mask of their cores.
pub type CoreSets = BTreeMap<u32, CoreSet>;
