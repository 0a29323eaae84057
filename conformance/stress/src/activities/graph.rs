//! A dependency graph of commands in several queues, with user events as roots. Each command
//! computes one word from those of the commands it depends on.

use crate::command;
use crate::kernels;
use crate::world::{self, Station, World, compare};
use anyhow::{Result, ensure};
use cl_sys::*;
use fastrand::Rng;
use harness::call::code;
use harness::object::{Event, Object, Queue};

/// Initial value of the words, which no node is likely to compute.
const UNTOUCHED: u32 = 0xDEAD_BEEF;

/// A graph whose commands all complete.
pub fn run(world: &World, random: &mut Rng, _thread: usize) -> Result<()> {
    graph(world, random, false)
}

/// A graph in which some user events fail, and the commands that depend on them.
pub fn run_failing(world: &World, random: &mut Rng, _thread: usize) -> Result<()> {
    graph(world, random, true)
}

fn graph(world: &World, random: &mut Rng, failing: bool) -> Result<()> {
    let (_, station) = world.any_station(random);
    let nodes = random.usize(4..40);
    let queues = some_queues(station, random, failing)?;
    let untouched = vec![UNTOUCHED; nodes];
    let values = world::buffer(&station.context, 0, nodes, Some(&untouched))?;
    let kernel = world::kernel(&station.program, "node")?;
    command::set(&kernel, 0, &values.get())?;
    let mut words = untouched;
    let mut fails = vec![false; nodes];
    let mut events: Vec<Object<Event>> = Vec::new();
    let mut gates = Vec::new();
    for node in 0..nodes {
        // Node 0 reads its own word, which no other node writes.
        let inputs: [usize; 4] = std::array::from_fn(|_| random.usize(..node.max(1)));
        let mut before = Vec::new();
        if node > 0 {
            before.extend(inputs.map(|input| events[input].clone()));
            fails[node] = inputs.iter().any(|input| fails[*input]);
        }
        if random.u8(..) < 48 {
            let gate = command::user_event(station.context.get())?;
            let status = if failing && random.bool() { -77 } else { 0 };
            fails[node] |= status < 0;
            before.push(gate.clone());
            gates.push((gate, status));
        }
        let salt = random.u32(..);
        if !fails[node] {
            words[node] = kernels::node(salt, inputs.map(|input| words[input]));
        }
        command::set(&kernel, 1, &(node as u32))?;
        command::set(&kernel, 2, &salt)?;
        command::set(&kernel, 3, &inputs.map(|input| input as u32))?;
        let queue = &queues[random.usize(..queues.len())];
        let before: Vec<_> = before.iter().collect();
        events.push(command::launch(queue, &kernel, 0..1, Some(1), &before)?);
        // Some user events are set before all commands are enqueued, some after.
        if random.u8(..) < 100 {
            open(world, random, &mut gates)?;
        }
    }
    for queue in &queues {
        command::flush(queue)?;
    }
    if random.bool() {
        // Commands retain the objects that they use.
        drop((kernel, queues));
    }
    while !gates.is_empty() {
        open(world, random, &mut gates)?;
    }
    if fails.contains(&true) {
        let list = command::WaitList::new(&events);
        let code = code!(clWaitForEvents(list.count(), list.start()));
        let expected = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        world::refused("clWaitForEvents", expected, code)?;
    } else {
        command::wait(&events)?;
    }
    for (node, event) in events.iter().enumerate() {
        let status = command::status(event)?;
        ensure!(
            (status < 0) == fails[node] && status <= CL_COMPLETE,
            "node {node} of {nodes} has the status {status}"
        );
    }
    let queue = &station.any_queue(random).queue;
    let read = command::read_now(queue, &values, nodes, &[])?;
    compare("the graph", &words, &read)
}

/// New queues of a station, and one of its own if no command fails.
fn some_queues(station: &Station, random: &mut Rng, failing: bool) -> Result<Vec<Object<Queue>>> {
    let mut queues: Vec<Object<Queue>> = Vec::new();
    for _ in 0..random.usize(1..3) {
        // The behaviour of an in-order queue after a failure is not specified.
        let in_order = !failing && random.bool();
        let order = if in_order {
            0
        } else {
            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE
        };
        let device = station.any_device(random);
        queues.push(world::queue(&station.context, device, order)?);
    }
    if !failing {
        queues.push(station.any_queue(random).queue.clone());
    }
    Ok(queues)
}

/// Sets one of the user events, here or in another thread.
fn open(world: &World, random: &mut Rng, gates: &mut Vec<(Object<Event>, cl_int)>) -> Result<()> {
    if gates.is_empty() {
        return Ok(());
    }
    let (gate, status) = gates.swap_remove(random.usize(..gates.len()));
    if random.bool() {
        world.set_elsewhere(gate, status);
        return Ok(());
    }
    command::set_status(&gate, status)
}
