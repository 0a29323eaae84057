//! Accesses of AM: latencies, and conflicts of banks.

use super::row::{Row, lanes, value};
use device_sim::machine::Machine;

/// Kernels that wait for AM.
pub fn rows(machine: &Machine) -> Vec<Row> {
    let (latency, am) = (&machine.array.latency, &machine.memory.am);
    let units = value(&am.load_store_units);
    // 16 loads, each of which occupies its fullest bank for `conflicts` cycles.
    let loads =
        |kernel, what, conflicts: f64, how| lanes(kernel, what, 16.0 * conflicts / units, how);
    let (load, integer) = (value(&am.load_latency), value(&latency.vector_integer));
    vec![
        lanes(
            "chase_am",
            "pointer chase in AM",
            load + value(&machine.array.access.gather) - 1.0 + integer,
            "a load of which the fullest bank has four requests, and the addition of the address",
        ),
        loads(
            "banks_1",
            "loads from AM without conflicts",
            1.0,
            "16 loads, two of them at once",
        ),
        loads(
            "banks_2",
            "loads from AM, two in each bank",
            2.0,
            "16 loads, two of them at once, each for two cycles",
        ),
        loads(
            "banks_4",
            "loads from AM, four in each bank",
            4.0,
            "the same for four cycles",
        ),
        loads(
            "banks_16",
            "loads from AM, all in one bank",
            16.0,
            "the same for 16 cycles",
        ),
        loads(
            "broadcast_am",
            "loads from AM by all lanes of one address",
            1.0,
            "one bank serves all lanes at once",
        ),
        lanes(
            "local_atomics",
            "atomic increments in AM, 16 lanes",
            16.0 * (load
                + value(&latency.to_scalar)
                + value(&latency.scalar_integer)
                + value(&latency.broadcast)
                + 1.0),
            "one lane after another: a load, to the control core, the increment, to the lanes, and a \
             store that the next load follows",
        ),
    ]
}
