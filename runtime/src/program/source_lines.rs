//! Source lines of programs, which recordings, checks and reports of crashes have.

use crate::check;
use crate::recording::recorder;
use kernel_compiler::BuildFailure;
use kernel_compiler::check::Checks;
use kernel_compiler::executable::Executable;
use kernel_compiler::options::{BuildCall, BuildOptions};
use kernel_compiler::program_binary::BuildInput;
use std::sync::Arc;

/// Whether recordings attribute time to source lines, or checks report them.
fn are_wanted() -> bool {
    recorder::is_on() || check::is_on()
}

/// The options with what recordings and checks of this run need.
pub(super) fn for_this_run(options: BuildOptions) -> BuildOptions {
    let options = match are_wanted() {
        true => options.with_line_tables(),
        false => options,
    };
    match check::checks().intersects(Checks::MEMORY | Checks::BARRIERS) {
        true => options.checking_memory(),
        false => options,
    }
}

/// The executable of a binary with source lines, if these are wanted and it can be built again from
/// its source; else the executable itself. A header that has changed since makes another program,
/// which is not taken.
pub(super) fn added(executable: Arc<Executable>, input: Option<&BuildInput>) -> Arc<Executable> {
    let Some(input) = input.filter(|_| are_wanted()) else {
        return executable;
    };
    let initialises = executable.initialises_private_memory();
    let Some(plain) = plain_options(input, initialises) else {
        return executable;
    };
    let Ok(with_lines) = build(input, &for_this_run(plain.clone())) else {
        return executable;
    };
    let is_same = with_lines.is_same_as(&executable)
        || build(input, &plain).is_ok_and(|again| again.is_same_as(&executable));
    match is_same {
        true => with_lines,
        false => {
            log::info!("a program binary is not what its source makes now; it has no source lines");
            executable
        }
    }
}

/// The program of that input as this run builds it, but with source lines; none if it no longer
/// builds.
pub(super) fn build_with_lines(input: &BuildInput, initialises: bool) -> Option<Arc<Executable>> {
    let plain = plain_options(input, initialises)?;
    let options = match are_wanted() {
        true => for_this_run(plain),
        false => plain.with_line_tables(),
    };
    build(input, &options).ok()
}

/// The options of that input.
fn plain_options(input: &BuildInput, initialises: bool) -> Option<BuildOptions> {
    let options = BuildOptions::parse(&input.options, BuildCall::Build).ok()?;
    Some(options.initialising_private_memory(initialises))
}

fn build(input: &BuildInput, options: &BuildOptions) -> Result<Arc<Executable>, BuildFailure> {
    let unit = kernel_compiler::compile(&input.source, options, &[])?;
    Executable::link(&[&unit])
}
