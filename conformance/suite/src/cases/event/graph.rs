//! Dependency graphs of commands.

use crate::cases::calls::{status, user_event};
use crate::compare::equal;
use anyhow::{Context as _, Result, ensure};
use cl_sys::*;
use harness::call::{made, ok};
use harness::callback::{self, Latch};
use harness::object::Object;
use harness::session::{Argument, Buffer, Session};
use opencl3::command_queue::CommandQueue;
use opencl3::event::Event;
use opencl3::kernel::Kernel;
use opencl3::types::cl_event;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

/// A node reads the numbers of its predecessors, takes some time, and writes its own number.
const NODE: &str =
    "kernel void node(global uint *slots, global const int *before, int first, int count,
                 uint me, uint delay)
{
    uint number = me * 2654435761u;
    for (int i = 0; i < count; ++i)
        number = rotate(number, 5u) + slots[before[first + i]];
    volatile uint passing = 0;
    for (uint i = 0; i < delay; ++i)
        passing += i;
    slots[me] = number;
}
";

struct Graph {
    kernel: Kernel,
    slots: Buffer<u32>,
    before: Vec<Vec<usize>>,
    flat: Buffer<i32>,
}

impl Graph {
    fn new(session: &Session, before: Vec<Vec<usize>>) -> Result<Self> {
        let flat: Vec<i32> = before.iter().flatten().map(|&node| node as i32).collect();
        // OpenCL has no empty buffers.
        let flat = [flat, vec![0]].concat();
        Ok(Self {
            kernel: session.program(NODE, "")?.kernel("node")?,
            slots: session.zeros(before.len())?,
            flat: session.buffer(&flat)?,
            before,
        })
    }

    fn enqueue(
        &self,
        session: &Session,
        queue: &CommandQueue,
        node: usize,
        delay: u32,
        events: &[cl_event],
    ) -> Result<Event> {
        let first: usize = self.before[..node].iter().map(Vec::len).sum();
        let (first, count, me) = (first as i32, self.before[node].len() as i32, node as u32);
        let arguments: [&dyn Argument; 6] = [&self.slots, &self.flat, &first, &count, &me, &delay];
        session.enqueue(queue, &self.kernel, [&[], &[1], &[1]], &arguments, events)
    }

    fn expected(&self) -> Vec<u32> {
        let mut slots: Vec<u32> = Vec::new();
        for (me, before) in self.before.iter().enumerate() {
            let start = (me as u32).wrapping_mul(2_654_435_761);
            let number = before.iter().fold(start, |number, &node| {
                number.rotate_left(5).wrapping_add(slots[node])
            });
            slots.push(number);
        }
        slots
    }
}

/// Queues that are alternately out-of-order and in-order, starting with an out-of-order one. All
/// are in-order on a device without out-of-order queues.
fn queues(session: &Session, count: usize) -> Result<Vec<CommandQueue>> {
    let out_of_order =
        session.device.queue_on_host_properties()? & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    (0..count)
        .map(|number| session.queue_on(0, if number % 2 == 0 { out_of_order } else { 0 }))
        .collect()
}

/// A random graph: most nodes wait for some of the last few, and some for distant ones. The first
/// waits for a user event, so that many commands are enqueued before any runs.
pub fn graph(session: &Session, count: usize) -> Result<()> {
    const NODES: usize = 200;
    let mut random = session.random();
    for round in 0..3 {
        let before: Vec<Vec<usize>> = (0..NODES)
            .map(|node| {
                let mut list: Vec<usize> = (0..random.below(5))
                    .filter(|_| node > 0)
                    .map(|_| {
                        let back = if random.below(4) == 0 {
                            node
                        } else {
                            node.min(6)
                        };
                        node - 1 - random.below(back as u32) as usize
                    })
                    .collect();
                list.sort_unstable();
                list.dedup();
                list
            })
            .collect();
        let graph = Graph::new(session, before)?;
        let queues = queues(session, count)?;
        let gate = user_event(session.context.get())?;
        let mut events: Vec<Event> = Vec::new();
        for node in 0..NODES {
            let mut list: Vec<cl_event> = graph.before[node]
                .iter()
                .map(|&node| events[node].get())
                .collect();
            if list.is_empty() && round > 0 {
                list.push(gate.get());
            }
            let queue = &queues[random.below(count as u32) as usize];
            let delay = random.below(20) * random.below(500);
            events.push(graph.enqueue(session, queue, node, delay, &list)?);
        }
        for queue in &queues {
            queue.flush()?;
        }
        ok!(clSetUserEventStatus(gate.get(), CL_COMPLETE))?;
        for queue in &queues {
            queue.finish()?;
        }
        let what = format!("numbers of the nodes over {count} queues");
        equal(&what, &session.read(&graph.slots)?, &graph.expected())?;
    }
    Ok(())
}

