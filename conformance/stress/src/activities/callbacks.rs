//! Callbacks of events and of memory objects, which call the API themselves.

use crate::command;
use crate::world::{self, World};
use anyhow::{Result, ensure};
use cl_sys::*;
use fastrand::Rng;
use harness::call::made;
use harness::callback::Latch;
use harness::failure;
use harness::object::{Context, Event, Memory, Object, Queue, Sampler};
use parking_lot::Mutex;
use std::sync::Arc;

/// A chain of commands with callbacks for all three states of each; some chains fail.
pub fn run(world: &World, random: &mut Rng, _thread: usize) -> Result<()> {
    const WORDS: usize = 64;
    let (_, station) = world.any_station(random);
    let order = if random.bool() {
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE
    } else {
        0
    };
    let queue = world::queue(&station.context, station.any_device(random), order)?;
    let buffer = world::buffer(&station.context, 0, WORDS, Some(&[0; WORDS]))?;
    let gate = command::user_event(station.context.get())?;
    let fails = random.u8(..) < 64;
    let commands = random.usize(1..8);
    let notified = Latch::new(3 * commands);
    let mut last = gate.clone();
    for _ in 0..commands {
        let event = command::fill(&queue, &buffer, &[7], 0..WORDS, &[&last])?;
        for status in [CL_SUBMITTED, CL_RUNNING, CL_COMPLETE] {
            let notified = notified.clone();
            let action = Action::any(random, &station.context, &queue, &buffer, &event)?;
            command::on_status(&event, status, move |handle, got| {
                let right = got == status || (fails && got < 0);
                failure::note_unless(right, || {
                    format!("the callback for status {status} received {got}")
                });
                failure::note_error(action.run(handle));
                notified.count_down();
            })?;
        }
        last = event;
    }
    let status = if fails { -99 } else { CL_COMPLETE };
    if random.bool() {
        world.set_elsewhere(gate, status);
    } else {
        command::set_status(&gate, status)?;
        drop(gate);
    }
    match random.u8(..3) {
        // The callbacks have the last references.
        0 => drop((queue, buffer, last)),
        1 => command::finish(&queue)?,
        _ => command::flush(&queue)?,
    }
    notified.wait("the callbacks of a chain");
    Ok(())
}

/// An action of a callback.
enum Action {
    /// Enqueues another command after the callback's one.
    Enqueue(Object<Queue>, Object<Context>),
    /// Flushes the queue.
    Flush(Object<Queue>),
    /// Sets a user event that a command waits for.
    Set(Object<Event>),
    /// Creates objects and releases them.
    Make(Object<Context>),
    /// Releases references, which may be the last ones.
    Release(Vec<Object<Event>>, Object<Queue>, Object<Memory>),
    /// Queries the event and retains it.
    Ask,
    /// Nothing.
    Nothing,
}

impl Action {
    fn any(
        random: &mut Rng,
        context: &Object<Context>,
        queue: &Object<Queue>,
        buffer: &Object<Memory>,
        event: &Object<Event>,
    ) -> Result<Self> {
        Ok(match random.u8(..8) {
            0 => Self::Enqueue(queue.clone(), context.clone()),
            1 => Self::Flush(queue.clone()),
            2 => {
                let gate = command::user_event(context.get())?;
                // In another queue, so that it does not delay the callback's command.
                let device = {
                    let mut device: cl_device_id = std::ptr::null_mut();
                    harness::call::ok!(clGetCommandQueueInfo(
                        queue.get(),
                        CL_QUEUE_DEVICE,
                        size_of::<cl_device_id>(),
                        (&raw mut device).cast(),
                        std::ptr::null_mut(),
                    ))?;
                    world::Root(device)
                };
                let other = world::queue(context, device, 0)?;
                command::marker(&other, &[&gate])?;
                Self::Set(gate)
            }
            3 => Self::Make(context.clone()),
            4 => Self::Release(vec![event.clone()], queue.clone(), buffer.clone()),
            5 => Self::Ask,
            _ => Self::Nothing,
        })
    }

    fn run(self, handle: cl_event) -> Result<()> {
        match self {
            Self::Enqueue(queue, context) => {
                let buffer = world::buffer(&context, 0, 16, None)?;
                let event = command::fill(&queue, &buffer, &[9], 0..16, &[])?;
                command::on_status(&event, CL_COMPLETE, |_, _| {})?;
                command::flush(&queue)
            }
            Self::Flush(queue) => command::flush(&queue),
            Self::Set(gate) => command::set_status(&gate, CL_COMPLETE),
            Self::Make(context) => {
                let buffer = world::buffer(&context, 0, 100, None)?;
                command::on_destruction(&buffer, || {})?;
                command::user_event(context.get())?;
                sampler(&context).map(drop)
            }
            Self::Release(events, queue, buffer) => {
                drop((events, queue, buffer));
                Ok(())
            }
            Self::Ask => {
                let event = Object::<Event>::retained(handle)?;
                command::status(&event)?;
                ensure!(event.references()? > 0, "no reference to a held event");
                Ok(())
            }
            Self::Nothing => Ok(()),
        }
    }
}

/// Creates a sampler.
pub fn sampler(context: &Object<Context>) -> Result<Object<Sampler>> {
    made!(clCreateSampler(
        context.get(),
        CL_FALSE,
        CL_ADDRESS_CLAMP_TO_EDGE,
        CL_FILTER_NEAREST,
    ))
    .map(Object::new)
}

/// Destructor callbacks are called once each, in reverse order, after the last command.
pub fn destructors(world: &World, random: &mut Rng, _thread: usize) -> Result<()> {
    let (_, station) = world.any_station(random);
    let queue = &station.any_queue(random).queue;
    let words = 1024 * random.usize(1..3);
    let parent = world::buffer(&station.context, 0, words, None)?;
    let region = cl_buffer_region {
        origin: 0,
        size: 1024,
    };
    let part = made!(clCreateSubBuffer(
        parent.get(),
        0,
        CL_BUFFER_CREATE_TYPE_REGION,
        (&raw const region).cast(),
    ))
    .map(Object::<Memory>::new)?;
    let callbacks = random.usize(1..6);
    let called = Latch::new(2 * callbacks);
    // The sub-buffer is destroyed before its parent.
    let expected: Vec<(bool, usize)> = [true, false]
        .into_iter()
        .flat_map(|of_part| (0..callbacks).rev().map(move |number| (of_part, number)))
        .collect();
    let order = Arc::new(Mutex::new(Vec::new()));
    for (of_part, memory) in [(true, &part), (false, &parent)] {
        for number in 0..callbacks {
            let (order, called) = (Arc::clone(&order), called.clone());
            let context = station.context.clone();
            command::on_destruction(memory, move || {
                order.lock().push((of_part, number));
                let other = world::buffer(&context, 0, 16, None);
                failure::note_error(other.map(drop));
                called.count_down();
            })?;
        }
    }
    let gate = command::user_event(station.context.get())?;
    let own = world::queue(&station.context, station.any_device(random), 0)?;
    let event = command::fill(&own, &part, &[1], 0..16, &[&gate])?;
    drop((part, parent));
    command::flush(queue)?;
    ensure!(
        order.lock().is_empty(),
        "a buffer is gone before its command"
    );
    world.set_elsewhere(gate, CL_COMPLETE);
    if random.bool() {
        command::wait([&event])?;
    }
    drop((event, own));
    called.wait("destructor callbacks");
    let order = order.lock();
    ensure!(*order == expected, "destructors were called as {order:?}");
    Ok(())
}
