//! Ten thousand commands, each of which waits for the one before or for all.

use super::stage::{Stage, has_status};
use crate::command;
use crate::world::{self, Platform, refused};
use anyhow::Result;
use cl_sys::*;
use harness::call::code;
use harness::object::{Event, Object, Queue};

const LENGTH: usize = 10_000;

/// A chain of commands that wait for each other by wait lists, alternately in the queues. The first
/// waits for `gate`.
fn chain(
    stage: &Stage,
    queues: &[&Object<Queue>],
    gate: &Object<Event>,
) -> Result<Vec<Object<Event>>> {
    let mut events = vec![gate.clone()];
    for queue in queues.iter().cycle().take(LENGTH) {
        let before = &events[events.len() - 1];
        events.push(stage.add_one(queue, &[before])?);
    }
    Ok(events)
}

/// A chain in these queues that completes.
fn completes(stage: &Stage, queues: &[&Object<Queue>]) -> Result<()> {
    let gate = stage.user_event()?;
    let events = chain(stage, queues, &gate)?;
    command::set_status(&gate, CL_COMPLETE)?;
    command::wait([&events[LENGTH]])?;
    for event in &events {
        has_status(event, CL_COMPLETE)?;
    }
    stage.counted(LENGTH as u32)
}

pub fn in_order(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    completes(&stage, &[&stage.in_order])
}

pub fn out_of_order(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    completes(&stage, &[&stage.out_of_order])
}

pub fn over_queues(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    let mut queues = Vec::new();
    for device in &platform.devices {
        for order in [0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE] {
            queues.push(world::queue(&stage.context, *device, order)?);
        }
    }
    completes(&stage, &queues.iter().collect::<Vec<_>>())
}

pub fn released_at_once(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    let gate = stage.user_event()?;
    let mut last = gate.clone();
    for queue in stage.queues().iter().cycle().take(LENGTH) {
        last = stage.add_one(queue, &[&last])?;
    }
    command::set_status(&gate, CL_COMPLETE)?;
    command::wait([&last])?;
    stage.counted(LENGTH as u32)
}

/// A chain in these queues whose first command fails.
fn all_fail(stage: &Stage, queues: &[&Object<Queue>]) -> Result<()> {
    let gate = stage.user_event()?;
    let events = chain(stage, queues, &gate)?;
    command::set_status(&gate, -77)?;
    let list = command::WaitList::new([&events[LENGTH]]);
    let code = code!(clWaitForEvents(list.count(), list.start()));
    let failed = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    refused("clWaitForEvents", failed, code)?;
    has_status(&gate, -77)?;
    for event in &events[1..] {
        has_status(event, failed)?;
    }
    for queue in queues {
        command::finish(queue)?;
    }
    stage.counted(0)
}

pub fn fails(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    all_fail(&stage, &[&stage.out_of_order])
}

pub fn fails_in_order(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    all_fail(&stage, &[&stage.in_order])
}

/// The host releases all objects of the chain. The user event at its head is never set. The
/// specification does not define what happens to the commands; the process must continue.
pub fn never_set(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    let other = Stage::new(platform)?;
    let gate = stage.user_event()?;
    let events = chain(&stage, &[&stage.out_of_order], &gate)?;
    drop(gate);
    drop(events);
    drop(stage);
    other.add_one(&other.in_order, &[])?;
    other.counted(1)
}

/// As [`never_set`], released from the end of the chain to its head, after the queue.
pub fn released_unfinished(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    let other = Stage::new(platform)?;
    let gate = stage.user_event()?;
    let mut events = chain(&stage, &stage.queues(), &gate)?;
    drop(stage);
    while events.pop().is_some() {}
    drop(gate);
    other.add_one(&other.in_order, &[])?;
    other.counted(1)
}

pub fn markers(platform: &Platform) -> Result<()> {
    each_waits_for_all(platform, |queue| command::marker(queue, &[]))
}

pub fn barriers(platform: &Platform) -> Result<()> {
    each_waits_for_all(platform, |queue| command::barrier(queue, &[]))
}

fn each_waits_for_all(
    platform: &Platform,
    enqueue: impl Fn(&Object<Queue>) -> Result<Object<Event>>,
) -> Result<()> {
    let stage = Stage::new(platform)?;
    for queue in stage.queues() {
        let gate = stage.user_event()?;
        stage.add_one(queue, &[&gate])?;
        let mut events = Vec::new();
        for _ in 0..LENGTH {
            events.push(enqueue(queue)?);
        }
        let last = stage.add_one(queue, &[&events[LENGTH - 1]])?;
        command::set_status(&gate, CL_COMPLETE)?;
        command::wait([&last])?;
        command::finish(queue)?;
        for event in &events {
            has_status(event, CL_COMPLETE)?;
        }
    }
    stage.counted(4)
}

pub fn one_to_many(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    let gate = stage.user_event()?;
    let mut events = Vec::new();
    for queue in stage.queues().iter().cycle().take(LENGTH) {
        events.push(stage.add_one(queue, &[&gate])?);
    }
    command::set_status(&gate, CL_COMPLETE)?;
    command::wait(&events)?;
    stage.counted(LENGTH as u32)
}

pub fn many_to_one(platform: &Platform) -> Result<()> {
    let stage = Stage::new(platform)?;
    let gates: Vec<_> = (0..LENGTH)
        .map(|_| stage.user_event())
        .collect::<Result<_>>()?;
    let before: Vec<_> = gates.iter().collect();
    let events = stage.queues().map(|queue| stage.add_one(queue, &before));
    for gate in gates.iter().rev() {
        command::set_status(gate, CL_COMPLETE)?;
    }
    for event in events {
        command::wait([&event?])?;
    }
    stage.counted(2)
}
