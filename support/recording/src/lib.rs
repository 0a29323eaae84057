//! Recordings: the format in which a process that uses the platform tells what ran on the
//! simulated machine.
//!
//! A recording is a folder. Each process writes a file `<pid>.jsonl` into it, one JSON object
//! (`Line`) a line: the header first, then whatever happens in the order in which it ends, and
//! if the process gets that far a line that says that this is all. `Writer` writes such a file,
//! `read_folder` reads them.

mod line;
mod read;
mod write;

pub use device_sim::timing::cost::SourceFile;
pub use line::{Call, Command, Device, End, FORMAT, Header, Line, Peaks, Program};
pub use read::{Process, ReadError, read_file, read_folder};
pub use write::Writer;
