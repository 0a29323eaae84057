//! Sums the commands other than launches, by type.

use super::host::per_second;
use recording::Process;
use serde::Serialize;
use std::collections::BTreeMap;

/// The commands of one type.
#[derive(Debug, Default, Serialize)]
pub struct TransferProfile {
    /// The type's name in OpenCL.
    pub kind: String,
    /// Number of commands.
    pub commands: u64,
    /// Number of failed commands.
    pub failed: u64,
    /// Bytes that they transferred.
    pub bytes: u64,
    /// Simulated nanoseconds, from `CL_PROFILING_COMMAND_START` to `_END`.
    pub time_ns: u64,
    /// Bytes per simulated second.
    pub bytes_per_second: f64,
}

/// The kind of migrations that came before commands, as of a buffer with the host's contents before the
/// first kernel that reads it.
pub const IMPLICIT_MIGRATION: &str = "implicit migration";

/// Sums by type, ordered by decreasing time.
pub fn profiles(processes: &[Process]) -> Vec<TransferProfile> {
    let mut types: BTreeMap<&str, TransferProfile> = BTreeMap::new();
    let commands = processes.iter().flat_map(|process| &process.commands);
    for command in commands.filter(|command| command.kernel.is_none()) {
        let profile = types.entry(&command.kind).or_default();
        profile.commands += 1;
        profile.failed += u64::from(command.status < 0);
        profile.bytes += command.bytes;
        profile.time_ns += command.end.saturating_sub(command.start);
    }
    let commands = processes.iter().flat_map(|process| &process.commands);
    for migration in commands.filter_map(|command| command.migration) {
        let profile = types.entry(IMPLICIT_MIGRATION).or_default();
        profile.commands += 1;
        profile.bytes += migration.bytes;
        profile.time_ns += migration.end.saturating_sub(migration.begin);
    }
    let mut profiles: Vec<_> = types
        .into_iter()
        .map(|(kind, profile)| TransferProfile {
            kind: kind.to_owned(),
            bytes_per_second: per_second(profile.bytes, profile.time_ns),
            ..profile
        })
        .collect();
    profiles.sort_by_key(|profile| std::cmp::Reverse(profile.time_ns));
    profiles
}
