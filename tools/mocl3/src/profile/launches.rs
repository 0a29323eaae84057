//! Sums the launches of each kernel.

use super::arrays::{ArrayCycles, imbalance};
use super::bound;
use super::competition::Competition;
use super::kernel::{Bandwidth, Bound, Flops, KernelProfile, Rate};
use super::lines::Lines;
use super::machine::Machine;
use super::shares::{Percentages, times};
use device_sim::machine::{KernelMemory, PerMemory, SharedMemory};
use device_sim::timing::launch_report::LaunchReport;
use device_sim::timing::launch_timing::CyclesByActivity;
use device_sim::timing::what_if::{Change, LocalCopy};
use device_sim::units::{Bytes, ClockRate, Cycles};
use recording::{Command, Process, SourceFile};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Sums by kernel and local size. Kernels with the same name are one kernel if their programs have
/// the same source.
#[derive(Default)]
pub struct Sums<'a> {
    kernels: BTreeMap<Rc<Key<'a>>, Launches<'a>>,
    competition: Competition<Rc<Key<'a>>>,
}

impl<'a> Sums<'a> {
    /// Adds a launch of process `number`.
    pub fn add(&mut self, number: usize, command: &Command, process: &'a Process) {
        let Some(name) = &command.kernel else {
            return;
        };
        let key = Rc::new(Key {
            name: name.to_string(),
            local_size: command.local_size.to_vec(),
            source: source(process, command),
        });
        let launches = self.kernels.entry(Rc::clone(&key)).or_default();
        launches.add(command, process);
        let Some(report) = &command.report else {
            return;
        };
        let kernels = &mut self.kernels;
        self.competition
            .add(number, key, command, &report.timing, |key, bytes| {
                if let Some(launches) = kernels.get_mut(key) {
                    launches.compete(bytes);
                }
            });
    }

    /// The kernels, ordered by decreasing time.
    pub fn profiles(self, machine: &Machine) -> Vec<KernelProfile> {
        let kernel = |key: &Key<'_>| (key.name.clone(), key.local_size.clone());
        let mut programs: BTreeMap<_, u64> = BTreeMap::new();
        for key in self.kernels.keys() {
            *programs.entry(kernel(key)).or_default() += 1;
        }
        let mut numbers: BTreeMap<_, u64> = BTreeMap::new();
        let mut profiles = Vec::new();
        for (key, launches) in self.kernels {
            let kernel = kernel(&key);
            let is_one = programs[&kernel] == 1;
            let number = numbers.entry(kernel).or_default();
            *number += 1;
            let mut profile = launches.profile(&key, machine);
            profile.program = (!is_one).then_some(*number);
            profile.source = key.source.map(|file| file.text.clone());
            profiles.push(profile);
        }
        profiles.sort_by_key(|profile| std::cmp::Reverse(profile.time_ns));
        profiles
    }
}

/// The key by which launches are summed.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key<'a> {
    name: String,
    local_size: Vec<u64>,
    /// The program's source; `None` if the recording lacks it.
    source: Option<&'a SourceFile>,
}

/// The program's first source. Which others are recorded depends on the launched kernels.
fn source<'a>(process: &'a Process, command: &Command) -> Option<&'a SourceFile> {
    let mut programs = process.programs.iter();
    let program = programs.find(|program| Some(program.number) == command.program)?;
    program.files.first()
}

/// Sums over the launches of a kernel.
#[derive(Default)]
struct Launches<'a> {
    launches: u64,
    failed: u64,
    untimed: u64,
    given_up: u64,
    global_sizes: Vec<Vec<u64>>,
    arrays: u32,
    groups: u64,
    work_items: u64,
    event_time_ns: u64,
    cycles: Cycles,
    /// Cycles per second of the device; 0 without a timed launch.
    clock: u64,
    /// Cycles of the launch multiplied by its arrays.
    array_cycles: u128,
    shares: CyclesByActivity,
    instructions: u64,
    single_flops: u64,
    double_flops: u64,
    scalar_flops: u64,
    moved: PerMemory<u64>,
    /// What other launches moved meanwhile.
    competing: PerMemory<u64>,
    scratchpad_bytes: Bytes,
    dma_transfers: u64,
    dma_bytes: Bytes,
    locks: u64,
    local_memory: Bytes,
    private_memory: Bytes,
    stack: Bytes,
    code: Bytes,
    /// Private memory and its limit in the launch that exceeds the limit most.
    most_private: [Bytes; 2],
    lanes: u32,
    active_lanes: u64,
    lane_slots: u64,
    host_time_ns: u64,
    is_of_hthreads: bool,
    saved: BTreeMap<Change, u64>,
    /// By argument.
    local_copies: BTreeMap<String, LocalCopy>,
    overhead: Cycles,
    per_array: ArrayCycles,
    lines: Lines<'a>,
    /// The last launches, whose arrays and lines are not added yet.
    same: Option<SameReport<'a>>,
}

