//! Kernels that stream arrays from DDR through AM and back: vectors, functions of each element, matrices with
//! vectors, and sparse matrices. Each array has a part of them; two blocks of it are in AM, so that one is
//! transferred while the other is computed.

use super::launch::{Call, Schedule, Work, vector_elements};
use super::steps::{Rows, load, load_shared, run, share, store, wait};
use device_sim::machine::{Machine, SharedMemory};
use device_sim::timing::engine::programs::{Action, Program};
use device_sim::units::Bytes;
use std::ops::Range;

/// Bytes of a whole number of a sparse matrix.
const INDEX: u64 = 4;

/// Bytes of AM for the blocks of streams. Assumed: half of it; the rest has vectors that stay there.
fn room(machine: &Machine) -> u64 {
    (machine.memory.am.size.value / 2).max(1)
}

/// Most elements of a block and array. Assumed: larger blocks delay the first code without saving transfers.
const LARGEST_BLOCK: u64 = 8192;

/// An array that is streamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stream {
    /// Bytes of an element.
    bytes: u64,
    /// Contiguous elements.
    run: u64,
    is_read: bool,
    is_written: bool,
}

impl Stream {
    fn read(bytes: u64) -> Self {
        Self {
            bytes,
            run: u64::MAX,
            is_read: true,
            is_written: false,
        }
    }

    fn written(bytes: u64) -> Self {
        Self {
            is_read: false,
            is_written: true,
            ..Self::read(bytes)
        }
    }

    fn updated(bytes: u64) -> Self {
        Self {
            is_written: true,
            ..Self::read(bytes)
        }
    }

    /// A vector whose elements are some increment apart.
    fn strided(self, increment: f64) -> Self {
        match increment.abs() == 1.0 {
            true => self,
            false => Self { run: 1, ..self },
        }
    }

    /// The rows of some elements; the first and the last one may be parts.
    fn rows(self, elements: u64) -> Rows {
        let count = elements.div_ceil(self.run).max(1);
        Rows {
            count,
            bytes: (elements * self.bytes).div_ceil(count),
        }
    }
}

/// What is streamed, and what is computed of it.
struct Streams {
    /// Elements in all.
    count: u64,
    streams: Vec<Stream>,
    /// Vectors of a cycle in thousandths: what limits the code.
    cycles_per_1000_vectors: u64,
    /// Elements of a vector.
    vector: u64,
    /// Bytes that each array loads first, and that stay in AM.
    resident: u64,
    /// Bytes that all arrays load to GSM first, each a part.
    shared: u64,
    /// Transfers by index: the bytes of each, for each element, and the memory that has them.
    gathered: Option<(u64, SharedMemory)>,
    /// Cycles of each array at the end, and bytes that it stores; then all of them are added up by the first
    /// array, if there is a reduction.
    reduction: Option<u64>,
    stored_at_end: u64,
    work: Work,
}

impl Streams {
    /// Streams with as much work as the operations of an element need.
    fn new(
        call: &Call<'_>,
        machine: &Machine,
        count: u64,
        streams: Vec<Stream>,
        operations: u64,
        flops: u64,
    ) -> Self {
        let vector = vector_elements(machine, call.precision);
        let loads: u64 = streams
            .iter()
            .map(|one| u64::from(one.is_read) + u64::from(one.is_written))
            .sum();
        let units = machine.array.slots.vector_multiply.value.max(1);
        let ports = machine.memory.am.load_store_units.value.max(1);
        let cycles = (1000 * operations / units).max(1000 * loads / ports);
        let moved: u64 = streams.iter().map(|one| one.bytes).sum();
        Self {
            count,
            streams,
            cycles_per_1000_vectors: cycles,
            vector,
            resident: 0,
            shared: 0,
            gathered: None,
            reduction: None,
            stored_at_end: 0,
            work: Work {
                precision: call.precision,
                flops: count.saturating_mul(flops),
                operations: count.div_ceil(vector).saturating_mul(operations + loads),
                scratchpad_bytes: count.saturating_mul(moved),
            },
        }
    }

    fn schedule(self, machine: &Machine, arrays: u64) -> Schedule {
        let moved: u64 = self.streams.iter().map(|one| one.bytes).sum();
        let moved = moved + self.gathered.map_or(0, |(bytes, _)| bytes);
        let fits = room(machine) / (2 * moved).max(1);
        let block = fits.clamp(1, LARGEST_BLOCK.max(self.vector));
        let block = (block / self.vector * self.vector).max(self.vector);
        let used = arrays.min(self.count.div_ceil(self.vector));
        let setup = machine.array.latency.branch.value + machine.memory.am.load_latency.value;
        let latency = machine.array.latency.vector_multiply_add.value;
        let lanes = u64::from(self.vector.ilog2());
        let programs = (0..used).map(|number| {
            let array = Array {
                elements: share(self.count, self.vector, number, used),
                streams: self.streams.clone(),
                block,
                vector: self.vector,
                cycles: self.cycles_per_1000_vectors,
                setup,
                resident: self.resident,
                shared: self.shared / used,
                gathered: self.gathered,
                // A tree over the lanes of the sums, then over arrays.
                reduction: self.reduction.map(|sums| sums * (lanes + 1) * latency),
                stored_at_end: self.stored_at_end,
                others: if number == 0 { used } else { 0 },
                phase: Phase::Begin,
                place: 0,
            };
            Box::new(array) as Program
        });
        let used = 2 * block * moved + self.resident;
        let used = Bytes(used.min(machine.memory.am.size.value));
        Schedule::new(programs.collect(), self.work, used)
    }
}

