//! The state machine of an array, which performs its steps.

use super::activity_timeline::ActivityTimeline;
use super::array_progress::ArrayProgress;
use super::channels::{ChannelState, Channels, TransferRequest};
use super::cluster_resources::{ClusterResources, TimelineNumber};
use super::code_segment::CodeSegment;
use super::cycle_account::CycleAccount;
use crate::machine::SharedMemory;
use crate::timing::launch_record::{GroupStep, GroupSteps};
use crate::timing::launch_timing::Activity;
use crate::units::Cycles;
use std::collections::VecDeque;
use std::ops::Deref;
use std::slice;
use std::sync::Arc;

/// The timeline that an array contributes to.
#[derive(Clone, Copy)]
pub struct ArrayTimeline {
    /// The timeline of its launch.
    pub number: TimelineNumber,
    /// Maximum number of slices of its activities.
    pub max_slices: usize,
}

/// An array that has been started.
pub struct ArrayState<'a> {
    /// How far it has come.
    pub progress: ArrayProgress,
    /// Events to add: their time, and a channel (from 1) or the array itself (0).
    pub woken: Vec<(Cycles, u32)>,
    /// Recorded steps that have not begun.
    recorded: slice::Iter<'a, (GroupSteps, u64)>,
    /// Steps that have been added after these.
    added: VecDeque<Vec<GroupStep>>,
    /// Whether further steps may be added.
    is_open: bool,
    /// Whether all steps are of one group.
    is_one_group: bool,
    steps: Option<Sequence<'a>>,
    /// How often `steps` have to be repeated after this time.
    repeats: u64,
    /// Consecutive repetitions that each step of code represents.
    repeat_count: u64,
    /// Index of the next step.
    next: usize,
    phase: ArrayPhase,
    segment: CodeSegment,
    channels: Channels,
    /// Where the code started the last transfers, and how many.
    transfer_sites: Arc<[(u32, u64)]>,
}

/// Steps that an array performs.
enum Sequence<'a> {
    Recorded(&'a [GroupStep]),
    Added(Vec<GroupStep>),
}

impl Deref for Sequence<'_> {
    type Target = [GroupStep];

    fn deref(&self) -> &[GroupStep] {
        match self {
            Self::Recorded(steps) => steps,
            Self::Added(steps) => steps,
        }
    }
}

/// What an array does at present. Times are those at which a wait began.
#[derive(Clone, Copy)]
enum ArrayPhase {
    /// Takes the next step.
    NextStep,
    /// Runs code.
    Run,
    /// Has issued transfers to the DMA engine.
    Start(TransferRequest),
    /// Waits for an idle channel.
    WaitForChannel(TransferRequest, Cycles),
    /// Waits for an event at a site of the code.
    WaitForEvent(u32, u32, Cycles),
    /// Has no more steps so far.
    WaitForSteps(Cycles),
    /// Has no more steps, and waits for transfers in flight.
    WaitForAll(Cycles),
    /// Has ended.
    Done,
}

impl<'a> ArrayState<'a> {
    /// An array with these steps that begins at `begin` by fetching `code_bytes` of code; with a
    /// timeline, if given.
    pub fn new(
        array: u64,
        recorded: &'a [(GroupSteps, u64)],
        begin: Cycles,
        code_memory: SharedMemory,
        code_bytes: u64,
        resources: &ClusterResources<'_>,
        timeline: Option<ArrayTimeline>,
    ) -> Self {
        let segment = CodeSegment::of_fetch(code_memory, code_bytes, resources);
        let account = CycleAccount {
            timeline: timeline.map(|timeline| ActivityTimeline::new(timeline.max_slices)),
            ..CycleAccount::default()
        };
        Self {
            progress: ArrayProgress::new(begin, account),
            woken: Vec::new(),
            recorded: recorded.iter(),
            added: VecDeque::new(),
            is_open: false,
            is_one_group: false,
            steps: None,
            repeats: 0,
            repeat_count: 1,
            next: 0,
            phase: ArrayPhase::Run,
            segment,
            channels: Channels::new(array, resources, timeline.map(|timeline| timeline.number)),
            transfer_sites: Arc::from([]),
        }
    }

