//! Simulated time from end to end, and how much of it each cluster was used.

use super::intervals::covered;
use crate::labels::DeviceLabel;
use device_sim::timing::launch_timing::Activity;
use recording::{Command, Process};
use serde::Serialize;
use std::collections::BTreeMap;

/// Simulated time from end to end. Each process has a machine and a clock of its own: times are those
/// of the process that took longest, and the clusters' are sums over processes.
#[derive(Debug, Default, Serialize)]
pub struct SimulatedTime {
    /// Nanoseconds from when the first command was enqueued to the end of the last one.
    pub elapsed_ns: u64,
    /// The clusters that ran commands, by number.
    pub clusters: Vec<ClusterUse>,
}

/// How a cluster was used.
#[derive(Debug, Default, Serialize)]
pub struct ClusterUse {
    /// Number of the cluster.
    pub device: u32,
    /// What it is called: `cluster 1` or `accelerators`.
    pub name: String,
    /// Nanoseconds in which at least one kernel was running.
    pub kernels_ns: u64,
    /// The same in percent of the elapsed time.
    pub kernels_percent: f64,
    /// Nanoseconds in which the host performed transfers for it, migrations included.
    pub transfers_ns: u64,
    /// The same in percent of the elapsed time.
    pub transfers_percent: f64,
    /// Percent of the elapsed time of all its arrays in which they ran code.
    pub arrays_percent: f64,
}

/// Sums over the commands of several processes.
pub struct Sums(Vec<ProcessSums>);

/// Sums over the commands of a process.
#[derive(Clone, Default)]
struct ProcessSums {
    /// When the first command was enqueued.
    begin: Option<u64>,
    /// When the last one ended.
    end: u64,
    clusters: BTreeMap<u32, ClusterSums>,
}

/// Sums over the commands of one cluster in one process.
#[derive(Clone, Default)]
struct ClusterSums {
    kernels: Vec<(u64, u64)>,
    transfers: Vec<(u64, u64)>,
    busy_cycles: u64,
}

impl Sums {
    /// No commands of a number of processes.
    pub fn new(processes: usize) -> Self {
        Self(vec![ProcessSums::default(); processes])
    }

    /// Adds a command of the process with this place.
    pub fn add(&mut self, process: usize, command: &Command) {
        let sums = &mut self.0[process];
        let begin = sums.begin.unwrap_or(command.queued).min(command.queued);
        sums.begin = Some(begin);
        sums.end = sums.end.max(command.end);
        sums.clusters
            .entry(command.device)
            .or_default()
            .add(command);
    }

    /// The times, with what is known of the processes.
    pub fn profile(self, processes: &[Process]) -> SimulatedTime {
        let mut simulated = SimulatedTime::default();
        let mut clusters: BTreeMap<u32, (ClusterUse, f64)> = BTreeMap::new();
        let mut all_elapsed = 0;
        for (process, sums) in processes.iter().zip(self.0) {
            let elapsed = sums.end.saturating_sub(sums.begin.unwrap_or(0));
            simulated.elapsed_ns = simulated.elapsed_ns.max(elapsed);
            all_elapsed += elapsed;
            for (device, sums) in sums.clusters {
                let (cluster, busy) = clusters.entry(device).or_default();
                cluster.kernels_ns += covered(sums.kernels);
                cluster.transfers_ns += covered(sums.transfers);
                cluster.name = DeviceLabel::new(&process.header, device).to_string();
                let arrays = process.header.devices.get(device as usize);
                let arrays = arrays.map_or(1, |device| device.arrays.max(1));
                let cycles = sums.busy_cycles as f64 / f64::from(arrays);
                *busy += cycles * 1e9 / process.header.clock_of(device) as f64;
            }
        }
        let percent = |nanoseconds: f64| nanoseconds * 100.0 / all_elapsed.max(1) as f64;
        let clusters = clusters.into_iter();
        simulated.clusters = clusters
            .map(|(device, (cluster, busy))| ClusterUse {
                device,
                kernels_percent: percent(cluster.kernels_ns as f64),
                transfers_percent: percent(cluster.transfers_ns as f64),
                arrays_percent: percent(busy),
                ..cluster
            })
            .collect();
        simulated
    }
}

impl ClusterSums {
    fn add(&mut self, command: &Command) {
        let own = (command.start, command.end);
        match &command.report {
            Some(report) => {
                self.kernels.push(own);
                let not_running = [Activity::Launch, Activity::Idle];
                for array in &report.timing.arrays {
                    let idle = not_running.map(|activity| array.cycles[activity].0);
                    self.busy_cycles += array.cycles.total().0 - idle.iter().sum::<u64>();
                }
            }
            None => self.transfers.push(own),
        }
        let migration = command.migration;
        self.transfers
            .extend(migration.map(|migration| (migration.begin, migration.end)));
    }
}
