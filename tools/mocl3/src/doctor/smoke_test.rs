//! A smoke test: a separate process uses the platform as OpenCL programs do.

use super::findings::Findings;
use super::loader::{Loader, PYOPENCL_HOME};
use super::probe::{self, ProbeOutcome};
use super::process;
use crate::open_cl::{NAME, OpenCl};
use anyhow::Result;
use environment::PROFILING_TIME;
use std::path::Path;
use std::process::{ExitCode, Output};
use std::time::Duration;

/// Time limit. A kernel takes a second or two on a slow machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Runs the test in a separate process, and reports its result.
///
/// # Errors
/// This program cannot be started again.
pub fn examine(loader: &Loader, findings: &mut Findings) -> Result<()> {
    let mut command = process::this_program()?;
    command
        .arg("--smoke-test")
        .arg("--loader")
        .arg(&loader.path)
        // This overrides the user's setting, since findings are read from this log.
        .env("MOCL3_LOG", "warn,kernel_compiler::cache=debug");
    if let Some(home) = &loader.pyopencl_home {
        command.env(PYOPENCL_HOME, home);
    }
    let Some(output) = process::output(&mut command, TIMEOUT)? else {
        findings.bad(
            format!("using OpenCL did not end within {} s", TIMEOUT.as_secs()),
            "try MOCL3_CACHE=0 (a cache on a network's disk may wait for locks) and without the \
             variables above; if that does not help, report it",
        );
        return Ok(());
    };
    let log = String::from_utf8_lossy(&output.stderr);
    let Some(outcome) = outcome(&output) else {
        crashed(&output, &log, findings);
        return Ok(());
    };
    for entry in complaints(&log) {
        findings.note(format!("the log says: {entry}"));
    }
    if platforms(&outcome, findings) && devices(&outcome, findings) {
        match outcome.failure {
            None => findings.good("a kernel was compiled and run, and its result is right"),
            Some(failure) => findings.bad(
                format!("a kernel could not be run: {failure}"),
                "MOCL3_LOG=debug shows more; docs/environment.md explains the variables",
            ),
        }
        cache(&log, findings);
    }
    Ok(())
}

/// The result that the process printed, if any.
fn outcome(output: &Output) -> Option<ProbeOutcome> {
    let outcome = serde_json::from_slice(&output.stdout).ok();
    outcome.filter(|_| output.status.success())
}

fn crashed(output: &Output, log: &str, findings: &mut Findings) {
    let advice = if log.contains("pthread_create") {
        "no more threads can be made: raise the limit (ulimit -u, or the container's \
         limit of processes), or set MOCL3_HOST_THREADS=1"
    } else {
        "try without the variables above; other platforms that are loaded with ours may \
         be the cause. If that does not help, run it in a debugger, and report it"
    };
    let ended = format!("using OpenCL ended with {}:\n{}", output.status, log.trim());
    findings.bad(ended, advice);
}

/// Reports the platforms; returns whether MOCL3 is among them.
fn platforms(outcome: &ProbeOutcome, findings: &mut Findings) -> bool {
    let names = outcome.platforms.iter().map(String::as_str);
    let others: Vec<&str> = names.filter(|name| *name != NAME).collect();
    if !others.is_empty() {
        findings.note(format!(
            "there are other platforms as well ({}); programs may take one of them",
            others.join(", ")
        ));
    }
    let ours = outcome.platforms.len() - others.len();
    if ours == 0 {
        findings.bad(
            "the loader does not show the platform to programs",
            "see what the loader says: OCL_ICD_DEBUG=7 (ocl-icd) or OCL_ICD_ENABLE_TRACE=1 \
             (Khronos) before a program",
        );
        return false;
    }
    if ours > 1 {
        findings.note(
            "programs see MOCL3 more than once, and may take an older one: leave one of the .icd \
             files above",
        );
    }
    let own = env!("CARGO_PKG_VERSION");
    if let Some(other) = outcome.version.as_deref().filter(|other| *other != own) {
        findings.note(format!(
            "the library has version {other}, this command {own}: there are two installations"
        ));
    }
    true
}

/// Reports the devices; returns whether there are any.
fn devices(outcome: &ProbeOutcome, findings: &mut Findings) -> bool {
    let Some((name, device_type)) = outcome.devices.first() else {
        findings.bad(
            "the platform has no devices",
            "the log above says why: mostly MOCL3_MACHINE or MOCL3_DEVICE_TYPE is wrong",
        );
        return false;
    };
    match outcome.devices.len() {
        1 => findings.good(format!("1 device, \"{name}\"")),
        count => {
            findings.good(format!("{count} devices, such as \"{name}\""));
            findings.note(
                "MOCL3_DEVICES=1 leaves one device, for programs that fail with several and for \
                 shorter builds",
            );
        }
    }
    findings.note(format!(
        "the device type is {device_type}; MOCL3_DEVICE_TYPE=cpu or gpu is for programs that \
         accept no other"
    ));
    findings.note(event_times());
    true
}

/// Reports the clock of event profiling, and how to select the other one.
fn event_times() -> &'static str {
    let value = PROFILING_TIME.get().unwrap_or_default();
    if value.to_string_lossy().trim().eq_ignore_ascii_case("host") {
        "event profiling reports the host's time (MOCL3_PROFILING_TIME=host)"
    } else {
        "event profiling reports the simulated machine's time. Programs that time or calibrate \
         themselves by events get the host's with MOCL3_PROFILING_TIME=host, and run faster"
    }
}

/// Warnings and errors of the log, which may have several lines.
fn complaints(log: &str) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    for line in log.lines() {
        match entries.last_mut() {
            // "[WARN  kernel_compiler::cache] …"
            Some(entry) if !line.starts_with('[') => {
                entry.push('\n');
                entry.push_str(line);
            }
            _ => entries.push(line.to_owned()),
        }
    }
    entries.retain(|entry| entry.contains("WARN") || entry.contains("ERROR"));
    entries
}

/// Reports the state of the compile cache, from the log.
fn cache(log: &str, findings: &mut Findings) {
    const SAYS: &str = "compile cache: ";
    const CANNOT_KEEP: &str = "compile cache: cannot keep ";
    let reason = log.lines().find_map(|line| {
        let (_, reason) = line.split_once("no compile cache: ")?;
        Some(reason)
    });
    if let Some(reason) = reason {
        findings.note(format!(
            "no compile cache: {reason}; every process compiles anew. MOCL3_CACHE_DIR names \
             another folder"
        ));
    } else if std::env::var_os("MOCL3_CACHE").is_some_and(|value| value == "0") {
        findings.note("no compile cache: MOCL3_CACHE=0");
    } else if let Some((_, reason)) = log.split_once(CANNOT_KEEP) {
        let reason = reason.lines().next().unwrap_or_default();
        findings.note(format!(
            "the compile cache cannot keep {reason}; every process compiles anew. \
             MOCL3_CACHE_DIR names another folder"
        ));
    } else if log.contains(SAYS) {
        findings.good("the compile cache works");
    }
}

/// Runs the test in this process, and prints the result.
///
/// # Errors
/// The loader cannot be loaded.
pub fn perform(loader: Option<&Path>) -> Result<ExitCode> {
    let outcome = probe::outcome(&OpenCl::load(loader)?);
    println!("{}", serde_json::to_string(&outcome)?);
    Ok(ExitCode::SUCCESS)
}