    /// The same array, to which further steps of one group are added until it is closed.
    pub fn open(self) -> Self {
        Self {
            is_open: true,
            is_one_group: true,
            ..self
        }
    }

    /// Adds steps.
    pub fn add(&mut self, steps: Vec<GroupStep>) {
        self.added.push_back(steps);
    }

    /// No further steps will be added.
    pub fn close(&mut self) {
        self.is_open = false;
    }

    /// Whether its last step and its last transfer have ended.
    pub fn has_ended(&self) -> bool {
        matches!(self.phase, ArrayPhase::Done)
    }

    /// Since when it has had no more steps, if it waits for further ones.
    pub fn waits_for_steps(&self) -> Option<Cycles> {
        match self.phase {
            ArrayPhase::WaitForSteps(since) => Some(since),
            _ => None,
        }
    }

    /// Lets an array that waits for steps continue at `at`; the wait was for `activity`.
    pub fn proceed(&mut self, at: Cycles, activity: Activity) {
        if let ArrayPhase::WaitForSteps(since) = self.phase {
            if at > since {
                self.progress
                    .account
                    .spend(since, at, &[(activity, at - since)]);
            }
            self.phase = ArrayPhase::NextStep;
        }
    }

    /// Whether a transfer of an event is in flight.
    pub fn is_pending(&self, event: u32) -> bool {
        self.channels.is_pending(event)
    }

    /// Advances to `now`; the time of the next event, or None if the array waits for a channel or
    /// has ended.
    pub fn advance(&mut self, now: Cycles, resources: &mut ClusterResources<'_>) -> Option<Cycles> {
        loop {
            match self.phase {
                ArrayPhase::NextStep => {
                    if self.has_next_step()
                        && let Some(steps) = self.steps.take()
                    {
                        let until = self.begin_step(&steps[self.next], now, resources);
                        self.next += 1;
                        self.steps = Some(steps);
                        if until.is_some() {
                            return until;
                        }
                    } else if self.is_open {
                        self.phase = ArrayPhase::WaitForSteps(now);
                        return None;
                    } else {
                        self.phase = ArrayPhase::WaitForAll(now);
                    }
                }
                ArrayPhase::WaitForSteps(_) => return None,
                ArrayPhase::Run => {
                    let until = self
                        .segment
                        .advance(now, resources, &mut self.progress.account);
                    if until.is_some() {
                        return until;
                    }
                    self.progress.fetched.get_or_insert(now);
                    self.phase = ArrayPhase::NextStep;
                }
                ArrayPhase::Start(request) => {
                    self.phase = ArrayPhase::WaitForChannel(request, now);
                }
                ArrayPhase::WaitForChannel(request, since) => {
                    let (channel, from) = self.channels.start(&request, now, resources)?;
                    self.woken.push((from, channel + 1));
                    self.progress
                        .account
                        .wait_for_dma(&self.transfer_sites, since, now);
                    self.phase = ArrayPhase::NextStep;
                    if request.start_span > 0 {
                        self.phase = ArrayPhase::Run;
                        let until = now + Cycles(request.start_others);
                        self.progress
                            .account
                            .wait_for_dma(&self.transfer_sites, now, until);
                        return Some(until);
                    }
                }
                ArrayPhase::WaitForEvent(event, site, since) => {
                    if self.channels.is_pending(event) {
                        return None;
                    }
                    self.progress.account.wait_for_dma(&[(site, 1)], since, now);
                    self.phase = ArrayPhase::NextStep;
                }
                ArrayPhase::WaitForAll(since) => {
                    if self.channels.are_active() {
                        return None;
                    }
                    self.progress
                        .account
                        .wait_for_dma(&self.transfer_sites, since, now);
                    self.progress.end = now;
                    self.phase = ArrayPhase::Done;
                    return None;
                }
                ArrayPhase::Done => return None,
            }
        }
    }

