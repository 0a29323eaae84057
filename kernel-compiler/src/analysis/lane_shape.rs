//! The shape of a value over the lanes of a vector: uniform, strided or varying.

use super::addressing::Addressing;
use super::all_lanes;
use super::gep::{self, Term};
use crate::ir::{DataLayout, Opcode, Type, Value};

/// How a value differs between lanes, as a lattice. Lane `l` runs the work-item `l` after lane 0's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The bottom: nothing that it depends on has been analysed.
    Unknown,
    /// The same in all active lanes.
    Uniform,
    /// Lane `l` has lane 0's value and `l` strides more; bytes for a pointer.
    Strided(Stride),
    /// The top: any difference.
    Varying,
}

/// A constant difference between neighbouring lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stride {
    /// The difference; bytes for a pointer.
    pub step: i64,
    /// No lane wraps as a signed integer.
    pub signed: bool,
    /// No lane wraps as an unsigned integer.
    pub unsigned: bool,
    /// `signed` and `unsigned` also hold for lane 0 while it is inactive.
    pub valid_if_inactive: bool,
    /// A power of two that divides lane 0's value, active or not.
    pub alignment: u64,
}

/// What the shapes of a block's instructions depend on, apart from their operands.
#[derive(Clone, Copy)]
pub struct ShapeContext {
    /// Sizes of types and objects.
    pub addressing: Addressing,
    /// Lanes of a vector.
    pub lanes: u32,
    /// Some lanes may be inactive.
    pub masked: bool,
}

impl Stride {
    /// A step between numbers of which nothing else is known.
    fn wrapping(step: i64) -> Self {
        Self {
            step,
            signed: false,
            unsigned: false,
            valid_if_inactive: true,
            alignment: 1,
        }
    }
}

impl Shape {
    /// The shape of an index of work-items of which lane 0 has a multiple of `alignment`, a power of
    /// two.
    pub fn counting(alignment: u32) -> Self {
        Self::Strided(Stride {
            step: 1,
            signed: true,
            unsigned: true,
            valid_if_inactive: true,
            alignment: u64::from(alignment),
        })
    }

    /// The shape of addresses that lie `bytes` apart.
    pub fn addresses(bytes: u64) -> Self {
        Self::Strided(Stride::wrapping(bytes as i64))
    }

    /// Whether all active lanes have the same value.
    pub fn is_uniform(self) -> bool {
        matches!(self, Self::Uniform | Self::Unknown)
    }

    /// The difference between neighbouring lanes, if it is constant; 0 for uniform values.
    pub fn step(self) -> Option<i64> {
        match self {
            Self::Unknown | Self::Uniform => Some(0),
            Self::Strided(stride) => Some(stride.step),
            Self::Varying => None,
        }
    }

    /// Whether lane 0's value and the shape determine the values of all lanes.
    pub fn is_scalar(self) -> bool {
        self != Self::Varying
    }

    /// The least upper bound.
    pub fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, shape) | (shape, Self::Unknown) => shape,
            (Self::Strided(a), Self::Strided(b)) if a.step == b.step => Self::Strided(Stride {
                step: a.step,
                signed: a.signed && b.signed,
                unsigned: a.unsigned && b.unsigned,
                valid_if_inactive: a.valid_if_inactive && b.valid_if_inactive,
                alignment: a.alignment.min(b.alignment),
            }),
            (a, b) if a == b => a,
            _ => Self::Varying,
        }
    }

    fn strided(stride: Stride) -> Self {
        match stride.step {
            0 => Self::Uniform,
            _ => Self::Strided(stride),
        }
    }

    /// The stride of a value of this shape, which is 0 for uniform ones.
    pub fn stride_of(self, value: Value) -> Option<Stride> {
        Some(match self {
            Self::Unknown | Self::Uniform => Stride {
                step: 0,
                signed: true,
                unsigned: true,
                valid_if_inactive: true,
                alignment: alignment(value, MAX_DEPTH),
            },
            Self::Strided(stride) => stride,
            Self::Varying => return None,
        })
    }
}

/// Operations followed from a uniform value to what divides it.
const MAX_DEPTH: u32 = 4;

/// The largest power of two that is known to divide an integer.
fn alignment(value: Value, depth: u32) -> u64 {
    if let Some(constant) = value.as_integer() {
        return 1 << constant.trailing_zeros().min(63);
    }
    if depth == 0 || !value.is_instruction() {
        return 1;
    }
    let of = |index: u32| alignment(value.operand(index), depth - 1);
    match value.opcode() {
        Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMOr => of(0).min(of(1)),
        Opcode::LLVMMul => of(0).saturating_mul(of(1)).min(1 << 63),
        Opcode::LLVMShl => match value.operand(1).as_integer() {
            Some(bits) if bits < 32 => of(0).min(1 << 31) << bits,
            _ => 1,
        },
        Opcode::LLVMZExt | Opcode::LLVMSExt | Opcode::LLVMTrunc => of(0),
        _ => 1,
    }
}

