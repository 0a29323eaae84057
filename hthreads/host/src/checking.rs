//! What device code is checked for (`MOCL3_CHECK`).

use crate::recorder;
use device_threads::{Checks, host_name};
use environment::CHECK;
use std::sync::LazyLock;

/// The checks of this process. Says once what is not checked although the user wants it.
pub fn selected() -> Checks {
    static SELECTED: LazyLock<Checks> = LazyLock::new(select);
    *SELECTED
}

fn select() -> Checks {
    let say = |what: &str| eprintln!("{}: {what}", host_name());
    let (checks, others) = match Checks::from_environment() {
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
    if checks.is_any() && recorder::get().is_some() {
        say(&format!(
            "{CHECK}: code of hthreads is not checked in runs with simulated time"
        ));
        return Checks::default();
    }
    checks
}
