//! Fourier transforms: for each dimension, arrays load lines to AM, as many as a vector has elements or as there
//! is room for, transform and store them. Lines that AM cannot hold are divided into two dimensions.

use super::launch::{Call, Schedule, Work, vector_elements};
use super::steps::{Rows, load, run, share, store, wait};
use crate::precision::Precision;
use device_sim::machine::{Machine, SharedMemory};
use device_sim::timing::engine::programs::{Action, Program};
use device_sim::units::Bytes;

/// Events of transfers, each for two buffers.
const LOADS: u32 = 1;
const STORES: u32 = 3;

/// Transforms of all lines of a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pass {
    points: u64,
    lines: u64,
    /// Contiguous lines, if their elements are apart from each other; 0 if they are contiguous.
    neighbours: u64,
}

/// Cycles of transforming as many lines as a vector has elements: of each radix-4 butterfly, 8 vectors are
/// loaded and 8 stored, which takes as long as the 24 multiply-adds of two steps: 8 cycles with two units for
/// loads and stores, and three for multiply-adds. Lines with a large prime factor are convolutions of two
/// transforms of more than twice the size.
fn line_cycles(machine: &Machine, points: u64) -> u64 {
    let ports = machine.memory.am.load_store_units.value.max(1);
    let units = machine.array.slots.vector_multiply.value.max(1);
    let steps = (points.max(2) as f64).log2().ceil() as u64;
    let butterflies = points.div_ceil(4) * steps.div_ceil(2);
    let cycles = butterflies * 16_u64.div_ceil(ports).max(24_u64.div_ceil(units));
    match largest_factor(points) > 13 {
        false => cycles,
        true => 5 * cycles,
    }
}

fn largest_factor(mut number: u64) -> u64 {
    let mut largest = 1;
    let mut factor = 2;
    while factor * factor <= number {
        while number.is_multiple_of(factor) {
            largest = factor;
            number /= factor;
        }
        factor += 1;
    }
    largest.max(number)
}

/// The longest line of which AM has room for two buffers.
fn longest(machine: &Machine, bytes: u64) -> u64 {
    (machine.memory.am.size.value / (2 * bytes)).max(2)
}

pub fn transform(call: &Call<'_>, machine: &Machine, arrays: u64) -> Schedule {
    let sizes = ["nx", "ny", "nz"].map(|name| call.size(name).max(1));
    let all = sizes.iter().product::<u64>() * call.size("batch").max(1);
    let bytes = 2 * call.precision.bytes();
    let vector = vector_elements(machine, call.precision);
    let longest = longest(machine, bytes);
    let mut passes = Vec::new();
    let mut stride = 1;
    for points in sizes.into_iter().filter(|points| *points > 1) {
        let parts = if points <= longest {
            vec![points]
        } else {
            let root = (points as f64).sqrt().ceil() as u64;
            vec![root, points.div_ceil(root)]
        };
        for points in parts {
            passes.push(Pass {
                points,
                lines: all / points,
                neighbours: if stride == 1 { 0 } else { stride },
            });
            stride *= points;
        }
    }
    let flops = passes.iter().map(|pass| {
        let logarithm = (pass.points as f64).log2();
        (5.0 * logarithm * (pass.points * pass.lines) as f64) as u64
    });
    let flops: u64 = flops.sum();
    let programs = (0..arrays).map(|number| {
        let array = Array::new(&passes, machine, call.precision, number, arrays);
        Box::new(array) as Program
    });
    let work = Work {
        precision: call.precision,
        flops,
        operations: flops / (2 * vector),
        scratchpad_bytes: 4 * all * bytes * passes.len() as u64,
    };
    Schedule::new(programs.collect(), work, Bytes(2 * longest * bytes))
}

/// The program of an array.
struct Array {
    /// With the cycles of a vector of lines.
    passes: Vec<(Pass, u64)>,
    vector: u64,
    /// Elements of a buffer.
    room: u64,
    bytes: u64,
    number: u64,
    arrays: u64,
    /// The pass and the block of lines that come next.
    pass: usize,
    block: u64,
}

impl Array {
    fn new(
        passes: &[Pass],
        machine: &Machine,
        precision: Precision,
        number: u64,
        arrays: u64,
    ) -> Self {
        let passes = passes
            .iter()
            .map(|pass| (*pass, line_cycles(machine, pass.points)));
        Self {
            passes: passes.collect(),
            vector: vector_elements(machine, precision),
            room: longest(machine, 2 * precision.bytes()),
            bytes: 2 * precision.bytes(),
            number,
            arrays,
            pass: 0,
            block: 0,
        }
    }

    /// Lines of a block of its own; 0 behind the last one.
    fn lines(&self, pass: Pass, block: u64) -> u64 {
        let most = (self.room / pass.points).clamp(1, self.vector);
        let own = share(pass.lines, most, self.number, self.arrays);
        let begin = own.start + block * most;
        own.end.saturating_sub(begin).min(most)
    }

    fn rows(&self, pass: Pass, lines: u64) -> Rows {
        match pass.neighbours {
            0 => Rows {
                count: lines,
                bytes: pass.points * self.bytes,
            },
            neighbours => {
                let together = neighbours.min(lines);
                Rows {
                    count: pass.points * lines.div_ceil(together),
                    bytes: together * self.bytes,
                }
            }
        }
    }
}

impl Iterator for Array {
    type Item = Vec<Action>;

    fn next(&mut self) -> Option<Vec<Action>> {
        let (pass, cycles) = *self.passes.get(self.pass)?;
        let (block, buffer) = (self.block, (self.block % 2) as u32);
        let mut actions = Vec::new();
        let lines = self.lines(pass, block);
        if lines == 0 {
            // The next dimension has elements of all arrays.
            for buffer in 0..2 {
                actions.push(wait(STORES + buffer));
            }
            actions.push(Action::Barrier);
            (self.pass, self.block) = (self.pass + 1, 0);
            return Some(actions);
        }
        let rows = |lines| self.rows(pass, lines);
        if block == 0 {
            actions.push(load(LOADS, rows(lines), SharedMemory::Ddr));
        }
        let next = self.lines(pass, block + 1);
        if next > 0 {
            if block > 0 {
                actions.push(wait(STORES + 1 - buffer));
            }
            actions.push(load(LOADS + 1 - buffer, rows(next), SharedMemory::Ddr));
        }
        actions.push(wait(LOADS + buffer));
        actions.push(run((cycles * lines).div_ceil(self.vector)));
        actions.push(store(STORES + buffer, rows(lines)));
        self.block += 1;
        Some(actions)
    }
}
