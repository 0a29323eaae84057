//! OpenCL C's builtin functions, which `compiler-resources` compiles. The library is in parts,
//! and a program is linked with those parts only that define what it uses: reading all of
//! them would take longer than compiling a small kernel.

use crate::ir;
use crate::ir::Module;
use crate::shim;
use compiler_resources::{DEFINED_IN, PARTS};
use std::collections::BTreeSet;

/// Adds the definitions of all builtins that a program uses, and of what those use.
/// False if a part cannot be read or contradicts the program.
pub fn add_needed(program: &Module<'_>) -> bool {
    let mut added = BTreeSet::new();
    loop {
        // What a part was linked for and did not define stays missing.
        let mut missing = missing(program);
        missing.retain(|builtin| !added.contains(builtin));
        // The first part may use later ones, so that each is mostly read once.
        let Some((part, _)) = missing.first().cloned() else {
            return true;
        };
        if !shim::link_needed(program, PARTS[usize::from(part)]) {
            return false;
        }
        missing.retain(|(other, _)| *other == part);
        added.append(&mut missing);
    }
}

/// Builtins that a program uses and does not define, with the parts that do.
fn missing(program: &Module<'_>) -> BTreeSet<(u16, String)> {
    let module = program.handle();
    ir::functions(module)
        .into_iter()
        .chain(ir::globals(module))
        .filter(|symbol| symbol.is_declaration() && !symbol.users().is_empty())
        .filter_map(|symbol| {
            let name = symbol.name();
            let index = DEFINED_IN
                .binary_search_by_key(&name.as_str(), |(known, _)| known)
                .ok()?;
            Some((DEFINED_IN[index].1, name))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_each_is_defined_once() {
        assert!(DEFINED_IN.len() > 10_000);
        for pair in DEFINED_IN.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{pair:?}");
        }
    }
}
