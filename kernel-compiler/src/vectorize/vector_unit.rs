//! The vector unit that code is made for.

use crate::target::{FAST_GATHER, HOST_CPU};
use device_sim::machine::Machine;

/// What a processor's vector unit can do.
#[derive(Clone, Copy, Debug)]
pub struct VectorUnit {
    /// Bits of a vector register.
    pub register_bits: u32,
    /// Vector registers of the architecture.
    pub registers: u32,
    /// Masks have registers of their own, one bit a lane.
    pub mask_registers: bool,
    /// It converts between halves and floats.
    pub halves: bool,
    /// A gather instruction is faster than a load for each lane.
    pub gather_instruction: bool,
    /// It has gather instructions that are faster than a load for each lane only under a mask, by numbers of 32 bits.
    pub masked_table_gathers: bool,
    /// It learns which loads meet earlier stores, for any number of lanes. Taken of the processors to which LLVM ascribes
    /// fast gathers: Intel's since Skylake.
    pub learns_all_conflicts: bool,
    /// It is the simulated machine's: an access of all lanes is one operation, and code marks the
    /// lanes that are active.
    pub timed: bool,
}

impl VectorUnit {
    /// The host's, which runs the code.
    pub fn host() -> Self {
        let avx512 = HOST_CPU.has("+avx512f");
        let register_bits = match () {
            () if avx512 => 512,
            () if HOST_CPU.has("+avx2") => 256,
            () => 128,
        };
        Self {
            register_bits,
            registers: if avx512 { 32 } else { 16 },
            mask_registers: avx512,
            halves: HOST_CPU.has("+f16c"),
            gather_instruction: avx512 || HOST_CPU.has(FAST_GATHER),
            masked_table_gathers: HOST_CPU.has("+avx2"),
            learns_all_conflicts: HOST_CPU.has(FAST_GATHER),
            timed: false,
        }
    }

    /// That of an array of the simulated machine.
    pub fn machine(machine: &Machine) -> Self {
        Self {
            register_bits: machine.array.vector_register.value as u32,
            registers: machine.array.registers.vector.value as u32,
            mask_registers: true,
            // The host runs this code too, and LLVM takes very long to emulate halves.
            halves: HOST_CPU.has("+f16c"),
            gather_instruction: true,
            masked_table_gathers: false,
            learns_all_conflicts: true,
            timed: true,
        }
    }

    /// Whether an address for each lane, of a value with components of `bytes` bytes each, is loaded by
    /// gather instructions. A processor's have elements of 4 and 8 bytes.
    pub fn gathers(&self, components: usize, bytes: u64) -> bool {
        self.timed || self.gather_instruction && components == 1 && matches!(bytes, 4 | 8)
    }
}
