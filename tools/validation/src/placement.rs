//! The cost of placing stack and code in other memories.

use crate::figure::{Figure, Part, Tolerance, digits};
use crate::measurement::Measurement;
use anyhow::Result;

/// The figures of both placements.
///
/// # Errors
/// A measurement's.
pub fn part() -> Result<Part> {
    let time = |stack, code| {
        let variables = [("HT_MEM_LAYOUT_POS", stack), ("HT_CODE_LAYOUT_POS", code)];
        let times = Measurement::VectorAdd.run(&variables)?;
        anyhow::Ok(times.iter().sum::<u64>() as f64)
    };
    let in_sm = time(".2", "0")?;
    let in_ddr = time("0", "0")?;
    let code_in_gsm = time(".2", "1")?;
    let mut part = Part::new("Stack and code");
    part.figures = vec![
        Figure {
            what: "extra time with the stack in DDR instead of SM, vector add with an array on its stack",
            published: 14.0,
            simulated: more(in_ddr, in_sm),
            unit: "%",
            tolerance: Tolerance::Points(3.0),
            from: "MOCL3 paper",
            why: "`array.access.stack_misses`, the part of a stack's accesses that miss the data \
                  cache, is assumed, and each miss waits for DDR's latency. The kernel stores \
                  and loads a word of its stack for each element.",
        },
        Figure {
            what: "extra time with code in DDR instead of GSM, the same kernel",
            published: 5.0,
            simulated: more(in_sm, code_in_gsm),
            unit: "%",
            tolerance: Tolerance::AtMost,
            from: "MOCL3 paper",
            why: "The code does not stay in the program cache.",
        },
    ];
    part.say(format_args!(
        "`tools/validation/kernels/vector_add.cl`: 24 work-groups of one work-item, which the control cores\n\
         run as hthreads threads, each with an array of 64 numbers on its stack.\n\n\
         | `HT_MEM_LAYOUT_POS` | `HT_CODE_LAYOUT_POS` | time |\n| --- | --- | --- |\n"
    ));
    let rows = [
        (".2: SM", "0: DDR", in_sm),
        ("0: DDR", "0: DDR", in_ddr),
        (".2: SM", "1: GSM", code_in_gsm),
    ];
    for (stack, code, time) in rows {
        part.say(format_args!(
            "| {stack} | {code} | {} us |\n",
            digits(time / 1e3)
        ));
    }
    Ok(part)
}

/// The excess of `time` over `less`, percent.
fn more(time: f64, less: f64) -> f64 {
    (time / less - 1.0) * 100.0
}
