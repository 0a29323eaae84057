//! Chooses how many lanes vectors have, and along which dimension they lie.

use super::rejection::Rejection;
use super::vector_dimension;
use super::vector_unit::VectorUnit;
use crate::ir::{TypeKind, Value};
use crate::kernel::specialisation::Specialisation;
use crate::work_items::{Lanes, innermost_dimension};
use environment::LANES;
use once_cell::sync::Lazy;
use serde::Serialize;
use std::ffi::OsStr;

/// Above this width all live values must fit into registers: spilling costs more than the second
/// operation in flight gains.
pub const WIDEST_WITH_SPILLS: u32 = 16;

/// Widths that `MOCL3_LANES` can select.
const WIDTHS: &[u32] = &[4, 8, 16, MAX_LANES];

const MAX_LANES: u32 = 32;

/// How the number of lanes is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum WidthPolicy {
    /// Kernels are not vectorised.
    None,
    /// That many lanes, whether vectorising pays or not.
    Fixed(u32),
    /// By the cost model.
    ByCost,
    /// As many lanes as the simulated machine has.
    Machine(u32),
}

static POLICY: Lazy<WidthPolicy> = Lazy::new(|| {
    let value = LANES.get();
    parse(value.as_deref()).unwrap_or_else(|| {
        let value = value.unwrap_or_default();
        log::warn!("{LANES}={value:?} is none of 0, 4, 8, 16 and 32; lanes are chosen by cost");
        WidthPolicy::ByCost
    })
});

/// None if the value is wrong.
fn parse(value: Option<&OsStr>) -> Option<WidthPolicy> {
    match value.unwrap_or_default().to_str()? {
        "" => Some(WidthPolicy::ByCost),
        "0" => Some(WidthPolicy::None),
        text => {
            let number = text.parse().ok()?;
            WIDTHS
                .contains(&number)
                .then_some(WidthPolicy::Fixed(number))
        }
    }
}

/// The policy that `MOCL3_LANES` sets.
pub fn width_policy_of_environment() -> WidthPolicy {
    *POLICY
}

/// Chooses the dimension along which the kernel's accesses are best, of those in which groups are
/// wide enough; `by_cost`, with fewer lanes where such a group would not fill two registers.
pub fn choose_dimension(
    kernel: Value,
    lanes: Lanes,
    specialisation: &Specialisation,
    by_cost: bool,
) -> Lanes {
    let Lanes { count, dimension } = lanes;
    let size = specialisation.local_size.unwrap_or_default();
    let enough = if by_cost {
        count.min(WIDEST_WITH_SPILLS)
    } else {
        count
    };
    // At least as many active lanes as along the usual dimension, or enough of them.
    let fewest = size[dimension].min(u64::from(enough));
    let is_wide = |&d: &usize| d != dimension && size[d] >= fewest;
    let others: Vec<usize> = (0..size.len()).filter(is_wide).collect();
    let best = vector_dimension::by_accesses(kernel, dimension, &others, count);
    let is_filled = best == dimension || size[best] >= u64::from(count);
    Lanes {
        count: if is_filled { count } else { enough },
        dimension: best,
    }
}

/// Chooses the number of lanes along a kernel's innermost dimension.
///
/// # Errors
/// The kernel is not vectorised, as where groups would fill less than half of the lanes.
pub fn choose(
    kernel: Value,
    policy: WidthPolicy,
    specialisation: &Specialisation,
    vectors: VectorUnit,
) -> Result<Lanes, Rejection> {
    // LLVM takes very long to emulate vectors of halves.
    if !vectors.halves && scalar_types(kernel).any(|of| of == TypeKind::LLVMHalfTypeKind) {
        return Err(Rejection::NoHalfVectors);
    }
    let dimension = innermost_dimension(specialisation);
    let size = specialisation.local_size.map(|size| size[dimension]);
    let number = match policy {
        WidthPolicy::None => return Err(Rejection::Disabled),
        WidthPolicy::Fixed(number) => {
            Some(number).filter(|number| size.is_none_or(|size| size >= u64::from(*number) / 2))
        }
        // Lanes beyond the group's width are idle.
        WidthPolicy::Machine(number) => Some(number).filter(|_| size != Some(1)),
        WidthPolicy::ByCost => {
            let best = two_registers(kernel, vectors);
            let widest = (2 * best).min(MAX_LANES);
            match size {
                None => Some(best),
                Some(size) if size.is_multiple_of(u64::from(widest)) => Some(widest),
                Some(size) => filling_width(size, best),
            }
        }
    };
    number
        .map(|number| Lanes {
            count: number,
            dimension,
        })
        .ok_or(Rejection::SmallGroups)
}

