//! Costs of integer and floating-point arithmetic.

use super::code::Code;
use super::operation::{InstructionCost, Unit};
use super::register_layout::RegisterLayout;
use crate::ir::{Opcode, Value};

impl Code<'_> {
    /// An integer operation.
    pub fn integer(&self, layout: RegisterLayout) -> InstructionCost {
        let params = &self.params;
        if layout.is_vector {
            InstructionCost::new(Unit::VectorInteger, params.vector_integer, layout.registers)
        } else {
            InstructionCost::new(Unit::ScalarInteger, params.scalar_integer, layout.registers)
        }
    }

    /// An operation of the multiply-add units.
    pub fn multiply(&self, layout: RegisterLayout, latency: u32) -> InstructionCost {
        let params = &self.params;
        let unit = if layout.is_vector {
            Unit::VectorMultiply
        } else {
            Unit::ScalarMultiply
        };
        let width = params.operand_width;
        // A lane of 64 bits holds two floats.
        let packed = layout.is_vector && layout.is_float && 2 * layout.bits.max(32) <= width;
        let instances = if packed {
            layout.registers.div_ceil(2)
        } else if layout.is_vector {
            // Each part of an operand wider than the lane is multiplied by each part of the other.
            layout.registers * layout.bits.min(64).div_ceil(width).max(1)
        } else {
            layout.registers
        };
        InstructionCost::new(unit, latency, instances)
    }

    /// A floating-point addition, or what takes as long.
    pub fn float(&self, layout: RegisterLayout) -> InstructionCost {
        let params = &self.params;
        let latency = if layout.is_vector {
            params.vector_float
        } else {
            params.scalar_float
        };
        let cost = self.multiply(layout, latency);
        with_flops(cost, layout, 1)
    }

    /// A multiplication or a multiply-add, counted as `flops` floating-point operations.
    pub fn multiply_add(&self, layout: RegisterLayout, flops: u32) -> InstructionCost {
        let params = &self.params;
        let latency = if layout.is_vector {
            params.vector_multiply_add
        } else {
            params.scalar_multiply_add
        };
        with_flops(self.multiply(layout, latency), layout, flops)
    }

    /// A conversion between or to floating-point types.
    pub fn convert(&self, layout: RegisterLayout) -> InstructionCost {
        self.multiply(layout, self.params.vector_convert)
    }

    /// Newton-Raphson iterations from the hardware's estimate to full precision.
    fn newton_steps(&self, layout: RegisterLayout) -> u32 {
        match layout.bits {
            16 => self.params.newton_steps[0],
            64 => self.params.newton_steps[2],
            _ => self.params.newton_steps[1],
        }
    }

    /// A division: an estimate of the reciprocal, Newton-Raphson iterations of two multiply-adds each,
    /// and three multiply-adds for the quotient and its correction by the remainder.
    pub fn division(&self, layout: RegisterLayout) -> InstructionCost {
        let mut cost = self.multiply(layout, self.params.seed);
        let step = self.multiply_add(layout, 0).chain[0];
        let length = 2 * self.newton_steps(layout) + 3;
        cost.chain.extend(vec![step; length as usize]);
        with_flops(cost, layout, 1)
    }

    /// A square root: an estimate of the reciprocal root, Newton-Raphson iterations of three
    /// multiply-adds each, and three multiply-adds for the root and its correction.
    pub fn square_root(&self, layout: RegisterLayout) -> InstructionCost {
        let mut cost = self.multiply(layout, self.params.seed);
        let step = self.multiply_add(layout, 0).chain[0];
        let length = 3 * self.newton_steps(layout) + 3;
        cost.chain.extend(vec![step; length as usize]);
        with_flops(cost, layout, 1)
    }

    /// An integer division or remainder, which the units do in software.
    pub fn integer_division(&self, layout: RegisterLayout) -> InstructionCost {
        let params = &self.params;
        let (unit, latency) = if layout.is_vector {
            (Unit::VectorInteger, params.vector_integer)
        } else {
            (Unit::ScalarInteger, params.scalar_integer)
        };
        InstructionCost::dependent(unit, latency, params.integer_division, layout.registers)
    }

    /// A floating-point remainder: a division and its correction.
    pub fn remainder(&self, layout: RegisterLayout) -> InstructionCost {
        let mut cost = self.division(layout);
        let correction = self.multiply_add(layout, 2);
        cost.chain.extend_from_slice(&correction.chain);
        cost
    }

    /// The operand of an addition that is a product without other uses: the two are contracted into
    /// one multiply-add.
    pub fn contracted_operand(&self, addition: Value) -> Option<u32> {
        let adds = addition.is(Opcode::LLVMFAdd) || addition.is(Opcode::LLVMFSub);
        if !adds || !addition.may_contract() {
            return None;
        }
        (0..2).find(|&place| {
            let product = addition.operand(place);
            product.is(Opcode::LLVMFMul)
                && product.may_contract()
                && product.block() == addition.block()
                && product.users().len() == 1
        })
    }
}

/// Counts `each` floating-point operations per register.
pub fn with_flops(mut cost: InstructionCost, layout: RegisterLayout, each: u32) -> InstructionCost {
    let place = match (layout.is_vector, layout.bits) {
        (true, 64) => 1,
        (true, _) => 0,
        (false, _) => 2,
    };
    cost.flops[place] += each * layout.registers;
    cost
}
