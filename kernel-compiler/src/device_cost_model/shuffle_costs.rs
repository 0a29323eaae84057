//! Costs of instructions that move elements between lanes, and between lanes and scalars.

use super::code::Code;
use super::memory_costs;
use super::operation::{InstructionCost, Unit};
use super::register_layout::RegisterLayout;
use crate::ir::{Opcode, Value};

impl Code<'_> {
    /// The extraction of an element.
    pub fn extraction(&self, extraction: Value, layout: RegisterLayout) -> InstructionCost {
        if !self.register_layout(extraction.operand(0)).is_vector {
            return InstructionCost::free();
        }
        let unit = Unit::VectorInteger;
        InstructionCost::new(unit, self.params.to_scalar, layout.registers)
    }

    /// The insertion of an element. That of a broadcast is free: the shuffle after it is counted.
    pub fn insertion(&self, insertion: Value) -> InstructionCost {
        let into = insertion.operand(0);
        if !self.register_layout(insertion).is_vector
            || (into.is_constant() && self.is_broadcast(insertion))
        {
            return InstructionCost::free();
        }
        InstructionCost::new(Unit::ScalarInteger, self.params.broadcast, 1)
    }

    /// Whether an inserted element is only broadcast.
    fn is_broadcast(&self, insertion: Value) -> bool {
        insertion.users().iter().all(|user| user.is_splat())
    }

    /// A permutation of elements.
    pub fn shuffle(&self, shuffle: Value) -> InstructionCost {
        let params = &self.params;
        let layout = self.register_layout(shuffle);
        if !layout.is_vector {
            return InstructionCost::free();
        }
        let mask = shuffle.shuffle_mask();
        let named: Vec<usize> = mask.iter().filter_map(|at| *at).collect();
        let first = named.first().copied().unwrap_or(0);
        if named.iter().all(|at| *at == first) && mask.len() as u32 >= params.lanes {
            let from = shuffle.operand(0);
            // Loads of AM can broadcast.
            if self.is_broadcast_load(shuffle) {
                return InstructionCost::free();
            }
            let crosses =
                self.register_layout(from).is_vector && !from.is(Opcode::LLVMInsertElement);
            let mut cost = InstructionCost::new(Unit::ScalarMultiply, params.broadcast, 1);
            if crosses {
                let out = InstructionCost::new(Unit::VectorInteger, params.to_scalar, 1).chain[0];
                cost.chain.insert(0, out);
            }
            return cost;
        }
        if self.selects_components(shuffle, &mask) {
            return InstructionCost::free();
        }
        if is_blend(shuffle, &mask) {
            return self.integer(layout);
        }
        memory_costs::through_am(self, layout)
    }

    /// Whether the element of a splat is loaded from local memory.
    fn is_broadcast_load(&self, splat: Value) -> bool {
        let inserted = splat.operand(0);
        if !inserted.is(Opcode::LLVMInsertElement) {
            return false;
        }
        let element = inserted.operand(1);
        element.is(Opcode::LLVMLoad) && self.broadcasts(element)
    }

    /// Whether a shuffle only selects or interleaves components of OpenCL vectors. These are
    /// interleaved lane by lane in memory, and in separate registers, so that no data moves.
    fn selects_components(&self, shuffle: Value, mask: &[Option<usize>]) -> bool {
        let lanes = self.params.lanes as usize;
        let (_, width) = shuffle.operand(0).ty().vector_elements();
        let width = width as usize;
        if !mask.len().is_multiple_of(lanes) || !width.is_multiple_of(lanes) {
            return false;
        }
        let agrees = |place: &dyn Fn(usize) -> usize| {
            let mut places = mask.iter().enumerate();
            places.all(|(to, from)| from.is_none_or(|from| from == place(to)))
        };
        let named = mask
            .iter()
            .enumerate()
            .find_map(|(to, from)| Some((to, (*from)?)));
        let Some((to, from)) = named else {
            return true;
        };
        // A permutation of whole registers.
        let mut registers = mask.chunks(lanes);
        let whole = |chunk: &[Option<usize>]| {
            let start = chunk
                .iter()
                .enumerate()
                .find_map(|(to, from)| from.map(|from| from.wrapping_sub(to)));
            start.is_none_or(|start| {
                start.is_multiple_of(lanes)
                    && chunk
                        .iter()
                        .enumerate()
                        .all(|(to, from)| from.is_none_or(|from| from == start.wrapping_add(to)))
            })
        };
        if registers.all(whole) {
            return true;
        }
        // Component c of k, taken apart.
        let both = 2 * width;
        for parts in [2, 3, 4, 8, 16] {
            if mask.len() == lanes && width == parts * lanes && from >= to * parts {
                let component = from - to * parts;
                if component < parts && agrees(&|to| component + to * parts) {
                    return true;
                }
            }
            // `parts` components, interleaved.
            let together = mask.len() == parts * lanes && both >= parts * lanes;
            if together && agrees(&|to| (to % parts) * lanes + to / parts) {
                return true;
            }
        }
        false
    }
}

/// Whether each element comes from the same place of one of the operands, as those of a selection by
/// a constant mask: no data crosses lanes.
fn is_blend(shuffle: Value, mask: &[Option<usize>]) -> bool {
    let (_, width) = shuffle.operand(0).ty().vector_elements();
    let width = width as usize;
    let stays = |(to, from): (usize, &Option<usize>)| from.is_none_or(|from| from % width == to);
    mask.len() == width && mask.iter().enumerate().all(stays)
}
