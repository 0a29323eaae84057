//! Layout of private arrays: interleaves the lanes' arrays element by element where that is
//! possible, so that an access at a uniform index is one vector access.

use super::instruction_queries::{accessed_type, components, pointer_of};
use super::memory_intrinsics;
use super::work_item_loop::WorkItemLoop;
use crate::analysis::effects::is_lifetime_marker;
use crate::analysis::gep::{self, Term};
use crate::ir::{Builder, DataLayout, Opcode, Type, Value};
use std::collections::HashSet;

/// How the lanes' copies of a private array lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayLayout {
    /// Bytes from one lane's first element to the next lane's.
    pub lane_stride: u64,
    /// Bytes of all lanes' arrays.
    pub bytes: u64,
}

/// The layouts that `interleave` gives the arrays of a loop, in the loop's order.
pub fn layouts(work_items: &WorkItemLoop, lanes: u32, layout: DataLayout) -> Vec<ArrayLayout> {
    let arrays = work_items.private_arrays.iter();
    arrays
        .map(|&array| match ArrayUses::collect(array, layout) {
            None => contiguous(array, lanes, layout),
            Some(uses) => uses.interleaved(array, lanes, layout),
        })
        .collect()
}

/// Each lane's array is contiguous, and as aligned as the array.
fn contiguous(array: Value, lanes: u32, layout: DataLayout) -> ArrayLayout {
    let size = layout.size(array.allocated_type());
    let step = size.next_multiple_of(u64::from(array.alignment()));
    ArrayLayout {
        lane_stride: step,
        bytes: step * u64::from(lanes),
    }
}

/// Interleaves the arrays of a loop that are accessed in elements of one size: multiplies the
/// offsets in their addresses by the number of lanes. Returns the layout of each array, in the
/// loop's order.
pub fn interleave(work_items: &WorkItemLoop, lanes: u32, layout: DataLayout) -> Vec<ArrayLayout> {
    let builder = Builder::new(work_items.induction.ty().context());
    let arrays = work_items.private_arrays.iter();
    arrays
        .map(|&array| {
            let Some(mut uses) = ArrayUses::collect(array, layout) else {
                return contiguous(array, lanes, layout);
            };
            uses.expand_memory_intrinsics(&builder);
            uses.interleave(&builder, lanes, layout);
            uses.interleaved(array, lanes, layout)
        })
        .collect()
}

/// Interleaves an array of which each of `count` neighbouring work-items has its own: multiplies the offsets in its
/// addresses by their number. Returns the bytes of an element, which are those from one work-item's first element to the
/// next one's. None, and nothing changes, if it is not accessed in elements of one size.
pub fn interleave_work_items(array: Value, count: u32, layout: DataLayout) -> Option<u64> {
    let mut uses = ArrayUses::collect(array, layout)?;
    let builder = Builder::new(array.ty().context());
    uses.expand_memory_intrinsics(&builder);
    uses.interleave(&builder, count, layout);
    Some(uses.element)
}

/// All uses of an array.
struct ArrayUses {
    /// Bytes of an element.
    element: u64,
    /// `getelementptr` instructions.
    addresses: Vec<Value>,
    /// Loads and stores.
    accesses: Vec<Value>,
    /// Calls of `memset` and `memcpy`.
    copies: Vec<Value>,
    /// All pointers into the array.
    pointers: HashSet<Value>,
}

impl ArrayUses {
    /// None if an array's elements cannot be interleaved.
    fn collect(array: Value, layout: DataLayout) -> Option<Self> {
        let mut found = Self {
            element: 0,
            addresses: Vec::new(),
            accesses: Vec::new(),
            copies: Vec::new(),
            pointers: HashSet::from([array]),
        };
        let mut pending = vec![array];
        let mut chosen = Vec::new();
        while let Some(pointer) = pending.pop() {
            for user in pointer.users() {
                if !user.is_instruction() {
                    return None;
                }
                match user.opcode() {
                    Opcode::LLVMLoad => found.access(user, user.ty(), layout)?,
                    Opcode::LLVMStore if user.operand(0) != pointer => {
                        found.access(user, user.operand(0).ty(), layout)?;
                    }
                    Opcode::LLVMGetElementPtr if user.operand(0) == pointer => {
                        if found.pointers.insert(user) {
                            found.addresses.push(user);
                            pending.push(user);
                        }
                    }
                    Opcode::LLVMPHI | Opcode::LLVMSelect => {
                        if found.pointers.insert(user) {
                            chosen.push(user);
                            pending.push(user);
                        }
                    }
                    Opcode::LLVMCall if is_lifetime_marker(user) => {}
                    Opcode::LLVMCall if memory_intrinsics::is_fill_or_copy(user) => {
                        if !found.copies.contains(&user) {
                            found.copies.push(user);
                        }
                    }
                    _ => return None,
                }
            }
        }
        // φs and selects must not choose between this array and others.
        let is_into_array =
            |value: &Value| !value.ty().is_pointer() || found.pointers.contains(value);
        let are_choices_ours = chosen
            .iter()
            .all(|choice| choice.operands().iter().all(is_into_array));
        let whole = |address: &Value| found.counts_in_elements(*address, layout);
        let can_expand = |copy: &Value| {
            memory_intrinsics::can_expand(*copy, found.element, found.element_type())
        };
        let fits = found.element > 0
            && are_choices_ours
            && found.addresses.iter().all(whole)
            && found.copies.iter().all(can_expand);
        fits.then_some(found)
    }

