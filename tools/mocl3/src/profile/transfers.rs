//! Sums the commands other than launches, by type.

use super::host::per_second;
use recording::Command;
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

/// Sums by type.
#[derive(Default)]
pub struct Sums(BTreeMap<String, TransferProfile>);

impl Sums {
    /// Adds a command, unless it launches a kernel, and the migration before it.
    pub fn add(&mut self, command: &Command) {
        if command.kernel.is_none() {
            let profile = self.transfers_of_kind(&command.kind);
            profile.commands += 1;
            profile.failed += u64::from(command.status < 0);
            profile.bytes += command.bytes;
            profile.time_ns += command.end.saturating_sub(command.start);
        }
        if let Some(migration) = command.migration {
            let profile = self.transfers_of_kind(IMPLICIT_MIGRATION);
            profile.commands += 1;
            profile.bytes += migration.bytes;
            profile.time_ns += migration.end.saturating_sub(migration.begin);
        }
    }

    fn transfers_of_kind(&mut self, kind: &str) -> &mut TransferProfile {
        self.0.entry(kind.to_owned()).or_default()
    }

    /// The types, ordered by decreasing time.
    pub fn profiles(self) -> Vec<TransferProfile> {
        let types = self.0.into_iter();
        let mut profiles: Vec<_> = types
            .map(|(kind, profile)| TransferProfile {
                kind,
                bytes_per_second: per_second(profile.bytes, profile.time_ns),
                ..profile
            })
            .collect();
        profiles.sort_by_key(|profile| std::cmp::Reverse(profile.time_ns));
        profiles
    }
}
