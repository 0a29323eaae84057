//! Compiled files as text: the assembly language of LLVM, since the machine's is not what C is compiled to.

use crate::failure::BuildFailure;
use crate::guard;
use crate::ir::{Context, Module};
use crate::process_end::Use;

/// The first line of a compiled file in assembly, by which the assembler knows it from one in the machine's language.
/// It is a comment in both.
const FIRST_LINE: &str = "; m3cc wrote this file in the assembly language of LLVM, and compiles it";

/// A file in bitcode, in the assembly language of LLVM.
///
/// # Errors
/// The file is no bitcode of this version of LLVM.
pub fn text(bitcode: &[u8]) -> Result<String, BuildFailure> {
    with_module("writing a module", |context| {
        Ok(context.parse_bitcode(bitcode)?.text())
    })
}

/// That text as a file which takes the place of one in the machine's assembly language.
///
/// # Errors
/// As `text`.
pub fn marked_text(bitcode: &[u8]) -> Result<String, BuildFailure> {
    Ok(format!("{FIRST_LINE}\n{}", text(bitcode)?))
}

/// Whether a file is one of `marked_text`.
pub fn is_marked(text: &str) -> bool {
    text.lines().next() == Some(FIRST_LINE)
}

/// The bitcode of a file in the assembly language of LLVM.
///
/// # Errors
/// LLVM's message: the text is wrong, or the module that it describes.
pub fn from_text(path: &str, text: &str) -> Result<Vec<u8>, BuildFailure> {
    let bitcode = with_module(path, |context| {
        let module: Module<'_> = context.parse_ir(text)?;
        module.verify()?;
        Ok(module.bitcode())
    });
    bitcode.map_err(|mut failure| {
        failure.log.insert_str(0, &format!("{path}: error: "));
        failure
    })
}

/// Calls `act` with a context, guarded; `subject` is that of failures.
fn with_module<R: Send>(
    subject: &str,
    act: impl FnOnce(&Context) -> Result<R, String> + Send,
) -> Result<R, BuildFailure> {
    let _in_use = Use::begin()?;
    match guard::run(|| act(&Context::create())) {
        Ok(result) => result.map_err(BuildFailure::new),
        Err(stopped) => Err(BuildFailure::stopped(subject, &stopped)),
    }
}
