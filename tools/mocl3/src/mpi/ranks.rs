//! What the ranks did: the time of each, and how much of it was OpenCL.

use super::host_cost::HostCost;
use super::platform_file::Shape;
use super::trace::Trace;
use anyhow::{Context, Result};
use serde::Serialize;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A rank at its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rank {
    /// Its number.
    rank: u32,
    /// When it ended, simulated nanoseconds.
    end: u64,
    /// The part of that in functions of OpenCL.
    opencl: u64,
    /// Whether it was ended, by `MPI_Abort` or a crash.
    failed: bool,
    /// Launches of all ranks until then.
    #[serde(skip)]
    launches: Launches,
}

/// Numbers of launches of kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Launches {
    /// Launches that were executed.
    executed: u64,
    /// Launches that took the time of an equal one, and computed nothing.
    shared: u64,
}

/// Reads the lines that the layer wrote: rank, end, time in OpenCL, failure, and launches of all ranks so
/// far, executed and shared.
///
/// # Errors
/// The file cannot be read.
pub fn read(path: &Path) -> Result<Vec<Rank>> {
    let text = fs::read_to_string(path).context("cannot read the ranks' times")?;
    let mut ranks: Vec<Rank> = text.lines().filter_map(parse).collect();
    ranks.sort_by_key(|rank| rank.rank);
    Ok(ranks)
}

fn parse(line: &str) -> Option<Rank> {
    let mut words = line.split(' ');
    let rank = words.next()?.parse().ok()?;
    let end = words.next()?.parse().ok()?;
    let opencl = words.next()?.parse().ok()?;
    let failed = words.next()? == "1";
    let launches = Launches {
        executed: words.next()?.parse().ok()?,
        shared: words.next()?.parse().ok()?,
    };
    Some(Rank {
        rank,
        end,
        opencl,
        failed,
        launches,
    })
}

/// The run as a whole.
#[derive(Serialize)]
pub struct Summary<'a> {
    /// When the last rank ended, simulated nanoseconds; none if no rank used OpenCL.
    pub time: Option<u64>,
    nodes: u32,
    network: String,
    /// Time in OpenCL of the mean rank and of the one with the most, nanoseconds.
    opencl: (u64, u64),
    launches: Launches,
    /// What the simulation cost.
    host: HostCost,
    ranks: &'a [Rank],
}

impl<'a> Summary<'a> {
    /// Of these ranks.
    pub fn new(ranks: &'a [Rank], nodes: u32, shape: &Shape, host: HostCost) -> Self {
        let opencl = ranks.iter().map(|rank| rank.opencl);
        let mean = opencl.clone().sum::<u64>() / (ranks.len() as u64).max(1);
        Self {
            time: ranks.iter().map(|rank| rank.end).max(),
            nodes,
            network: shape.to_string(),
            opencl: (mean, opencl.max().unwrap_or(0)),
            launches: ranks
                .iter()
                .map(|rank| rank.launches)
                .max()
                .unwrap_or_default(),
            host,
            ranks,
        }
    }

    /// Whether no rank used OpenCL, or one was ended by a failure. smpirun's exit code does not say so.
    pub fn has_failed(&self) -> bool {
        self.ranks.is_empty() || self.ranks.iter().any(|rank| rank.failed)
    }

    /// For people.
    pub fn text(&self) -> String {
        let Some(time) = self.time else {
            return "mocl3 mpi: no rank that ended had used OpenCL through the layer\n".into();
        };
        if self.has_failed() {
            return "mocl3 mpi: the program did not end normally\n".into();
        }
        let (mean, most) = self.opencl;
        let mut text = String::new();
        let _ = writeln!(
            text,
            "mocl3 mpi: {} of simulated time, {} ranks on {} nodes; {}",
            seconds(time),
            self.ranks.len(),
            self.nodes,
            self.network
        );
        let share = |part: u64| part as f64 * 100.0 / time.max(1) as f64;
        let _ = writeln!(
            text,
            "  OpenCL (kernels, transfers, calls)  {:5.1} %  {}, load balance {:.1} %",
            share(mean),
            seconds(mean),
            mean as f64 * 100.0 / most.max(1) as f64
        );
        let rest = time.saturating_sub(mean);
        let _ = writeln!(
            text,
            "  MPI (messages, waiting for others)  {:5.1} %  {}",
            share(rest),
            seconds(rest)
        );
        let HostCost {
            seconds,
            processor_seconds,
            memory,
        } = self.host;
        let _ = writeln!(
            text,
            "  this computer needed {seconds:.1} s, {processor_seconds:.1} s of processor time, and {} MiB of \
             memory",
            memory >> 20
        );
        let Launches { executed, shared } = self.launches;
        if shared > 0 {
            let _ = writeln!(
                text,
                "  {executed} launches were executed; {shared} took the time of an equal one, so that \
                 results are wrong"
            );
        }
        text
    }
}

/// A trace that was replayed.
#[derive(Serialize)]
pub struct Replayed {
    /// Simulated nanoseconds.
    time: u64,
    /// The same of the run that was recorded.
    recorded: u64,
    ranks: u32,
    nodes: u32,
    network: String,
}

impl Replayed {
    /// A trace that took that time, nanoseconds, on this network.
    pub fn new(trace: &Trace, time: u64, nodes: u32, shape: &Shape) -> Self {
        Self {
            time,
            recorded: trace.time,
            ranks: trace.ranks,
            nodes,
            network: shape.to_string(),
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        format!(
            "mocl3 mpi: {}, replayed; {} ranks on {} nodes; {}\n",
            compared(self.time, self.recorded),
            self.ranks,
            self.nodes,
            self.network
        )
    }
}

/// A time of a replay, and how much it differs from that of the recorded run, nanoseconds.
pub fn compared(time: u64, recorded: u64) -> String {
    let change = time as f64 / recorded.max(1) as f64 - 1.0;
    format!(
        "{} of simulated time ({:+.2} % of the recorded run)",
        seconds(time),
        100.0 * change
    )
}

/// A time in seconds, to the nanosecond.
fn seconds(time: u64) -> String {
    format!("{}.{:09} s", time / 1_000_000_000, time % 1_000_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: HostCost = HostCost {
        seconds: 1.25,
        processor_seconds: 2.5,
        memory: 3 << 20,
    };

    #[test]
    fn the_summary_has_time_balance_and_communication() {
        let ranks: Vec<Rank> = [
            "1 2000000 500000 0 5 35",
            "0 1900000 1500000 0 5 20",
            "broken",
        ]
        .into_iter()
        .filter_map(parse)
        .collect();
        let summary = Summary::new(&ranks, 2, &Shape::Switch { nodes: 2 }, HOST);
        let text = summary.text();
        for part in [
            "0.002000000 s of simulated time, 2 ranks on 2 nodes",
            "50.0 %  0.001000000 s, load balance 66.7 %",
            "  this computer needed 1.2 s, 2.5 s of processor time, and 3 MiB of memory",
            "  5 launches were executed; 35 took the time",
        ] {
            assert!(text.contains(part), "{text}");
        }
        let aborted = [Rank {
            failed: true,
            ..ranks[0].clone()
        }];
        let summary = Summary::new(&aborted, 2, &Shape::Switch { nodes: 2 }, HOST);
        assert!(summary.has_failed() && summary.text().contains("did not end normally"));
        assert!(
            Summary::new(&[], 2, &Shape::Switch { nodes: 2 }, HOST)
                .text()
                .contains("no rank")
        );
    }
}
