//! Traces of a run: what each rank computed and sent, without times of the network, as SimGrid's
//! time-independent traces (`-trace-ti`). They are replayed over other networks.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file that describes a trace.
const DESCRIPTION: &str = "trace.json";

/// The rank of messages that are not sent (`MPI_PROC_NULL`). SimGrid records them, but cannot
/// replay them.
const NO_RANK: &str = "-333";

/// A trace in a folder.
#[derive(Serialize, Deserialize)]
pub struct Trace {
    /// Number of ranks.
    pub ranks: u32,
    /// Ranks on each node.
    pub ranks_per_node: u32,
    /// The simulated time of the run, nanoseconds.
    pub time: u64,
    #[serde(skip)]
    folder: PathBuf,
}

/// Checks that a folder can take a trace, and makes it.
///
/// # Errors
/// It has files, or cannot be made.
pub fn prepare(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    if fs::read_dir(folder)?.next().is_some() {
        bail!(
            "{} is not empty: a trace needs a folder of its own",
            folder.display()
        );
    }
    Ok(())
}

/// Arguments of smpirun that record a trace in `temporary`.
pub fn recording(temporary: &Path) -> [String; 3] {
    let file = temporary.join("trace").display().to_string();
    ["-trace-ti".into(), "-trace-file".into(), file]
}

impl Trace {
    /// Stores what SimGrid recorded in `temporary`. `time` is the simulated time of the run, nanoseconds.
    ///
    /// # Errors
    /// A rank has no file, or one cannot be read or written.
    pub fn store(
        temporary: &Path,
        folder: &Path,
        (ranks, ranks_per_node): (u32, u32),
        time: u64,
    ) -> Result<Self> {
        let list = fs::read_to_string(temporary.join("trace"));
        let list = list.context("SimGrid recorded no trace")?;
        let files: Vec<&str> = list.lines().collect();
        if files.len() != ranks as usize {
            bail!("SimGrid recorded {} of {ranks} ranks", files.len());
        }
        let trace = Self {
            ranks,
            ranks_per_node,
            time,
            folder: folder.to_owned(),
        };
        for (rank, file) in files.into_iter().enumerate() {
            let recorded =
                fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?;
            let path = trace.file(rank);
            fs::write(&path, without_no_rank(&recorded))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        let description = serde_json::to_string_pretty(&trace)?;
        fs::write(folder.join(DESCRIPTION), description + "\n")?;
        Ok(trace)
    }

    /// The trace in a folder.
    ///
    /// # Errors
    /// There is none.
    pub fn open(folder: &Path) -> Result<Self> {
        let path = folder.join(DESCRIPTION);
        let text = fs::read_to_string(&path)
            .with_context(|| format!("{} has no trace", folder.display()))?;
        let trace: Self = serde_json::from_str(&text)
            .with_context(|| format!("{} describes no trace", path.display()))?;
        if trace.ranks == 0 || trace.ranks_per_node == 0 {
            bail!("{} describes a trace without ranks", path.display());
        }
        Ok(Self {
            folder: fs::canonicalize(folder)?,
            ..trace
        })
    }

    fn file(&self, rank: usize) -> PathBuf {
        self.folder.join(format!("rank-{rank}.txt"))
    }

    /// Replays the trace: `smpirun` has the platform and SimGrid's settings. Returns the simulated time,
    /// nanoseconds.
    ///
    /// # Errors
    /// SimGrid cannot replay it.
    pub fn replay(&self, mut smpirun: Command, temporary: &Path) -> Result<u64> {
        let mut list = String::new();
        for rank in 0..self.ranks as usize {
            let _ = writeln!(list, "{}", self.file(rank).display());
        }
        let path = temporary.join("replayed");
        fs::write(&path, list).context("cannot write the list of ranks")?;
        smpirun
            .args([
                "--log=smpi_replay.thresh:info",
                "--log=smpi_replay.fmt:%.9r%e%m%n",
            ])
            .arg("-replay")
            .arg(path);
        let output = smpirun.output().context("cannot run smpirun")?;
        let text = String::from_utf8_lossy(&output.stderr);
        let time = text.lines().find_map(simulated_time);
        match time {
            Some(time) if output.status.success() => Ok(time),
            _ => bail!(
                "SimGrid cannot replay the trace; docs/mpi.md lists what it cannot replay\n{}",
                text.lines().last().unwrap_or_default()
            ),
        }
    }
}

/// The actions of a rank without messages that are not sent.
fn without_no_rank(recorded: &str) -> String {
    let is_sent = |line: &&str| line.split(' ').nth(2) != Some(NO_RANK);
    recorded
        .lines()
        .filter(is_sent)
        .flat_map(|line| [line, "\n"])
        .collect()
}

/// The time in SimGrid's last line, nanoseconds.
fn simulated_time(line: &str) -> Option<u64> {
    let (time, _) = line.split_once(" Simulation time ")?;
    let seconds: f64 = time.trim().parse().ok()?;
    Some((seconds * 1e9).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_are_not_sent_are_left_out() {
        let recorded = "0 init\n0 isend -333 1 34 0\n0 isend 1 -333 34 0\n0 waitall 2\n";
        let expected = "0 init\n0 isend 1 -333 34 0\n0 waitall 2\n";
        assert_eq!(without_no_rank(recorded), expected);
    }

    #[test]
    fn the_time_is_read_to_the_nanosecond() {
        let line = "0.001311536 Simulation time 0.001312";
        assert_eq!(simulated_time(line), Some(1_311_536));
        assert_eq!(simulated_time("Simulation time 0.001312"), None);
    }
}
