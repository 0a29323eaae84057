//! Masks: vectors of one bit a lane.

use super::builder::VectorBuilder;
use crate::ir::{Opcode, Type, Value};
use llvm_sys::LLVMIntPredicate::*;

impl VectorBuilder<'_> {
    /// The type of masks.
    pub fn mask_type(&self) -> Type {
        Type::integer(self.ir().context, 1).vector(self.lanes())
    }

    /// The type of masks in stack variables.
    pub fn mask_slot_type(&self) -> Type {
        if self.plan().vectors().mask_registers {
            self.mask_type()
        } else {
            // Comparisons leave them in vector registers in this form.
            self.ir().i32().vector(self.lanes())
        }
    }

    /// The mask in a stack variable.
    pub fn read_mask(&self, slot: Value) -> Value {
        let ty = self.mask_slot_type();
        let mask = self.ir().load(ty, slot, slot.alignment());
        if self.plan().vectors().mask_registers {
            mask
        } else {
            self.ir().compare(LLVMIntSLT, mask, ty.zero())
        }
    }

    /// Writes a mask to a stack variable.
    pub fn write_mask(&self, mask: Value, slot: Value) {
        let kept = if self.plan().vectors().mask_registers {
            mask
        } else {
            self.ir().sign_extend(mask, self.mask_slot_type())
        };
        self.ir().store(kept, slot, slot.alignment());
    }

    /// The mask of all lanes.
    pub fn all_lanes(&self) -> Value {
        Type::integer(self.ir().context, 1)
            .constant(1)
            .in_all_elements(self.lanes())
    }

    /// The lanes that are not in a mask.
    pub fn not(&self, mask: Value) -> Value {
        self.ir().binary(Opcode::LLVMXor, mask, self.all_lanes())
    }

    /// The lanes of `mask` (all, for none) for which a condition holds. The condition may be
    /// poison for other lanes.
    pub fn both(&self, mask: Option<Value>, condition: Value) -> Value {
        match mask {
            None => condition,
            Some(mask) => self.ir().select(mask, condition, self.mask_type().zero()),
        }
    }

    /// A mask as an integer of one bit a lane.
    pub fn bits(&self, mask: Value) -> Value {
        let bits = Type::integer(self.ir().context, self.lanes());
        self.ir().bit_cast(mask, bits)
    }

    /// Whether any lane is in a mask.
    pub fn any(&self, mask: Value) -> Value {
        let bits = self.bits(mask);
        self.ir().compare(LLVMIntNE, bits, bits.ty().constant(0))
    }

    /// Whether all lanes are in a mask.
    pub fn every(&self, mask: Value) -> Value {
        let bits = self.bits(mask);
        let all = bits.ty().constant((1 << self.lanes()) - 1);
        self.ir().compare(LLVMIntEQ, bits, all)
    }

    /// Number of the last active lane.
    pub fn last_active_lane(&self) -> Value {
        let last = u64::from(self.lanes()) - 1;
        match self.mask() {
            None => self.ir().i64().constant(last),
            Some(mask) => {
                let bits = self.bits(mask);
                let zeros = self.ir().count_leading_zeros(bits);
                let last = bits.ty().constant(last);
                let number = self.ir().binary(Opcode::LLVMSub, last, zeros);
                self.ir().resize(number, self.ir().i64())
            }
        }
    }

    /// A mask with each lane's bit `step` times.
    pub fn repeat_bits(&self, mask: Value, step: usize) -> Value {
        if step == 1 {
            return mask;
        }
        let order: Vec<u32> = (0..self.lanes())
            .flat_map(|lane| std::iter::repeat_n(lane, step))
            .collect();
        self.ir().shuffle(mask, mask.ty().poison(), &order)
    }
}
