//! Declarations, constants, operators and names as OpenCL C spells them.

use crate::ast::*;
use crate::types::{Scalar, Shape, Type};
use std::fmt::Write;

/// A declaration without initial value: C writes an array's lengths after its name.
pub(super) fn declaration(shape: &Shape, name: &str) -> String {
    match shape {
        Shape::Value(ty) => format!("{} {name}", ty.name()),
        Shape::Struct(number) => format!("struct S{number} {name}"),
        Shape::Array(element, length) => {
            // Outer lengths come first.
            declaration(element, &format!("{name}[{length}]"))
        }
    }
}

pub(super) fn pointer_declaration(space: Space, element: &Shape, variable: VariableId) -> String {
    format!(
        "{}{}",
        space_name(space),
        declaration(element, &format!("*{}", name(variable)))
    )
}

pub(super) fn space_name(space: Space) -> &'static str {
    match space {
        Space::Private => "",
        Space::Local => "__local ",
        Space::Global => "__global ",
        Space::Constant => "__constant ",
    }
}

pub(super) fn name(variable: VariableId) -> String {
    format!("v{variable}")
}

pub(super) fn constant(ty: Type, values: &[i128]) -> String {
    let values: Vec<String> = values
        .iter()
        .map(|&value| scalar_constant(ty.scalar, value))
        .collect();
    if ty.width == 1 {
        values[0].clone()
    } else {
        format!("(({})({}))", ty.name(), values.join(", "))
    }
}

pub(super) fn scalar_constant(scalar: Scalar, value: i128) -> String {
    match scalar {
        Scalar::Int if value == scalar.min() => "(-2147483647 - 1)".to_owned(),
        Scalar::Long if value == scalar.min() => "(-9223372036854775807L - 1)".to_owned(),
        Scalar::Int if value < 0 => format!("({value})"),
        Scalar::Int => format!("{value}"),
        Scalar::Uint => format!("{value}u"),
        Scalar::Long if value < 0 => format!("({value}L)"),
        Scalar::Long => format!("{value}L"),
        Scalar::Ulong => format!("{value}UL"),
        Scalar::Float if value < 0 => format!("({value}.0f)"),
        Scalar::Float => format!("{value}.0f"),
        Scalar::Double if value < 0 => format!("({value}.0)"),
        Scalar::Double => format!("{value}.0"),
        _ => format!("(({}){value})", scalar.name()),
    }
}

pub(super) fn components(components: &Components, width: usize) -> String {
    match components {
        Components::Low => "lo".to_owned(),
        Components::High => "hi".to_owned(),
        Components::Even => "even".to_owned(),
        Components::Odd => "odd".to_owned(),
        // Both notations, xyzw and s0123, are used.
        Components::Listed(numbers) if width <= 4 && numbers[0].is_multiple_of(2) => {
            numbers.iter().map(|&n| char::from(b"xyzw"[n])).collect()
        }
        Components::Listed(numbers) => {
            let mut text = "s".to_owned();
            for number in numbers {
                write!(text, "{number:x}").expect("a string takes all");
            }
            text
        }
    }
}

impl Builtin {
    /// The function's name in OpenCL C.
    pub fn name(self) -> &'static str {
        match self {
            Self::Abs => "abs",
            Self::AbsDiff => "abs_diff",
            Self::AddSat => "add_sat",
            Self::All => "all",
            Self::Any => "any",
            Self::Bitselect => "bitselect",
            Self::Clamp => "clamp",
            Self::Ceil => "ceil",
            Self::Clz => "clz",
            Self::Fabs => "fabs",
            Self::Floor => "floor",
            Self::Fma => "fma",
            Self::Fmod => "fmod",
            Self::Hadd => "hadd",
            Self::Mad24 => "mad24",
            Self::MadHi => "mad_hi",
            Self::MadSat => "mad_sat",
            Self::Max => "max",
            Self::Min => "min",
            Self::Mul24 => "mul24",
            Self::MulHi => "mul_hi",
            Self::Popcount => "popcount",
            Self::Rhadd => "rhadd",
            Self::Rint => "rint",
            Self::Rotate => "rotate",
            Self::Select => "select",
            Self::Shuffle => "shuffle",
            Self::Shuffle2 => "shuffle2",
            Self::SubSat => "sub_sat",
            Self::Trunc => "trunc",
            Self::Upsample => "upsample",
        }
    }
}

impl WorkItem {
    /// The function's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::GlobalId => "get_global_id",
            Self::LocalId => "get_local_id",
            Self::GroupId => "get_group_id",
            Self::GlobalSize => "get_global_size",
            Self::LocalSize => "get_local_size",
            Self::NumGroups => "get_num_groups",
            Self::GlobalOffset => "get_global_offset",
        }
    }
}

impl Operator {
    /// The operator's token.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
        }
    }
}

impl Comparison {
    /// The operator's token.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
        }
    }
}

/// The prefix of atomic functions (section 6.12.11, and the extensions for 64 bits).
pub(super) fn atomic_prefix(scalar: Scalar) -> &'static str {
    match scalar.bits() {
        64 => "atom",
        _ => "atomic",
    }
}

pub(super) fn fences(local: bool, global: bool) -> String {
    let mut flags = Vec::new();
    if local {
        flags.push("CLK_LOCAL_MEM_FENCE");
    }
    if global {
        flags.push("CLK_GLOBAL_MEM_FENCE");
    }
    flags.join(" | ")
}
