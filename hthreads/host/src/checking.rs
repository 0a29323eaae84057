//! What a program is checked for (`MOCL3_CHECK`), and findings of its host part (`api`): calls that fail, and
//! what it does not free.

use crate::recorder;
use device_threads::{Checks, host_name, report_findings};
use environment::CHECK;
use findings::{Finding, Kind};
use std::sync::LazyLock;

/// The checks of this process. Says once what is not checked although the user wants it.
pub fn selected() -> Checks {
    static SELECTED: LazyLock<Checks> = LazyLock::new(select);
    *SELECTED
}

fn select() -> Checks {
    let say = |what: &str| eprintln!("{}: {what}", host_name());
    let (mut checks, others) = match Checks::from_environment() {
        Ok(selected) => selected,
        Err(reason) => {
            say(&reason);
            return Checks::default();
        }
    };
    if !others.is_empty() {
        let others = others.join(", ");
        say(&format!(
            "{CHECK}: code of hthreads is not checked for: {others}"
        ));
    }
    if checks.uninitialised && !device_threads::can_follow_values() {
        say(&format!(
            "{CHECK}: the host has no address space for `uninitialised`, so that only accesses are checked"
        ));
        checks.uninitialised = false;
    }
    if checks.are_in_code() && recorder::get().is_some() {
        say(&format!(
            "{CHECK}: code of hthreads is not checked in runs with simulated time"
        ));
        return Checks {
            api: checks.api,
            ..Checks::default()
        };
    }
    checks
}

/// Reports that a call failed, which the message names.
pub fn report_error(message: String) {
    report(Kind::ApiError, message);
}

/// Reports a finding, if calls are checked.
pub fn report(kind: Kind, message: String) {
    if selected().api {
        report_findings(vec![Finding::new(kind, message)]);
    }
}
