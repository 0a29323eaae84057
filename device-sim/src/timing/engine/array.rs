//! The state machine of an array, which performs its recorded steps.

use super::activity_timeline::ActivityTimeline;
use super::channels::{ChannelState, Channels, TransferRequest};
use super::cluster_resources::ClusterResources;
use super::code_segment::CodeSegment;
use super::cycle_account::CycleAccount;
use crate::machine::SharedMemory;
use crate::timing::launch_record::{ArrayRecord, GroupStep, GroupSteps, SegmentWork};

use crate::units::Cycles;

/// An array that has been started.
pub struct ArrayState<'a> {
    /// When its code began.
    pub begin: Cycles,
    /// When it had fetched its code, and began to run it.
    pub fetched: Option<Cycles>,
    /// When its last step and its last transfer ended.
    pub end: Cycles,
    /// How it has spent its cycles since it began.
    pub account: CycleAccount,
    /// Events to add: their time, and a channel (from 1) or the array itself (0).
    pub woken: Vec<(Cycles, u32)>,
    sequences: std::slice::Iter<'a, (GroupSteps, u64)>,
    steps: &'a [GroupStep],
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
    transfer_sites: &'a [(u32, u64)],
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
    /// Has no more steps, and waits for transfers in flight.
    WaitForAll(Cycles),
    /// Has ended.
    Done,
}

impl<'a> ArrayState<'a> {
    /// An array that begins at `begin` by fetching `code_bytes` of code; with a timeline of at
    /// most `max_slices`, if given.
    pub fn new(
        record: &'a ArrayRecord,
        begin: Cycles,
        code_memory: SharedMemory,
        code_bytes: u64,
        resources: &ClusterResources<'_>,
        max_slices: Option<usize>,
    ) -> Self {
        let fetch = fetch(code_memory, code_bytes, resources);
        Self {
            begin,
            fetched: None,
            end: begin,
            account: CycleAccount {
                timeline: max_slices.map(ActivityTimeline::new),
                ..CycleAccount::default()
            },
            woken: Vec::new(),
            sequences: record.steps.iter(),
            steps: &[],
            repeats: 0,
            repeat_count: 1,
            next: 0,
            phase: ArrayPhase::Run,
            segment: CodeSegment::new(&fetch, 1, resources),
            channels: Channels::new(record.array, resources),
            transfer_sites: &[],
        }
    }

    /// Advances to `now`; the time of the next event, or None if the array waits for a channel or
    /// has ended.
    pub fn advance(&mut self, now: Cycles, resources: &mut ClusterResources<'_>) -> Option<Cycles> {
        loop {
            match self.phase {
                ArrayPhase::NextStep => match self.next_step() {
                    Some(step) => {
                        if let Some(until) = self.begin_step(step, now, resources) {
                            return Some(until);
                        }
                    }
                    None => self.phase = ArrayPhase::WaitForAll(now),
                },
                ArrayPhase::Run => {
                    let until = self.segment.advance(now, resources, &mut self.account);
                    if until.is_some() {
                        return until;
                    }
                    self.fetched.get_or_insert(now);
                    self.phase = ArrayPhase::NextStep;
                }
                ArrayPhase::Start(request) => {
                    self.phase = ArrayPhase::WaitForChannel(request, now);
                }
                ArrayPhase::WaitForChannel(request, since) => {
                    let (channel, from) = self.channels.start(&request, now, resources)?;
                    self.woken.push((from, channel + 1));
                    self.account.wait_for_dma(self.transfer_sites, since, now);
                    self.phase = ArrayPhase::NextStep;
                    if request.start_span > 0 {
                        self.phase = ArrayPhase::Run;
                        let until = now + Cycles(request.start_others);
                        self.account.wait_for_dma(self.transfer_sites, now, until);
                        return Some(until);
                    }
                }
                ArrayPhase::WaitForEvent(event, site, since) => {
                    if self.channels.is_pending(event) {
                        return None;
                    }
                    self.account.wait_for_dma(&[(site, 1)], since, now);
                    self.phase = ArrayPhase::NextStep;
                }
                ArrayPhase::WaitForAll(since) => {
                    if self.channels.are_active() {
                        return None;
                    }
                    self.account.wait_for_dma(self.transfer_sites, since, now);
                    self.end = now;
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
        step: &'a GroupStep,
        now: Cycles,
        resources: &mut ClusterResources<'_>,
    ) -> Option<Cycles> {
        match *step {
            GroupStep::Run(ref work) => {
                self.segment = CodeSegment::new(work, self.repeat_count, resources);
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
                ref sites,
            } => {
                let start = resources.machine.dma.start.value;
                let start_others = start.saturating_mul(times - 1);
                self.segment = CodeSegment::new(between, 1, resources);
                self.phase = ArrayPhase::Start(TransferRequest {
                    event,
                    start_others,
                    start_span: start_others.saturating_add(between.cycles()),
                    rows: rows.saturating_mul(times),
                    row_bytes,
                    to_scratchpad,
                });
                self.transfer_sites = sites;
                let until = now + Cycles(start);
                self.account.wait_for_dma(sites, now, until);
                Some(until)
            }
            GroupStep::Wait { event, site } => {
                self.channels.wait(event, now, resources);
                self.phase = ArrayPhase::WaitForEvent(event, site, now);
                None
            }
        }
    }

    fn next_step(&mut self) -> Option<&'a GroupStep> {
        loop {
            if let Some(step) = self.steps.get(self.next) {
                self.next += 1;
                return Some(step);
            }
            if self.repeats > 0 {
                self.repeats -= 1;
            } else {
                let (steps, times) = self.sequences.next()?;
                let code_only = steps.iter().all(|step| matches!(step, GroupStep::Run(_)));
                (self.repeat_count, self.repeats) = match times.checked_sub(1) {
                    None => continue,
                    Some(_) if code_only => (*times, 0),
                    Some(repeats) => (1, repeats),
                };
                self.steps = steps;
            }
            self.next = 0;
            self.channels.next_group();
        }
    }
}

/// The work of fetching code through the program cache, whose lines are missed one after another.
fn fetch(memory: SharedMemory, bytes: u64, resources: &ClusterResources<'_>) -> SegmentWork {
    let cache = &resources.machine.memory.l1p;
    let lines = bytes.div_ceil(cache.line.value);
    let mut work = SegmentWork {
        outside: lines.saturating_mul(resources.latency(memory)) / cache.outstanding.value,
        ..SegmentWork::default()
    };
    work.traffic[memory as usize] = lines.saturating_mul(cache.line.value);
    work
}
