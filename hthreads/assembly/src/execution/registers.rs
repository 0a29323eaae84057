//! The registers of an array.

use crate::control_register::ControlRegister;

/// 16 lanes of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Vector(pub [u64; 16]);

impl Vector {
    /// All lanes are zero.
    pub const ZERO: Self = Self([0; 16]);

    /// A word in all lanes.
    #[inline]
    pub fn of(word: u64) -> Self {
        Self([word; 16])
    }
}

/// The registers.
#[derive(Clone, Debug)]
pub struct Registers {
    /// R0 to R63.
    pub scalar: [u64; 64],
    /// VR0 to VR63.
    pub vector: [Vector; 64],
    /// AR0 to AR15, OR0 to OR15.
    pub address: [u64; 32],
    /// Control registers.
    pub control: [u64; ControlRegister::COUNT],
    /// Those that have a word for each lane.
    pub vector_control: [Vector; ControlRegister::COUNT],
    /// SVR0 to SVR15.
    pub exchange: [u64; 16],
    /// Operands of the last sum of the scalar unit, for saturation.
    pub sum: [u64; 2],
    /// Those of the vector unit.
    pub vector_sum: [Vector; 2],
}

impl Registers {
    /// Registers of zeros; all lanes are enabled.
    pub fn new() -> Box<Self> {
        let mut registers = Box::new(Self {
            scalar: [0; 64],
            vector: [Vector::ZERO; 64],
            address: [0; 32],
            control: [0; ControlRegister::COUNT],
            vector_control: [Vector::ZERO; ControlRegister::COUNT],
            exchange: [0; 16],
            sum: [0; 2],
            vector_sum: [Vector::ZERO; 2],
        });
        registers.set_lane_mask(0xffff);
        registers
    }

    /// VLR.
    #[inline]
    pub fn lane_mask(&self) -> u16 {
        self.control[ControlRegister::Vlr as usize] as u16
    }

    /// Sets VLR.
    pub fn set_lane_mask(&mut self, mask: u16) {
        self.control[ControlRegister::Vlr as usize] = mask.into();
    }
}
