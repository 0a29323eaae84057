//! Runs cases of the crate `regress` on a session's device.

use anyhow::Result;
use harness::platform::Identity;
use harness::session::Session;
use regress::case::Case;
use regress::platform::Platform;
use std::process::Command;

/// The reason why the device cannot run the case, if there is one.
///
/// # Errors
/// A query fails, or the case's header is malformed.
pub fn obstacle(case: &Case, session: &Session) -> Result<Option<String>> {
    case.obstacle(&Identity::query(&session.device)?.version)
}

/// Runs the case.
///
/// # Errors
/// The case fails.
pub fn run(case: &Case, session: &Session) -> Result<()> {
    session.show_source(case.text)?;
    let (settings, executable) = (session.settings(), std::env::current_exe()?);
    case.run(&Platform {
        version: &Identity::query(&session.device)?.version,
        options: &settings.options,
        variables: &[],
        // The platform reads its environment once, so each environment has a process of its own.
        worker: &|| {
            let mut worker = Command::new(&executable);
            worker.args(["random-kernels-worker", "--platform", &settings.platform]);
            worker
        },
    })
}
