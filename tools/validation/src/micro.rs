//! Kernels whose cycles are computed by hand from the machine's numbers, against the simulated ones.

use crate::figure::{Figure, Part, Tolerance, digits};
use crate::measurement::{ARRAYS, Measurement};
use anyhow::Result;
use device_sim::machine::{Machine, Quantity};

/// A kernel of `micro.cl`, measured with two values of its argument `n`: the difference contains
/// neither launching nor what comes before and after the loop.
struct Micro {
    kernel: &'static str,
    /// What it measures.
    what: &'static str,
    /// Work-groups, each on an array of its own.
    groups: usize,
    /// Work-items of a work-group.
    items: usize,
    /// What `n` counts.
    of: &'static str,
    /// The values of `n`.
    sizes: [u32; 2],
    /// Cycles for each of what `n` counts.
    predicted: fn(&Machine) -> f64,
    /// How they are computed.
    how: &'static str,
}

const KERNELS: [Micro; 16] = [
    Micro {
        kernel: "fma_chain",
        what: "chain of multiply-adds",
        groups: 1,
        items: 16,
        of: "iteration",
        sizes: [1 << 14, 1 << 15],
        predicted: |machine| of(&machine.array.latency.vector_multiply_add),
        how: "a multiply-add waits for the one before",
    },
    Micro {
        kernel: "fma_independent",
        what: "36 independent multiply-adds",
        groups: 1,
        items: 16,
        of: "iteration",
        sizes: [1 << 14, 1 << 15],
        predicted: |machine| 36.0 / of(&machine.array.slots.vector_multiply),
        how: "three units; as the inner loop of the GEMM papers' micro-kernel (m = 6, n = 3, k = 2)",
    },
    Micro {
        kernel: "chase_am",
        what: "pointer chase in AM",
        groups: 1,
        items: 16,
        of: "load",
        sizes: [1 << 14, 1 << 15],
        predicted: |machine| {
            of(&machine.memory.am.load_latency) + of(&machine.array.access.gather) - 1.0
                + of(&machine.array.latency.vector_integer)
        },
        how: "a load of which the fullest bank has four requests, and the addition of the address",
    },
    Micro {
        kernel: "banks_2",
        what: "loads from AM, two in each bank",
        groups: 1,
        items: 16,
        of: "iteration",
        sizes: [1 << 12, 1 << 13],
        predicted: |machine| loads_of_banks(machine, 2.0),
        how: "16 loads, two of them at once, each for two cycles",
    },
    Micro {
        kernel: "banks_16",
        what: "loads from AM, all in one bank",
        groups: 1,
        items: 16,
        of: "iteration",
        sizes: [1 << 12, 1 << 13],
        predicted: |machine| loads_of_banks(machine, 16.0),
        how: "16 loads, two of them at once, each for 16 cycles",
    },
    Micro {
        kernel: "chase_ddr",
        what: "pointer chase in DDR, control core",
        groups: 1,
        items: 1,
        of: "load",
        sizes: [1 << 10, 1 << 11],
        predicted: |machine| {
            of(&machine.memory.ddr.latency) + of(&machine.array.latency.scalar_integer)
        },
        how: "a miss of the data cache, and the addition of the address",
    },
    Micro {
        kernel: "chase_ddr",
        what: "pointer chase in DDR, 16 lanes",
        groups: 1,
        items: 16,
        of: "load",
        sizes: [1 << 10, 1 << 11],
        predicted: |machine| {
            of(&machine.memory.ddr.latency) + of(&machine.array.latency.vector_integer)
        },
        how: "16 lines in flight at once, and the addition of the address",
    },
    Micro {
        kernel: "stream_ddr",
        what: "consecutive doubles from DDR, one array",
        groups: 1,
        items: 16,
        of: "vector",
        sizes: [1 << 10, 1 << 11],
        predicted: |machine| {
            let lines = 16.0 * 8.0 / of(&machine.memory.port.line);
            (lines * of(&machine.memory.ddr.latency) / of(&machine.memory.port.outstanding)).ceil()
        },
        how: "two lines of the 16 that are in flight in a latency",
    },
    Micro {
        kernel: "dma_bytes",
        what: "DMA, one row",
        groups: 1,
        items: 16,
        of: "byte",
        sizes: [1 << 12, 1 << 14],
        predicted: |machine| 1.0 / of(&machine.dma.channel_rate),
        how: "the rate of a channel",
    },
    Micro {
        kernel: "dma_store",
        what: "DMA, one row to DDR",
        groups: 1,
        items: 16,
        of: "byte",
        sizes: [1 << 12, 1 << 14],
        predicted: |machine| 1.0 / of(&machine.dma.channel_rate),
        how: "the rate of a channel in the other direction",
    },
    Micro {
        kernel: "dma_channels",
        what: "DMA, four channels",
        groups: 1,
        items: 16,
        of: "byte",
        sizes: [1 << 12, 1 << 14],
        predicted: |machine| 4.0 / of(&machine.dma.rate),
        how: "n bytes on each of four channels, at the rate of all channels of an array",
    },
    Micro {
        kernel: "dma_arrays",
        what: "DMA, 24 arrays, rows of 4096 bytes",
        groups: ARRAYS,
        items: 16,
        of: "row",
        sizes: [1 << 11, 1 << 12],
        predicted: |machine| {
            let bandwidth = of(&machine.memory.ddr.bandwidth) / machine.clock().hertz() as f64;
            ARRAYS as f64 * 4096.0 / bandwidth
        },
        how: "a row of each array at DDR's bandwidth",
    },
    Micro {
        kernel: "dma_rows",
        what: "DMA, rows of 64 bytes",
        groups: 1,
        items: 16,
        of: "row",
        sizes: [1 << 7, 1 << 8],
        predicted: |machine| of(&machine.dma.row) + 64.0 / of(&machine.dma.channel_rate),
        how: "the overhead of a row, and its bytes at the rate of a channel",
    },
    Micro {
        kernel: "locks",
        what: "atomic increments, one work-item",
        groups: 1,
        items: 1,
        of: "increment",
        sizes: [1 << 10, 1 << 11],
        predicted: |machine| {
            let locks = &machine.locks;
            let locked = of(&locks.take) + of(&locks.hold) + of(&locks.release);
            locked + of(&machine.array.latency.branch)
        },
        how: "taking, holding and releasing the lock, and the branch of the loop",
    },
    Micro {
        kernel: "locks",
        what: "atomic increments, 24 arrays",
        groups: ARRAYS,
        items: 1,
        of: "increment",
        sizes: [1 << 10, 1 << 11],
        predicted: |machine| {
            let locks = &machine.locks;
            ARRAYS as f64 * (of(&locks.take) + of(&locks.hold) + of(&locks.release))
        },
        how: "the lock serves one array after another; their loops' branches overlap",
    },
    Micro {
        kernel: "barriers",
        what: "barriers, 16 work-items",
        groups: 1,
        items: 16,
        of: "barrier",
        sizes: [1 << 10, 1 << 11],
        predicted: |machine| {
            let latency = &machine.array.latency;
            let counter = of(&machine.memory.sm.load_latency) + 2.0 * of(&latency.scalar_integer);
            of(&latency.barrier) + counter + 3.0 * of(&latency.branch)
        },
        how: "the pipeline runs empty; the loop's counter is loaded from SM, incremented and \
              compared; three branches",
    },
];

