//! Objects that threads pass to each other, and a kernel and a counter that all threads share.

use crate::command;
use crate::world::{self, Parcel, World};
use anyhow::Result;
use fastrand::Rng;
use std::sync::atomic::Ordering;

/// Number of words in a parcel.
const WORDS: usize = 256;

/// Takes a parcel of another thread, adds to its words, and leaves it for the next thread.
pub fn parcels(world: &World, random: &mut Rng, _thread: usize) -> Result<()> {
    let taken = {
        let mut parcels = world.parcels.lock();
        if parcels.len() < 2 * world.threads {
            None
        } else {
            let place = random.usize(..parcels.len());
            Some(parcels.swap_remove(place))
        }
    };
    let mut parcel = match taken {
        Some(parcel) => parcel,
        None => {
            let (index, station) = world.any_station(random);
            let queue = &station.any_queue(random).queue;
            let buffer = world::buffer(&station.context, 0, WORDS, None)?;
            let ready = command::fill(queue, &buffer, &[0], 0..WORDS, &[])?;
            Parcel {
                station: index,
                buffer,
                words: vec![0; WORDS],
                ready,
            }
        }
    };
    let station = &world.stations[parcel.station];
    if random.u8(..) < 30 {
        return parcel.check(station);
    }
    let value = random.u32(..);
    let kernel = world::kernel(&station.program, "add")?;
    command::set(&kernel, 0, &parcel.buffer.get())?;
    command::set(&kernel, 1, &value)?;
    for word in &mut parcel.words {
        *word = word.wrapping_add(value);
    }
    let queue = &station.any_queue(random).queue;
    parcel.ready = command::launch(queue, &kernel, 0..WORDS, None, &[&parcel.ready])?;
    world.parcels.lock().push(parcel);
    Ok(())
}

/// Adds to the shared counter with the shared kernel, with different arguments each time.
pub fn counters(world: &World, random: &mut Rng, _thread: usize) -> Result<()> {
    let (_, station) = world.any_station(random);
    for _ in 0..random.usize(1..8) {
        let (amount, items) = (random.u32(..1000), random.usize(1..200));
        let queue = &station.any_queue(random).queue;
        {
            let kernel = station.shared_kernel.lock();
            command::set(&kernel, 0, &station.counter.get())?;
            command::set(&kernel, 1, &amount)?;
            command::launch(queue, &kernel, 0..items, None, &[])?;
        }
        let added = amount.wrapping_mul(items as u32);
        station.added.fetch_add(added, Ordering::Relaxed);
    }
    match random.u8(..8) {
        0 => command::finish(&station.any_queue(random).queue),
        1..4 => command::flush(&station.any_queue(random).queue),
        _ => Ok(()),
    }
}