/// The program of an array.
struct Array {
    elements: Range<u64>,
    streams: Vec<Stream>,
    block: u64,
    vector: u64,
    /// Of 1000 vectors.
    cycles: u64,
    /// Cycles before the first result of a block.
    setup: u64,
    resident: u64,
    shared: u64,
    gathered: Option<(u64, SharedMemory)>,
    reduction: Option<u64>,
    stored_at_end: u64,
    /// Partial results that it adds up at the end.
    others: u64,
    phase: Phase,
    /// The number of the next block.
    place: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Begin,
    Blocks,
    End,
    Done,
}

/// Events of transfers; those of blocks have one for each of two buffers.
const FIRST: u32 = 1;
const LOADS: u32 = 2;
const GATHERS: u32 = 4;
const STORES: u32 = 6;
const LAST: u32 = 8;

impl Array {
    /// Elements of a block; 0 behind the last one.
    fn block(&self, number: u64) -> u64 {
        let begin = self.elements.start + number * self.block;
        self.elements.end.saturating_sub(begin).min(self.block)
    }

    fn loads(&self, number: u64, actions: &mut Vec<Action>) {
        let (count, buffer) = (self.block(number), (number % 2) as u32);
        if count == 0 {
            return;
        }
        // The buffer has been stored.
        if number >= 2 && self.streams.iter().any(|one| one.is_written) {
            actions.push(wait(STORES + buffer));
        }
        let read = self.streams.iter().filter(|one| one.is_read);
        actions.extend(read.map(|one| load(LOADS + buffer, one.rows(count), SharedMemory::Ddr)));
    }
}

impl Iterator for Array {
    type Item = Vec<Action>;

    fn next(&mut self) -> Option<Vec<Action>> {
        let mut actions = Vec::new();
        match self.phase {
            Phase::Begin => {
                self.phase = Phase::Blocks;
                if self.shared > 0 {
                    actions.push(load_shared(FIRST, Rows::one(self.shared)));
                    actions.push(wait(FIRST));
                    actions.push(Action::Barrier);
                }
                if self.resident > 0 {
                    actions.push(load(FIRST, Rows::one(self.resident), SharedMemory::Ddr));
                }
                self.loads(0, &mut actions);
                if self.resident > 0 {
                    actions.push(wait(FIRST));
                }
            }
            Phase::Blocks => {
                let (number, buffer) = (self.place, (self.place % 2) as u32);
                let count = self.block(number);
                if count == 0 {
                    self.phase = Phase::End;
                    return Some(actions);
                }
                self.place += 1;
                self.loads(number + 1, &mut actions);
                actions.push(wait(LOADS + buffer));
                if let Some((bytes, memory)) = self.gathered {
                    let rows = Rows { count, bytes };
                    actions.push(load(GATHERS + buffer, rows, memory));
                    actions.push(wait(GATHERS + buffer));
                }
                let vectors = count.div_ceil(self.vector);
                actions.push(run(self.setup + (vectors * self.cycles).div_ceil(1000)));
                let written = self.streams.iter().filter(|one| one.is_written);
                actions.extend(written.map(|one| store(STORES + buffer, one.rows(count))));
            }
            Phase::End => {
                self.phase = Phase::Done;
                if let Some(cycles) = self.reduction {
                    actions.push(run(cycles));
                    actions.push(store(LAST, Rows::one(self.stored_at_end.max(1))));
                    actions.push(wait(LAST));
                    actions.push(Action::Barrier);
                    if self.others > 0 {
                        let all = Rows {
                            count: self.others,
                            bytes: self.stored_at_end.max(1),
                        };
                        actions.push(load(LAST, all, SharedMemory::Ddr));
                        actions.push(wait(LAST));
                        actions.push(run(cycles));
                        actions.push(store(LAST, Rows::one(self.stored_at_end.max(1))));
                    }
                }
            }
            Phase::Done => return None,
        }
        Some(actions)
    }
}