/// The lanes of two registers of floats or doubles, which keeps two operations in flight.
pub fn two_registers(kernel: Value, vectors: VectorUnit) -> u32 {
    (2 * vectors.register_bits / element_bits(kernel)).clamp(4, MAX_LANES)
}

/// The widest vectors, of `best` lanes at most, that a row of that many work-items fills; half of
/// the best where only these divide the row.
fn filling_width(size: u64, best: u32) -> Option<u32> {
    let half = best / 2;
    let divides = |number: u32| size.is_multiple_of(u64::from(number));
    if WIDTHS.contains(&half) && divides(half) && !divides(best) && size >= u64::from(half) {
        return Some(half);
    }
    let narrower = WIDTHS.iter().rev().filter(|number| **number <= best);
    narrower.copied().find(|number| u64::from(*number) <= size)
}

/// Bits of the floating-point numbers that a kernel mainly computes with; 32 if it has none.
pub fn element_bits(kernel: Value) -> u32 {
    let count = |kind| scalar_types(kernel).filter(|of| *of == kind).count();
    // Builtins use a few doubles for rare arguments.
    let doubles = count(TypeKind::LLVMDoubleTypeKind);
    if doubles > 0 && doubles >= count(TypeKind::LLVMFloatTypeKind) / 2 {
        64
    } else {
        32
    }
}

/// The types of a kernel's values; of vectors, those of their elements.
fn scalar_types(kernel: Value) -> impl Iterator<Item = TypeKind> {
    kernel
        .instructions()
        .into_iter()
        .map(|instruction| instruction.ty().scalar().kind())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_fill_two_registers_unless_one_leaves_no_remainder() {
        for (size, best, expected) in [
            (64, 32, Some(32)),
            (16, 32, Some(16)),
            (48, 32, Some(16)),
            (100, 32, Some(32)),
            (24, 32, Some(16)),
            (24, 16, Some(8)),
            (12, 8, Some(4)),
            (5, 32, Some(4)),
            (3, 32, None),
        ] {
            assert_eq!(
                filling_width(size, best),
                expected,
                "{size} of {best} at most"
            );
        }
    }

    #[test]
    fn a_few_doubles_do_not_make_a_kernel_one_of_doubles() {
        let plan = |floats: usize, doubles: usize| {
            let of = |ty: &'static str, number: usize| {
                (0..number).map(move |i| format!("%{ty}{i} = fadd {ty} 1.0, 2.0\n"))
            };
            let text: String = of("float", floats).chain(of("double", doubles)).collect();
            format!("define void @k() {{\n{text}ret void\n}}")
        };
        for (floats, doubles, bits) in [(0, 0, 32), (9, 0, 32), (9, 1, 32), (9, 4, 64), (0, 1, 64)]
        {
            let context = crate::ir::Context::create();
            let text = plan(floats, doubles);
            let module = context.parse_ir(&text).unwrap();
            let kernel = crate::ir::function(module.handle(), "k").unwrap();
            assert_eq!(
                element_bits(kernel),
                bits,
                "{floats} floats, {doubles} doubles"
            );
        }
    }

    #[test]
    fn a_wrong_value_is_known_as_such() {
        for (value, meaning) in [
            ("", Some(WidthPolicy::ByCost)),
            ("0", Some(WidthPolicy::None)),
            ("8", Some(WidthPolicy::Fixed(8))),
            ("32", Some(WidthPolicy::Fixed(32))),
            ("7", None),
            ("64", None),
            ("eight", None),
        ] {
            assert_eq!(parse(Some(OsStr::new(value))), meaning, "{value}");
        }
        assert_eq!(parse(None), Some(WidthPolicy::ByCost));
    }
}
