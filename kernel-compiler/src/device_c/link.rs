//! Links compiled files to one image.

use super::assembly;
use crate::failure::BuildFailure;
use crate::guard;
use crate::ir::Context;
use crate::process_end::Use;

/// Links files, whose symbols must not conflict, to one image in bitcode.
///
/// # Errors
/// A file is no bitcode of this version of LLVM, or LLVM refuses to link it; C calls a function in
/// assembly with what has no register.
pub fn link(files: &[&[u8]]) -> Result<Vec<u8>, BuildFailure> {
    let _in_use = Use::begin()?;
    let image = guard::run(|| {
        let context = Context::create();
        let image = context.create_module("image");
        let mut assembled = Vec::new();
        for file in files {
            let module = context.parse_bitcode(file)?;
            match assembly::programs(module.handle())?.is_empty() {
                true => image.link(module)?,
                false => assembled.push(module),
            }
        }
        // Last, so that C's declarations say what types functions have.
        for module in assembled {
            image.link(module)?;
        }
        assembly::adapt_calls(image.handle())?;
        Ok(image.bitcode())
    });
    match image {
        Ok(image) => image.map_err(|error: String| BuildFailure::new(error)),
        Err(stopped) => Err(BuildFailure::stopped("linking", &stopped)),
    }
}
