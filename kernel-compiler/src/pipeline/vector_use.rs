//! The vectors that LLVM's passes left in a module, for users to see.

use crate::ir;
use crate::ir::Module;
use crate::work_group;

/// Vectors in optimised code.
#[derive(Clone, Copy)]
pub struct VectorUse {
    /// Elements of the widest vector; 1 if there is none.
    pub widest: u32,
    /// LLVM's loop vectoriser made some.
    pub loop_vectoriser: bool,
    /// There are loops.
    pub loops: bool,
}

/// Prefixes of the names that LLVM's loop vectoriser gives values. Names of
/// blocks do not identify its loops: blocks may have been merged, and loops unrolled.
const LOOP_VECTORISER_PREFIXES: &[&str] = &[
    "broadcast.splat",
    "interleaved.vec",
    "strided.vec",
    "vec.ind",
    "vec.phi",
    "wide.",
];

impl VectorUse {
    /// No vectors.
    pub const NONE: Self = Self {
        widest: 1,
        loop_vectoriser: false,
        loops: false,
    };

    /// The vectors of all functions of a module.
    pub fn count(module: &Module<'_>) -> Self {
        let mut found = Self::NONE;
        for function in ir::functions(module.handle()) {
            if !function.is_declaration() {
                found.loops |= work_group::has_loop(function);
                found.add(function);
            }
        }
        found
    }

    fn add(&mut self, function: ir::Value) {
        for instruction in function.instructions() {
            if instruction.ty().is_vector() {
                let (_, elements) = instruction.ty().vector_elements();
                self.widest = self.widest.max(elements);
                let name = instruction.name();
                let mut prefixes = LOOP_VECTORISER_PREFIXES.iter();
                self.loop_vectoriser |= prefixes.any(|prefix| name.starts_with(prefix));
            }
        }
    }
}
