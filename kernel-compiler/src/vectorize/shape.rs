//! How a value differs from lane to lane.

use crate::ir::{DataLayout, Opcode, Type, TypeKind, Value};

/// A value's form over the lanes. Lane 0 runs the first of the work-items, lane 1 the next
/// one, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Not known yet: no way to it has been looked at.
    Unknown,
    /// The same in all lanes that are active.
    Uniform,
    /// Lane `l` has lane 0's value and `l` strides more; bytes for a pointer.
    Strided(Stride),
    /// Anything.
    Varying,
}

/// The step from lane to lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stride {
    /// By how much.
    pub step: i64,
    /// No lane wraps as a signed number.
    pub signed: bool,
    /// No lane wraps as an unsigned number.
    pub unsigned: bool,
    /// The two hold for lane 0 as well where it is not active.
    pub valid_if_inactive: bool,
}

impl Shape {
    /// Numbers that count work-items, from zero or more.
    pub const COUNTING: Self = Self::Strided(Stride {
        step: 1,
        signed: true,
        unsigned: true,
        valid_if_inactive: true,
    });

    /// The shape of addresses of places of that many bytes, one for each lane.
    pub fn addresses(bytes: u64) -> Self {
        Self::Strided(Stride {
            step: bytes as i64,
            signed: false,
            unsigned: false,
            valid_if_inactive: true,
        })
    }

    /// Whether all active lanes have the same.
    pub fn is_uniform(self) -> bool {
        matches!(self, Self::Uniform | Self::Unknown)
    }

    /// The step from lane to lane, if it is always the same; 0 for what is uniform.
    pub fn step(self) -> Option<i64> {
        match self {
            Self::Unknown | Self::Uniform => Some(0),
            Self::Strided(stride) => Some(stride.step),
            Self::Varying => None,
        }
    }

    /// Whether lane 0's value, with the shape, says it all.
    pub fn is_scalar(self) -> bool {
        self != Self::Varying
    }

    /// What holds for a value that comes in either shape.
    pub fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, shape) | (shape, Self::Unknown) => shape,
            (Self::Strided(a), Self::Strided(b)) if a.step == b.step => Self::Strided(Stride {
                step: a.step,
                signed: a.signed && b.signed,
                unsigned: a.unsigned && b.unsigned,
                valid_if_inactive: a.valid_if_inactive && b.valid_if_inactive,
            }),
            (a, b) if a == b => a,
            _ => Self::Varying,
        }
    }

    fn strided(step: i64, signed: bool, unsigned: bool, valid_if_inactive: bool) -> Self {
        match step {
            0 => Self::Uniform,
            step => Self::Strided(Stride {
                step,
                signed,
                unsigned,
                valid_if_inactive,
            }),
        }
    }

    /// As a stride; a uniform value has one of 0.
    pub fn stride(self) -> Option<Stride> {
        Some(match self {
            Self::Unknown | Self::Uniform => Stride {
                step: 0,
                signed: true,
                unsigned: true,
                valid_if_inactive: true,
            },
            Self::Strided(stride) => stride,
            Self::Varying => return None,
        })
    }
}

/// The shape that an instruction gives its value, from its operands'; of a φ, if lanes come to it
/// together. `masked`: some lanes may not run it.
pub fn of(
    instruction: Value,
    layout: DataLayout,
    masked: bool,
    operand: &dyn Fn(Value) -> Shape,
) -> Shape {
    match instruction.opcode() {
        Opcode::LLVMPHI => instruction
            .incoming()
            .into_iter()
            .map(|(value, _)| operand(value))
            .fold(Shape::Unknown, Shape::join),
        // Work-items do not see one another's writes between barriers.
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
        _ => computed(instruction, layout, masked, operand),
    }
}

