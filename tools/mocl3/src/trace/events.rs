//! The events of the Trace Event Format that timelines use.
//!
//! Documented in "Trace Event Format" (Google, 2016). Times are microseconds; ours are whole
//! nanoseconds, so that neighbours meet exactly.

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

/// An event.
#[derive(Clone, Debug, Serialize)]
pub struct Event {
    name: String,
    #[serde(rename = "ph")]
    phase: &'static str,
    #[serde(rename = "cat", skip_serializing_if = "Option::is_none")]
    category: Option<&'static str>,
    #[serde(rename = "ts", serialize_with = "microseconds")]
    time: u64,
    #[serde(
        rename = "dur",
        serialize_with = "some_microseconds",
        skip_serializing_if = "Option::is_none"
    )]
    duration: Option<u64>,
    pid: u64,
    tid: u64,
    #[serde(skip)]
    place: Option<TrackRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(rename = "bp", skip_serializing_if = "Option::is_none")]
    binding: Option<&'static str>,
    #[serde(rename = "cname", skip_serializing_if = "Option::is_none")]
    colour: Option<&'static str>,
    /// The arguments as JSON text, which needs a tenth of a map's memory: long programs have
    /// millions.
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Box<RawValue>>,
}

/// The track on which an event is drawn. Tracks are numbered when all are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackRow(pub usize);

impl Event {
    fn new(phase: &'static str, name: &str, time: u64) -> Self {
        Self {
            name: name.to_owned(),
            phase,
            category: None,
            time,
            duration: None,
            pid: 0,
            tid: 0,
            place: None,
            id: None,
            binding: None,
            colour: None,
            args: None,
        }
    }

    /// A slice from `begin` to `end`, ns.
    pub fn slice(
        name: &str,
        category: &'static str,
        place: TrackRow,
        begin: u64,
        end: u64,
        args: Map<String, Value>,
    ) -> Self {
        Self {
            category: Some(category),
            duration: Some(end.saturating_sub(begin)),
            place: Some(place),
            args: text(&args),
            ..Self::new("X", name, begin)
        }
    }

    /// Gives the event a colour of Chrome's viewer; Perfetto chooses its own.
    pub fn coloured(self, colour: &'static str) -> Self {
        Self {
            colour: Some(colour),
            ..self
        }
    }

    /// An arrow from the slice on track `from` to the slice on track `to` at the given times.
    pub fn flow(
        name: &'static str,
        id: u64,
        (from, begin): (TrackRow, u64),
        (to, end): (TrackRow, u64),
    ) -> [Self; 2] {
        let half = |phase, place, time, binding| Self {
            category: Some(name),
            id: Some(id),
            binding,
            place: Some(place),
            ..Self::new(phase, name, time)
        };
        [half("s", from, begin, None), half("f", to, end, Some("e"))]
    }

    /// Names a process or a track (`process_name`, `thread_name`).
    pub fn name(what: &str, numbers: (u64, u64), name: &str) -> Self {
        Self::metadata(what, numbers, "name", name.into())
    }

    /// Orders processes or tracks (`process_sort_index`, `thread_sort_index`).
    pub fn order(what: &str, numbers: (u64, u64), order: u64) -> Self {
        Self::metadata(what, numbers, "sort_index", order.into())
    }

    fn metadata(what: &str, (pid, tid): (u64, u64), key: &str, value: Value) -> Self {
        let args = Map::from_iter([(key.to_owned(), value)]);
        Self {
            pid,
            tid,
            args: text(&args),
            ..Self::new("M", what, 0)
        }
    }

    /// Sets the numbers of the event's track.
    pub fn number(&mut self, places: &[(u64, u64)]) {
        if let Some(TrackRow(place)) = self.place {
            (self.pid, self.tid) = places[place];
        }
    }
}

/// `None` without arguments.
fn text(args: &Map<String, Value>) -> Option<Box<RawValue>> {
    match args.is_empty() {
        true => None,
        // The text is valid JSON, so this cannot fail.
        false => to_raw_value(args).ok(),
    }
}

fn microseconds<S: Serializer>(nanoseconds: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(*nanoseconds as f64 / 1000.0)
}

fn some_microseconds<S: Serializer>(
    nanoseconds: &Option<u64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    microseconds(&nanoseconds.unwrap_or_default(), serializer)
}

/// The begin of a file, before the events.
pub const BEGIN: &str = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";

/// The end of a file after the events: what is known of the recording.
///
/// # Errors
/// None, for values that serialise.
pub fn end(metadata: &Value) -> serde_json::Result<String> {
    Ok(format!(
        "],\"otherData\":{}}}",
        serde_json::to_string(metadata)?
    ))
}
