//! The end of objects and of the process, with commands under way.

use super::Stage;
use crate::stress::callback::Latch;
use crate::stress::command;
use crate::stress::world::{self, Platform};
use anyhow::Result;

/// Everything is released right after it was put into the queues; all of it still happens.
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

/// The process ends with commands that wait for what never happens.
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
