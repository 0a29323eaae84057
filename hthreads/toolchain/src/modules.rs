//! Modules of bitcode as object files.

use anyhow::Result;
use device_image::{ObjectFile, SymbolKind};
use kernel_compiler::device_c::{self, assembly, symbols};
use std::collections::HashSet;

/// The contents of the object file of a module.
///
/// # Errors
/// The module is no bitcode of this version of LLVM.
pub fn object_file(module: Vec<u8>) -> Result<Vec<u8>> {
    let symbols = symbols(&module)?;
    let known: HashSet<&str> = device_threads::names()
        .chain(device_c::c_library())
        .collect();
    let names = symbols
        .iter()
        .filter(|symbol| symbol.kind == SymbolKind::Undefined)
        .map(|symbol| symbol.name.as_str());
    let provided = names.filter(|name| known.contains(name));
    let file = ObjectFile {
        provided: provided.map(str::to_owned).collect(),
        has_assembly: !assembly::programs_of(&module)?.is_empty(),
        modules: vec![module.into()],
        symbols,
    };
    Ok(file.contents())
}

/// Links modules some of which have assembly, which have to agree on calls, to one.
///
/// # Errors
/// C calls a function in assembly with what has no register, or LLVM's.
pub fn link(modules: &[&[u8]]) -> Result<Vec<u8>> {
    Ok(device_c::link(modules)?)
}
