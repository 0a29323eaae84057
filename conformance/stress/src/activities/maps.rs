//! Each thread maps its own part of a shared buffer.

use crate::command;
use crate::world::{MAPPED_WORDS, World, compare};
use anyhow::Result;
use cl_sys::*;
use fastrand::Rng;
use harness::object::{Event, Object};

/// Writes through one mapping and reads through another, in random queues.
pub fn run(world: &World, random: &mut Rng, thread: usize) -> Result<()> {
    let (_, station) = world.any_station(random);
    let place = thread * MAPPED_WORDS..(thread + 1) * MAPPED_WORDS;
    let mut last: Option<Object<Event>> = None;
    for _ in 0..random.usize(1..4) {
        let words: Vec<u32> = place.clone().map(|_| random.u32(..)).collect();
        let queue = &station.any_queue(random).queue;
        let before: Vec<_> = last.iter().collect();
        let mode = (true, CL_MAP_WRITE);
        let (address, _) = command::map(queue, &station.mapped, mode, place.clone(), &before)?;
        // SAFETY: mapped, and this thread's until it is unmapped.
        let mapped = unsafe { std::slice::from_raw_parts_mut(address, place.len()) };
        mapped.copy_from_slice(&words);
        let queue = &station.any_queue(random).queue;
        let unmapped = command::unmap(queue, &station.mapped, address, &[])?;
        let queue = &station.any_queue(random).queue;
        let mode = (random.bool(), CL_MAP_READ);
        let (address, event) =
            command::map(queue, &station.mapped, mode, place.clone(), &[&unmapped])?;
        if !mode.0 {
            command::wait([&event])?;
        }
        // SAFETY: mapped for reading; no other thread writes there meanwhile.
        let mapped = unsafe { std::slice::from_raw_parts(address, place.len()) };
        compare("the mapped part", &words, mapped)?;
        last = Some(command::unmap(queue, &station.mapped, address, &[])?);
    }
    // The next mapping of this thread has an empty wait list.
    command::wait(&last)
}
