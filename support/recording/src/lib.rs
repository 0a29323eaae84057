//! Recordings: the format in which a process that uses the platform records what ran on the simulated
//! machine.
//!
//! A recording is a folder. Each process writes a file `<pid>.jsonl` into it, one JSON object
//! (`Line`) per line: the header first, then commands and calls in the order in which they end, and
//! a last line if the process ends normally. A command or call that repeats an earlier one but for
//! numbers and times is a short line, a JSON array (`short`). `Writer` writes such a file,
//! `read_folder` reads them, `read_selected` a part of one in less memory.

mod header;
mod line;
mod read;
mod recent;
mod short;
mod write;

pub use device_sim::timing::cost::SourceFile;
pub use line::{
    Call, Command, Device, End, FORMAT, Header, Kind, Line, Migration, Peaks, Prediction, Program,
    Size,
};
pub use read::{Process, ReadError, Selection, files, read_file, read_folder, read_selected};
pub use write::Writer;