/// Cycles of 16 loads from AM, each of which occupies its fullest bank for `conflicts` cycles.
fn loads_of_banks(machine: &Machine, conflicts: f64) -> f64 {
    16.0 * conflicts / of(&machine.memory.am.load_store_units)
}

fn of(quantity: &Quantity) -> f64 {
    quantity.value as f64
}

/// The figures and a table with how they are computed.
///
/// # Errors
/// The measurements'.
pub fn part(machine: &Machine) -> Result<Part> {
    let mut part = Part::new("Kernels computed by hand");
    part.say(format_args!(
        "`tools/validation/kernels/micro.cl`, one work-group or one on each array: the difference of two\n\
         launches, for each of what is counted.\n\n\
         | kernel | | cycles for each | by hand | simulated | how |\n\
         | --- | --- | --- | --- | --- | --- |\n"
    ));
    for micro in &KERNELS {
        let predicted = (micro.predicted)(machine);
        let simulated = micro.cycles(machine)?;
        part.say(format_args!(
            "| `{}` | {} | {} | {} | {} | {} |\n",
            micro.kernel,
            micro.what,
            micro.of,
            digits(predicted),
            digits(simulated),
            micro.how,
        ));
        part.figures.push(Figure {
            what: micro.what,
            published: predicted,
            simulated,
            unit: "cycles",
            tolerance: Tolerance::Percent(5.0),
            from: "computed by hand from the machine file's numbers",
            why: "",
        });
    }
    Ok(part)
}

impl Micro {
    /// The simulated cycles for each of what is counted.
    fn cycles(&self, machine: &Machine) -> Result<f64> {
        let times = Measurement::Micro {
            kernel: self.kernel.to_owned(),
            groups: self.groups,
            items: self.items,
            sizes: self.sizes,
        }
        .run(&[])?;
        let nanoseconds = (times[1] - times[0]) as f64;
        let counted = f64::from(self.sizes[1] - self.sizes[0]);
        Ok(nanoseconds * machine.clock().hertz() as f64 / 1e9 / counted)
    }
}
