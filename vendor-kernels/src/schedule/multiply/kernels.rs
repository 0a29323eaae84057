//! The micro-kernel, and what all blocks of a product have in common.

use super::product::Product;
use crate::schedule::launch::{Work, vector_elements};
use crate::schedule::steps::{Rows, code, loads_during, wait};
use device_sim::machine::{Machine, SharedMemory};
use device_sim::timing::engine::programs::Action;

/// Rows of the micro-kernel; GEMM papers.
pub const ROWS: u64 = 6;

/// Vectors of the micro-kernel; GEMM papers.
const VECTORS: u64 = 3;

/// Most steps of the micro-kernel; GEMM papers.
const DEPTH: u64 = 512;

/// The event of transfers from GSM to SM.
const ROWS_OF_A: u32 = 1;

/// Cycles of a micro-kernel: each step multiplies a column of A with a row of B. A column is broadcast one
/// element in a cycle, and an element of C waits for its last sum. Before the first step, elements of A are
/// loaded and broadcast; after the last one, the sums are added to C. With 6 rows and 3 vectors of k steps
/// these are the 14 + 6 k + 12 cycles of the GEMM paper on FT-M7032.
pub fn micro_kernel(machine: &Machine, rows: u64, vectors: u64, steps: u64) -> u64 {
    let (array, latency) = (&machine.array, &machine.array.latency);
    let units = array.slots.vector_multiply.value.max(1);
    let products = (rows * vectors).div_ceil(units);
    let step = products.max(rows).max(latency.vector_multiply_add.value);
    let scalar_loads = machine.memory.sm.load_latency.value + VECTORS;
    let begin = scalar_loads + latency.broadcast.value;
    begin + step * steps + products + latency.vector_multiply_add.value
}

/// What the blocks of a product have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernels {
    /// Bytes of an element.
    pub bytes: u64,
    /// Elements of a vector.
    vector: u64,
    /// Vectors of the micro-kernel.
    vectors: u64,
    /// Steps of the micro-kernel, and those of the last one.
    steps: [u64; 2],
    /// Their cycles.
    cycles: [u64; 2],
    /// Cycles to start the transfer of its rows of A.
    start: u64,
}

impl Kernels {
    pub fn new(product: &Product, machine: &Machine) -> Self {
        let bytes = product.precision.bytes();
        let vector = vector_elements(machine, product.precision);
        // Two buffers for rows of A; the stack has some of SM.
        let fits_sm = machine.memory.sm.size.value * 3 / 4 / (2 * ROWS * bytes);
        let depth = DEPTH.min(fits_sm).min(product.k).max(1);
        let last = match product.k % depth {
            0 => depth,
            rest => rest,
        };
        let vectors = product.n.div_ceil(vector).clamp(1, VECTORS);
        let cycles = |steps| micro_kernel(machine, ROWS, vectors, steps);
        Self {
            bytes,
            vector,
            vectors,
            steps: [depth, last],
            cycles: [cycles(depth), cycles(last)],
            start: machine.dma.start.value,
        }
    }

    pub fn depth(&self) -> u64 {
        self.steps[0]
    }

    /// Columns of C.
    pub fn width(&self) -> u64 {
        self.vectors * self.vector
    }

    /// Bytes of a block of B.
    pub fn block_of_b(&self) -> u64 {
        self.depth() * self.width() * self.bytes
    }

    /// Multiplies some rows: a micro-kernel for every six rows of A, which are loaded meanwhile.
    pub fn multiply(&self, rows: u64, steps: u64, actions: &mut Vec<Action>) {
        let kernels = rows.div_ceil(ROWS);
        let cycles = self.cycles[usize::from(steps != self.steps[0])];
        let rows = Rows {
            count: ROWS,
            bytes: steps * self.bytes,
        };
        let code = code(kernels * cycles);
        let memory = SharedMemory::Gsm;
        actions.push(loads_during(ROWS_OF_A, kernels, rows, memory, code));
        actions.push(wait(ROWS_OF_A));
    }

    /// Cycles of transposing elements in AM: a square of vectors is loaded and stored by two units.
    pub fn transposition(&self, elements: u64) -> u64 {
        elements.div_ceil(self.vector)
    }

    /// The rows of a matrix with some rows and columns, or of its transpose.
    pub fn rows(&self, rows: u64, columns: u64, is_transposed: bool) -> Rows {
        let (count, elements) = if is_transposed {
            (columns, rows)
        } else {
            (rows, columns)
        };
        Rows {
            count,
            bytes: elements * self.bytes,
        }
    }

    /// Cycles of an array with these micro-kernels of `depth` steps, or those of moving the elements from and to
    /// DDR if these are more.
    pub fn estimate(&self, machine: &Machine, kernels: u64, moved: u128) -> u128 {
        let cycles = u128::from(kernels) * u128::from(self.cycles[0] + self.start);
        let ddr = u128::from(machine.memory.ddr.bandwidth.value).max(1);
        let clock = u128::from(machine.clusters.clock.value);
        cycles.max(moved * u128::from(self.bytes) * clock / ddr)
    }

    /// What this number of multiply-adds computes.
    pub fn work(&self, product: &Product, products: u64) -> Work {
        let operations = products / self.vector;
        // Of each multiply-add, a third of a vector of B is loaded, and a sixth of it is broadcast.
        let loaded = operations / VECTORS * self.vector + operations / ROWS;
        Work {
            precision: product.precision,
            flops: 2 * products,
            operations,
            scratchpad_bytes: (loaded + 2 * product.m * product.n) * self.bytes,
        }
    }
}