    /// The layout of the array if it is interleaved.
    fn interleaved(&self, array: Value, lanes: u32, layout: DataLayout) -> ArrayLayout {
        let size = layout.size(array.allocated_type());
        ArrayLayout {
            lane_stride: self.element,
            bytes: size.next_multiple_of(self.element) * u64::from(lanes),
        }
    }

    fn access(&mut self, access: Value, ty: Type, layout: DataLayout) -> Option<()> {
        let size = layout.size(ty);
        let is_plain = components(ty).is_some()
            && !access.is_volatile()
            && !access.is_atomic()
            && layout.stored(ty) == size;
        if !is_plain || (self.element != 0 && self.element != size) {
            return None;
        }
        self.element = size;
        self.accesses.push(access);
        Some(())
    }

    /// The type of an element in its first access.
    fn element_type(&self) -> Type {
        accessed_type(self.accesses[0])
    }

    /// Replaces `memset` and `memcpy` by an access of each element.
    fn expand_memory_intrinsics(&mut self, builder: &Builder) {
        for copy in std::mem::take(&mut self.copies) {
            let made = memory_intrinsics::expand(builder, copy, self.element, self.element_type());
            for access in made {
                let pointer = pointer_of(access);
                let is_new = pointer.is(Opcode::LLVMGetElementPtr) && {
                    let from = pointer.operand(0);
                    self.pointers.contains(&from) && self.pointers.insert(pointer)
                };
                if is_new {
                    self.addresses.push(pointer);
                }
                if self.pointers.contains(&pointer) {
                    self.accesses.push(access);
                }
            }
        }
    }

    /// Whether an address lies a whole number of elements from its base.
    fn counts_in_elements(&self, address: Value, layout: DataLayout) -> bool {
        let is_number = |index: Value| index.ty().is_integer() && index.ty().integer_bits() <= 64;
        let is_whole = |term: &Term| match *term {
            Term::Field { offset } => offset.is_multiple_of(self.element),
            Term::Element { index, scale } => {
                is_number(index)
                    && (scale.is_multiple_of(self.element)
                        || (scale * known_factor(index)).is_multiple_of(self.element))
            }
            Term::VectorElement { .. } => false,
        };
        gep::terms(address, layout).is_some_and(|terms| terms.iter().all(is_whole))
    }

    fn interleave(&self, builder: &Builder, lanes: u32, layout: DataLayout) {
        let all_lanes = builder.i8().array(u64::from(lanes));
        for &address in &self.addresses {
            builder.before(address);
            let i64 = builder.i64();
            let mut offset = i64.constant(0);
            for term in gep::terms(address, layout).expect("checked before") {
                let bytes = match term {
                    Term::Field { offset } => i64.constant(offset),
                    Term::Element { index, scale } | Term::VectorElement { index, scale } => {
                        let index = if index.ty().integer_bits() < 64 {
                            builder.sign_extend(index, i64)
                        } else {
                            index
                        };
                        builder.multiply(index, i64.constant(scale))
                    }
                };
                offset = builder.add(offset, bytes);
            }
            let moved = builder.element(all_lanes, address.operand(0), offset);
            address.replace_all_uses_with(moved);
            address.erase();
        }
        let alignment = 1 << self.element.trailing_zeros();
        for &access in &self.accesses {
            access.set_alignment(access.alignment().min(alignment));
        }
    }
}

/// A power of two that an index is a multiple of.
fn known_factor(index: Value) -> u64 {
    if let Some(constant) = index.as_integer() {
        // Trailing zeros are those of a narrow negative number too; zero has as many as it has bits.
        return 1 << constant.trailing_zeros().min(16);
    }
    if !index.is_instruction() {
        return 1;
    }
    match index.opcode() {
        Opcode::LLVMShl => match index.operand(1).as_integer() {
            Some(bits) if bits < 16 => 1 << bits,
            _ => 1,
        },
        Opcode::LLVMMul => match index.operand(1).as_integer() {
            Some(0) | None => 1,
            Some(constant) => 1 << constant.trailing_zeros().min(16),
        },
        Opcode::LLVMSExt | Opcode::LLVMZExt => known_factor(index.operand(0)),
        Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMOr => {
            known_factor(index.operand(0)).min(known_factor(index.operand(1)))
        }
        Opcode::LLVMAnd => known_factor(index.operand(0)).max(known_factor(index.operand(1))),
        _ => 1,
    }
}
