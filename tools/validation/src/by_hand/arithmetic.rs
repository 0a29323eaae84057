//! Operations of the lanes and of the control core.

use super::row::{Row, control, lanes, value};
use device_sim::machine::Machine;

/// Kernels that wait for results and units only.
pub fn rows(machine: &Machine) -> Vec<Row> {
    let (latency, division) = (&machine.array.latency, &machine.array.division);
    let multiply_add = value(&latency.vector_multiply_add);
    let addition = value(&latency.vector_float);
    let slots = value(&machine.array.slots.vector_multiply);
    let steps = value(&division.double_steps);
    vec![
        lanes(
            "fma_chain",
            "chain of multiply-adds",
            multiply_add,
            "a multiply-add waits for the one before",
        ),
        control(
            "fma_chain",
            "chain of multiply-adds",
            value(&latency.scalar_multiply_add),
            "the same on the control core",
        ),
        lanes(
            "add_chain",
            "chain of additions",
            addition,
            "an addition waits for the one before",
        ),
        lanes(
            "integer_chain",
            "chain of integers",
            value(&latency.integer_multiply) + value(&latency.vector_integer),
            "a multiplication, and an exclusive or",
        ),
        control(
            "integer_chain",
            "chain of integers",
            value(&latency.integer_multiply) + value(&latency.scalar_integer),
            "the same on the control core",
        ),
        lanes(
            "conversion_chain",
            "chain of conversions",
            2.0 * value(&latency.vector_convert) + multiply_add,
            "to an integer, back, and a multiplication",
        ),
        lanes(
            "division_chain",
            "chain of divisions",
            value(&division.seed) + (2.0 * steps + 3.0) * multiply_add,
            "the seed, two multiply-adds in each Newton step, and three for quotient and correction",
        ),
        lanes(
            "root_chain",
            "chain of roots",
            value(&division.seed) + (3.0 * steps + 3.0) * multiply_add,
            "the seed, three multiply-adds in each Newton step, and three for root and correction",
        ),
        lanes(
            "fma_independent",
            "36 independent multiply-adds",
            36.0 / slots,
            "three units; as the inner loop of the GEMM papers' micro-kernel (m = 6, n = 3, k = 2)",
        ),
        lanes(
            "float_pairs",
            "36 independent multiply-adds of floats",
            36.0 / 2.0 / slots,
            "three units, each of which does two floats",
        ),
    ]
}
