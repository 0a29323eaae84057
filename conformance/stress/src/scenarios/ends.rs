//! Objects and the process end while commands run.

use super::stage::Stage;
use crate::command;
use crate::world::{self, Platform};
use anyhow::Result;
use harness::callback::Latch;

/// All objects are released directly after the enqueuing calls; the commands still execute.
pub fn release(platform: &Platform) -> Result<()> {
    const COMMANDS: usize = 500;
    let stage = Stage::new(platform)?;
    let ran = Latch::new(2 * COMMANDS + 1);
    for queue in stage.queues() {
        for _ in 0..COMMANDS {
            let ran = ran.clone();
            let buffer = world::buffer(&stage.context, 0, 16, None)?;
            command::native(queue, &buffer, &[], move |_| ran.count_down())?;
        }
    }
    let gone = ran.clone();
    command::on_destruction(&stage.counter, move || gone.count_down())?;
    drop(stage);
    ran.wait("commands of queues that were released");
    Ok(())
}

/// The process ends while commands run.
pub fn exit(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    for queue in stage.queues() {
        for _ in 0..2000 {
            stage.add_one(queue, &[])?;
        }
        command::flush(queue)?;
    }
    std::mem::forget(stage);
    Ok(())
}

/// The process ends with commands that wait for events that are never set.
pub fn exit_never_begun(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    let gate = stage.user_event()?;
    for queue in stage.queues() {
        for _ in 0..100 {
            stage.add_one(queue, &[&gate])?;
        }
        command::flush(queue)?;
    }
    std::mem::forget((stage, gate));
    Ok(())
}

/// The process ends soon after kernels were launched, while the platform may compile the following
/// ones.
pub fn exit_compiling(platform: &Platform) -> Result<()> {
    const KERNELS: usize = 24;
    const LAUNCHED: usize = 4;
    let stage = Stage::new(platform)?;
    // Many calls make the compilation slow.
    let functions = ["sin", "exp2", "log", "cbrt", "tan", "atan"];
    let source: String = (0..KERNELS)
        .map(|number| {
            let calls = |depth: usize| functions[(number + depth) % functions.len()];
            let sum: String = (0..8)
                .map(|depth| format!(" + {}(v * {depth}.5f)", calls(depth)))
                .collect();
            format!(
                "kernel void k{number}(global uint *x, uint n) {{
                     size_t i = get_global_id(0);
                     float v = i + n;
                     for (uint step = 0; step < n; ++step) v = {number}.0f{sum};
                     x[i] = isnan(v) ? 0 : n;
                 }}"
            )
        })
        .collect();
    let program = world::program(&stage.context, &source)?;
    world::build(&program, "")?;
    for number in 0..LAUNCHED {
        let kernel = world::kernel(&program, &format!("k{number}"))?;
        command::set(&kernel, 0, &stage.counter.get())?;
        command::set(&kernel, 1, &1u32)?;
        command::launch(&stage.in_order, &kernel, 0..1, None, &[])?;
    }
    command::finish(&stage.in_order)?;
    std::mem::forget((stage, program));
    Ok(())
}
