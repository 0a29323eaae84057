//! An acceleration cluster: the memory its arrays share, hardware locks, and how
//! work-groups map onto the arrays. An array's own memories are in `scratchpad`.

use crate::arrays::Arrays;
use crate::locks::Locks;
use crate::machine::Machine;
use crate::memory::Memory;
use crate::static_map::StaticMap;
use std::sync::Arc;

/// One acceleration cluster of a machine.
pub struct Cluster {
    machine: Arc<Machine>,
    number: usize,
    ddr: Arc<Memory>,
    locks: Locks,
    static_map: StaticMap,
}

impl Cluster {
    /// Cluster `number` (from 0) of a machine.
    pub fn new(machine: &Arc<Machine>, number: usize) -> Self {
        Self {
            machine: Arc::clone(machine),
            number,
            ddr: Memory::new("DDR", machine.memory.ddr.size.value),
            locks: Locks::new(machine.clusters.read_write_locks.value),
            static_map: StaticMap::default(),
        }
    }

    /// The machine it is part of.
    pub fn machine(&self) -> &Arc<Machine> {
        &self.machine
    }

    /// Its arrays.
    pub fn arrays(&self) -> Arrays {
        Arrays::all(self.machine.clusters.arrays.value)
    }

    /// Its number, from 0.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Its part of the DDR: OpenCL's global memory.
    pub fn ddr(&self) -> &Arc<Memory> {
        &self.ddr
    }

    /// Its hardware locks.
    pub fn locks(&self) -> &Locks {
        &self.locks
    }

    /// How work-groups map onto its arrays.
    pub fn static_map(&self) -> StaticMap {
        self.static_map
    }
}
