//! Threads that wait: for other queues, for other threads, for each other.

use super::stage::{self, Stage};
use crate::command;
use crate::world::{self, Platform};
use anyhow::Result;
use cl_sys::*;
use harness::failure;
use harness::object::{Object, Queue};
use std::time::Duration;

/// Each kind of wait must flush the queue of its command.
pub fn not_flushed(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    for (first, second) in [
        (&stage.in_order, &stage.out_of_order),
        (&stage.out_of_order, &stage.in_order),
    ] {
        let event = stage.add_one(first, &[])?;
        let after = stage.add_one(second, &[&event])?;
        command::wait([&after])?;
        let event = stage.add_one(first, &[])?;
        stage.add_one(second, &[&event])?;
        command::finish(second)?;
        let event = stage.add_one(first, &[])?;
        command::read_now(second, &stage.counter, 1, &[&event])?;
    }
    stage.counted(10)
}

/// A thread already waits when the user event is set.
pub fn set_elsewhere(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    for queue in stage.queues() {
        for kind in 0..4 {
            let gate = stage.user_event()?;
            let event = stage.add_one(queue, &[&gate])?;
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(30));
                    failure::note_error(command::set_status(&gate, CL_COMPLETE));
                });
                match kind {
                    0 => command::wait([&gate]),
                    1 => command::wait([&event]),
                    2 => command::finish(queue),
                    _ => command::read_now(queue, &stage.counter, 1, &[&event]).map(drop),
                }
            })?;
        }
    }
    stage.counted(8)
}

/// The commands of each thread wait for those of the other.
pub fn crosswise(platform: &Platform) -> Result<()> {
    const ROUNDS: usize = 300;
    let stage = Stage::new(platform)?;
    let gates: Vec<_> = (0..=2 * ROUNDS)
        .map(|_| stage.user_event())
        .collect::<Result<_>>()?;
    // Each thread sets the user event that the other one waits for, alternately.
    std::thread::scope(|scope| {
        let (stage, gates) = (&stage, &gates);
        for (thread, queue) in stage.queues().into_iter().enumerate() {
            scope.spawn(move || {
                let round = |round: usize| {
                    let turn = 2 * round + thread;
                    let event = stage.add_one(queue, &[&gates[turn]])?;
                    command::wait([&event])?;
                    command::set_status(&gates[turn + 1], CL_COMPLETE)
                };
                for number in 0..ROUNDS {
                    failure::note_error(round(number));
                }
            });
        }
        failure::note_error(command::set_status(&gates[0], CL_COMPLETE));
    });
    stage.counted(2 * ROUNDS as u32)
}

/// Many threads wait for one event, with each kind of wait.
pub fn crowd(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    for queue in stage.queues() {
        let gate = stage.user_event()?;
        let event = stage.add_one(queue, &[&gate])?;
        std::thread::scope(|scope| {
            for thread in 0..24 {
                let event = &event;
                scope.spawn(move || {
                    failure::note_error(if thread % 3 == 0 {
                        command::finish(queue)
                    } else {
                        command::wait([event])
                    });
                });
            }
            std::thread::sleep(Duration::from_millis(30));
            command::set_status(&gate, CL_COMPLETE)
        })?;
    }
    stage.counted(2)
}

/// Threads make blocking reads, writes and maps in one queue whose first command waits.
pub fn blocking(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    for queue in stage.queues() {
        let gate = stage.user_event()?;
        let event = stage.add_one(queue, &[&gate])?;
        std::thread::scope(|scope| {
            for thread in 0..12 {
                let (event, counter) = (&event, &stage.counter);
                scope.spawn(move || {
                    failure::note_error(if thread % 2 == 0 {
                        command::read_now(queue, counter, 1, &[event]).map(drop)
                    } else {
                        let mode = (true, CL_MAP_READ);
                        command::map(queue, counter, mode, 0..1, &[event]).and_then(
                            |(address, _)| {
                                let unmapped = command::unmap(queue, counter, address, &[])?;
                                command::wait([&unmapped])
                            },
                        )
                    });
                });
            }
            std::thread::sleep(Duration::from_millis(30));
            command::set_status(&gate, CL_COMPLETE)
        })?;
    }
    stage.counted(2)
}

/// Commands that do not depend on a waiting command overtake it, and may be the ones that end the
/// wait.
pub fn past_a_waiting_command(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    let queue = &stage.out_of_order;
    let gate = stage.user_event()?;
    let waiting = stage.add_one(queue, &[&gate])?;
    let past = stage.add_one(queue, &[])?;
    command::wait([&past])?;
    stage::has_status(&waiting, CL_QUEUED)
        .or_else(|_| stage::has_status(&waiting, CL_SUBMITTED))?;
    let opens = gate.clone();
    let native = command::native(queue, &stage.counter, &[&past], |_| {})?;
    command::on_status(&native, CL_COMPLETE, move |_, _| {
        failure::note_error(command::set_status(&opens, CL_COMPLETE));
    })?;
    command::wait([&waiting])?;
    stage.counted(2)
}

/// Many queues, each with commands that wait for those of another queue.
pub fn many_queues(platform: &Platform) -> Result<()> {
    const QUEUES: usize = 400;
    let stage = Stage::new(platform)?;
    let devices = platform.devices.iter().cycle();
    let queues: Vec<Object<Queue>> = devices
        .take(QUEUES)
        .enumerate()
        .map(|(number, device)| {
            let order = [0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE][number / 4 % 2];
            world::queue(&stage.context, *device, order)
        })
        .collect::<Result<_>>()?;
    let gate = stage.user_event()?;
    let mut last = gate.clone();
    for queue in queues.iter().chain(queues.iter().rev()) {
        last = stage.add_one(queue, &[&last])?;
    }
    command::set_status(&gate, CL_COMPLETE)?;
    command::wait([&last])?;
    stage.counted(2 * QUEUES as u32)
}
