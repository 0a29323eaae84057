//! A kernel as C of the machine's dialect, instead of native code.

use super::compilation::{Compilation, Input};
use super::fallback;
use super::module_guard::LeakOnPanic;
use crate::failure::BuildFailure;
use crate::inspect::stage::NullObserver;
use crate::ir::Context;
use crate::ir::diagnostics::Errors;
use crate::m3000_c::{self, Unsupported};
use crate::shim::Refused;
use crate::vectorize::Rejection;

/// Brings variables into values, and leaves out empty blocks.
const READABLE: &str = "always-inline,function(sroa,instsimplify,simplifycfg)";

/// Writes a kernel as C. The inner error says what has no counterpart.
///
/// # Errors
/// The kernel cannot be compiled (an error in this compiler).
pub fn m3000_c(input: Input<'_>) -> Result<Result<String, Unsupported>, BuildFailure> {
    fallback::compile(&input.interface.name, |attempt| {
        let context = LeakOnPanic::new(Context::create());
        let errors = Errors::collect(&context);
        let rejected = Some(Rejection::Disabled.into());
        let mut observer = NullObserver;
        let mut compilation = Compilation::new(&context, input, attempt, &mut observer, rejected)?;
        compilation.instrument()?;
        let lanes = compilation.prepare()?;
        let resources = compilation.form_work_groups(lanes)?.resources;
        compilation.run_passes(READABLE, &compilation.pass_target())?;
        let module = compilation.module.handle();
        let written = m3000_c::write(module, input.interface, input.specialisation, resources);
        match errors.first() {
            Some(error) => Err(Refused(error)),
            None => Ok(written),
        }
    })
}