    /// Advances a channel to `now`; the time of its next event, or None if it is idle.
    pub fn advance_channel(
        &mut self,
        channel: u32,
        now: Cycles,
        resources: &mut ClusterResources<'_>,
    ) -> Option<Cycles> {
        let completed = match self.channels.advance(channel, now, resources) {
            ChannelState::Busy(until) => return Some(until),
            ChannelState::Idle(completed) => completed,
        };
        let wakes_array = match self.phase {
            ArrayPhase::WaitForChannel(..) => true,
            ArrayPhase::WaitForEvent(event, ..) => completed.event == Some(event),
            ArrayPhase::WaitForAll(_) => completed.all,
            _ => false,
        };
        if wakes_array {
            self.woken.push((now, 0));
        }
        None
    }

    /// Begins a step; the time of the next event, if that is known already.
    fn begin_step(
        &mut self,
        step: &GroupStep,
        now: Cycles,
        resources: &mut ClusterResources<'_>,
    ) -> Option<Cycles> {
        match *step {
            GroupStep::Run(ref work) => {
                self.segment.begin(work, self.repeat_count, resources);
                self.phase = ArrayPhase::Run;
                None
            }
            GroupStep::Transfer {
                times,
                ref between,
                event,
                rows,
                row_bytes,
                to_scratchpad,
                memory,
                second,
                ref sites,
            } => {
                let start = resources.machine.dma.start.value;
                let start_others = start.saturating_mul(times - 1);
                self.segment.begin(between, 1, resources);
                self.phase = ArrayPhase::Start(TransferRequest {
                    event,
                    start_others,
                    start_span: start_others.saturating_add(between.cycles()),
                    rows: rows.saturating_mul(times),
                    row_bytes,
                    to_scratchpad,
                    memory,
                    second,
                });
                self.transfer_sites = Arc::clone(sites);
                let until = now + Cycles(start);
                self.progress.account.wait_for_dma(sites, now, until);
                Some(until)
            }
            GroupStep::Wait { event, site } => {
                self.channels.wait(event, now, resources);
                self.phase = ArrayPhase::WaitForEvent(event, site, now);
                None
            }
            GroupStep::Spend { activity, cycles } => {
                let until = now + Cycles(cycles);
                let spent = [(activity, Cycles(cycles))];
                self.progress.account.spend(now, until, &spent);
                self.phase = ArrayPhase::NextStep;
                Some(until)
            }
        }
    }

    /// The steps that follow, and their repetitions.
    fn next_sequence(&mut self) -> Option<(Sequence<'a>, u64)> {
        match self.recorded.next() {
            Some((steps, times)) => Some((Sequence::Recorded(steps), *times)),
            None => Some((Sequence::Added(self.added.pop_front()?), 1)),
        }
    }

    /// Whether there is another step: that of number `next`.
    fn has_next_step(&mut self) -> bool {
        loop {
            let count = self.steps.as_ref().map_or(0, |steps| steps.len());
            if self.next < count {
                return true;
            }
            if self.repeats > 0 {
                self.repeats -= 1;
            } else {
                let Some((steps, times)) = self.next_sequence() else {
                    return false;
                };
                let code_only = steps.iter().all(|step| matches!(step, GroupStep::Run(_)));
                (self.repeat_count, self.repeats) = match times.checked_sub(1) {
                    None => continue,
                    Some(_) if code_only => (times, 0),
                    Some(repeats) => (1, repeats),
                };
                self.steps = Some(steps);
            }
            self.next = 0;
            if !self.is_one_group {
                self.channels.next_group();
            }
        }
    }
}
