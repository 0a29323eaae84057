//! What a launch of checked code has to check, of what its arguments are.

use crate::kernel::arguments::CapturedArguments;
use host_exec::races::exclusive::LaunchValues;
use host_exec::work_group::NdRange;
use kernel_compiler::check::Checks;
use kernel_compiler::executable::WorkGroupCode;

/// What a launch of code with these checks has to check: no races if it cannot have any, and accesses
/// that the flags of its buffers forbid if it has some.
pub(super) fn needed_checks(
    code: &WorkGroupCode,
    captured: &CapturedArguments,
    nd_range: &NdRange,
    mut checks: Checks,
) -> Checks {
    if checks.contains(Checks::RACES) && !may_have_races(code, captured, nd_range) {
        checks -= Checks::RACES;
    }
    let tables = code.checked.as_deref();
    let memory = tables.and_then(|tables| tables.memory.as_ref());
    checks.set(
        Checks::FLAGS,
        memory.is_some_and(|table| table.are_some_forbidden(&captured.checked)),
    );
    checks
}

/// Whether a launch of code that checks races may have one; it needs no such code otherwise.
fn may_have_races(code: &WorkGroupCode, captured: &CapturedArguments, nd_range: &NdRange) -> bool {
    let tables = code.checked.as_deref();
    let Some(races) = tables.and_then(|tables| tables.races.as_ref()) else {
        return true;
    };
    captured.block.aligned(|arguments| {
        let values = LaunchValues {
            nd_range,
            arguments,
        };
        races.may_have_races(&captured.checked, values)
    })
}
