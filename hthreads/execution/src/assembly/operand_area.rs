//! The operands of a statement in assembly, which compiled code passes (`OperandRegister`).

use device_assembly::execution::{Registers, Vector};
use kernel_compiler::device_c::assembly::OperandRegister;

/// The area with the values of a statement's operands.
pub struct OperandArea {
    registers: usize,
    /// The word of the first register.
    first: *mut u64,
}

impl OperandArea {
    /// The area at a place.
    ///
    /// # Safety
    /// Compiled code has written the number of registers there, and behind it the word and the value of each. Nothing
    /// else accesses the area while this lives.
    pub unsafe fn new(area: *mut u64) -> Self {
        Self {
            // SAFETY: as the caller promises.
            registers: unsafe { area.read() } as usize,
            first: area.wrapping_add(1),
        }
    }

    /// Sets the registers to the values.
    pub fn copy_to(self, registers: &mut Registers) {
        self.for_each(|register, value| match register {
            OperandRegister::Scalar(number) => registers.scalar[usize::from(number)] = value[0],
            OperandRegister::Address(number) => registers.address[usize::from(number)] = value[0],
            OperandRegister::Vector(number) => {
                registers.vector[usize::from(number)] = Vector(std::array::from_fn(|n| value[n]));
            }
        });
    }

    /// Sets the values to those of the registers; addresses stay.
    pub fn copy_from(self, registers: &Registers) {
        self.for_each(|register, value| match register {
            OperandRegister::Scalar(number) => value[0] = registers.scalar[usize::from(number)],
            OperandRegister::Address(_) => {}
            OperandRegister::Vector(number) => {
                value.copy_from_slice(&registers.vector[usize::from(number)].0);
            }
        });
    }

    fn for_each(self, mut act: impl FnMut(OperandRegister, &mut [u64])) {
        let mut at = self.first;
        for _ in 0..self.registers {
            // SAFETY: the area has the word of a register here.
            let Some(register) = OperandRegister::of_word(unsafe { at.read() }) else {
                return;
            };
            let words = register.words();
            // SAFETY: its value is behind the word.
            let value = unsafe { std::slice::from_raw_parts_mut(at.add(1), words) };
            act(register, value);
            at = at.wrapping_add(1 + words);
        }
    }
}
