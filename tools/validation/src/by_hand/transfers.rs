//! DMA, in each mode that OpenCL C has: rows and blocks, in both directions, with strides on one side,
//! on one channel, several and more than there are.

use super::row::{Row, group, lanes, value};
use crate::conditions::ARRAYS;
use device_sim::machine::Machine;

const START: &str = "async_work_group_copy(";
const WAIT: &str = "wait_group_events(1, &copied)";

/// Kernels that wait for DMA.
pub fn rows(machine: &Machine) -> Vec<Row> {
    let (dma, ddr) = (&machine.dma, &machine.memory.ddr);
    let (start, latency) = (value(&dma.start), value(&ddr.latency));
    let line = value(&machine.memory.port.line);
    let byte = 1.0 / value(&dma.channel_rate);
    let row = |bytes: f64| value(&dma.row) + bytes * byte;
    let of_arrays = ARRAYS as f64 * 4096.0;
    // The array waits for all that `n` adds to a transfer.
    let transfer = |kernel, what, (of, cycles): (&'static str, f64), how| {
        let sizes = if of == "byte" {
            [1 << 12, 1 << 14]
        } else {
            [1 << 7, 1 << 8]
        };
        group(kernel, what, cycles, how)
            .counting(of, sizes)
            .waits("dma_wait", WAIT, cycles)
    };
    let eleven = start + latency + 11.0 * 4096.0 / value(&dma.rate);
    vec![
        transfer("dma_bytes", "a row", ("byte", byte), "the rate of a channel").bytes(1.0),
        transfer(
            "dma_store",
            "a row to DDR",
            ("byte", byte),
            "the rate of a channel in the other direction",
        )
        .bytes(1.0),
        group(
            "dma_channels",
            "four channels",
            4.0 / value(&dma.rate),
            "n bytes on each of four channels, at the rate of all channels of an array",
        )
        .counting("byte", [1 << 12, 1 << 14])
        .bytes(4.0)
        .waits("dma_wait", "wait_group_events(4, copied)", 4.0 / value(&dma.rate)),
        transfer(
            "dma_rows",
            "rows of 64 bytes",
            ("row", row(64.0)),
            "the overhead of a row, and its bytes at the rate of a channel",
        )
        .bytes(64.0),
        transfer(
            "dma_scatter",
            "rows of 64 bytes to DDR",
            ("row", row(64.0)),
            "the same in the other direction",
        )
        .bytes(64.0),
        transfer(
            "dma_elements",
            "rows of 8 bytes",
            ("row", row(8.0)),
            "the same; a line of DDR for each row",
        )
        .bytes(line),
        group("dma_block", "a block row by row", 0.0, "starting a row takes longer than moving it")
            .counting("row", [1 << 7, 1 << 8])
            .only_waits()
            .bytes(256.0)
            .waits("dma_wait", START, start),
        group(
            "dma_latency",
            "64 bytes, waited for",
            0.0,
            "the start; DDR's latency and a row; a barrier",
        )
        .counting("transfer", [1 << 7, 1 << 8])
        .only_waits()
        .bytes(64.0)
        .waits("dma_wait", START, start)
        .waits("dma_wait", WAIT, latency + row(64.0))
        .waits("barrier", WAIT, value(&machine.array.latency.barrier)),
        group(
            "dma_eleven",
            "eleven transfers on ten channels",
            0.0,
            "the starts; until all bytes are moved at the rate of all channels, from the first one's \
             start and DDR's latency on",
        )
        .counting("round", [1 << 4, 1 << 5])
        .only_waits()
        .bytes(11.0 * 4096.0)
        .waits("dma_wait", START, 11.0 * start)
        .waits("dma_wait", "wait_group_events(11, copied)", eleven - 11.0 * start)
        .waits(
            "barrier",
            "wait_group_events(11, copied)",
            value(&machine.array.latency.barrier),
        ),
        lanes(
            "dma_behind",
            "a transfer behind multiply-adds",
            0.0,
            "what the loop takes longer is not waited for",
        )
        .counting("iteration", [10, 20])
        .waits("dma_wait", WAIT, -value(&machine.array.latency.vector_multiply_add)),
        group(
            "dma_arrays",
            "24 arrays, rows of 4096 bytes",
            of_arrays / (value(&ddr.bandwidth) / machine.clock().hertz() as f64),
            "a row of each array at DDR's bandwidth",
        )
        .counting("row", [1 << 11, 1 << 12])
        .groups(ARRAYS)
        .bytes(of_arrays),
    ]
}
