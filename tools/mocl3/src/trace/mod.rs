//! `mocl3 trace`: writes a timeline in the format that Perfetto and Chrome read.

mod events;
mod sink;
mod slice_args;
mod timeline;
mod tracks;

use crate::filter::Filter;
use crate::profile::format::bytes;
use crate::record_run::{self, write_file};
use anyhow::Result;
use flate2::Compression;
use flate2::write::GzEncoder;
use recording::Process;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use timeline::Trace;

/// The extension of a file that is compressed.
const GZIP: &str = "gz";

/// The size from which on there is advice for a smaller file, bytes.
const LARGE: u64 = 100 << 20;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 trace -o trace.json -- ./program its arguments
  mocl3 trace -o part.json.gz --recording run1 --from 1.5ms --to 2ms";

/// Arguments of `mocl3 trace`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The file to write, compressed if its name ends in `.gz`; <https://ui.perfetto.dev> and
    /// `chrome://tracing` open it.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    run: record_run::Arguments,
}

/// Runs the program, writes the timeline, and passes the program's exit code on.
///
/// # Errors
/// The program cannot be run or recorded nothing, or a file cannot be read or written.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let output = &arguments.output;
    let recorded = arguments.run.record_timeline(output, &arguments.filter)?;
    write(&recorded.processes, output)?;
    Ok(recorded.exit())
}

/// Writes the timeline of recordings.
///
/// # Errors
/// The file cannot be written.
pub fn write(processes: &[Process], output: &Path) -> Result<()> {
    let trace = Trace::new(processes);
    let is_compressed = output
        .extension()
        .is_some_and(|extension| extension == GZIP);
    let size = trace.size();
    let advice = match size > LARGE && !is_compressed {
        true => "; a name that ends in .json.gz compresses it, --kernel, --from and --to select",
        false => "",
    };
    eprintln!(
        "{}: {} events, about {}{}{advice}; https://ui.perfetto.dev or chrome://tracing shows them",
        output.display(),
        trace.events(),
        bytes(size),
        if is_compressed {
            " before compression"
        } else {
            ""
        }
    );
    write_file(output, |file| match is_compressed {
        true => {
            let mut compressed = GzEncoder::new(file, Compression::default());
            trace.write(&mut compressed)?;
            compressed.finish()?;
            Ok(())
        }
        false => trace.write(file),
    })
}
