//! What a timed thread has done since the scheduler last looked: the steps of its array.

use device_sim::machine::{Machine, SharedMemory};
use device_sim::timing::cost::{KernelCost, PerUnit};
use device_sim::timing::counter_costs::CounterCosts;
use device_sim::timing::launch_record::{GroupStep, SegmentWork};
use device_sim::timing::launch_timing::Activity;
use std::cell::Cell;
use std::sync::Arc;

/// The cost of a kernel's code.
#[derive(Debug)]
pub struct KernelTiming {
    /// Its blocks.
    pub cost: KernelCost,
    weights: CounterCosts,
}

impl KernelTiming {
    /// The cost by counter.
    pub fn new(cost: KernelCost) -> Self {
        Self {
            weights: CounterCosts::new(&cost),
            cost,
        }
    }
}

/// What code has done, for the counters of the performance monitor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeEvents {
    /// Instructions, by kind of unit.
    pub issued: PerUnit<u64>,
    /// Taken branches.
    pub taken: i64,
    /// Packets that issue an instruction.
    pub packets: u64,
    /// Packets that only wait.
    pub empty_packets: u64,
    /// Accesses of memories outside through the data cache.
    pub cached: u64,
    /// Bytes moved from and to memories outside.
    pub traffic: u64,
    /// Lines that the program cache did not have.
    pub code_lines: u64,
    /// Cycles without those that memories outside take, and these.
    pub cycles: [u64; 2],
}

/// A DMA transfer, for its time.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    /// The number of its channel.
    pub channel: u32,
    /// Rows, on the side that has more.
    pub rows: u64,
    /// All bytes.
    pub bytes: u64,
    /// Whether it is from outside into the core.
    pub to_core: bool,
    /// The memory outside.
    pub memory: SharedMemory,
    /// The memory at the other end, if that is outside, too.
    pub second: Option<SharedMemory>,
}

/// Steps after which a thread hands them over, so that they take no more memory.
const MOST_STEPS: usize = 1 << 12;

/// The progress of a thread.
#[derive(Debug)]
pub struct Progress {
    kernel: Arc<KernelTiming>,
    /// What compiled code counts, and behind that the place of its last DMA call.
    counters: Box<[Cell<u64>]>,
    /// Sums of the counters.
    counts: Vec<u64>,
    steps: Vec<GroupStep>,
    /// Locks that it has taken.
    locks: u64,
    is_over: bool,
}

impl Progress {
    /// A thread that has done nothing.
    pub fn new(kernel: Arc<KernelTiming>) -> Self {
        let count = kernel.cost.counters as usize;
        Self {
            counters: vec![Cell::new(0); count + 1].into(),
            counts: vec![0; count],
            steps: Vec::new(),
            locks: 0,
            is_over: false,
            kernel,
        }
    }

    /// The counters, for compiled code.
    pub fn counters(&self) -> *const Cell<u64> {
        self.counters.as_ptr()
    }

    /// Adds to a counter, for code that is interpreted.
    pub fn count(&self, counter: u32, times: u64) {
        if let Some(counter) = self.counters.get(counter as usize) {
            counter.set(counter.get() + times);
        }
    }

    /// The launch is over for simulated time: nothing is recorded any more.
    pub fn end(&mut self) {
        self.is_over = true;
        self.steps = Vec::new();
    }

    /// Makes a step of the code that has run since the last one.
    pub fn settle(&mut self) {
        let counters = &self.counters[..self.counts.len()];
        if counters.iter().all(|counter| counter.get() == 0) {
            return;
        }
        let numbers: Vec<u64> = counters.iter().map(|counter| counter.take()).collect();
        if self.is_over {
            return;
        }
        for (sum, number) in self.counts.iter_mut().zip(&numbers) {
            *sum += number;
        }
        let weights = &self.kernel.weights;
        let mut sums = vec![0; weights.sums()];
        weights.sums_of(&numbers, &mut sums);
        let work = weights.work(&sums);
        if work != SegmentWork::default() {
            self.steps.push(GroupStep::Run(work));
        }
    }

    /// What the code that has run has done.
    pub fn code_events(&mut self) -> CodeEvents {
        self.settle();
        let mut events = CodeEvents::default();
        for (block, count) in self.kernel.cost.blocks.iter().zip(&self.counts) {
            if *count == 0 {
                continue;
            }
            let add = |sum: &mut u64, number: u32| *sum += count * u64::from(number);
            for (sum, issued) in events.issued.iter_mut().zip(block.issued) {
                add(sum, issued);
            }
            add(&mut events.packets, block.packets);
            add(&mut events.empty_packets, block.empty_packets);
            add(&mut events.cached, block.cached);
            add(&mut events.code_lines, block.code_lines);
            for bytes in block.traffic {
                add(&mut events.traffic, bytes);
            }
            let inside = block.compute + block.scratchpad + block.barrier;
            add(&mut events.cycles[0], inside);
            add(&mut events.cycles[1], block.outside);
            events.taken += i64::from(block.taken) * i64::try_from(*count).unwrap_or(i64::MAX);
        }
        events
    }

    /// Adds a step after the code that has run.
    fn push(&mut self, step: GroupStep) {
        self.settle();
        if !self.is_over {
            self.steps.push(step);
        }
    }

    /// The place of the last DMA call in the source.
    fn site(&self) -> u32 {
        self.counters[self.counts.len()].get() as u32
    }

    /// A transfer is started.
    pub fn transfer(&mut self, moved: &Moved) {
        let rows = moved.rows.max(1);
        let step = GroupStep::Transfer {
            times: 1,
            between: SegmentWork::default(),
            event: event(moved.channel),
            rows,
            row_bytes: moved.bytes.div_ceil(rows),
            to_scratchpad: moved.to_core,
            memory: moved.memory,
            second: moved.second,
            sites: [(self.site(), 1)].into(),
        };
        self.push(step);
    }

    /// The thread waits for the transfer on a channel.
    pub fn wait(&mut self, channel: u32) {
        let (event, site) = (event(channel), self.site());
        self.push(GroupStep::Wait { event, site });
    }

    /// The thread spends cycles for one purpose.
    pub fn spend(&mut self, activity: Activity, cycles: u64) {
        self.push(GroupStep::Spend { activity, cycles });
    }

    /// The thread has taken a lock: the message to it and back.
    pub fn take_lock(&mut self, machine: &Machine) {
        self.locks += 1;
        self.spend(Activity::LockWait, machine.locks.take.value);
    }

    /// Whether the thread should hand over its steps.
    pub fn is_full(&self) -> bool {
        self.steps.len() >= MOST_STEPS
    }

    /// The steps since the last call.
    pub fn take_steps(&mut self) -> Vec<GroupStep> {
        std::mem::take(&mut self.steps)
    }

    /// Adds what it has done in all.
    pub fn add_to(&self, counts: &mut [u64], locks: &mut u64) {
        for (sum, count) in counts.iter_mut().zip(&self.counts) {
            *sum += count;
        }
        *locks += self.locks;
    }
}

/// The engine's number of the transfers on a channel.
pub fn event(channel: u32) -> u32 {
    channel + 1
}
