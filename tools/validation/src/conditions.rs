//! What all measurements have in common: the number of arrays, the environment, and profiles.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Arrays of a cluster, and work-groups of launches that use them all.
pub const ARRAYS: usize = 24;

/// Environment variables that change the results; they are removed.
const NOT_INHERITED: [&str; 7] = [
    "HT_MEM_LAYOUT_POS",
    "HT_CODE_LAYOUT_POS",
    "MT_WAIT_MODE",
    "MOCL3_DEVICES",
    "MOCL3_DEVICE_TYPE",
    "MOCL3_PROFILING_TIME",
    "MOCL3_RECORD",
];

/// Removes these variables from a command's environment.
pub fn in_order(command: &mut Command) -> &mut Command {
    for variable in NOT_INHERITED {
        command.env_remove(variable);
    }
    command
}

/// What `mocl3 stat --json` with `options` says of a command.
///
/// # Errors
/// `mocl3`'s.
pub fn profile(mocl3: &Path, options: &[&str], command: &[OsString]) -> Result<Value> {
    let mut stat = Command::new(mocl3);
    in_order(&mut stat)
        .args(["stat", "--json"])
        .args(options)
        .arg("--")
        .args(command);
    let output = stat
        .output()
        .with_context(|| format!("{} cannot be started", mocl3.display()))?;
    let messages = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "mocl3 stat: {messages}");
    Ok(serde_json::from_slice(&output.stdout)?)
}