/// Consecutive launches with the same report. Programs with very many launches have few reports,
/// whose arrays and lines are then added once.
struct SameReport<'a> {
    report: Arc<LaunchReport>,
    process: &'a Process,
    /// Device and program.
    key: (u32, Option<u64>),
    times: u64,
}

impl<'a> Launches<'a> {
    fn add_copy(&mut self, copy: &LocalCopy) {
        let known = self.local_copies.get(&copy.argument);
        if known.is_none_or(|known| known.loaded < copy.loaded) {
            let argument = copy.argument.clone();
            self.local_copies.insert(argument, copy.clone());
        }
    }

    fn compete(&mut self, bytes: PerMemory<u64>) {
        for (sum, bytes) in self.competing.iter_mut().zip(bytes) {
            *sum += bytes;
        }
    }

    fn add(&mut self, command: &Command, process: &'a Process) {
        self.launches += 1;
        self.is_of_hthreads = command.is_of_hthreads();
        self.failed += u64::from(command.status < 0);
        self.given_up += u64::from(command.gave_up);
        // The profile distinguishes only one value from several.
        let size = &command.global_size[..];
        if self.global_sizes.len() < 2 && !self.global_sizes.iter().any(|known| known == size) {
            self.global_sizes.push(size.to_vec());
        }
        self.arrays = self.arrays.max(command.arrays);
        let Some(report) = &command.report else {
            self.untimed += 1;
            return;
        };
        let (timing, totals) = (&report.timing, &report.totals);
        self.groups += totals.groups;
        self.work_items += totals.work_items;
        self.event_time_ns += command.end.saturating_sub(command.start);
        self.cycles += timing.end;
        self.clock = process.header.clock_of(command.device);
        self.array_cycles += u128::from(timing.end.0) * u128::from(command.arrays);
        for alternative in &report.alternatives {
            *self.saved.entry(alternative.change).or_default() += (timing.end - alternative.end).0;
            for copy in &alternative.copies {
                self.add_copy(copy);
            }
        }
        self.overhead += timing.overhead();
        self.instructions += totals.operations;
        self.single_flops += totals.single_flops;
        self.double_flops += totals.double_flops;
        self.scalar_flops += totals.scalar_flops;
        for (sum, bytes) in self.moved.iter_mut().zip(timing.moved()) {
            *sum += bytes.0;
        }
        self.scratchpad_bytes += totals.scratchpad_bytes;
        self.dma_transfers += timing.transfers;
        self.dma_bytes += timing.transferred;
        self.locks += timing.locks;
        self.local_memory = self.local_memory.max(report.local_memory);
        self.private_memory = self.private_memory.max(report.private_memory);
        self.stack = self.stack.max(report.stack);
        self.code = self.code.max(report.code);
        let private = [report.private_memory, report.private_memory_limit];
        let excess = |[needed, limit]: [Bytes; 2]| needed.0.saturating_sub(limit.0);
        if excess(private) >= excess(self.most_private) {
            self.most_private = private;
        }
        self.lanes = self.lanes.max(report.lanes);
        self.active_lanes += totals.active_lanes;
        self.lane_slots += totals.lane_slots;
        self.host_time_ns += command.host_end.saturating_sub(command.host_begin);
        let key = (command.device, command.program);
        let is_last = |same: &SameReport<'_>| Arc::ptr_eq(&same.report, report) && same.key == key;
        match self.same.as_mut().filter(|same| is_last(same)) {
            Some(same) => same.times += 1,
            None => {
                self.add_same();
                self.same = Some(SameReport {
                    report: Arc::clone(report),
                    process,
                    key,
                    times: 1,
                });
            }
        }
    }