/// The shape of an instruction's value, from the shapes of its operands. Lanes reach a φ together.
pub fn transfer(
    instruction: Value,
    context: ShapeContext,
    operand: &dyn Fn(Value) -> Shape,
) -> Shape {
    match instruction.opcode() {
        Opcode::LLVMPHI => instruction
            .incoming()
            .into_iter()
            .map(|(value, _)| operand(value))
            .fold(Shape::Unknown, Shape::join),
        // Between barriers, work-items do not observe each other's writes.
        Opcode::LLVMLoad if instruction.is_volatile() || instruction.is_atomic() => Shape::Varying,
        Opcode::LLVMLoad => match operand(instruction.operand(0)) {
            shape @ (Shape::Unknown | Shape::Uniform) => shape,
            _ => Shape::Varying,
        },
        Opcode::LLVMCall => {
            let operands = instruction.operands();
            let all_uniform = operands.into_iter().all(|o| operand(o).is_uniform());
            if instruction.is_computing_call() && all_uniform {
                Shape::Uniform
            } else {
                Shape::Varying
            }
        }
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => Shape::Varying,
        Opcode::LLVMFreeze if all_lanes::is_condition(instruction) => Shape::Uniform,
        _ => computed(instruction, context, operand),
    }
}

/// The shape of a value that is computed from its operands alone.
fn computed(instruction: Value, context: ShapeContext, operand: &dyn Fn(Value) -> Shape) -> Shape {
    let of_operand = |value| match operand(value) {
        Shape::Varying => index_within_an_object(instruction, value, context.addressing, operand)
            .unwrap_or(Shape::Varying),
        shape => shape,
    };
    let shapes: Vec<Shape> = instruction.operands().into_iter().map(of_operand).collect();
    if shapes.contains(&Shape::Unknown) {
        return Shape::Unknown;
    }
    if shapes.iter().all(|shape| shape.is_uniform()) {
        return Shape::Uniform;
    }
    if shapes.contains(&Shape::Varying) {
        return Shape::Varying;
    }
    strided(instruction, context, &shapes).unwrap_or(Shape::Varying)
}

/// The shape that an instruction computes from operands of which none varies arbitrarily.
fn strided(instruction: Value, context: ShapeContext, shapes: &[Shape]) -> Option<Shape> {
    let ty = instruction.ty();
    if !holds_a_step(ty) {
        return None;
    }
    let operand = |index: usize| shapes[index].stride_of(instruction.operand(index as u32));
    // The flags of an instruction hold for active lanes.
    let computed = |step: i64, from: &[Stride], (signed, unsigned): (bool, bool)| {
        let alignments = from.iter().map(|stride| stride.alignment);
        Some(Shape::strided(Stride {
            step,
            signed: signed && from.iter().all(|stride| stride.signed),
            unsigned: unsigned && from.iter().all(|stride| stride.unsigned),
            valid_if_inactive: !context.masked && from.iter().all(|of| of.valid_if_inactive),
            alignment: alignments.min().unwrap_or(1),
        }))
    };
    let flags = || {
        (
            instruction.has_no_signed_wrap(),
            instruction.has_no_unsigned_wrap(),
        )
    };
    match instruction.opcode() {
        Opcode::LLVMAdd => {
            let (a, b) = (operand(0)?, operand(1)?);
            computed(a.step.checked_add(b.step)?, &[a, b], flags())
        }
        Opcode::LLVMSub => {
            let (a, b) = (operand(0)?, operand(1)?);
            computed(a.step.checked_sub(b.step)?, &[a, b], flags())
        }
        Opcode::LLVMOr if instruction.is_disjoint() => {
            let (a, b) = (operand(0)?, operand(1)?);
            computed(a.step.checked_add(b.step)?, &[a, b], (true, true))
        }
        Opcode::LLVMMul | Opcode::LLVMShl => {
            let (scaled, factor) = scaled_operand(instruction)?;
            let mut stride = operand(scaled)?;
            let zeros = stride.alignment.trailing_zeros() + factor.trailing_zeros();
            stride.alignment = 1 << zeros.min(63);
            let (signed, unsigned) = flags();
            let flags = (signed, unsigned && factor > 0);
            computed(stride.step.checked_mul(factor)?, &[stride], flags)
        }
        Opcode::LLVMXor if is_complement(instruction) => complement(operand(0)?),
        Opcode::LLVMTrunc => {
            let stride = operand(0)?;
            computed(stride.step, &[stride], flags())
        }
        Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr
            if address_bits(ty) != address_bits(instruction.operand(0).ty()) =>
        {
            None
        }
        Opcode::LLVMFreeze
        | Opcode::LLVMAddrSpaceCast
        | Opcode::LLVMPtrToInt
        | Opcode::LLVMIntToPtr => {
            let stride = operand(0)?;
            computed(stride.step, &[stride], (false, false))
        }
        Opcode::LLVMZExt | Opcode::LLVMSExt => extended(instruction, operand(0)?),
        Opcode::LLVMLShr | Opcode::LLVMAShr if instruction.is_exact() => {
            let stride = shifted_exactly(instruction, operand(0)?)?;
            computed(stride.step, &[stride], (true, true))
        }
        Opcode::LLVMAnd | Opcode::LLVMLShr => {
            within_aligned_block(instruction, operand(0)?, context.lanes)
        }
        Opcode::LLVMSelect if shapes[0].is_uniform() => match shapes[1].join(shapes[2]) {
            Shape::Varying => None,
            shape => Some(shape),
        },
        Opcode::LLVMGetElementPtr => {
            element_address(instruction, context.addressing.layout, shapes)
        }
        _ => None,
    }
}

