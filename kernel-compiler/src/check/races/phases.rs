//! The phases of a work-item: the numbers of fences of local and of global memory that it has passed
//! at barriers. Accesses of a group in different phases are ordered.

use crate::intrinsics::{BARRIER, WAIT_GROUP_EVENTS};
use crate::ir::{Builder, Value};
use host_exec::races::access::LOCAL_PHASE_BITS;

/// `CLK_LOCAL_MEM_FENCE` and `CLK_GLOBAL_MEM_FENCE`.
const FENCES: [u64; 2] = [1, 2];

/// Whether a barrier has fences of local and of global memory; none if it is no barrier.
pub fn fences(instruction: Value) -> Option<[bool; 2]> {
    if instruction.calls(BARRIER) && instruction.operands().len() > 1 {
        let flags = instruction.operand(0).as_integer();
        return Some(FENCES.map(|fence| flags.is_none_or(|flags| flags & fence != 0)));
    }
    // Code after a wait sees what the transfers have written.
    let is_barrier = instruction.calls(BARRIER) || instruction.calls(WAIT_GROUP_EVENTS);
    is_barrier.then_some([true; 2])
}

/// The counters of a kernel: variables of each work-item, which become registers.
pub struct Phases {
    local: Value,
    global: Value,
}

impl Phases {
    /// Counts the fences of a kernel.
    pub fn insert(b: &Builder, kernel: Value) -> Self {
        let instructions = kernel.instructions();
        let first = kernel.entry_block().first_after_phis();
        b.before(first);
        b.of_no_line();
        let counter = |name| {
            let counter = b.alloca(b.i32(), name);
            counter.set_alignment(4);
            b.store(b.i32().constant(0), counter, 4);
            counter
        };
        let phases = Self {
            local: counter("local_phase"),
            global: counter("global_phase"),
        };
        for instruction in instructions {
            let (Some(fences), Some(next)) = (fences(instruction), instruction.next_instruction())
            else {
                continue;
            };
            b.before(next);
            b.of_the_line_of(instruction);
            for (counter, has_fence) in [phases.local, phases.global].into_iter().zip(fences) {
                if has_fence {
                    let next = b.add(b.load(b.i32(), counter, 4), b.i32().constant(1));
                    b.store(next, counter, 4);
                }
            }
        }
        phases
    }

    /// The phase of local or global memory at the builder's position, 64 bits.
    pub fn load(&self, b: &Builder, is_local: bool) -> Value {
        let counter = if is_local { self.local } else { self.global };
        b.zero_extend(b.load(b.i32(), counter, 4), b.i64())
    }

    /// Both, as the platform gets them.
    pub fn both(&self, b: &Builder) -> Value {
        let scale = b.i64().constant(1 << LOCAL_PHASE_BITS);
        b.add(b.multiply(self.load(b, false), scale), self.load(b, true))
    }
}
