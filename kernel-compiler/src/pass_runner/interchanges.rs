//! Passes that move loops around those over work-items.

use super::error::PassError;
use super::input::{Input, Output};
use super::transformations::lanes_along_x;
use crate::ir::Value;
use crate::work_group::grid_stride;
use crate::work_group::interchange_profitability::LoopAccesses;
use crate::work_group::loop_interchange::{self, Interchanged};

pub fn interchange_grid_stride_loops(input: &Input<'_>) -> Output {
    let size = input.specialisation.local_size;
    let size = size.ok_or(PassError::MissingSetting("local size: <x>,<y>,<z>"))?;
    let small_launch = input.specialisation.small_launch;
    let module = input.module.handle();
    show_interchanged(
        input,
        grid_stride::run(module, input.kernel()?, size, small_launch),
    )
}

pub fn interchange_loops(input: &Input<'_>) -> Output {
    let module = input.module.handle();
    let kernel = input.kernel()?;
    let accesses = LoopAccesses::new(kernel, lanes_along_x(input));
    show_interchanged(
        input,
        loop_interchange::run(module, kernel, |l, candidates| {
            accesses.gain_vectors(l, candidates)
        }),
    )
}

pub fn interchange_walks_over_distant_rows(input: &Input<'_>) -> Output {
    let (module, kernel) = (input.module.handle(), input.kernel()?);
    let accesses = LoopAccesses::new(kernel, lanes_along_x(input));
    show_interchanged(
        input,
        loop_interchange::run(module, kernel, |l, candidates| {
            accesses.are_distant_rows(l, candidates)
        }),
    )
}

fn show_interchanged(input: &Input<'_>, interchanged: Interchanged) -> Output {
    let places = |places: Vec<Value>| match places.as_slice() {
        [] => "nothing".to_owned(),
        places => {
            let names: Vec<String> = places.iter().map(|p| format!("%{}", p.name())).collect();
            names.join(" ")
        }
    };
    let facts = format!(
        "loops interchanged: {}\nper item: {}\nshared: {}",
        interchanged.loops,
        places(interchanged.slots.iter().map(|slot| slot.alloca).collect()),
        places(interchanged.shared)
    );
    input.text_with(&facts)
}
