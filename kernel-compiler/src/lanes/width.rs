//! How many work-items run as lanes, and along which dimension.

use super::{Declined, VectorUnit, dimension};
use crate::ir::{TypeKind, Value};
use crate::specialisation::Specialisation;
use once_cell::sync::Lazy;
use std::ffi::OsStr;

/// A number of lanes; `0`: none; not set: as it pays.
pub(super) const VARIABLE: &str = "MOCL3_LANES";

/// What may be asked for.
const WIDTHS: &[u32] = &[4, 8, 16, 32];

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Work-items one after another.
    None,
    /// That many lanes, whether it pays or not.
    Number(u32),
    /// As it pays.
    ByCost,
    /// That many, which the machine has.
    OfTheMachine(u32),
}

static WANTED: Lazy<Wanted> = Lazy::new(|| {
    let value = std::env::var_os(VARIABLE);
    asked(value.as_deref()).unwrap_or_else(|| {
        let value = value.unwrap_or_default();
        log::warn!("{VARIABLE}={value:?} is none of 0, 4, 8, 16 and 32; lanes are used as it pays");
        Wanted::ByCost
    })
});

/// None if the value is wrong.
fn asked(value: Option<&OsStr>) -> Option<Wanted> {
    match value.unwrap_or_default().to_str()? {
        "" => Some(Wanted::ByCost),
        "0" => Some(Wanted::None),
        text => {
            let number = text.parse().ok()?;
            WIDTHS.contains(&number).then_some(Wanted::Number(number))
        }
    }
}

/// What this process's environment asks for.
pub fn wanted() -> Wanted {
    *WANTED
}

/// Work-items that run side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// How many.
    pub number: u32,
    /// Along which dimension.
    pub dimension: usize,
}

impl Lanes {
    /// Along the dimension in which the kernel's accesses are best, of those in which groups are
    /// wide enough.
    pub fn by_accesses(self, kernel: Value, specialisation: &Specialisation) -> Self {
        let size = specialisation.local_size.unwrap_or_default();
        // As many lanes take part as along the usual one.
        let fewest = size[self.dimension].min(u64::from(self.number));
        let is_wide = |&d: &usize| d != self.dimension && size[d] >= fewest;
        let others: Vec<usize> = (0..size.len()).filter(is_wide).collect();
        Self {
            dimension: dimension::by_accesses(kernel, self.dimension, &others, self.number),
            ..self
        }
    }
}

/// How many lanes code for a kernel has, along its innermost dimension.
///
/// # Errors
/// Its work-items run one after another, as they do where groups would fill less than half of
/// the lanes.
pub fn width(
    kernel: Value,
    wanted: Wanted,
    specialisation: &Specialisation,
    vectors: VectorUnit,
) -> Result<Lanes, Declined> {
    // LLVM has no vectors of halves then, and takes very long to do without.
    if !vectors.halves && computes(kernel, TypeKind::LLVMHalfTypeKind) {
        let sentence = "the kernel computes with halves, and the host has no vectors of these";
        return Err(Declined::because(sentence.into()));
    }
    let dimension = dimension::innermost(specialisation);
    let size = specialisation.local_size.map(|size| size[dimension]);
    let number = match wanted {
        Wanted::None => return Err(Declined::not_wanted()),
        Wanted::Number(number) => {
            Some(number).filter(|number| size.is_none_or(|size| size >= u64::from(*number) / 2))
        }
        // Lanes beyond the group's width are idle.
        Wanted::OfTheMachine(number) => Some(number).filter(|_| size != Some(1)),
        Wanted::ByCost => {
            // Two registers of floats or doubles, which keeps two operations under way.
            let best = (2 * vectors.register_bits / element_bits(kernel)).clamp(4, 16);
            match size {
                None => Some(best),
                Some(size) => [best, 8, 4]
                    .into_iter()
                    .find(|number| *number <= best && u64::from(*number) <= size),
            }
        }
    };
    number
        .map(|number| Lanes { number, dimension })
        .ok_or_else(|| Declined::because("work-groups are too small".into()))
}

/// Bits of the numbers that a kernel mainly computes with.
pub fn element_bits(kernel: Value) -> u32 {
    if computes(kernel, TypeKind::LLVMDoubleTypeKind) {
        64
    } else {
        32
    }
}

/// Whether a kernel has values of a type.
fn computes(kernel: Value, kind: TypeKind) -> bool {
    kernel.instructions().into_iter().any(|instruction| {
        let ty = instruction.ty();
        let scalar = if ty.is_vector() {
            ty.vector_elements().0
        } else {
            ty
        };
        scalar.kind() == kind
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_value_is_known_as_such() {
        for (value, meaning) in [
            ("", Some(Wanted::ByCost)),
            ("0", Some(Wanted::None)),
            ("8", Some(Wanted::Number(8))),
            ("32", Some(Wanted::Number(32))),
            ("7", None),
            ("64", None),
            ("eight", None),
        ] {
            assert_eq!(asked(Some(OsStr::new(value))), meaning, "{value}");
        }
        assert_eq!(asked(None), Some(Wanted::ByCost));
    }
}