    /// Adds the arrays and lines of the last launches.
    fn add_same(&mut self) {
        let Some(same) = self.same.take() else { return };
        let (device, program) = same.key;
        for array in &same.report.timing.arrays {
            let cycles = times(&array.cycles, same.times);
            self.per_array.add(device, array.array, cycles);
            self.shares += cycles;
        }
        let lines = &same.report.lines;
        self.lines.add(lines, same.times, same.process, program);
    }

    /// What the launches needed at most.
    fn memory(&self) -> KernelMemory {
        KernelMemory {
            private_memory: self.most_private[0].0,
            private_memory_limit: self.most_private[1].0,
            stack: self.stack.0,
            code: self.code.0,
        }
    }

    fn profile(mut self, key: &Key<'_>, machine: &Machine) -> KernelProfile {
        self.add_same();
        let exceeded = machine.exceeded(&self.memory());
        let clock = ClockRate::new(match self.clock {
            0 => machine.clock,
            timed => timed,
        });
        let time_ns = clock.complete_nanoseconds(self.cycles).0;
        let peaks = &machine.peaks;
        let seconds = self.cycles.0 as f64 / clock.hertz() as f64;
        let array_seconds = self.array_cycles as f64 / clock.hertz() as f64;
        let of_array = |total, peak| Rate::new(total, time_ns, peak as f64 * array_seconds);
        let of_cluster = |total, peak| Rate::new(total, time_ns, peak as f64 * seconds);
        let [gsm, hbsm, ddr] = of_memories(self.moved, machine, of_cluster);
        let competing = of_memories(self.competing, machine, of_cluster);
        let lanes_active = (self.lane_slots > 0)
            .then(|| f64::from(self.lanes) * self.active_lanes as f64 / self.lane_slots as f64);
        let per_array = self.per_array.profiles();
        let mut profile = KernelProfile {
            name: key.name.clone(),
            local_size: key.local_size.clone(),
            program: None,
            source: None,
            global_size: match &self.global_sizes[..] {
                [one] => Some(one.clone()),
                _ => None,
            },
            launches: self.launches,
            failed: self.failed,
            untimed: self.untimed,
            given_up: self.given_up,
            arrays: self.arrays,
            groups: self.groups,
            work_items: self.work_items,
            time_ns,
            event_time_ns: self.event_time_ns,
            cycles: self.cycles.0,
            clock: clock.hertz(),
            shares: Percentages::new(&self.shares),
            array_cycles: self.shares,
            bound: Bound::default(),
            instructions: self.instructions,
            flops: Flops {
                single: of_array(self.single_flops, peaks.single),
                double: of_array(self.double_flops, peaks.double),
                scalar: self.scalar_flops,
            },
            bandwidth: Bandwidth {
                ddr,
                gsm,
                hbsm,
                scratchpad: of_array(self.scratchpad_bytes.0, peaks.am),
            },
            competing: competing.map(|rate| rate.percent),
            dma_transfers: self.dma_transfers,
            dma_bytes: self.dma_bytes.0,
            locks: self.locks,
            local_memory: self.local_memory.0,
            private_memory: self.private_memory.0,
            stack: self.stack.0,
            code: self.code.0,
            exceeded,
            lanes: self.lanes,
            lanes_active,
            vector_instructions: self.lane_slots / u64::from(self.lanes.max(1)),
            lane_instructions: self.active_lanes,
            imbalance: imbalance(&per_array),
            host_time_ns: self.host_time_ns,
            per_array,
            lines: self.lines.profiles(),
            is_of_hthreads: self.is_of_hthreads,
            saved: self.saved,
            local_copies: self.local_copies.into_values().collect(),
            overhead_cycles: self.overhead.0,
        };
        profile.bound = bound::find(&profile);
        profile
    }
}

/// The rates of GSM, HBSM and DDR that bytes from and to them are.
fn of_memories(
    bytes: PerMemory<u64>,
    machine: &Machine,
    rate: impl Fn(u64, u64) -> Rate,
) -> PerMemory<Rate> {
    SharedMemory::ALL.map(|memory| {
        let peak = match memory {
            SharedMemory::Gsm => machine.peaks.gsm,
            SharedMemory::Hbsm => machine.peaks.hbsm,
            SharedMemory::Ddr => machine.peaks.ddr,
        };
        rate(bytes[memory as usize], peak)
    })
}
