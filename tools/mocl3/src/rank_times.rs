//! The ranks of an MPI program in a recording: their queues, and what they spent time on. A rank is a
//! thread with MPI calls, which `mocl3 mpi` adds; ranks that share a node share a thread.

use recording::{Call, Process};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// The times of a rank, simulated nanoseconds.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct RankTimes {
    /// Its name.
    pub name: String,
    /// In MPI's functions.
    pub mpi_ns: u64,
    /// In OpenCL's functions.
    pub opencl_ns: u64,
    /// Of its kernels, which may run meanwhile.
    pub kernels_ns: u64,
    /// Of its transfers between host and device.
    pub transfers_ns: u64,
}

/// The ranks of a process.
#[derive(Debug, Default)]
pub struct Ranks {
    /// By thread.
    pub times: BTreeMap<u64, RankTimes>,
    /// The threads that enqueue commands, by queue.
    pub thread_of_queue: HashMap<u64, u64>,
}

/// Whether a call is one of MPI's.
pub fn is_mpi(call: &Call) -> bool {
    call.function.starts_with("MPI_")
}

impl Ranks {
    /// Of a process; none of a program without MPI calls.
    pub fn new(process: &Process) -> Self {
        let mut ranks = Self::default();
        let mut name = "rank";
        for call in process.calls.iter().filter(|call| is_mpi(call)) {
            if call.function.contains(" (rank ") {
                name = "node";
            }
            ranks.times.entry(call.thread).or_default().mpi_ns += call.end - call.begin;
        }
        if ranks.times.is_empty() {
            return ranks;
        }
        let mut threads = HashMap::new();
        for call in process.calls.iter().filter(|call| !is_mpi(call)) {
            if let Some(times) = ranks.times.get_mut(&call.thread) {
                times.opencl_ns += call.end.saturating_sub(call.begin);
                threads.extend(call.command.map(|command| (command, call.thread)));
            }
        }
        for command in &process.commands {
            let Some(thread) = threads.get(&command.number) else {
                continue;
            };
            ranks.thread_of_queue.insert(command.queue, *thread);
            let times = ranks.times.entry(*thread).or_default();
            let duration = command.end.saturating_sub(command.start);
            match (&command.kernel, command.bytes) {
                (Some(_), _) => times.kernels_ns += duration,
                (None, 1..) => times.transfers_ns += duration,
                _ => {}
            }
        }
        for (thread, times) in &mut ranks.times {
            times.name = format!("{name} {}", thread.saturating_sub(1));
        }
        ranks
    }

    /// The name of the rank whose thread this is.
    pub fn name(&self, thread: u64) -> Option<&str> {
        self.times.get(&thread).map(|times| times.name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recording::Command;

    fn call(function: &'static str, thread: u64, times: (u64, u64), command: Option<u64>) -> Call {
        Call {
            function: function.into(),
            thread,
            begin: times.0,
            end: times.1,
            command,
            ..Call::default()
        }
    }

    #[test]
    fn a_rank_has_the_times_of_its_calls_and_commands() {
        let kernel = |number, queue, start, end| Command {
            number,
            queue,
            start,
            end,
            kernel: Some("k".into()),
            ..Command::default()
        };
        let process = Process {
            calls: vec![
                call("clEnqueueNDRangeKernel", 1, (0, 5), Some(1)),
                call("MPI_Wait", 1, (5, 15), None),
                call("clEnqueueNDRangeKernel", 2, (0, 5), Some(2)),
                call("MPI_Wait", 2, (5, 7), None),
                // A thread of the program's own.
                call("clFinish", 3, (0, 50), None),
            ],
            commands: vec![kernel(1, 1, 2, 12), kernel(2, 9, 3, 33)],
            ..Process::default()
        };
        let ranks = Ranks::new(&process);
        assert_eq!(ranks.name(1), Some("rank 0"));
        assert_eq!(ranks.name(3), None);
        assert_eq!(ranks.thread_of_queue[&9], 2);
        let of = |times: &RankTimes| (times.mpi_ns, times.opencl_ns, times.kernels_ns);
        let found: Vec<_> = ranks.times.values().map(of).collect();
        assert_eq!(found, [(10, 5, 10), (2, 5, 30)]);
    }
}
