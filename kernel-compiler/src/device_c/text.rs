//! A compiled file as text.

use crate::failure::BuildFailure;
use crate::guard;
use crate::ir::Context;
use crate::process_end::Use;

/// A file in bitcode, in the assembly language of LLVM.
///
/// # Errors
/// The file is no bitcode of this version of LLVM.
pub fn text(bitcode: &[u8]) -> Result<String, BuildFailure> {
    let _in_use = Use::begin()?;
    let text = guard::run(|| {
        let context = Context::create();
        Ok(context.parse_bitcode(bitcode)?.text())
    });
    match text {
        Ok(text) => text.map_err(|error: String| BuildFailure::new(error)),
        Err(stopped) => Err(BuildFailure::stopped("writing a module", &stopped)),
    }
}
