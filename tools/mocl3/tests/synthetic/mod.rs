//! Synthetic recordings for tests.
#![allow(dead_code, reason = "not all tests need all")]

use device_sim::machine::{Capacities, Identity};
use device_sim::timing::launch_report::{LaunchReport, Totals};
use device_sim::timing::launch_timing::{
    Activity, ActivitySlice, ArrayTiming, CyclesByActivity, LaunchTiming, TransferSlice,
};
use device_sim::timing::line_cycles::LineCycles;
use device_sim::units::{Bytes, Cycles};
use recording::{
    Call, Command, Device, End, FORMAT, Header, Line, Peaks, Process, Program, SourceFile, Writer,
};
use std::path::Path;
use std::sync::Arc;

/// Arrays of a cluster.
pub const ARRAYS: u64 = 24;

const CLOCK: u64 = 1_200_000_000;

const SOURCE: &str = "kernel void multiply(global double *c, local double *tile) {
    event_t copied = async_work_group_copy(tile, c, 1024, 0);
    wait_group_events(1, &copied);
    for (int i = 0; i < 1024; ++i)
        c[get_global_id(0)] += tile[i] * 2.0;
    // <script>alert(\"</script>\")</script> & such
}
kernel void add(global float *x) { x[get_global_id(0)] += 1; }
";

/// The example on a machine that has less memory than its kernels need.
pub fn exceeding() -> Process {
    let mut process = example();
    process.header.capacities.stack = 511;
    process.header.capacities.program_cache = 2048;
    let reports = process
        .commands
        .iter_mut()
        .filter_map(|c| c.report.as_mut());
    for report in reports {
        Arc::make_mut(report).private_memory_limit = Bytes(2047);
    }
    process
}

/// A program with transfers, two kernels and two queues.
pub fn example() -> Process {
    with_add(&[256], 30)
}

/// The example whose kernel `add` has larger groups and does a third of the work more.
pub fn slower() -> Process {
    with_add(&[512], 40)
}

fn with_add(local_size: &[u64], rounds: u64) -> Process {
    let mut builder = Builder::new();
    builder.transfer("CL_COMMAND_WRITE_BUFFER", 8 << 20);
    for _ in 0..3 {
        builder.launch(
            1,
            &Kernel {
                name: "multiply",
                local_size: &[64, 1],
                steps: &[(Activity::Compute, 4000), (Activity::DmaWait, 1500)],
                rounds: 20,
                double_flops_of_array: 24 * 4000 * 60,
                bytes_of_step: 4096,
                ..Kernel::default()
            },
        );
    }
    builder.launch(
        2,
        &Kernel {
            name: "add",
            local_size,
            steps: &[(Activity::Compute, 300), (Activity::Memory, 2700)],
            rounds,
            single_flops_of_array: 20_000,
            traffic_of_array: 120_000,
            ..Kernel::default()
        },
    );
    builder.transfer("CL_COMMAND_READ_BUFFER", 8 << 20);
    builder.process()
}

/// A program with `count` kernels.
pub fn many(kernels: u64) -> Process {
    let mut builder = Builder::new();
    for number in 0..kernels {
        let name = format!("kernel_{number:03}_with_a_rather_long_name_to_see");
        builder.launch(
            1,
            &Kernel {
                name: &name,
                local_size: &[64],
                steps: &[
                    (Activity::Compute, 50 + number * 7 % 1000),
                    (Activity::Scratchpad, 100),
                    (Activity::Memory, 900 - number * 13 % 800),
                    (Activity::Barrier, number % 50),
                    (Activity::LockWait, number % 3 * 200),
                ],
                rounds: 10,
                single_flops_of_array: 1000 << (number % 12),
                traffic_of_array: 20_000 >> (number % 9),
                ..Kernel::default()
            },
        );
    }
    builder.process()
}

