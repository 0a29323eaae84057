//! Findings on when and where commands run: launches that follow one another, transfers that no kernel
//! overlaps, and clusters that run nothing meanwhile.

use super::finding::Finding;
use crate::labels::DeviceLabel;
use crate::profile::covered;
use crate::profile::format::{count, size, time};
use device_sim::units::ClockRate;
use recording::{Command, Process};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Into how many parts transfers and kernels are divided, so that those of different parts overlap.
const PARTS: u64 = 4;

/// What the commands of the processes say of their order, added one after the other.
pub struct Schedule<'a> {
    processes: &'a [Process],
    /// The launch that ended last, by process and in-order queue.
    last: BTreeMap<(usize, u64), Launch>,
    /// Launches that follow one another.
    pairs: BTreeMap<[String; 2], Pairs>,
    clusters: BTreeMap<(usize, u32), Cluster>,
}

/// A launch that another one may follow.
struct Launch {
    number: u64,
    kernel: Arc<str>,
    sizes: [Vec<u64>; 2],
    time_ns: u64,
    overhead_ns: u64,
}

/// Sums over launches of one kernel and those of another that follow them.
#[derive(Default)]
struct Pairs {
    count: u64,
    time_ns: u64,
    saved_ns: u64,
}

/// The commands of a cluster.
#[derive(Default)]
struct Cluster {
    commands: Vec<Interval>,
    /// When the first command was enqueued.
    queued: Option<u64>,
    overhead_ns: u64,
}

/// When a command ran.
struct Interval {
    start: u64,
    end: u64,
    is_launch: bool,
}

impl<'a> Schedule<'a> {
    /// No commands of `processes`.
    pub fn new(processes: &'a [Process]) -> Self {
        Self {
            processes,
            last: BTreeMap::new(),
            pairs: BTreeMap::new(),
            clusters: BTreeMap::new(),
        }
    }

    /// Adds a command of a process, which is one of `processes` by its place.
    pub fn add(&mut self, process: usize, command: &Command) {
        let cluster = self.clusters.entry((process, command.device)).or_default();
        let launch = self.processes.get(process).and_then(|process| {
            let clock = ClockRate::new(process.header.clock_of(command.device));
            Launch::new(clock, command)
        });
        cluster.add(command, launch.as_ref());
        if !command.in_order {
            return;
        }
        let queue = (process, command.queue);
        let before = self.last.remove(&queue);
        let Some(launch) = launch else { return };
        if let Some(before) = before.filter(|before| before.may_be_fused_with(&launch)) {
            let kernels = [&before.kernel, &launch.kernel].map(|kernel| kernel.to_string());
            let [_, local_size] = &launch.sizes;
            let labels = kernels.map(|kernel| format!("{kernel} ({})", size(local_size)));
            let pairs = self.pairs.entry(labels).or_default();
            pairs.count += 1;
            pairs.time_ns += before.time_ns + launch.time_ns;
            pairs.saved_ns += before.overhead_ns.min(launch.overhead_ns);
        }
        self.last.insert(queue, launch);
    }

    /// The findings, in no order.
    pub fn findings(self) -> Vec<Finding> {
        let pairs = self.pairs.into_iter();
        let mut findings: Vec<Finding> = pairs
            .map(|(labels, pairs)| pairs.finding(&labels))
            .collect();
        for (number, process) in self.processes.iter().enumerate() {
            let clusters = self.clusters.range((number, 0)..=(number, u32::MAX));
            let used: Vec<&Cluster> = clusters.clone().map(|(_, cluster)| cluster).collect();
            for ((_, device), cluster) in clusters {
                let label = DeviceLabel::new(&process.header, *device);
                findings.push(cluster.overlapped(&label.to_string()));
            }
            findings.push(divided(process, &used));
        }
        findings
    }
}

impl Launch {
    /// A launch that has been timed.
    fn new(clock: ClockRate, command: &Command) -> Option<Self> {
        let (kernel, report) = (command.kernel.as_ref()?, command.report.as_ref()?);
        let time = |cycles| clock.complete_nanoseconds(cycles).0;
        Some(Self {
            number: command.number,
            kernel: Arc::clone(kernel),
            sizes: [&command.global_size, &command.local_size].map(|size| size.to_vec()),
            time_ns: time(report.timing.end),
            overhead_ns: time(report.timing.overhead()),
        })
    }

    fn may_be_fused_with(&self, next: &Self) -> bool {
        next.number == self.number + 1 && self.kernel != next.kernel && self.sizes == next.sizes
    }
}

