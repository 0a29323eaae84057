//! OpenCL C's builtin functions, made when this crate is built. The library is in parts,
//! and a program is linked with those parts only that define what it uses: reading all of
//! them would take longer than compiling a small kernel.

use crate::ir;
use crate::shim;
use inkwell::module::Module;
use std::collections::BTreeSet;

include!(concat!(env!("OUT_DIR"), "/builtins.rs"));

/// Adds the definitions of all builtins that a program uses, and of what those use.
/// False if a part cannot be read or contradicts the program.
pub fn add_needed(program: &Module<'_>) -> bool {
    let mut added = BTreeSet::new();
    loop {
        let missing = missing(program);
        // What a part was linked for and did not define stays missing.
        let new = missing.difference(&added).count() != 0;
        if !new {
            return true;
        }
        let parts: BTreeSet<u8> = missing.iter().map(|(part, _)| *part).collect();
        for part in parts {
            if !shim::link_needed(program, PARTS[usize::from(part)]) {
                return false;
            }
        }
        added.extend(missing);
    }
}

/// Builtins that a program uses and does not define, with the parts that do.
fn missing(program: &Module<'_>) -> BTreeSet<(u8, String)> {
    let module = program.as_mut_ptr();
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