/// Whether values of a type can differ by a step, which is a number of 64 bits.
fn holds_a_step(ty: Type) -> bool {
    ty.is_pointer() || ty.is_integer() && ty.integer_bits() <= 64
}

/// Whether an exclusive or inverts all bits: the complement of `x` is `-1 - x`.
fn is_complement(instruction: Value) -> bool {
    instruction.operand(1).as_signed_integer() == Some(-1)
}

fn complement(stride: Stride) -> Option<Shape> {
    Some(Shape::strided(Stride {
        step: stride.step.checked_neg()?,
        alignment: 1,
        ..stride
    }))
}

/// Bits of an integer, or of a pointer.
fn address_bits(ty: Type) -> u32 {
    if ty.is_integer() {
        ty.integer_bits()
    } else {
        64
    }
}

/// Which operand of a multiplication or a left shift is multiplied by a constant, and by which.
pub fn scaled_operand(instruction: Value) -> Option<(usize, i64)> {
    if instruction.is(Opcode::LLVMShl) {
        let bits = u32::try_from(instruction.operand(1).as_integer()?).ok()?;
        let factor = 1i64.checked_shl(bits).filter(|factor| *factor > 0)?;
        return Some((0, factor));
    }
    let constant = |index: u32| instruction.operand(index).as_signed_integer();
    let right = constant(1).map(|factor| (0, factor));
    right.or_else(|| constant(0).map(|factor| (1, factor)))
}

/// The shape of an extension; none if some lane of the operand may wrap.
fn extended(extension: Value, from: Stride) -> Option<Shape> {
    let is_signed = extension.is(Opcode::LLVMSExt);
    let does_not_wrap = if is_signed {
        from.signed
    } else {
        from.unsigned || (from.signed && extension.is_of_not_negative())
    };
    let is_number = extension.operand(0).ty().integer_bits() > 1;
    let stride = Stride {
        signed: true,
        unsigned: !is_signed,
        valid_if_inactive: true,
        ..from
    };
    (does_not_wrap && is_number).then(|| Shape::strided(stride))
}

/// The numbers that a right shift makes of lanes that do not wrap if it shifts out zeros in each.
fn shifted_exactly(shift: Value, from: Stride) -> Option<Stride> {
    let does_not_wrap = match shift.opcode() {
        Opcode::LLVMLShr => from.unsigned,
        _ => from.signed,
    };
    let by = u32::try_from(shift.operand(1).as_integer()?).ok()?;
    let divisor = 1i64.checked_shl(by).filter(|divisor| *divisor > 0)?;
    (does_not_wrap && from.step % divisor == 0).then(|| Stride {
        step: from.step / divisor,
        alignment: (from.alignment >> by).max(1),
        ..from
    })
}

