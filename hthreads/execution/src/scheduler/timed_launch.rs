//! A launch in simulated time.

use super::in_flight::InFlight;
use crate::device_thread::DeviceThread;
use crate::exception::Exception;
use crate::group::Group;
use crate::progress::KernelTiming;
use device_sim::machine::{CodeStackLayout, Machine};
use device_sim::timing::engine::live::{LiveCluster, LiveLaunch};
use device_sim::timing::launch_record::GroupStep;
use device_sim::timing::launch_report::LaunchReport;
use device_sim::timing::launch_sizes::LaunchSizes;
use device_sim::timing::launch_timing::Activity;
use device_sim::timing::what_if::ThreadSteps;
use device_sim::units::{Cycles, Nanoseconds};
use std::ops::Range;
use std::sync::Arc;

/// What a launch in simulated time needs.
pub struct Timing {
    /// The cost of the kernel.
    pub kernel: Arc<KernelTiming>,
    /// The machine with the kind of this launch.
    pub machine: &'static Machine,
    /// Where code and stack are.
    pub layout: CodeStackLayout,
    /// When the host program started it.
    pub begin: Nanoseconds,
    /// Whether the report has a timeline.
    pub timeline: bool,
    /// Whether the report has the times under changes.
    pub alternatives: bool,
    /// Called at the end, before a host thread learns of it.
    pub ended: Box<dyn FnOnce(LaunchOutcome) + Send>,
}

/// What a launch did.
pub struct LaunchOutcome {
    /// The report.
    pub report: LaunchReport,
    /// What stopped a thread, the first one.
    pub exception: Option<Exception>,
}

/// A launch that runs. Its times are those of the cluster's simulation, on the clock of the machine.
pub struct TimedLaunch {
    /// What its arrays do.
    live: LiveLaunch<'static>,
    /// Its group.
    pub group: Arc<Group>,
    /// Its number in the group.
    pub number: u64,
    /// The end of its threads: the host program learns of it when all arrays have ended.
    pub ending: Option<Ending>,
    /// Interrupts that have not arrived.
    pub in_flight: InFlight,
    /// The time that an interrupt of the host takes.
    pub notice: Cycles,
    /// Whether its code registers handlers of interrupts.
    pub expects_interrupts: bool,
    kernel: Arc<KernelTiming>,
    machine: &'static Machine,
    layout: CodeStackLayout,
    arrays: Vec<u64>,
    /// What the threads did, for times under changes.
    steps: Option<ThreadSteps>,
    ended: Box<dyn FnOnce(LaunchOutcome) + Send>,
    /// Sums over the threads that have ended.
    counts: Vec<u64>,
    locks: u64,
    threads: u64,
}

/// How the threads of a launch have ended.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    /// What stopped a thread, the first one.
    pub exception: Option<Exception>,
}

impl TimedLaunch {
    /// A launch of this number on the arrays of a group, in the simulation of their cluster.
    pub fn new(
        timing: Timing,
        group: &Arc<Group>,
        number: u64,
        cluster: &mut LiveCluster<'static>,
    ) -> Self {
        let machine = timing.machine;
        let arrays = group.members.iter();
        let arrays: Vec<u64> = arrays.map(|member| member.core.into()).collect();
        let kernel = timing.kernel;
        let code = u64::from(kernel.cost.code_bytes);
        let base = machine.clock().cycles(timing.begin);
        let (layout, timeline) = (&timing.layout, timing.timeline);
        Self {
            live: cluster.begin(base, machine, layout, &arrays, code, timeline),
            group: Arc::clone(group),
            number,
            ending: None,
            in_flight: InFlight::default(),
            expects_interrupts: false,
            notice: machine.clock().cycles(machine.launch.time_to_notify_host()),
            counts: vec![0; kernel.cost.counters as usize],
            locks: 0,
            threads: arrays.len() as u64,
            kernel,
            machine,
            layout: timing.layout,
            steps: timing.alternatives.then(|| ThreadSteps::new(arrays.len())),
            arrays,
            ended: timing.ended,
        }
    }

    /// The places of its arrays in the simulation of the cluster, by thread.
    pub fn places(&self) -> Range<usize> {
        self.live.places()
    }

    /// The place of a thread's array.
    pub fn place(&self, thread: u32) -> usize {
        self.places().start + thread as usize
    }

    /// Whether all its arrays have ended.
    pub fn has_ended(&self, cluster: &LiveCluster<'_>) -> bool {
        cluster.has_ended(&self.live)
    }

    /// Whether the host program waits for it, or queries its status.
    pub fn is_observed(&self) -> bool {
        self.group.is_observed(self.number)
    }

    /// Adds what a thread does next.
    pub fn add_steps(&mut self, thread: u32, steps: Vec<GroupStep>, cluster: &mut LiveCluster<'_>) {
        if let Some(all) = &mut self.steps {
            all.add(thread as usize, &steps);
        }
        let place = self.place(thread);
        cluster.add(&mut self.live, place, steps);
    }

    /// Adds what a thread has done in all.
    pub fn add_totals(&mut self, thread: &DeviceThread) {
        if let Some(progress) = &thread.progress {
            progress.borrow().add_to(&mut self.counts, &mut self.locks);
        }
    }

    /// Records the launch, which is over.
    pub fn finish(self, exception: Option<Exception>, cluster: &mut LiveCluster<'_>) {
        let mut timing = cluster.finish(self.live, Activity::Idle);
        timing.locks += self.locks;
        let sizes = LaunchSizes {
            groups: self.threads,
            work_items: self.threads,
            ..LaunchSizes::default()
        };
        let end = timing.end;
        let mut report = LaunchReport::new(&self.kernel.cost, timing, &sizes, &self.counts);
        if let Some(steps) = self.steps {
            let code = u64::from(self.kernel.cost.code_bytes);
            report.alternatives =
                steps.alternatives(self.machine, &self.layout, &self.arrays, code, end);
        }
        (self.ended)(LaunchOutcome { report, exception });
    }
}
