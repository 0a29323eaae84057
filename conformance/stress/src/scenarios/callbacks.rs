//! Callbacks that call the API.

use super::stage::{Stage, has_status};
use crate::command;
use crate::world::{self, Platform};
use anyhow::{Result, ensure};
use cl_sys::*;
use harness::call::ok;
use harness::callback::{self, Latch};
use harness::failure;
use harness::object::{Memory, Object, Program, Queue};
use harness::sanitized::SANITIZED;
use std::ptr::null;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The states with callbacks.
const STATES: [cl_int; 3] = [CL_SUBMITTED, CL_RUNNING, CL_COMPLETE];

/// Enqueues a command in each queue, with callbacks for all states that run `body` on the queue and
/// another one. Waits until all callbacks have been called.
fn in_all_callbacks(
    stage: &Stage,
    body: impl Fn(&Object<Queue>, &Object<Queue>) -> Result<()> + Send + Sync + 'static,
) -> Result<()> {
    let body = Arc::new(body);
    for [queue, other] in [
        stage.queues(),
        [&stage.out_of_order, &stage.in_order],
        [&stage.in_order, &stage.in_order],
    ] {
        for state in STATES {
            let gate = stage.user_event()?;
            let event = stage.add_one(queue, &[&gate])?;
            let called = Latch::new(1);
            let notified = called.clone();
            let body = Arc::clone(&body);
            let (own, other) = (queue.clone(), other.clone());
            command::on_status(&event, state, move |_, _| {
                failure::note_error(body(&own, &other));
                // The references are released before the latch, so that none is left after the
                // wait.
                drop((own, other));
                notified.count_down();
            })?;
            command::flush(queue)?;
            command::set_status(&gate, CL_COMPLETE)?;
            command::wait([&event])?;
            called.wait("a callback");
            command::finish(queue)?;
        }
    }
    Ok(())
}

pub fn enqueues(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    let context = stage.context.clone();
    in_all_callbacks(&stage, move |own, other| {
        let buffer = world::buffer(&context, 0, 1, None)?;
        let first = command::fill(own, &buffer, &[5], 0..1, &[])?;
        let second = command::marker(other, &[&first])?;
        command::on_status(&second, CL_COMPLETE, |_, _| {})?;
        command::flush(other)?;
        command::flush(own)
    })
}

pub fn sets(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    for queue in stage.queues() {
        for state in STATES {
            let (head, gate) = (stage.user_event()?, stage.user_event()?);
            let first = stage.add_one(queue, &[&head])?;
            let second = stage.add_one(queue, &[&gate])?;
            command::on_status(&first, state, move |_, _| {
                failure::note_error(command::set_status(&gate, CL_COMPLETE));
            })?;
            command::set_status(&head, CL_COMPLETE)?;
            // The first one may still run: the callback is called when it is submitted or begins.
            command::wait([&first, &second])?;
        }
    }
    stage.counted(12)
}

pub fn releases(platform: &Platform) -> Result<()> {
    for state in STATES {
        for order in [0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE] {
            let context = world::context(&platform.devices)?;
            let queue = world::queue(&context, platform.devices[0], order)?;
            let buffer = world::buffer(&context, 0, 1000, None)?;
            let gate = command::user_event(context.get())?;
            let event = command::fill(&queue, &buffer, &[3], 0..1000, &[&gate])?;
            let called = Latch::new(2);
            let (notified, gone) = (called.clone(), called.clone());
            command::on_destruction(&buffer, move || gone.count_down())?;
            let opens = gate.clone();
            // The callback has the only references.
            let of_callback = (event.clone(), queue, buffer, context, gate);
            command::on_status(&event, state, move |_, _| {
                drop(of_callback);
                notified.count_down();
            })?;
            drop(event);
            command::set_status(&opens, CL_COMPLETE)?;
            drop(opens);
            called.wait("a callback with the last references");
        }
    }
    Ok(())
}

/// Blocking calls in callbacks are undefined (5.9). Here they block until the commands of the other
/// queue have completed.
pub fn waits_for_another_queue(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    let (counter, context) = (stage.counter.clone(), stage.context.clone());
    let device = platform.devices[0];
    in_all_callbacks(&stage, move |_, _| {
        let other = world::queue(&context, device, 0)?;
        let event = command::marker(&other, &[])?;
        command::wait([&event])?;
        command::finish(&other)?;
        command::read_now(&other, &counter, 1, &[]).map(drop)
    })
}

/// Blocking calls in callbacks are undefined (5.9). The callback of a completed command waits for
/// its own queue.
pub fn waits_for_its_own_queue(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    for queue in stage.queues() {
        let event = stage.add_one(queue, &[])?;
        let called = Latch::new(1);
        let (own, counter, notified) = (queue.clone(), stage.counter.clone(), called.clone());
        command::on_status(&event, CL_COMPLETE, move |_, _| {
            let wait = || {
                command::marker(&own, &[])?;
                command::finish(&own)?;
                command::read_now(&own, &counter, 1, &[]).map(drop)
            };
            failure::note_error(wait());
            drop((own, counter));
            notified.count_down();
        })?;
        command::flush(queue)?;
        called.wait("a callback that waits for its queue");
    }
    stage.counted(2)
}

