//! Accesses of DDR by lanes and control core.

use super::row::{Row, control, lanes, value};
use device_sim::machine::Machine;

/// Lines of DDR, and how an array loads them.
struct Port {
    /// Bytes of a line.
    line: f64,
    /// Lines that may be outstanding.
    outstanding: f64,
    latency: f64,
}

impl Port {
    /// Cycles for which vectors of `lines` occupy the port.
    fn cycles(&self, lines: f64) -> f64 {
        (lines * self.latency / self.outstanding).ceil()
    }

    /// A sum of vectors of `lines`, at the line of the source that contains `text`: the port takes
    /// longer than the `compute` cycles of the sum.
    fn sum(
        &self,
        (kernel, what): (&'static str, &'static str),
        (lines, text): (f64, &'static str),
        compute: f64,
        how: &'static str,
    ) -> Row {
        let cycles = self.cycles(lines);
        self::lanes(kernel, what, cycles, how)
            .bytes(lines * self.line)
            .waits("memory", text, cycles - compute)
    }
}

/// Kernels that wait for DDR.
pub fn rows(machine: &Machine) -> Vec<Row> {
    let (latency, memory) = (&machine.array.latency, &machine.memory);
    let port = Port {
        line: value(&memory.port.line),
        outstanding: value(&memory.port.outstanding),
        latency: value(&memory.ddr.latency),
    };
    let addition = value(&latency.vector_float);
    // Under a mask, the sum is selected.
    let masked = addition + value(&latency.vector_integer);
    let integer = value(&latency.scalar_integer);
    // The loop's counter: it is incremented and compared, and a branch.
    let counter = 2.0 * integer + value(&latency.branch);
    let missed = 8.0 / port.line;
    let miss = (missed * (port.latency - value(&memory.l1d.latency))).round();
    vec![
        control(
            "chase_ddr",
            "pointer chase in DDR",
            port.latency + integer,
            "a miss of the data cache, and the addition of the address; it and the loop's counter are \
             three operations",
        )
        .bytes(port.line)
        .waits("memory", "place = x[place]", port.latency - 2.0 * integer),
        lanes(
            "chase_ddr",
            "pointer chase in DDR, 16 lines at once",
            port.latency + value(&latency.vector_integer),
            "16 lines in flight at once, and the addition of the address; the loop's counter meanwhile",
        )
        .bytes(16.0 * port.line)
        .waits("memory", "place = x[place]", port.latency + value(&latency.vector_integer) - counter),
        port.sum(
            ("stream_ddr", "consecutive doubles from DDR"),
            (2.0, "sum += x[i * 16 + get_local_id(0)]"),
            addition,
            "two lines of the 16 that are in flight in a latency",
        ),
        port.sum(
            ("strided_ddr", "every other double from DDR"),
            (4.0, "sum += x[i * 16 + 2 * get_local_id(0)]"),
            addition,
            "four lines of the 16",
        ),
        port.sum(
            ("column_ddr", "a column of doubles from DDR"),
            (16.0, "sum += x[i + 16 * get_local_id(0)]"),
            addition,
            "a line for each lane",
        ),
        lanes(
            "store_ddr",
            "consecutive doubles to DDR",
            port.cycles(2.0),
            "stores do not wait, but two lines occupy the port; the loop's counter meanwhile",
        )
        .bytes(2.0 * port.line)
        .waits("memory", "x[i * 16 + get_local_id(0)] = own", port.cycles(2.0) - counter),
        control(
            "scalar_ddr",
            "sum of doubles from DDR",
            value(&latency.scalar_float) + miss,
            "an addition, and an eighth of a miss of the data cache",
        )
        .bytes(8.0)
        .waits("memory", "sum += x[i];", miss),
        port.sum(
            ("half_of_lanes", "lower half of the lanes"),
            (2.0, "sum += x[i * 16 + get_local_id(0)]"),
            masked,
            "one line; the port's cycles are those of all lanes",
        )
        .bytes(port.line)
        .active(8.0),
        port.sum(
            ("odd_lanes", "every other lane"),
            (2.0, "sum += x[i * 16 + get_local_id(0)]"),
            masked,
            "two lines",
        )
        .active(8.0),
        lanes(
            "no_lane",
            "a side that no lane takes",
            2.0 * value(&latency.vector_integer),
            "an addition and a selection: the loads do not run",
        ),
    ]
}
