//! What code accesses and calls.

use super::registers::Registers;

/// The part of an array that an access is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The scalar units.
    Scalar,
    /// The vector units.
    Vector,
}

/// Why code cannot continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Two instructions write a vector register in one cycle.
    VectorConflict,
    /// Two instructions write a scalar register in one cycle.
    ScalarConflict,
    /// Two instructions write an address register in one cycle.
    AddressConflict,
    /// An address is no multiple of what the access demands.
    Misaligned(Side, u64),
    /// No memory of that side has the address.
    OutOfRange(Side, u64),
    /// A branch leads to no code.
    NoCode(u64),
    /// A branch is taken while another one is not completed.
    BranchInDelaySlot,
    /// An instruction that has no meaning there.
    Invalid,
}

/// What an instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Its packet.
    pub at: (usize, u32),
    /// Its place in its packet of the source.
    pub instruction: u8,
    /// The side that makes it.
    pub side: Side,
    /// The address register that it is relative to.
    pub base: u8,
    /// The first byte.
    pub address: u64,
    /// The number of bytes.
    pub bytes: u64,
    /// Whether it writes.
    pub writes: bool,
}

/// What code accesses and calls. Numbers of packets are those of a program, which is given by its own.
pub trait Environment {
    /// Whether `may_access` is called for accesses.
    fn is_checked(&self) -> bool {
        false
    }

    /// Whether an instruction may access bytes. If it may not, a load gives zero, and a store is left out.
    fn may_access(&mut self, access: &Access, registers: &Registers) -> bool {
        let _ = (access, registers);
        true
    }

    /// Loads up to 8 bytes of little-endian order.
    ///
    /// # Errors
    /// The address is not one of the scalar unit.
    fn load(&mut self, at: (usize, u32), address: u64, bytes: u64) -> Result<u64, Fault>;

    /// Stores up to 8 bytes.
    ///
    /// # Errors
    /// The address is not one of the scalar unit.
    fn store(
        &mut self,
        at: (usize, u32),
        address: u64,
        bytes: u64,
        value: u64,
    ) -> Result<(), Fault>;

    /// Loads words of the vector unit.
    ///
    /// # Errors
    /// The addresses are not of AM.
    fn load_vector(&mut self, address: u64, words: &mut [u64]) -> Result<(), Fault>;

    /// Stores words of the vector unit.
    ///
    /// # Errors
    /// The addresses are not of AM.
    fn store_vector(&mut self, address: u64, words: &[u64]) -> Result<(), Fault>;

    /// Stores 32 bits of a word of the vector unit.
    ///
    /// # Errors
    /// The address is not one of AM.
    fn store_half(&mut self, address: u64, half: u32) -> Result<(), Fault>;

    /// A packet is issued.
    fn issue(&mut self, at: (usize, u32));

    /// A packet takes cycles more.
    fn idle(&mut self, at: (usize, u32), cycles: u32);

    /// A packet takes a branch.
    fn branch(&mut self, at: (usize, u32));

    /// Code of this interpreter at an address of a function: the program and the packet.
    fn function(&self, address: u64) -> Option<(usize, u32)>;

    /// Calls what is at an address and is no such code.
    ///
    /// # Errors
    /// There is no code.
    fn call(&mut self, address: u64, registers: &mut Registers) -> Result<(), Fault>;

    /// The thread meets others at a barrier unit.
    ///
    /// # Errors
    /// There is no such unit.
    fn barrier(&mut self, unit: u64) -> Result<(), Fault>;

    /// The thread waits for an interrupt.
    ///
    /// # Errors
    /// `Fault::Invalid` if that is not supported.
    fn wait(&mut self) -> Result<(), Fault>;

    /// The thread raises an interrupt of its own.
    ///
    /// # Errors
    /// `Fault::Invalid` if that is not supported.
    fn interrupt(&mut self, number: u64) -> Result<(), Fault>;
}