/// Kernels of level 1.
pub fn vectors(call: &Call<'_>, machine: &Machine, arrays: u64) -> Schedule {
    let bytes = call.precision.bytes();
    let (incx, incy) = (call.number("incx"), call.number("incy"));
    let read = Stream::read(bytes);
    let updated = Stream::updated(bytes);
    let x = read.strided(incx);
    // Streams, vector operations of an element, floating-point operations, and sums of a reduction.
    let (streams, operations, flops, sums) = match call.base() {
        "swap" => (vec![updated.strided(incx), updated.strided(incy)], 0, 0, 0),
        "scal" => (vec![updated.strided(incx)], 1, 1, 0),
        "copy" => (vec![x, Stream::written(bytes).strided(incy)], 0, 0, 0),
        "axpy" => (vec![x, updated.strided(incy)], 1, 2, 0),
        "rot" | "rotm" => (vec![updated.strided(incx), updated.strided(incy)], 4, 6, 0),
        // The two products of dsdot are of double precision: half as many in a vector.
        "sdot" => (vec![x, read.strided(incy)], 2, 2, 1),
        "dot" => (vec![x, read.strided(incy)], 1, 2, 1),
        "nrm2" => (vec![x], 1, 2, 1),
        "asum" => (vec![x], 1, 1, 1),
        // The largest element and its number.
        _ => (vec![x], 2, 1, 2),
    };
    let mut streams = Streams::new(call, machine, call.size("n"), streams, operations, flops);
    if sums > 0 {
        streams.reduction = Some(sums);
        streams.stored_at_end = sums * bytes;
    }
    streams.schedule(machine, arrays)
}

/// Functions of each element.
pub fn elements(call: &Call<'_>, machine: &Machine, arrays: u64) -> Schedule {
    let bytes = call.precision.bytes();
    let mut streams = vec![Stream::read(bytes), Stream::written(bytes)];
    if ["_pow", "_atan2", "_hypot", "_fmod"]
        .iter()
        .any(|end| call.name.ends_with(end))
    {
        streams.push(Stream::read(bytes));
    }
    let operations = call.operations;
    Streams::new(
        call,
        machine,
        call.size("n"),
        streams,
        operations,
        2 * operations,
    )
    .schedule(machine, arrays)
}

/// Kernels of level 2.
pub fn matrix(call: &Call<'_>, machine: &Machine, arrays: u64) -> Schedule {
    let bytes = call.precision.bytes();
    let (m, n) = (call.size("m"), call.size("n"));
    let base = call.base();
    let band = call.size("k") + 1;
    // Stored elements and the contiguous ones of a column.
    let (count, run) = match base {
        "gemv" | "ger" => (m * n, m),
        "gbmv" => {
            let diagonals = call.size("kl") + call.size("ku") + 1;
            (n * diagonals.min(m.max(1)), diagonals)
        }
        "sbmv" | "tbmv" | "tbsv" => (n * band.min(n.max(1)), band),
        // Packed triangles are contiguous; in others columns have half of their elements on average.
        "spmv" | "tpmv" | "tpsv" | "spr" | "spr2" => (n * (n + 1) / 2, u64::MAX),
        _ => (n * (n + 1) / 2, n.div_ceil(2)),
    };
    let is_update = matches!(base, "ger" | "syr" | "spr" | "syr2" | "spr2");
    let a = Stream {
        run: run.max(1),
        is_written: is_update,
        ..Stream::read(bytes)
    };
    // A symmetric matrix has each element twice; updates of rank 2 have two products.
    let products = match base {
        "symv" | "sbmv" | "spmv" | "syr2" | "spr2" => 2,
        _ => 1,
    };
    let mut streams = Streams::new(call, machine, count, vec![a], products, 2 * products);
    let order = if m > 0 { m + n } else { 2 * n };
    streams.resident = (order * bytes).min(room(machine));
    if !is_update {
        // Arrays add up their parts of the result.
        let result = if m > 0 && !call.flag("trans") { m } else { n };
        streams.reduction = Some(result.div_ceil(streams.vector).max(1));
        streams.stored_at_end = result * bytes;
    }
    streams.schedule(machine, arrays)
}

/// Products of sparse matrices and vectors.
pub fn sparse(call: &Call<'_>, machine: &Machine, arrays: u64) -> Schedule {
    let bytes = call.precision.bytes();
    let (rows, columns) = (call.size("rows"), call.size("columns"));
    let is_compressed = call.base() == "csrmv";
    let entries = match is_compressed {
        true => call.size("entries"),
        false => rows * call.size("width"),
    };
    let entry = vec![Stream::read(bytes), Stream::read(INDEX)];
    let mut streams = Streams::new(call, machine, entries, entry, 1, 2);
    let x = columns * bytes;
    if x <= room(machine) {
        // Lanes gather from AM.
        streams.resident = x;
        streams.cycles_per_1000_vectors += 1000 * machine.array.access.gather.value;
    } else if x <= machine.memory.gsm.size.value {
        streams.shared = x;
        streams.gathered = Some((bytes, SharedMemory::Gsm));
    } else {
        streams.gathered = Some((bytes, SharedMemory::Ddr));
    }
    // The starts and results of rows are a part of each element's traffic; elements of compressed rows are
    // added across lanes: 48 vectors in 122 cycles, GEMM paper on FT-M7032.
    let of_rows = (rows * (2 * bytes + INDEX * u64::from(is_compressed))).div_ceil(entries.max(1));
    if of_rows > 0 {
        streams.streams.push(Stream::read(of_rows));
    }
    if is_compressed {
        let vectors = entries.div_ceil(streams.vector).max(1);
        streams.cycles_per_1000_vectors += 1000 * rows * 122 / 48 / vectors;
    }
    streams.schedule(machine, arrays)
}
