//! Costs of calls: intrinsics of LLVM, what the project calls itself, and unknown functions.

use super::addressing::device_functions::DeviceFunction;
use super::addressing::objects::Addressing;
use super::arithmetic_costs::with_flops;
use super::code::Code;
use super::memory_costs;
use super::operation::{InstructionCost, Unit};
use super::register_layout::RegisterLayout;
use crate::intrinsics::{AGREED_ARRIVAL, AT_BARRIER, DMA_TRANSFER, DMA_WAIT, NEXT_ARRIVAL};
use crate::ir::Value;
use crate::work_items::timing_markers::marks_active_lanes;

/// Registers of the DMA engine that are written to start a transfer, and read or written to wait for
/// one.
const TRANSFER_REGISTERS: u32 = 8;
const WAIT_REGISTERS: u32 = 2;

/// Cycles of reading the clock, which is outside the array (measured on the machine).
const CLOCK: u32 = 21;

/// Cycles until a lane mask takes effect (latency of SMVCGC to VLR in the table of instructions).
const LANE_MASK: u32 = 5;

impl Code<'_> {
    /// The cost of a call.
    pub fn call(&self, call: Value, layout: RegisterLayout) -> InstructionCost {
        let params = &self.params;
        let Some(function) = call.called_function() else {
            return self.unknown_call(call, layout);
        };
        let name = function.name();
        if let Some(cost) = self.own_function(&name, call) {
            return cost;
        }
        if matches!(self.addressing(), Addressing::Objects(_)) {
            if !function.is_declaration() {
                // The function's own blocks are counted.
                return InstructionCost::new(Unit::Branch, params.branch, 1);
            }
            if let Some(function) = DeviceFunction::called(call) {
                return self.device_function(function, call, layout);
            }
        }
        let Some(intrinsic) = name.strip_prefix("llvm.") else {
            return self.unknown_call(call, layout);
        };
        let integers = |length| {
            let mut cost = self.integer(layout);
            let one = cost.chain[0];
            cost.chain = vec![one; length];
            cost
        };
        let base = intrinsic.split(".v").next().unwrap_or(intrinsic);
        let base = base.split('.').next().unwrap_or(base);
        match base {
            "fma" | "fmuladd" => self.multiply_add(layout, 2),
            "sqrt" => self.square_root(layout),
            "fabs" | "abs" | "smin" | "smax" | "umin" | "umax" | "ctlz" => integers(1),
            "copysign" | "cttz" | "ptrmask" => integers(2),
            "fshl" | "fshr" | "sadd" | "uadd" | "ssub" | "usub" | "scmp" | "ucmp" => integers(3),
            "bswap" => integers(4),
            "bitreverse" => integers(8),
            "ctpop" => integers(12),
            "smul" | "umul" => {
                let mut cost = self.multiply(layout, params.integer_multiply);
                cost.chain.extend_from_slice(&integers(2).chain);
                cost
            }
            "minnum" | "maxnum" | "minimum" | "maximum" | "minimumnum" | "maximumnum" => {
                self.float(layout)
            }
            "floor" | "ceil" | "trunc" | "rint" | "round" | "roundeven" | "nearbyint" => {
                let mut cost = self.convert(layout);
                let back = cost.chain[0];
                cost.chain.push(back);
                cost
            }
            "fptosi" | "fptoui" | "lrint" | "llrint" | "lround" | "llround" => self.convert(layout),
            "masked" => memory_costs::load_or_store(self, call),
            "memcpy" | "memset" | "memmove" => memory_costs::block(self, call),
            "vector" if intrinsic.starts_with("vector.reduce.") => self.reduction(call),
            "assume" | "lifetime" | "dbg" | "experimental" | "donothing" | "prefetch"
            | "invariant" | "expect" | "launder" | "strip" | "is" | "sideeffect" | "stacksave"
            | "stackrestore" | "var" | "arithmetic" | "canonicalize" | "freeze" => {
                InstructionCost::free()
            }
            _ => self.unknown_call(call, layout),
        }
    }

    /// The cost of a call of a function that the compiler itself inserts or knows.
    fn own_function(&self, name: &str, call: Value) -> Option<InstructionCost> {
        let params = &self.params;
        let registers =
            |count| InstructionCost::dependent(Unit::ScalarMemory, params.scalar_integer, count, 1);
        Some(match name {
            _ if marks_active_lanes(call) => InstructionCost::free(),
            // On the machine the barrier itself waits.
            AGREED_ARRIVAL | NEXT_ARRIVAL => InstructionCost::free(),
            AT_BARRIER => InstructionCost {
                barrier: params.barrier,
                ..InstructionCost::free()
            },
            DMA_TRANSFER => registers(TRANSFER_REGISTERS),
            DMA_WAIT => registers(WAIT_REGISTERS),
            _ => return None,
        })
    }

    /// A call of a function of hthreads.
    fn device_function(
        &self,
        function: DeviceFunction,
        call: Value,
        layout: RegisterLayout,
    ) -> InstructionCost {
        let params = &self.params;
        let registers =
            |count| InstructionCost::dependent(Unit::ScalarMemory, params.scalar_integer, count, 1);
        match function {
            DeviceFunction::Allocation(_) => self.unknown_call(call, layout),
            DeviceFunction::Query => {
                InstructionCost::new(Unit::ScalarMemory, params.scalar_load, 1)
            }
            DeviceFunction::Transfer => registers(TRANSFER_REGISTERS),
            DeviceFunction::Wait => registers(WAIT_REGISTERS),
            DeviceFunction::Lock => registers(1),
            DeviceFunction::Barrier => InstructionCost {
                barrier: params.barrier,
                ..InstructionCost::free()
            },
            DeviceFunction::Clock => InstructionCost::new(Unit::ScalarMemory, CLOCK, 1),
            DeviceFunction::LaneMask => InstructionCost::new(Unit::ScalarInteger, LANE_MASK, 1),
            DeviceFunction::Mark | DeviceFunction::Address(_) => InstructionCost::free(),
        }
    }

    /// A reduction over the lanes: halves are combined, through AM, until one lane is left.
    fn reduction(&self, call: Value) -> InstructionCost {
        let last = call.operands().len().saturating_sub(2) as u32;
        let mut layout = self.register_layout(call.operand(last));
        let combine = if layout.is_float {
            self.float(layout)
        } else {
            self.integer(layout)
        };
        if !layout.is_vector {
            return combine;
        }
        layout.registers = layout.registers.max(1);
        let through = memory_costs::through_am(self, layout);
        let steps = self.params.lanes.max(2).ilog2();
        let mut cost = InstructionCost {
            instances: layout.registers,
            scratchpad_bytes: steps * through.scratchpad_bytes,
            ..InstructionCost::default()
        };
        for _ in 0..steps {
            cost.chain.extend_from_slice(&through.chain);
            cost.chain.extend_from_slice(&combine.chain);
        }
        let out = InstructionCost::new(Unit::VectorInteger, self.params.to_scalar, 1);
        cost.chain.extend_from_slice(&out.chain);
        if layout.is_float {
            cost = with_flops(cost, layout, 1);
        }
        cost
    }

    /// A call of an unknown function: the number of dependent multiply-adds that the machine
    /// description names, for its widest argument or result.
    fn unknown_call(&self, call: Value, layout: RegisterLayout) -> InstructionCost {
        let arguments = call.operands();
        let mut layout = layout;
        for argument in &arguments {
            let other = self.register_layout(*argument);
            if !argument.is_function()
                && (other.is_vector, other.registers) > (layout.is_vector, layout.registers)
            {
                layout = other;
            }
        }
        let one = self.multiply_add(layout, 0).chain[0];
        InstructionCost {
            chain: vec![one; self.params.call as usize],
            instances: layout.registers.max(1),
            ..InstructionCost::default()
        }
    }
}
