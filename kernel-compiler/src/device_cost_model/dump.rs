//! Costs as text, for dumps and tests.

use crate::ir::Value;
use device_sim::machine::SharedMemory;
use device_sim::timing::cost::{Active, BlockCost, KernelCost};
use std::fmt::{self, Write};

/// The costs of a function whose blocks are named, block by block.
pub fn dump(function: Value, cost: &KernelCost) -> String {
    let mut facts = format!(
        "lanes {}, counters {}, code {} bytes, stack {} bytes\n",
        cost.lanes, cost.counters, cost.code_bytes, cost.stack_bytes
    );
    let mut write = || -> fmt::Result {
        let blocks = function.blocks();
        for (block, of) in blocks.iter().zip(&cost.blocks) {
            writeln!(facts, "{}: {}", block.text(), shown(of))?;
        }
        for (counter, of) in cost.blocks.iter().enumerate().skip(blocks.len()) {
            writeln!(facts, "section of counter {counter}: {}", shown(of))?;
        }
        for of in &cost.locked {
            writeln!(
                facts,
                "lock {}: {} times in block {}",
                of.lock, of.times, of.block
            )?;
        }
        for of in &cost.lines {
            let file = &cost.files[of.line.file as usize].name;
            let shares = [of.compute, of.scratchpad, of.outside, of.barrier];
            let [compute, scratchpad, outside, barrier] = shares.map(|share| share * 100 / 65536);
            writeln!(
                facts,
                "{file}:{}: of block {} {compute} % compute, {scratchpad} % scratchpad, \
                 {outside} % outside, {barrier} % barrier",
                of.line.line, of.block
            )?;
        }
        Ok(())
    };
    write().expect("a String takes all");
    facts
}

/// The parts of a block's cost that are not zero.
fn shown(of: &BlockCost) -> String {
    let mut text = format!(
        "{} cycles = {} compute + {} scratchpad + {} outside; {} operations",
        of.compute + of.scratchpad + of.outside,
        of.compute,
        of.scratchpad,
        of.outside,
        of.operations()
    );
    let mut more = |what: &str, number: u32| {
        if number > 0 {
            write!(text, ", {what} {number}").expect("a String takes all");
        }
    };
    more("barrier", of.barrier);
    more("scalar flops", of.scalar_flops);
    more("scratchpad bytes", of.scratchpad_bytes);
    for (place, memory) in SharedMemory::ALL.into_iter().enumerate() {
        more(&format!("{memory:?} bytes"), of.traffic[place]);
    }
    for of in &of.lanes {
        match of.active {
            Active::Always(lanes) => write!(text, "; {lanes} lanes:"),
            Active::Counted(counter) => write!(text, "; lanes in counter {counter}:"),
        }
        .expect("a String takes all");
        let traffic = of.traffic[SharedMemory::Ddr as usize];
        let each = [
            ("operations", of.operations),
            ("single flops", of.single_flops),
            ("double flops", of.double_flops),
            ("outside", of.outside),
            ("Ddr bytes", traffic),
        ];
        let some = each.into_iter().filter(|(_, number)| *number > 0);
        let some: Vec<String> = some
            .map(|(what, number)| format!(" {what} {number}"))
            .collect();
        text += &some.join(",");
    }
    text
}
