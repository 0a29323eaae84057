//! The content of an executable, as linking makes it and the compile cache keeps it.

use crate::cache::{Cache, CacheInput};
use crate::failure::BuildFailure;
use crate::guard;
use crate::inspect::dump;
use crate::ir::Context;
use crate::kernel::interface::{self, KernelInterface};
use crate::link::{self, LINKING};
use crate::unit::{Origin, Unit, initialise_private_memory, origins};
use serde::{Deserialize, Serialize};
use serde_bytes::Bytes;
use std::sync::Arc;

/// A linked program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Linked {
    /// LLVM bitcode.
    #[serde(with = "serde_bytes")]
    pub bitcode: Vec<u8>,
    /// The kernels' interfaces; kept here so that the bitcode need not be read for them.
    pub kernels: Vec<KernelInterface>,
    /// Private variables begin as zeros.
    pub initialises_private_memory: bool,
}

/// The key by which programs of equal content share one executable in a process.
impl CacheInput for Linked {
    const KIND: &'static str = "content";
    const VERSION: u32 = 1;
}

/// What a linked program depends on.
#[derive(Serialize)]
pub struct UnitsInput<'a> {
    bitcode: Vec<&'a Bytes>,
    initialises_private_memory: bool,
}

impl<'a> UnitsInput<'a> {
    /// The input for linking `units`.
    pub fn new(units: &[&'a Unit]) -> Self {
        let bitcode = units.iter().map(|unit| Bytes::new(&unit.bitcode));
        Self {
            bitcode: bitcode.collect(),
            initialises_private_memory: initialise_private_memory(units),
        }
    }
}

impl CacheInput for UnitsInput<'_> {
    const KIND: &'static str = "executable";
    const VERSION: u32 = 1;
}

impl Linked {
    /// Links units, or reads what the compile cache has of them; with what they were compiled
    /// from, if dumps are on.
    ///
    /// # Errors
    /// Functions used but not defined, by name; symbols defined twice; recursion.
    pub fn of_units(units: &[&Unit]) -> Result<(Self, Vec<Arc<Origin>>), BuildFailure> {
        let Some(cache) = Cache::get() else {
            let origins = origins(units);
            let linked = Self::link(units)
                .inspect_err(|failure| dump::failed_build(&origins, &failure.log))?;
            return Ok((linked, origins));
        };
        let linked = cache.get_or_make(&UnitsInput::new(units), |_| true, || Self::link(units))?;
        Ok((linked, Vec::new()))
    }

    fn link(units: &[&Unit]) -> Result<Self, BuildFailure> {
        log::debug!("links a program of {} units", units.len());
        let linked = guard::run(|| {
            let context = Context::create();
            let program = link::link(&context, units)?;
            link::complete(&program)?;
            let kernels = interface::kernels(program.handle());
            let bitcode = program.bitcode();
            link::check_regions(&program, &bitcode, &kernels)?;
            Ok(Self {
                kernels,
                initialises_private_memory: initialise_private_memory(units),
                bitcode,
            })
        });
        linked.unwrap_or_else(|stopped| Err(BuildFailure::stopped(LINKING, &stopped)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::check_distinct;

    #[test]
    fn the_key_depends_on_each_unit_and_its_options() {
        let unit = |bitcode: &[u8], initialises_private_memory| Unit {
            bitcode: bitcode.into(),
            log: String::new(),
            initialises_private_memory,
            origins: Vec::new(),
        };
        let (one, other, joined) = (unit(b"a", false), unit(b"b", false), unit(b"ab", false));
        let initialised = unit(b"a", true);
        let inputs = [
            UnitsInput::new(&[&one]),
            UnitsInput::new(&[&other]),
            UnitsInput::new(&[&one, &other]),
            UnitsInput::new(&[&other, &one]),
            UnitsInput::new(&[&joined]),
            UnitsInput::new(&[&initialised]),
        ];
        check_distinct(&inputs, &UnitsInput::new(&[&unit(b"a", false)]));
    }
}