impl Pairs {
    fn finding(&self, [first, second]: &[String; 2]) -> Finding {
        Finding {
            change: "fused_kernels".to_owned(),
            title: "fuse kernels that follow one another".to_owned(),
            label: format!("{first}, then {second}"),
            evidence: format!(
                "{} times the second one follows the first one at once, with the same work-items; starting and \
                 ending a launch takes {}",
                count(self.count),
                time(self.saved_ns / self.count.max(1))
            ),
            remedy: "let one kernel do the work of both, where a work-item or thread of the second one reads what \
                     the same one or its group has computed in the first one; that then stays in registers or local \
                     memory, and saves more than estimated"
                .to_owned(),
            ..Finding::of_times(self.time_ns, self.saved_ns)
        }
    }
}

impl Cluster {
    fn add(&mut self, command: &Command, launch: Option<&Launch>) {
        let is_launch = command.kernel.is_some();
        let queued = self.queued.unwrap_or(command.queued).min(command.queued);
        self.queued = Some(queued);
        let mut add = |start: u64, end: u64, is_launch: bool| {
            if start < end {
                self.commands.push(Interval {
                    start,
                    end,
                    is_launch,
                });
            }
        };
        add(command.start, command.end, is_launch);
        if let Some(migration) = command.migration {
            add(migration.begin, migration.end, false);
        }
        if let Some(launch) = launch {
            self.overhead_ns += launch.overhead_ns;
        }
    }

    /// Nanoseconds in which commands ran: launches, others, and any.
    fn used(&self) -> [u64; 3] {
        let of = |is_counted: &dyn Fn(&Interval) -> bool| {
            let counted = self.commands.iter().filter(|command| is_counted(command));
            covered(
                counted
                    .map(|command| (command.start, command.end))
                    .collect(),
            )
        };
        [
            of(&|command| command.is_launch),
            of(&|command| !command.is_launch),
            of(&|_| true),
        ]
    }

    /// Nanoseconds from when the first command was enqueued to the end of the last one.
    fn elapsed(&self) -> u64 {
        let end = self.commands.iter().map(|command| command.end).max();
        end.unwrap_or(0).saturating_sub(self.queued.unwrap_or(0))
    }

    /// Transfers of a part of the data during kernels of another one.
    fn overlapped(&self, label: &str) -> Finding {
        let [kernels, transfers, any] = self.used();
        let (only_kernels, only_transfers) = (any - transfers, any - kernels);
        let hidden = only_kernels.min(only_transfers) / PARTS * (PARTS - 1);
        // Each launch becomes one for each part.
        let launched = self.overhead_ns * (PARTS - 1);
        Finding {
            change: "overlapped_transfers".to_owned(),
            title: "transfer while kernels run".to_owned(),
            label: label.to_owned(),
            evidence: format!(
                "the host's transfers take {}, and no kernel runs during {} of it; kernels take {}",
                time(transfers),
                time(only_transfers),
                time(kernels)
            ),
            remedy: format!(
                "divide the data into {PARTS} parts or more with buffers of their own, and enqueue transfers and \
                 kernels on different queues with events, so that a part is transferred while kernels use another; \
                 transfer once what several launches read"
            ),
            ..Finding::of_times(self.elapsed(), hidden.saturating_sub(launched))
        }
    }
}

/// The work of the launches divided evenly among the clusters of a process, of which `used` run commands.
fn divided(process: &Process, used: &[&Cluster]) -> Finding {
    let all = (0..process.header.devices.len() as u32)
        .filter(|device| !process.header.is_custom(*device))
        .count() as u64;
    let kernels = used
        .iter()
        .map(|cluster| (cluster.used()[0], cluster.overhead_ns));
    let (mut longest, mut overhead, mut work, mut busy) = (0, 0, 0, 0u64);
    for (of_cluster, overhead_of_cluster) in kernels {
        longest = longest.max(of_cluster);
        overhead = overhead.max(overhead_of_cluster);
        work += of_cluster.saturating_sub(overhead_of_cluster);
        busy += u64::from(of_cluster > 0);
    }
    let divided = work / all.max(1) + overhead;
    Finding {
        change: "more_clusters".to_owned(),
        title: "divide the work among the clusters".to_owned(),
        label: "all launches".to_owned(),
        evidence: format!(
            "kernels run on {busy} of {all} clusters, up to {} on one of them",
            time(longest)
        ),
        remedy: "let each cluster process a part of the data in buffers of its own, since each has a memory of \
                 its own: create a queue for each device of the platform, or groups on each cluster"
            .to_owned(),
        ..Finding::of_times(longest, longest.saturating_sub(divided))
    }
}
