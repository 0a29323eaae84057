//! Locks and barriers.

use super::row::{Row, control, group, lanes, value};
use crate::conditions::ARRAYS;
use device_sim::machine::Machine;

const ATOMIC: &str = "atomic_inc(x)";

/// Kernels that wait for locks and at barriers.
pub fn rows(machine: &Machine) -> Vec<Row> {
    let (latency, locks) = (&machine.array.latency, &machine.locks);
    let locked = value(&locks.take) + value(&locks.hold) + value(&locks.release);
    let (branch, integer) = (value(&latency.branch), value(&latency.scalar_integer));
    // The line is loaded and stored.
    let lines = 2.0 * value(&machine.memory.port.line);
    let counter = 2.0 * integer + branch;
    let barrier = value(&latency.barrier);
    let all = ARRAYS as f64;
    vec![
        control(
            "locks",
            "atomic increments, one work-item",
            locked + counter,
            "taking, holding and releasing the lock; the loop's counter is incremented and compared, \
             and a branch",
        )
        .bytes(lines)
        .waits("lock_wait", ATOMIC, locked),
        group(
            "locks",
            "atomic increments of one number, 16 work-items",
            locked + counter,
            "the same: 16 is added once",
        )
        .bytes(lines)
        .waits("lock_wait", ATOMIC, locked),
        group(
            "locks_of_lanes",
            "atomic increments of 16 numbers",
            0.0,
            "one lane after another",
        )
        .only_waits()
        .bytes(16.0 * lines)
        .waits("lock_wait", "atomic_inc(x + get_local_id(0))", 16.0 * locked),
        control(
            "locks_of_all",
            "atomic increments, 24 arrays",
            all * locked,
            "the lock serves one array after another; their loops overlap",
        )
        .groups(ARRAYS)
        .bytes(all * lines),
        group(
            "barriers",
            "barriers, 16 work-items",
            barrier + value(&machine.memory.sm.load_latency) + 2.0 * integer + 3.0 * branch,
            "the pipeline runs empty; the loop's counter is loaded from SM, incremented and compared; \
             three branches",
        )
        .waits("barrier", "barrier(CLK_LOCAL_MEM_FENCE)", barrier),
        lanes(
            "exchange",
            "two barriers, 16 work-items",
            0.0,
            "each barrier at its line",
        )
        .only_waits()
        .waits("barrier", "// after writing", barrier)
        .waits("barrier", "// after reading", barrier),
    ]
}
