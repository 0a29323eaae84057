//! Operations of the simulated machine, and what an LLVM instruction costs in them.

use device_sim::machine::{PerMemory, SharedMemory};
use device_sim::timing::cost::{Active, PerUnit};

/// A functional unit that issues operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// SIEU
    ScalarInteger,
    /// SMAC1, SMAC2
    ScalarMultiply,
    /// SBR
    Branch,
    /// SLD
    ScalarMemory,
    /// VIEU
    VectorInteger,
    /// VMAC1 to VMAC3
    VectorMultiply,
    /// VLS0, VLS1
    VectorMemory,
    /// The array's port to the memories outside.
    Port,
}

impl Unit {
    /// Number of units.
    pub const COUNT: usize = 8;
}

/// The farthest memory that an operation waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MemoryLevel {
    /// None: operands and results are in registers.
    Registers,
    /// SM or AM.
    Scratchpad,
    /// A memory outside the array.
    Outside,
}

impl MemoryLevel {
    /// From the nearest to the farthest.
    pub const ALL: [Self; 3] = [Self::Registers, Self::Scratchpad, Self::Outside];
}

/// A machine operation.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    pub unit: Unit,
    /// Cycles for which it occupies the unit.
    pub busy: u32,
    /// Cycles until its result can be used.
    pub latency: u32,
    pub level: MemoryLevel,
}

impl Operation {
    /// An operation on registers.
    pub fn in_registers(unit: Unit, latency: u32) -> Self {
        Self {
            unit,
            busy: 1,
            latency,
            level: MemoryLevel::Registers,
        }
    }

    /// An access of SM or AM.
    pub fn in_scratchpad(unit: Unit, latency: u32) -> Self {
        Self {
            level: MemoryLevel::Scratchpad,
            ..Self::in_registers(unit, latency)
        }
    }

    /// An access of a memory outside the array that occupies its unit for `busy` cycles.
    pub fn outside(unit: Unit, busy: u32, latency: u32) -> Self {
        Self {
            unit,
            busy: busy.max(1),
            latency,
            level: MemoryLevel::Outside,
        }
    }
}

/// The fixed-point one of fractions of a byte or a cycle: these are in 1/65536.
pub const WHOLE: u64 = 1 << 16;

/// The part of an access of memory outside that depends on the active lanes.
#[derive(Clone, Copy, Debug)]
pub struct CountedAccess {
    /// Counts the active lanes, or groups.
    pub active: Active,
    /// Bytes moved to or from DDR for each of them.
    pub traffic: u32,
    /// Bytes of these that it does not use.
    pub unused: u32,
    /// Cycles for which each of them occupies the port.
    pub outside: u32,
}

/// What an LLVM instruction costs on the machine.
#[derive(Clone, Debug, Default)]
pub struct InstructionCost {
    /// Operations of which each uses the result of the one before.
    pub chain: Vec<Operation>,
    /// Number of independent instances of the chain, as for the components of a vector type.
    pub instances: u32,
    /// Floating-point operations: of each lane in single precision or below, of each lane in double
    /// precision, and of the control core.
    pub flops: [u32; 3],
    /// Bytes moved to or from SM and AM.
    pub scratchpad_bytes: u32,
    /// Bytes moved to or from memories outside the array, in 1/65536.
    pub traffic: PerMemory<u64>,
    /// What active lanes, or groups of lanes with an active one, add.
    pub counted: Option<CountedAccess>,
    /// Bytes moved to or from DDR by a vector access that is not counted, and not used by it.
    pub unused: u32,
    /// Cycles for which the array stalls on a memory outside, in 1/65536.
    pub stall: u64,
    /// Cycles of a barrier.
    pub barrier: u32,
}

impl InstructionCost {
    /// The cost of an instruction that only names a value.
    pub fn free() -> Self {
        Self::default()
    }

    /// Independent operations of one unit.
    pub fn new(unit: Unit, latency: u32, instances: u32) -> Self {
        Self::dependent(unit, latency, 1, instances)
    }

    /// Chains of `length` dependent operations of one unit.
    pub fn dependent(unit: Unit, latency: u32, length: u32, instances: u32) -> Self {
        Self {
            chain: vec![Operation::in_registers(unit, latency); length as usize],
            instances,
            ..Self::default()
        }
    }

    /// Whether no operation is issued.
    pub fn is_free(&self) -> bool {
        self.instances == 0 || self.chain.is_empty()
    }

    /// Adds bytes moved to or from a memory, in 1/65536.
    #[must_use]
    pub fn moving(mut self, memory: SharedMemory, bytes: u64) -> Self {
        self.traffic[memory as usize] += bytes;
        self
    }

    /// Appends the operations of another cost of as many instances to each chain, and adds what it moves and stalls.
    pub fn append(&mut self, other: Self) {
        self.chain.extend(other.chain);
        self.scratchpad_bytes += other.scratchpad_bytes;
        self.stall += other.stall;
        for (sum, more) in self.traffic.iter_mut().zip(other.traffic) {
            *sum += more;
        }
    }

    /// Whether it moves bytes to or from a memory outside the array.
    pub fn has_traffic(&self) -> bool {
        self.traffic != [0; 3]
    }

    /// Number of operations on vectors.
    pub fn vector_operations(&self) -> u32 {
        self.count(|unit| {
            matches!(
                unit,
                Unit::VectorInteger | Unit::VectorMultiply | Unit::VectorMemory
            )
        })
    }

    /// Cycles for which its operations occupy a kind of unit.
    pub fn busy(&self, unit: Unit) -> u32 {
        let of_unit = self.chain.iter().filter(|operation| operation.unit == unit);
        self.instances * of_unit.map(|operation| operation.busy).sum::<u32>()
    }

    /// Number of operations issued by the array, by kind of unit.
    pub fn issued(&self) -> PerUnit<u32> {
        let mut issued = PerUnit::default();
        for operation in &self.chain {
            if let Some(sum) = issued.get_mut(operation.unit as usize) {
                *sum += self.instances;
            }
        }
        issued
    }

    /// Number of the scalar unit's accesses of memories outside.
    pub fn cached(&self) -> u32 {
        let outside = self
            .chain
            .iter()
            .filter(|one| one.unit == Unit::ScalarMemory && one.level == MemoryLevel::Outside);
        self.instances * outside.count() as u32
    }

    fn count(&self, is_counted: impl Fn(Unit) -> bool) -> u32 {
        let units = self.chain.iter().map(|operation| operation.unit);
        self.instances * units.filter(|unit| is_counted(*unit)).count() as u32
    }
}
