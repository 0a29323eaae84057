//! Tracks with their names and order. A track is created when the first event is drawn on it.
//!
//! Chrome's viewer orders tracks by sort indices. Perfetto knows none in this format: it orders
//! groups by how much is on them, and the tracks of a group by their numbers, which it shows behind
//! the names. So all tracks of a process are in one group, and are numbered when all are known.

use super::events::{Event, TrackRow};
use crate::labels::DeviceLabel;
use std::collections::BTreeMap;

/// The kinds of tracks, in the order in which they are shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// API calls of a thread of the host program, which may be a rank with a name.
    Calls {
        thread: u64,
        instant: bool,
        rank: Option<String>,
    },
    /// Commands of a queue, with a label of its device; those of a rank, by its thread, follow its calls.
    Queue {
        thread: Option<u64>,
        queue: u64,
        instant: bool,
        device: String,
    },
    /// Migrations of memory objects before the commands of a cluster.
    Migrations { cluster: DeviceLabel },
    /// An array of a cluster; its DMA channels are below it.
    Array { cluster: DeviceLabel, array: u64 },
    /// A DMA channel of an array.
    Channel {
        cluster: DeviceLabel,
        array: u64,
        channel: u64,
    },
}

impl Kind {
    /// The order of tracks. Channels follow their arrays.
    fn order(&self) -> (u32, u64, u64, u64) {
        match *self {
            Self::Calls {
                thread, instant, ..
            } => (0, thread, 0, instant.into()),
            Self::Queue {
                thread: Some(thread),
                queue,
                instant,
                ..
            } => (0, thread, queue, instant.into()),
            Self::Queue { queue, instant, .. } => (1, 0, queue, instant.into()),
            Self::Migrations { cluster } => (2, cluster.number.into(), 0, 0),
            Self::Array { cluster, array } => (3, cluster.number.into(), array, 0),
            Self::Channel {
                cluster,
                array,
                channel,
            } => (3, cluster.number.into(), array, channel + 1),
        }
    }

    /// The track's name. No name ends with a number, since Perfetto appends one.
    fn name(&self, row: usize) -> String {
        let row = match row {
            0 => String::new(),
            _ => format!(", row {}", row + 1),
        };
        let what = |instant: &bool| match instant {
            true => ", instant",
            false => "",
        };
        match self {
            Self::Calls {
                instant,
                rank: Some(rank),
                ..
            } => format!("{rank}{row}: MPI and API calls{}", what(instant)),
            Self::Calls {
                thread, instant, ..
            } => format!("thread {thread}{row}: API calls{}", what(instant)),
            Self::Queue {
                queue,
                instant,
                device,
                ..
            } => format!("queue {queue}{}{row} ({device})", what(instant)),
            Self::Migrations { cluster } => format!("migrations{row} ({cluster})"),
            Self::Array { cluster, array } => format!("array {array}{row} ({cluster})"),
            Self::Channel {
                cluster,
                array,
                channel,
            } => format!("array {array}, channel {channel}{row} ({cluster})"),
        }
    }
}

/// One track, or several if its slices overlap.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Track {
    /// The recorded process.
    pub process: usize,
    /// The kind of track.
    pub kind: Kind,
}

/// A process with its number and label.
pub struct Shown {
    /// The process's number.
    pub pid: u64,
    /// The process's label.
    pub name: String,
}

/// All tracks.
#[derive(Default)]
pub struct Tracks {
    /// The rows of each track: their places, and the ends of their last slices.
    rows: BTreeMap<Track, Vec<(TrackRow, u64)>>,
    places: usize,
}

impl Tracks {
    /// Reserves a row of `track` from `begin` to `end`. Reservations must be in the order of
    /// `begin`.
    pub fn place(&mut self, track: Track, begin: u64, end: u64) -> TrackRow {
        let rows = self.rows.entry(track).or_default();
        if let Some((place, taken)) = rows.iter_mut().find(|(_, taken)| *taken <= begin) {
            *taken = end;
            return *place;
        }
        let place = TrackRow(self.places);
        self.places += 1;
        rows.push((place, end));
        place
    }

    /// Numbers all tracks. Returns events that name them, and the numbers of process and track of
    /// each row.
    pub fn numbered(&self, processes: &[Shown]) -> (Vec<Event>, Vec<(u64, u64)>) {
        let mut events = Vec::new();
        let mut numbers = vec![(0, 0); self.places];
        let mut tracks: Vec<_> = self.rows.iter().collect();
        tracks.sort_by_key(|(track, _)| (track.process, track.kind.order()));
        let mut last = None;
        let mut tid = 0;
        for (track, rows) in tracks {
            let Shown { pid, name } = &processes[track.process];
            if last.replace(track.process) != Some(track.process) {
                tid = 0;
                events.push(Event::name("process_name", (*pid, 0), name));
                let order = track.process as u64;
                events.push(Event::order("process_sort_index", (*pid, 0), order));
            }
            for (row, &(TrackRow(place), _)) in rows.iter().enumerate() {
                tid += 1;
                // Viewers show a thread with the process's number, the main thread, first.
                tid += u64::from(tid == *pid);
                numbers[place] = (*pid, tid);
                let name = track.kind.name(row);
                events.push(Event::name("thread_name", (*pid, tid), &name));
                events.push(Event::order("thread_sort_index", (*pid, tid), tid));
            }
        }
        (events, numbers)
    }
}

/// Processes with their own numbers, unless two have the same number.
pub fn shown<'a>(processes: impl Iterator<Item = &'a recording::Process>) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    for process in processes {
        let mut pid = u64::from(process.header.pid);
        while shown.iter().any(|other| other.pid == pid) {
            // Linux has no process with such a number.
            pid += 10_000_000;
        }
        shown.push(Shown {
            pid,
            name: process.name().to_owned(),
        });
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{Kind, Shown, Track, Tracks};

    #[test]
    fn no_track_has_the_number_of_its_process() {
        let mut tracks = Tracks::default();
        for queue in 1..=4 {
            let kind = Kind::Queue {
                thread: None,
                queue,
                instant: false,
                device: "cluster 0".into(),
            };
            tracks.place(Track { process: 0, kind }, 0, 1);
        }
        let process = Shown {
            pid: 2,
            name: "init".into(),
        };
        let (_, numbers) = tracks.numbered(&[process]);
        assert_eq!(numbers, [(2, 1), (2, 3), (2, 4), (2, 5)]);
    }
}