/// Blocking calls in callbacks are undefined (5.9). The callback waits for a user event that
/// another thread sets.
pub fn waits_for_a_thread(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    for queue in stage.queues() {
        let gate = stage.user_event()?;
        let event = stage.add_one(queue, &[])?;
        let called = Latch::new(1);
        let (waits, notified) = (gate.clone(), called.clone());
        command::on_status(&event, CL_COMPLETE, move |_, _| {
            failure::note_error(command::wait([&waits]));
            drop(waits);
            notified.count_down();
        })?;
        command::flush(queue)?;
        std::thread::sleep(Duration::from_millis(20));
        // The callback delays neither its queue nor others.
        let after = stage.add_one(queue, &[])?;
        command::wait([&after])?;
        command::set_status(&gate, CL_COMPLETE)?;
        called.wait("a callback that waits for a thread");
    }
    stage.counted(4)
}

/// The callback of each user event sets the next one.
pub fn cascade(platform: &Platform) -> Result<()> {
    const LENGTH: usize = 2000;
    let stage = Stage::new(platform)?;
    let events: Vec<_> = (0..=LENGTH)
        .map(|_| stage.user_event())
        .collect::<Result<_>>()?;
    for pair in events.windows(2) {
        let next = pair[1].clone();
        command::on_status(&pair[0], CL_COMPLETE, move |_, _| {
            failure::note_error(command::set_status(&next, CL_COMPLETE));
        })?;
    }
    command::set_status(&events[0], CL_COMPLETE)?;
    command::wait([&events[LENGTH]])
}

pub fn many(platform: &Platform) -> Result<()> {
    const CALLBACKS: usize = 10_000;
    let stage = Stage::new(platform)?;
    let gate = stage.user_event()?;
    let event = stage.add_one(&stage.in_order, &[&gate])?;
    let calls = Arc::new(AtomicUsize::new(0));
    let called = Latch::new(2 * CALLBACKS);
    for event in [&gate, &event] {
        for _ in 0..CALLBACKS {
            let (calls, notified) = (Arc::clone(&calls), called.clone());
            command::on_status(event, CL_COMPLETE, move |_, _| {
                calls.fetch_add(1, Ordering::Relaxed);
                notified.count_down();
            })?;
        }
    }
    ensure!(calls.load(Ordering::Relaxed) == 0, "called too early");
    command::set_status(&gate, CL_COMPLETE)?;
    called.wait("ten thousand callbacks");
    Ok(())
}

/// All callbacks of a command that fails are called, with its negative status.
pub fn failed(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    for queue in stage.queues() {
        for late in [false, true] {
            let gate = stage.user_event()?;
            let event = stage.add_one(queue, &[&gate])?;
            if late {
                command::set_status(&gate, -5)?;
            }
            let called = Latch::new(STATES.len());
            for state in STATES {
                let notified = called.clone();
                command::on_status(&event, state, move |_, status| {
                    let right = status < 0 || (status == CL_SUBMITTED && state == CL_SUBMITTED);
                    failure::note_unless(right, || {
                        format!("the callback for {state} received {status}")
                    });
                    notified.count_down();
                })?;
            }
            if !late {
                command::set_status(&gate, -5)?;
            }
            called.wait("the callbacks of a failed command");
            has_status(&event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)?;
        }
    }
    stage.counted(0)
}

/// The destructor callback of a buffer releases the next buffer, and so on.
pub fn destructors(platform: &Platform) -> Result<()> {
    // Sanitizers have larger stack frames, and all frames are on the stack at once.
    const LENGTH: usize = if SANITIZED { 200 } else { 2000 };
    let stage = Stage::new(platform)?;
    let called = Latch::new(LENGTH);
    let mut next: Option<Object<Memory>> = None;
    for _ in 0..LENGTH {
        let buffer = world::buffer(&stage.context, 0, 4, None)?;
        let (after, notified) = (next.take(), called.clone());
        command::on_destruction(&buffer, move || {
            drop(after);
            notified.count_down();
        })?;
        next = Some(buffer);
    }
    drop(next);
    called.wait("consecutive destructor callbacks");
    Ok(())
}

/// A build's callback builds another program, waits for it, and releases both.
pub fn build(platform: &Platform) -> Result<()> {
    let context = world::context(&platform.devices)?;
    let called = Latch::new(1);
    let source = "kernel void nothing(global int *x) { x[0] = 1; }";
    let program = world::program(&context, source)?;
    let (notified, own) = (called.clone(), program.clone());
    let of_callback: (Object<Program>, _) = (own, context);
    let user_data = callback::user_data("a build's callback", move |_, _| {
        let (own, context) = of_callback;
        let build = || {
            world::kernel(&own, "nothing")?;
            let other = world::program(&context, source)?;
            world::build(&other, "-DOTHER")?;
            world::kernel(&other, "nothing").map(drop)
        };
        failure::note_error(build());
        drop((own, context));
        notified.count_down();
    });
    ok!(clBuildProgram(
        program.get(),
        0,
        null(),
        null(),
        Some(callback::program),
        user_data,
    ))?;
    drop(program);
    called.wait("a build's callback");
    Ok(())
}
