//! Keeps LLVM from unrolling loops at run time whose number of iterations differs between work-items.
//!
//! Such an unrolled loop runs the remainder of the iterations in a loop of its own, and the processor mispredicts the end of
//! both for each work-item, where it mispredicted one. Loops that a program says to unroll are.

use crate::analysis::cfg::Cfg;
use crate::analysis::dominators::Dominators;
use crate::analysis::loops::LoopForest;
use crate::analysis::uniformity::{Uniformity, has_barrier};
use crate::ir::Value;

/// Properties of loops that say how LLVM unrolls them begin with it.
const UNROLLING: &str = "llvm.loop.unroll.";

/// Marks the loops of a kernel whose work-items run one after another.
pub fn keep_rolled(kernel: Value) {
    let cfg = Cfg::compute(kernel);
    let forest = LoopForest::compute(&cfg.graph, &Dominators::compute(&cfg.graph));
    if forest.loops.is_empty() {
        return;
    }
    let uniformity = Uniformity::find(kernel, &cfg, has_barrier);
    for of in &forest.loops {
        let varies = of
            .exits(&cfg.graph)
            .iter()
            .any(|(from, _)| !uniformity.is_uniform(cfg.blocks[*from].terminator()));
        if !varies {
            continue;
        }
        for latch in &of.latches {
            let branch = cfg.blocks[*latch].terminator();
            let mut names = branch.loop_property_names().into_iter();
            if !names.any(|name| name.starts_with(UNROLLING)) {
                branch.add_loop_property(&format!("{UNROLLING}runtime.disable"));
            }
        }
    }
}