/// Writes the recording as a process would.
pub fn write(process: &Process, folder: &Path) {
    let writer = Writer::create(folder, process.header.clone()).expect("a file");
    let programs = process.programs.iter().cloned().map(Line::Program);
    let commands = process.commands.iter().cloned().map(Box::new);
    let calls = process.calls.iter().cloned().map(Line::Call);
    let end = process.end.map(Line::End);
    for line in programs
        .chain(commands.map(Line::Command))
        .chain(calls)
        .chain(end)
    {
        writer.write(&line).expect("written");
    }
}

#[derive(Default)]
struct Kernel<'a> {
    name: &'a str,
    local_size: &'a [u64],
    /// The steps that each array repeats.
    steps: &'a [(Activity, u64)],
    rounds: u64,
    single_flops_of_array: u64,
    double_flops_of_array: u64,
    traffic_of_array: u64,
    /// Of the DMA transfer that each `DmaWait` waits for.
    bytes_of_step: u64,
}

struct Builder {
    process: Process,
    /// The time, simulated nanoseconds.
    now: u64,
}

impl Builder {
    fn new() -> Self {
        let header = Header {
            format: FORMAT,
            pid: std::process::id(),
            arguments: vec!["./program".into(), "<1 & 2>".into()],
            machine: "MT-3000".into(),
            machine_identity: Identity::default(),
            clock: CLOCK,
            lanes: 16,
            dma_channels: 2,
            devices: vec![
                Device {
                    name: "MT-3000 acceleration cluster".into(),
                    arrays: 24,
                    clock: None,
                };
                4
            ],
            peaks: Peaks {
                single: 230_400_000_000,
                double: 115_200_000_000,
                ddr: 42_600_000_000,
                gsm: 307_200_000_000,
                hbsm: 204_800_000_000,
                am: 614_400_000_000,
                sm: 19_200_000_000,
                dma: 38_400_000_000,
            },
            capacities: Capacities {
                stack: 13_184,
                program_cache: 32_768,
                code: 13_958_643_712,
            },
            host_threads: 4,
            alternatives: false,
        };
        Self {
            process: Process {
                header,
                programs: vec![Program {
                    number: 1,
                    files: vec![SourceFile {
                        name: "program.cl".into(),
                        text: SOURCE.into(),
                    }],
                }],
                ..Process::default()
            },
            now: 1000,
        }
    }

    fn call(&mut self, function: &'static str, command: u64, end: u64) {
        let begin = self.now;
        self.process.calls.push(Call {
            function: function.into(),
            thread: 1,
            begin,
            end,
            host_begin: begin / 2,
            host_end: end / 2,
            command: Some(command),
        });
    }

    fn command(&self, queue: u64, kind: &'static str) -> Command {
        Command {
            number: self.process.commands.len() as u64 + 1,
            queue,
            in_order: queue == 1,
            arrays: 24,
            kind: kind.into(),
            queued: self.now,
            submit: self.now + 100,
            start: self.now + 200,
            host_begin: self.now / 2,
            ..Command::default()
        }
    }

    fn transfer(&mut self, kind: &'static str, bytes: u64) {
        let mut command = self.command(1, kind);
        command.bytes = bytes;
        command.end = command.start + bytes / 10;
        command.host_end = command.end / 2;
        let function = match kind {
            "CL_COMMAND_READ_BUFFER" => "clEnqueueReadBuffer",
            _ => "clEnqueueWriteBuffer",
        };
        self.call(function, command.number, command.end);
        self.now = command.end;
        self.process.commands.push(command);
    }

