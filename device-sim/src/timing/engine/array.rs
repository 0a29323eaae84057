//! An array that goes through its steps.

use super::ClusterResources;
use super::activity_timeline::ActivityTimeline;
use super::channels::{Channels, Transfer};
use super::code_segment::CodeSegment;
use super::cycle_account::{CycleAccount, spent};
use crate::timing::cost::SharedMemory;
use crate::timing::launch_record::{ArrayRecord, GroupStep, GroupSteps, SegmentWork};
use crate::timing::launch_timing::Activity;

/// An array that has been started.
pub struct ArrayState<'a> {
    /// When its code began.
    pub begin: u64,
    /// When it had nothing left to do.
    pub end: u64,
    /// What it has done with its cycles since it began.
    pub account: CycleAccount,
    /// Channels (from 1 on) or itself (0) that have something to do from a time on.
    pub woken: Vec<(u64, u32)>,
    sequences: std::slice::Iter<'a, (GroupSteps, u64)>,
    steps: &'a [GroupStep],
    /// How often the steps are to be gone through after this time.
    repeats: u64,
    /// How often each step of code happens in a row.
    in_a_row: u64,
    next: usize,
    doing: ArrayPhase,
    running: CodeSegment,
    channels: Channels,
}

/// What an array does.
#[derive(Clone, Copy)]
enum ArrayPhase {
    /// The next step.
    Next,
    /// It runs code.
    Run,
    /// It has told the DMA engine what to move.
    Start(Transfer),
    /// All channels are busy since then.
    WaitForChannel(Transfer, u64),
    /// It waits for an event since then.
    WaitForEvent(u32, u64),
    /// It has no more steps since then, and waits for transfers that nobody waits for.
    WaitForAll(u64),
    /// It has ended.
    Done,
}

impl<'a> ArrayState<'a> {
    /// An array that begins at a time, by fetching so many bytes of code; with a timeline of at
    /// most so many slices.
    pub fn new(
        record: &'a ArrayRecord,
        begin: u64,
        code_in: SharedMemory,
        code: u64,
        shared: &ClusterResources<'_>,
        slices: Option<usize>,
    ) -> Self {
        Self {
            begin,
            end: begin,
            account: CycleAccount {
                timeline: slices.map(ActivityTimeline::new),
                ..CycleAccount::default()
            },
            woken: Vec::new(),
            sequences: record.steps.iter(),
            steps: &[],
            repeats: 0,
            in_a_row: 1,
            next: 0,
            doing: ArrayPhase::Run,
            running: CodeSegment::new(&fetch(code_in, code, shared), 1, shared),
            channels: Channels::new(record.array, shared),
        }
    }

    /// Goes on at a time; until when, or none if others have to wake it.
    pub fn advance(&mut self, now: u64, shared: &mut ClusterResources<'_>) -> Option<u64> {
        loop {
            match self.doing {
                ArrayPhase::Next => match self.next_step() {
                    Some(step) => {
                        if let Some(until) = self.begin_step(step, now, shared) {
                            return Some(until);
                        }
                    }
                    None => self.doing = ArrayPhase::WaitForAll(now),
                },
                ArrayPhase::Run => {
                    let until = self.running.advance(now, shared, &mut self.account);
                    if until.is_some() {
                        return until;
                    }
                    self.doing = ArrayPhase::Next;
                }
                ArrayPhase::Start(transfer) => {
                    self.doing = ArrayPhase::WaitForChannel(transfer, now)
                }
                ArrayPhase::WaitForChannel(transfer, since) => {
                    let (channel, from) = self.channels.start(&transfer, now, shared)?;
                    self.woken.push((from, channel + 1));
                    self.waited(since, now);
                    self.doing = ArrayPhase::Next;
                    if transfer.starting > 0 {
                        self.doing = ArrayPhase::Run;
                        let until = now + transfer.others;
                        self.waited(now, until);
                        return Some(until);
                    }
                }
                ArrayPhase::WaitForEvent(event, since) => {
                    if self.channels.is_pending(event) {
                        return None;
                    }
                    self.waited(since, now);
                    self.doing = ArrayPhase::Next;
                }
                ArrayPhase::WaitForAll(since) => {
                    if self.channels.are_moving() {
                        return None;
                    }
                    self.waited(since, now);
                    self.end = now;
                    self.doing = ArrayPhase::Done;
                    return None;
                }
                ArrayPhase::Done => return None,
            }
        }
    }

    /// A channel goes on at a time; until when, or none if it has nothing to do.
    pub fn advance_channel(
        &mut self,
        channel: u32,
        now: u64,
        shared: &mut ClusterResources<'_>,
    ) -> Option<u64> {
        let through = match self.channels.advance(channel, now, shared) {
            Ok(until) => return Some(until),
            Err(through) => through,
        };
        let waits = match self.doing {
            ArrayPhase::WaitForChannel(..) => true,
            ArrayPhase::WaitForEvent(event, _) => through.event == Some(event),
            ArrayPhase::WaitForAll(_) => through.all,
            _ => false,
        };
        if waits {
            self.woken.push((now, 0));
        }
        None
    }

    /// It has waited for DMA.
    fn waited(&mut self, since: u64, now: u64) {
        if now > since {
            self.account
                .spend(since, now, &spent(Activity::DmaWait, now - since));
        }
    }

    /// Begins a step; until when, if that is known already.
    fn begin_step(
        &mut self,
        step: &GroupStep,
        now: u64,
        shared: &mut ClusterResources<'_>,
    ) -> Option<u64> {
        match *step {
            GroupStep::Run(ref work) => {
                self.running = CodeSegment::new(work, self.in_a_row, shared);
                self.doing = ArrayPhase::Run;
                None
            }
            GroupStep::Transfer {
                times,
                ref between,
                event,
                rows,
                row_bytes,
                to_scratchpad,
            } => {
                let start = shared.machine.dma.start.value;
                let others = start.saturating_mul(times - 1);
                self.running = CodeSegment::new(between, 1, shared);
                self.doing = ArrayPhase::Start(Transfer {
                    event,
                    others,
                    starting: others.saturating_add(between.cycles()),
                    rows: rows.saturating_mul(times),
                    row_bytes,
                    to_scratchpad,
                });
                let until = now + start;
                self.waited(now, until);
                Some(until)
            }
            GroupStep::Wait { event } => {
                self.channels.wait(event, now, shared);
                self.doing = ArrayPhase::WaitForEvent(event, now);
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
                (self.in_a_row, self.repeats) = match times.checked_sub(1) {
                    None => continue,
                    Some(_) if code_only => (*times, 0),
                    Some(more) => (1, more),
                };
                self.steps = steps;
            }
            self.next = 0;
            self.channels.next_group();
        }
    }
}

/// Fetching code through the program cache: lines are missed one after another.
fn fetch(from: SharedMemory, bytes: u64, shared: &ClusterResources<'_>) -> SegmentWork {
    let cache = &shared.machine.memory.l1p;
    let lines = bytes.div_ceil(cache.line.value);
    let mut work = SegmentWork {
        outside: lines.saturating_mul(shared.latency(from)) / cache.outstanding.value,
        ..SegmentWork::default()
    };
    work.traffic[from as usize] = lines.saturating_mul(cache.line.value);
    work
}
