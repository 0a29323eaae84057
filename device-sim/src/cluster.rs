//! An acceleration cluster: its arrays and the memory that they share.

use crate::array_range::ArrayRange;
use crate::machine::Machine;
use crate::memory::Memory;
use std::sync::Arc;

/// One acceleration cluster of a machine.
pub struct Cluster {
    machine: Arc<Machine>,
    number: usize,
    ddr: Arc<Memory>,
}

impl Cluster {
    /// Cluster `number` (from 0) of a machine.
    pub fn new(machine: &Arc<Machine>, number: usize) -> Self {
        Self {
            machine: Arc::clone(machine),
            number,
            ddr: Memory::new("DDR", machine.memory.ddr.size.value),
        }
    }

    /// The machine it is part of.
    pub fn machine(&self) -> &Arc<Machine> {
        &self.machine
    }

    /// Its arrays.
    pub fn arrays(&self) -> ArrayRange {
        ArrayRange::all(self.machine.clusters.arrays.value)
    }

    /// Its number, from 0.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Its part of the DDR: OpenCL's global memory.
    pub fn ddr(&self) -> &Arc<Memory> {
        &self.ddr
    }
}
