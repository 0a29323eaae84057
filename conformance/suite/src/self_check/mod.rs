//! The suite is checked itself: it is run on a library with one defect after the other
//! (crate `fault-injection`), and the right cases must fail, and no others.

pub mod command_line;
mod expectations;
mod judgement;

pub use expectations::{EXPECTATIONS, Expectation};
pub use judgement::Judgement;

use crate::case::Case;
use crate::cases;
use crate::interrupt;
use crate::process::Outcome;
use crate::runner::{self, Plan};
use anyhow::{Context, Result, ensure};
use fault_injection::Defect;
use std::ffi::OsString;

/// Cases that a short run takes of those that have nothing to do with a defect.
const SAMPLE: usize = 4;

/// Host threads, whatever the processors: groups must run at the same time.
const HOST_THREADS: &str = "4";

/// What to run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All cases with each defect.
    Full,
    /// The cases that must notice a defect, and a sample of those that must not.
    Short,
}

/// The cases to run with a defect.
pub fn cases_to_run(expectation: &Expectation, extent: Extent) -> Vec<&'static Case> {
    let all = cases::all();
    if extent == Extent::Full {
        return all.collect();
    }
    let (mut cases, others): (Vec<_>, Vec<_>) =
        all.partition(|case| expectation.noticed_by.contains(&case.name));
    let others: Vec<_> = others
        .into_iter()
        .filter(|case| expectation.leaves(case))
        .collect();
    // Spread over all, and not the same for each defect.
    let step = (others.len() / SAMPLE).max(1);
    let place = Defect::ALL.iter().position(|&d| d == expectation.defect);
    let first = place.unwrap_or(0) % step;
    cases.extend(others.into_iter().skip(first).step_by(step).take(SAMPLE));
    cases
}

/// Names of those of the cases that fail with a defect, or without any.
///
/// # Errors
/// A case cannot be run, or is skipped.
pub fn failing(
    plan: &Plan,
    defect: Option<Defect>,
    cases: &[&'static Case],
) -> Result<Vec<&'static str>> {
    // What is compiled with a defect must not be found by a library without it.
    let cache = tempfile::tempdir()?;
    let mut variables: Vec<(&'static str, OsString)> = vec![
        ("MOCL3_CACHE", "1".into()),
        ("MOCL3_CACHE_DIR", cache.path().into()),
        ("MOCL3_HOST_THREADS", HOST_THREADS.into()),
        // No case is skipped: this one has built-in kernels.
        ("MOCL3_MACHINE", "dsp".into()),
    ];
    variables.extend(defect.map(|defect| (fault_injection::VARIABLE, defect.name().into())));
    let plan = Plan {
        settings: plan.settings.clone(),
        executable: plan.executable.clone(),
        shown_as: plan.shown_as.clone(),
        variables,
        ..*plan
    };
    let mut failing = Vec::new();
    let reports = runner::run(&plan, cases)?;
    ensure!(!interrupt::is_asked(), "interrupted");
    for report in reports {
        let name = report.name;
        match report.outcome {
            Outcome::Passed => {}
            Outcome::Failed(_) => failing.push(name),
            Outcome::Skipped(reason) => {
                ensure!(defect.is_some(), "{name} is skipped: {reason}");
                failing.push(name);
            }
        }
    }
    Ok(failing)
}

/// What is expected of a defect.
///
/// # Errors
/// There is no such defect.
pub fn expectation(name: &str) -> Result<&'static Expectation> {
    EXPECTATIONS
        .iter()
        .find(|expectation| expectation.defect.name() == name)
        .with_context(|| format!("no defect is called `{name}`"))
}