/// The shape of the lower or upper bits of a number, where no lane carries into the upper ones:
/// all lanes are in one aligned block of as many numbers as the lower bits can tell apart.
fn within_aligned_block(instruction: Value, from: Stride, lanes: u32) -> Option<Shape> {
    let constant = instruction.operand(1).as_integer()?;
    let bits = u64::from(instruction.ty().integer_bits());
    let mask = u64::MAX >> (64 - bits);
    let (block, is_lower) = if instruction.is(Opcode::LLVMLShr) {
        (1u64.checked_shl(u32::try_from(constant).ok()?)?, false)
    } else {
        let lowest = 1u64.checked_shl(constant.trailing_zeros())?;
        let divides = |number: u64| number.is_multiple_of(lowest);
        // What the mask leaves out at the lower end is zero.
        let has_zeros = divides(from.step.unsigned_abs()) && divides(from.alignment);
        let filled = if has_zeros {
            constant | (lowest - 1)
        } else {
            constant
        };
        match filled.wrapping_add(1).is_power_of_two() {
            true => (filled + 1, true),
            false => (lowest, false),
        }
    };
    let alignment = from.alignment.min(block);
    let extent = u64::try_from(from.step)
        .ok()?
        .checked_mul(u64::from(lanes - 1))?;
    if !block.is_power_of_two() || extent >= alignment {
        return None;
    }
    let stride = Stride {
        signed: block - 1 <= mask >> 1,
        unsigned: true,
        valid_if_inactive: true,
        alignment,
        step: from.step,
    };
    Some(if is_lower {
        Shape::strided(stride)
    } else {
        Shape::Uniform
    })
}

/// The shape of an index extended from fewer bits. By its type it might wrap from lane to lane, but
/// the address computed from it would then leave every object: it is in bounds, or all lanes access it.
fn index_within_an_object(
    address: Value,
    index: Value,
    addressing: Addressing,
    operand: &dyn Fn(Value) -> Shape,
) -> Option<Shape> {
    let is_address = address.is(Opcode::LLVMGetElementPtr) && address.operands().len() == 2;
    let is_in_an_object = || address.is_in_bounds() || is_accessed_where_computed(address);
    if !is_address || address.operand(1) != index || !is_in_an_object() {
        return None;
    }
    let extended = without_uniform_addends(index, operand);
    let (narrow, shift) =
        extended_from(extended).filter(|_| extended.block() == address.block())?;
    let narrow_index = extended.operand(0);
    let step = operand(narrow_index).stride_of(narrow_index)?.step;
    // LLVM may have cut a negative factor to the bits that matter.
    let unused = 64 - narrow_index.ty().integer_bits();
    let step = step << unused >> unused;
    let farthest = addressing.layout.size(address.indexed_type()) << (narrow - 1);
    let whole_steps = step % (1 << shift) == 0;
    (farthest >= addressing.max_object_bytes(address) && whole_steps)
        .then(|| Shape::strided(Stride::wrapping(step >> shift)))
}

/// A number without those added to it that lanes have in common.
fn without_uniform_addends(mut number: Value, operand: &dyn Fn(Value) -> Shape) -> Value {
    while number.is_instruction() && number.is(Opcode::LLVMAdd) {
        number = match [number.operand(0), number.operand(1)] {
            [of_lane, common] if operand(common).is_uniform() => of_lane,
            [common, of_lane] if operand(common).is_uniform() => of_lane,
            _ => break,
        };
    }
    number
}

/// Whether what computes an address also accesses it.
fn is_accessed_where_computed(address: Value) -> bool {
    address.users().into_iter().any(|user| {
        let is_access =
            user.is(Opcode::LLVMLoad) || user.is(Opcode::LLVMStore) && user.operand(1) == address;
        is_access && user.block() == address.block()
    })
}

/// For a 64-bit integer that is sign-extended: from how many bits, and the right shift that the
/// extension consists of.
fn extended_from(value: Value) -> Option<(u32, u32)> {
    match value.is_instruction().then(|| value.opcode())? {
        Opcode::LLVMSExt => Some((value.operand(0).ty().integer_bits(), 0)),
        Opcode::LLVMAShr if value.is_exact() => {
            let shift = u32::try_from(value.operand(1).as_integer()?).ok()?;
            (1..=32).contains(&shift).then_some((64 - shift, shift))
        }
        _ => None,
    }
}

/// The shape of the address that a `getelementptr` computes.
fn element_address(instruction: Value, layout: DataLayout, shapes: &[Shape]) -> Option<Shape> {
    let mut step = shapes[0].step()?;
    for (term, shape) in gep::terms(instruction, layout)?.iter().zip(&shapes[1..]) {
        let (Term::Element { index, scale } | Term::VectorElement { index, scale }) = *term else {
            continue;
        };
        let stride = shape.stride_of(index)?;
        // Narrower indices are sign-extended.
        if index.ty().integer_bits() < 64 && !(stride.signed && stride.valid_if_inactive) {
            return None;
        }
        step = step.checked_add(stride.step.checked_mul(i64::try_from(scale).ok()?)?)?;
    }
    Some(Shape::strided(Stride::wrapping(step)))
}
