//! The ranks' MPI calls, for timelines: SimGrid writes them into a trace in Paje's format, and they are
//! added to the recording of the program, as calls of the thread that is the rank's node.
//!
//! Paje's format: L. M. Schnorr, "Paje trace file format", 2014. SimGrid writes the types of its events
//! as numbers.

use anyhow::{Context, Result};
use recording::{Call, Line};
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Events of the trace.
const DEFINE_STATE: &str = "2";
const DEFINE_VALUE: &str = "5";
const CREATE_CONTAINER: &str = "6";
const PUSH_STATE: &str = "12";
const POP_STATE: &str = "13";

/// The recording that a run adds to.
pub struct MpiCalls {
    folder: PathBuf,
    /// Files of processes that ran before.
    before: HashSet<PathBuf>,
    trace: PathBuf,
    ranks_per_node: u32,
}

impl MpiCalls {
    /// Prepares to record calls if a recording with a timeline is made; SimGrid's trace is in `temporary`.
    pub fn wanted(temporary: &Path, ranks_per_node: u32) -> Option<Self> {
        let folder =
            PathBuf::from(std::env::var_os("MOCL3_RECORD").filter(|name| !name.is_empty())?);
        if std::env::var_os("MOCL3_RECORD_TIMELINE")? != "1" {
            return None;
        }
        Some(Self {
            before: files(&folder).into_iter().collect(),
            folder,
            trace: temporary.join("mpi-calls.trace"),
            ranks_per_node,
        })
    }

    /// The arguments of smpirun that make SimGrid write the trace, with times to the nanosecond.
    pub fn arguments(&self) -> [String; 4] {
        [
            "--cfg=tracing:yes".into(),
            "--cfg=tracing/smpi:yes".into(),
            "--cfg=tracing/precision:9".into(),
            format!("--cfg=tracing/filename:{}", self.trace.display()),
        ]
    }

    /// Adds the calls to the recording that the run made.
    ///
    /// # Errors
    /// The trace cannot be read, or the recording not be written.
    pub fn add(&self) -> Result<()> {
        let made = files(&self.folder);
        let mut made = made.iter().filter(|path| !self.before.contains(*path));
        let Some(path) = made.next() else {
            return Ok(());
        };
        let trace = File::open(&self.trace).context("SimGrid recorded no MPI calls")?;
        let calls = read(BufReader::new(trace), self.ranks_per_node)?;
        let recording = File::options().append(true).open(path);
        let write = |file| -> std::io::Result<()> {
            let mut file = BufWriter::new(file);
            for call in calls {
                serde_json::to_writer(&mut file, &Line::Call(call))?;
                file.write_all(b"\n")?;
            }
            file.flush()
        };
        recording
            .and_then(write)
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

/// The files of a recording; none if there is no such folder yet.
fn files(folder: &Path) -> Vec<PathBuf> {
    match fs::exists(folder) {
        Ok(true) => recording::files(folder).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// The calls of a trace.
///
/// # Errors
/// It cannot be read.
fn read(trace: impl BufRead, ranks_per_node: u32) -> Result<Vec<Call>> {
    let (mut state, mut functions, mut ranks) = (String::new(), HashMap::new(), HashMap::new());
    let mut open: HashMap<u64, Vec<(String, u64)>> = HashMap::new();
    let mut calls = Vec::new();
    for line in trace.lines() {
        let line = line.context("cannot read the trace of MPI calls")?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [DEFINE_STATE, number, _, "MPI_STATE"] => state = number.to_owned(),
            [DEFINE_VALUE, number, of, name, ..] if of == state => {
                // SimGrid names the functions that MPI's profiling interface has.
                let name = name.trim_matches('"').trim_start_matches('P');
                functions.insert(number.to_owned(), name.to_owned());
            }
            [CREATE_CONTAINER, _, number, .., name] => {
                let rank = name.trim_matches('"').strip_prefix("rank-");
                if let Some(rank) = rank.and_then(|rank| rank.parse::<u64>().ok()) {
                    ranks.insert(number.to_owned(), rank);
                }
            }
            [PUSH_STATE, time, of, container, function, ..] if of == state => {
                if let (Some(rank), Some(name)) = (ranks.get(container), functions.get(function)) {
                    let calls = open.entry(*rank).or_default();
                    calls.push((name.clone(), nanoseconds(time)));
                }
            }
            [POP_STATE, time, of, container, ..] if of == state => {
                let rank = ranks.get(container).copied();
                let ended = rank.and_then(|rank| Some((rank, open.get_mut(&rank)?.pop()?)));
                if let Some((rank, (function, begin))) = ended {
                    let function = match ranks_per_node {
                        1 => function,
                        _ => format!("{function} (rank {rank})"),
                    };
                    calls.push(Call {
                        function: function.into(),
                        thread: rank / u64::from(ranks_per_node) + 1,
                        begin,
                        end: nanoseconds(time),
                        ..Call::default()
                    });
                }
            }
            _ => {}
        }
    }
    Ok(calls)
}

/// A time in seconds with nine decimals, in nanoseconds.
fn nanoseconds(seconds: &str) -> u64 {
    let (whole, part) = seconds.split_once('.').unwrap_or((seconds, ""));
    let digits = format!("{whole}{part:0<9}");
    digits.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Part of what SimGrid 3.32 writes.
    const TRACE: &str = "\
%EventDef PajePushState 12
0 1 0 MPI
2 2 1 MPI_STATE
4 3 0 1 1 MPI_LINK
2 5 1 MIGRATE_STATE
6 0.000000000 1 1 0 \"rank-0\"
6 0.000000000 2 1 0 \"rank-1\"
5 7 2 PMPI_Irecv \"1 0.52 0.52\"
5 9 2 PMPI_Waitall \"0.78 0.78 0\"
12 0.000006168 2 1 7
13 0.000006168 2 1
12 1.000006168 2 2 9
15 0.000006168 3 0 PTP 2 2_1_0_4
12 1.000006170 2 1 9
13 1.500000001 2 2
";

    #[test]
    fn calls_of_ranks_have_their_times() {
        let calls = read(TRACE.as_bytes(), 1).unwrap();
        let of = |call: &Call| (call.function.to_string(), call.thread, call.begin, call.end);
        let found: Vec<_> = calls.iter().map(of).collect();
        // The last call of rank 0 did not return.
        assert_eq!(
            found,
            [
                ("MPI_Irecv".into(), 1, 6_168, 6_168),
                ("MPI_Waitall".into(), 2, 1_000_006_168, 1_500_000_001),
            ]
        );
        let calls = read(TRACE.as_bytes(), 2).unwrap();
        assert_eq!(calls[1].function, "MPI_Waitall (rank 1)");
        assert_eq!(calls[1].thread, 1);
    }
}