/// The shape of what is computed from its operands alone.
fn computed(
    instruction: Value,
    layout: DataLayout,
    masked: bool,
    operand: &dyn Fn(Value) -> Shape,
) -> Shape {
    let of_operand = |value| match operand(value) {
        Shape::Varying => {
            index_within_an_object(instruction, value, layout, operand).unwrap_or(Shape::Varying)
        }
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
    strided(instruction, layout, masked, &shapes).unwrap_or(Shape::Varying)
}

fn strided(
    instruction: Value,
    layout: DataLayout,
    masked: bool,
    shapes: &[Shape],
) -> Option<Shape> {
    let ty = instruction.ty();
    // A step is a number of 64 bits.
    let holds_a_step = ty.is_integer() && ty.integer_bits() <= 64;
    if !holds_a_step && !ty.is_pointer() {
        return None;
    }
    // What its flags promise holds for active lanes.
    let step_of = |step: i64, from: &[Stride], signed: bool, unsigned: bool| {
        Some(Shape::strided(
            step,
            signed && from.iter().all(|stride| stride.signed),
            unsigned && from.iter().all(|stride| stride.unsigned),
            !masked && from.iter().all(|stride| stride.valid_if_inactive),
        ))
    };
    let flags = || {
        (
            instruction.has_no_signed_wrap(),
            instruction.has_no_unsigned_wrap(),
        )
    };
    match instruction.opcode() {
        Opcode::LLVMAdd => {
            let (a, b) = (shapes[0].stride()?, shapes[1].stride()?);
            let (signed, unsigned) = flags();
            step_of(a.step.checked_add(b.step)?, &[a, b], signed, unsigned)
        }
        Opcode::LLVMSub => {
            let (a, b) = (shapes[0].stride()?, shapes[1].stride()?);
            let (signed, unsigned) = flags();
            step_of(a.step.checked_sub(b.step)?, &[a, b], signed, unsigned)
        }
        Opcode::LLVMOr if instruction.is_disjoint() => {
            let (a, b) = (shapes[0].stride()?, shapes[1].stride()?);
            step_of(a.step.checked_add(b.step)?, &[a, b], true, true)
        }
        Opcode::LLVMMul | Opcode::LLVMShl => {
            let is_shift = instruction.opcode() == Opcode::LLVMShl;
            let (value, factor) = match instruction.operand(1).as_integer() {
                Some(constant) => (0, constant),
                None if !is_shift => (1, instruction.operand(0).as_integer()?),
                None => return None,
            };
            let bits = ty.integer_bits();
            let factor = if is_shift {
                1i64.checked_shl(u32::try_from(factor).ok()?)
                    .filter(|factor| *factor > 0)?
            } else {
                sign_extended(factor, bits)
            };
            let stride = shapes[value].stride()?;
            let (signed, unsigned) = flags();
            step_of(
                stride.step.checked_mul(factor)?,
                &[stride],
                signed,
                unsigned && factor > 0,
            )
        }
        Opcode::LLVMTrunc => {
            let stride = shapes[0].stride()?;
            let (signed, unsigned) = flags();
            step_of(stride.step, &[stride], signed, unsigned)
        }
        Opcode::LLVMZExt => {
            let stride = shapes[0].stride()?;
            let exact = stride.unsigned || (stride.signed && instruction.is_of_not_negative());
            (exact && instruction.operand(0).ty().integer_bits() > 1)
                .then(|| Shape::strided(stride.step, true, true, true))
        }
        Opcode::LLVMSExt => {
            let stride = shapes[0].stride()?;
            (stride.signed && instruction.operand(0).ty().integer_bits() > 1)
                .then(|| Shape::strided(stride.step, true, false, true))
        }
        Opcode::LLVMFreeze | Opcode::LLVMAddrSpaceCast => {
            let stride = shapes[0].stride()?;
            step_of(stride.step, &[stride], false, false)
        }
        Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr => {
            let stride = shapes[0].stride()?;
            let bits = |ty: Type| {
                if ty.is_pointer() {
                    64
                } else {
                    ty.integer_bits()
                }
            };
            if bits(ty) != bits(instruction.operand(0).ty()) {
                return None;
            }
            step_of(stride.step, &[stride], false, false)
        }
        Opcode::LLVMSelect if shapes[0].is_uniform() => match shapes[1].join(shapes[2]) {
            Shape::Varying => None,
            shape => Some(shape),
        },
        Opcode::LLVMGetElementPtr => element_address(instruction, layout, shapes),
        _ => None,
    }
}

/// No object is larger, bytes: the distance between two places in one.
const LARGEST_OBJECT: u64 = 1 << 33;

/// The shape of an index that is extended from fewer bits, and might wrap from lane to lane but for
/// the address that is made of it: it would leave every object.
fn index_within_an_object(
    address: Value,
    index: Value,
    layout: DataLayout,
    operand: &dyn Fn(Value) -> Shape,
) -> Option<Shape> {
    let is_address = address.is(Opcode::LLVMGetElementPtr) && address.operands().len() == 2;
    if !is_address || address.operand(1) != index || !address.is_in_bounds() {
        return None;
    }
    let (narrow, shift) = extended_from(index).filter(|_| index.block() == address.block())?;
    let stride = operand(index.operand(0)).stride()?;
    let farthest = layout.size(address.indexed_type()) << (narrow - 1);
    let whole_steps = stride.step % (1 << shift) == 0;
    (farthest >= LARGEST_OBJECT && whole_steps)
        .then(|| Shape::strided(stride.step >> shift, false, false, true))
}

/// How many bits a number of 64 bits is extended from with its sign, and by how much it is shifted
/// down for that.
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

/// The shape of an address: bytes from lane to lane.
fn element_address(instruction: Value, layout: DataLayout, shapes: &[Shape]) -> Option<Shape> {
    let mut step = shapes[0].step()?;
    let mut ty = instruction.indexed_type();
    for (number, index) in instruction.operands().into_iter().enumerate().skip(1) {
        let scale = if number == 1 {
            layout.size(ty)
        } else {
            match ty.kind() {
                TypeKind::LLVMStructTypeKind => {
                    ty = ty.fields()[index.as_integer()? as usize];
                    continue;
                }
                TypeKind::LLVMArrayTypeKind => ty = ty.array_elements().0,
                TypeKind::LLVMVectorTypeKind => ty = ty.vector_elements().0,
                _ => return None,
            }
            layout.size(ty)
        };
        let stride = shapes[number].stride()?;
        // A narrower index is extended as a signed number.
        if index.ty().integer_bits() < 64 && !(stride.signed && stride.valid_if_inactive) {
            return None;
        }
        step = step.checked_add(stride.step.checked_mul(i64::try_from(scale).ok()?)?)?;
    }
    Some(Shape::strided(step, false, false, true))
}

fn sign_extended(value: u64, bits: u32) -> i64 {
    let unused = 64 - bits;
    ((value << unused) as i64) >> unused
}
