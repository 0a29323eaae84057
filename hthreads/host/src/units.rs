//! Which barrier units and read-write locks of a cluster are in use.

use crate::slots::Slots;

/// A kind of unit.
#[derive(Clone, Copy)]
pub enum Unit {
    /// A barrier unit.
    Barrier,
    /// A read-write lock.
    Lock,
}

impl Unit {
    /// Units of a cluster (from the machine's headers). Ids of cluster n begin at n times that.
    fn per_cluster(self) -> i32 {
        match self {
            Self::Barrier => 16,
            Self::Lock => 64,
        }
    }

    /// The cluster of an id.
    pub fn cluster(self, id: i32) -> i32 {
        id.div_euclid(self.per_cluster())
    }
}

/// The units of a cluster.
pub struct Units {
    barriers: Slots<()>,
    locks: Slots<()>,
}

impl Units {
    /// Free units.
    pub fn new() -> Self {
        let slots = |unit: Unit| Slots::new(unit.per_cluster() as usize);
        Self {
            barriers: slots(Unit::Barrier),
            locks: slots(Unit::Lock),
        }
    }

    fn of(&mut self, unit: Unit) -> &mut Slots<()> {
        match unit {
            Unit::Barrier => &mut self.barriers,
            Unit::Lock => &mut self.locks,
        }
    }

    /// Number of units in use.
    pub fn taken(&self, unit: Unit) -> usize {
        let units = match unit {
            Unit::Barrier => &self.barriers,
            Unit::Lock => &self.locks,
        };
        units.iter().count()
    }

    /// Takes a unit of this cluster; its id.
    pub fn take(&mut self, unit: Unit, cluster: i32) -> Option<i32> {
        let number = self.of(unit).put(|_| Some(()))?;
        Some(cluster * unit.per_cluster() + number as i32)
    }

    /// Gives a unit of this cluster back; without effect if it was not taken.
    pub fn give_back(&mut self, unit: Unit, id: i32) {
        let number = id.rem_euclid(unit.per_cluster());
        self.of(unit).take(number as u32);
    }
}
