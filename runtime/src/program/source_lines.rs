//! Source lines of programs, which recordings, checks, profilers and reports of crashes have.

use crate::check;
use crate::recording::recorder;
use kernel_compiler::BuildInput;
use kernel_compiler::check::Checks;
use kernel_compiler::debugger;
use kernel_compiler::executable::Executable;
use kernel_compiler::options::BuildOptions;
use std::sync::Arc;

/// Whether recordings attribute time to source lines, checks report them, or profilers see them.
fn are_wanted() -> bool {
    recorder::is_on() || check::is_on() || debugger::wants_line_tables()
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

/// The executable with source lines, if these are wanted and it can be built again of what it was
/// built of; else the executable itself. A header that has changed since makes another program, which
/// is not taken.
pub(super) fn added(executable: Arc<Executable>, input: Option<&BuildInput>) -> Arc<Executable> {
    let Some(input) = input.filter(|_| are_wanted()) else {
        return executable;
    };
    let initialises = executable.initialises_private_memory();
    let plain = |options: BuildOptions| options.initialising_private_memory(initialises);
    let Some(with_lines) = input.build(|options| for_this_run(plain(options))) else {
        return executable;
    };
    let is_same = with_lines.is_same_as(&executable)
        || input
            .build(plain)
            .is_some_and(|again| again.is_same_as(&executable));
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
    input.build(|options| {
        let plain = options.initialising_private_memory(initialises);
        match are_wanted() {
            true => for_this_run(plain),
            false => plain.with_line_tables(),
        }
    })
}