    fn launch(&mut self, queue: u64, kernel: &Kernel<'_>) {
        let timing = timing(kernel);
        let mut command = self.command(queue, "CL_COMMAND_NDRANGE_KERNEL");
        command.kernel = Some(kernel.name.into());
        command.program = Some(1);
        command.global_size = kernel.local_size.iter().map(|size| size * ARRAYS).collect();
        command.local_size = kernel.local_size.into();
        command.waited_for = self
            .process
            .commands
            .last()
            .map(|last| last.number)
            .into_iter()
            .collect();
        command.start = command.submit + timing.start.0 * 1_000_000_000 / CLOCK;
        command.end = command.submit + timing.end.0 * 1_000_000_000 / CLOCK;
        command.host_end = command.host_begin + 20_000;
        let operations = timing
            .arrays
            .iter()
            .map(|array| array.cycles[Activity::Compute].0)
            .sum();
        let lines = (2..6).map(|line| LineCycles {
            file: "program.cl".into(),
            line,
            cycles: CyclesByActivity::single(
                Activity::Compute,
                Cycles(operations / 20 * u64::from(line)),
            ),
        });
        command.report = Some(Arc::new(LaunchReport {
            totals: Totals {
                groups: ARRAYS,
                work_items: ARRAYS * 64,
                operations,
                single_flops: kernel.single_flops_of_array * ARRAYS,
                double_flops: kernel.double_flops_of_array * ARRAYS,
                scalar_flops: 10,
                scratchpad_bytes: Bytes(operations * 64),
                active_lanes: operations * 12,
                lane_slots: operations * 16,
            },
            lines: lines.collect(),
            local_memory: Bytes(65_536),
            stack: Bytes(512),
            private_memory: Bytes(2048),
            private_memory_limit: Bytes(131_072),
            code: Bytes(4096),
            lanes: 16,
            alternatives: Vec::new(),
            timing,
        }));
        self.call("clEnqueueNDRangeKernel", command.number, self.now + 50);
        self.now = command.end;
        self.process.commands.push(command);
    }

    fn process(mut self) -> Process {
        self.process.end = Some(End {
            host_time: self.now,
            time: self.now,
        });
        self.process
    }
}

/// Arrays start one after another. Every third has half of the others' work.
fn timing(kernel: &Kernel<'_>) -> LaunchTiming {
    let mut timing = LaunchTiming {
        start: Cycles(2000),
        ..LaunchTiming::default()
    };
    for array in 0..ARRAYS {
        let begin = 2000 + array * 10;
        let mut now = begin;
        let mut before = begin;
        timing.slices.push(slice(array, Activity::Launch, 0, begin));
        let rounds = kernel.rounds / (1 + u64::from(array % 3 == 2));
        for round in 0..rounds {
            for &(activity, cycles) in kernel.steps.iter().filter(|(_, cycles)| *cycles > 0) {
                let end = now + cycles;
                timing.slices.push(slice(array, activity, now, end));
                if activity == Activity::DmaWait {
                    timing.transfer_slices.push(TransferSlice {
                        array,
                        channel: round % 2,
                        begin: Cycles(before),
                        end: Cycles(end),
                        waited_for: Some(Cycles(now)),
                        bytes: Bytes(kernel.bytes_of_step),
                        to_scratchpad: true,
                    });
                }
                before = now;
                now = end;
            }
        }
        timing.arrays.push(ArrayTiming {
            array,
            begin: Cycles(begin),
            end: Cycles(now),
            cycles: CyclesByActivity::default(),
        });
    }
    let last = timing.arrays.iter().map(|array| array.end).max();
    timing.end = last.expect("arrays") + Cycles(600);
    let (last, end) = (timing.end.0 - 600, timing.end.0);
    for array in &mut timing.arrays {
        let idle = slice(array.array, Activity::Idle, array.end.0, last);
        let ending = slice(array.array, Activity::Launch, last, end);
        timing.slices.extend(
            [idle, ending]
                .into_iter()
                .filter(|slice| slice.begin < slice.end),
        );
        for slice in timing
            .slices
            .iter()
            .filter(|slice| slice.array == array.array)
        {
            array.cycles += slice.cycles;
        }
    }
    timing.traffic[2] = Bytes(kernel.traffic_of_array * ARRAYS);
    timing.transfers = timing.transfer_slices.len() as u64;
    timing.transferred = timing
        .transfer_slices
        .iter()
        .map(|transfer| transfer.bytes)
        .sum();
    timing.transferred_lines = timing.transferred;
    timing
}

fn slice(array: u64, activity: Activity, begin: u64, end: u64) -> ActivitySlice {
    ActivitySlice {
        array,
        begin: Cycles(begin),
        end: Cycles(end),
        cycles: CyclesByActivity::single(activity, Cycles(end.saturating_sub(begin))),
    }
}