/// Half of the commands wait for a user event.
pub fn gates(session: &Session) -> Result<()> {
    const NODES: usize = 40;
    let before = (0..NODES)
        .map(|node| if node < 2 { vec![] } else { vec![node - 2] })
        .collect();
    let graph = Graph::new(session, before)?;
    let queues = queues(session, 3)?;
    let gate = user_event(session.context.get())?;
    // Even nodes do not wait and use an in-order queue; odd nodes wait and use the others.
    let mut events: Vec<Event> = Vec::new();
    for node in 0..NODES {
        let (queue, list) = match node {
            1 => (&queues[0], vec![gate.get()]),
            _ if node % 2 == 1 => (&queues[node % 4 / 2 * 2], vec![events[node - 2].get()]),
            0 => (&queues[1], vec![]),
            _ => (&queues[1], vec![events[node - 2].get()]),
        };
        events.push(graph.enqueue(session, queue, node, 1000, &list)?);
    }
    for queue in &queues {
        queue.flush()?;
    }
    queues[1].finish()?;
    let expected = graph.expected();
    let slots = session.read(&graph.slots)?;
    for node in 0..NODES {
        let (got, right) = if node % 2 == 0 {
            (slots[node], expected[node])
        } else {
            (slots[node], 0)
        };
        ensure!(
            got == right,
            "number {node} is {got} while the gate is shut, expected {right}"
        );
        if node % 2 == 1 {
            let status = events[node].command_execution_status()?.0;
            ensure!(
                status > CL_COMPLETE,
                "command {node} behind the gate has status {status}"
            );
        }
    }
    ok!(clSetUserEventStatus(gate.get(), CL_COMPLETE))?;
    for queue in &queues {
        queue.finish()?;
    }
    equal("numbers", &session.read(&graph.slots)?, &expected)
}

/// Rounds of commands in an out-of-order queue, each followed by a barrier or marker.
pub fn barriers(session: &Session) -> Result<()> {
    const EACH: usize = 12;
    const ROUNDS: usize = 8;
    let mut random = session.random();
    for with_list in [false, true] {
        // Each command of a round reads the numbers of all commands of the previous round.
        let before = (0..EACH * ROUNDS)
            .map(|node| {
                let round = node / EACH;
                (round.saturating_sub(1) * EACH..round * EACH).collect()
            })
            .collect();
        let graph = Graph::new(session, before)?;
        let queues = queues(session, 1)?;
        let queue = &queues[0];
        for round in 0..ROUNDS {
            let mut events = Vec::new();
            for node in round * EACH..(round + 1) * EACH {
                let delay = random.below(3) * 20_000;
                events.push(graph.enqueue(session, queue, node, delay, &[])?);
            }
            let list: Vec<cl_event> = match with_list {
                true => events.iter().map(Event::get).collect(),
                false => Vec::new(),
            };
            // SAFETY: the events are read during the call.
            let marker = unsafe { queue.enqueue_marker_with_wait_list(&list) }?;
            // SAFETY: as above.
            let barrier = unsafe { queue.enqueue_barrier_with_wait_list(&list) }?;
            if round % 3 == 0 {
                marker.wait()?;
                for (place, event) in events.iter().enumerate() {
                    let status = event.command_execution_status()?.0;
                    ensure!(
                        status == CL_COMPLETE,
                        "command {place} has status {status} after the marker behind it"
                    );
                }
                barrier.wait()?;
            }
        }
        queue.finish()?;
        equal("numbers", &session.read(&graph.slots)?, &graph.expected())?;
    }
    Ok(())
}

/// A hundred commands. Each waits for a user event that the callback of the previous command sets.
pub fn chain_of_callbacks(session: &Session) -> Result<()> {
    const LINKS: usize = 100;
    let before = (0..LINKS)
        .map(|node| if node == 0 { vec![] } else { vec![node - 1] })
        .collect();
    let graph = Graph::new(session, before)?;
    let queues = queues(session, 2)?;
    let users = (0..LINKS)
        .map(|_| made!(clCreateUserEvent(session.context.get())).map(Object::new))
        .collect::<Result<Vec<Object<harness::object::Event>>>>()?;
    let users = Arc::new(users);
    let codes: Arc<Vec<AtomicI32>> = Arc::new((0..LINKS).map(|_| AtomicI32::new(1)).collect());
    let latch = Latch::new(LINKS);
    for node in 0..LINKS {
        let list = [users[node].get()];
        let event = graph.enqueue(session, &queues[node % 2], node, 0, &list)?;
        let (latch, users, codes) = (latch.clone(), users.clone(), codes.clone());
        let user_data = callback::user_data("of a link", move |_, status| {
            if let Some(next) = users.get(node + 1) {
                let code = harness::call::code!(clSetUserEventStatus(next.get(), CL_COMPLETE));
                codes[node + 1].store(code, Ordering::SeqCst);
            }
            if node == 0 {
                codes[0].store(status, Ordering::SeqCst);
            }
            latch.count_down();
        });
        ok!(clSetEventCallback(
            event.get(),
            CL_COMPLETE,
            Some(callback::event),
            user_data
        ))?;
    }
    for queue in &queues {
        queue.flush()?;
    }
    ok!(clSetUserEventStatus(users[0].get(), CL_COMPLETE))?;
    latch.wait("the last callback of the chain");
    let codes: Vec<i32> = codes
        .iter()
        .map(|code| code.load(Ordering::SeqCst))
        .collect();
    equal("codes of clSetUserEventStatus", &codes, &[0; LINKS])?;
    for user in users.iter() {
        equal("status", &[status(user)?], &[CL_COMPLETE])?;
    }
    for queue in &queues {
        queue.finish()?;
    }
    let numbers = session.read(&graph.slots).context("after the chain")?;
    equal("numbers", &numbers, &graph.expected())
}
