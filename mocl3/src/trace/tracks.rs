//! Tracks: made when something is first drawn on them, with a name and an order.

use super::events::{Event, Place};
use std::collections::BTreeMap;

/// Groups of tracks, as they are shown one below the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// API calls of the host program: a track for each thread.
    Calls,
    /// A track for each queue.
    Queues,
    /// The arrays of the cluster of that number.
    Arrays(u32),
    /// The DMA channels of these arrays.
    Channels(u32),
}

/// What is shown as one track, unless things on it overlap: then as several.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Track {
    /// Its process of the recording.
    pub process: usize,
    /// Its group.
    pub group: Group,
    /// Its place in the group.
    pub order: u64,
    /// What people read.
    pub name: String,
}

/// All tracks.
#[derive(Default)]
pub struct Tracks {
    groups: BTreeMap<(usize, Group), u64>,
    /// Where it is, and until when each of its rows is taken.
    rows: BTreeMap<Track, Vec<(Place, u64)>>,
    tracks: u64,
}

impl Tracks {
    /// A place on `track` that is free from `begin` on, and is taken until `end`. Places have to
    /// be asked for in the order of `begin`.
    pub fn place(&mut self, track: Track, begin: u64, end: u64) -> Place {
        let next = self.groups.len() as u64 + 1;
        let pid = *self
            .groups
            .entry((track.process, track.group))
            .or_insert(next);
        let rows = self.rows.entry(track).or_default();
        if let Some((place, taken)) = rows.iter_mut().find(|(_, taken)| *taken <= begin) {
            *taken = end;
            return *place;
        }
        self.tracks += 1;
        let tid = self.tracks;
        let place = Place { pid, tid };
        rows.push((place, end));
        place
    }

    /// The names of all groups and tracks; `process_name` is that of a process.
    pub fn names(&self, process_name: impl Fn(usize) -> String) -> Vec<Event> {
        let mut events = Vec::new();
        for (order, (&(process, group), &pid)) in self.groups.iter().enumerate() {
            let what = match group {
                Group::Calls => "API calls".to_owned(),
                Group::Queues => "queues".to_owned(),
                Group::Arrays(cluster) => format!("cluster {cluster}: arrays"),
                Group::Channels(cluster) => format!("cluster {cluster}: DMA channels"),
            };
            let place = Place { pid, tid: 0 };
            let name = format!("{what} of {}", process_name(process));
            events.push(Event::name("process_name", place, &name));
            events.push(Event::order("process_sort_index", place, order as u64));
        }
        let rows = self
            .rows
            .iter()
            .flat_map(|(track, rows)| rows.iter().enumerate().map(move |row| (track, row)));
        for (order, (track, (row, (place, _)))) in rows.enumerate() {
            let name = match row {
                0 => track.name.clone(),
                _ => format!("{} ({})", track.name, row + 1),
            };
            events.push(Event::name("thread_name", *place, &name));
            events.push(Event::order("thread_sort_index", *place, order as u64));
        }
        events
    }
}
