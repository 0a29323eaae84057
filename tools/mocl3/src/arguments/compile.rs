//! The arguments of `mocl3 compile`.

use super::machine::MachineOptions;
use anyhow::{Result, bail};
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 compile kernel.cl
  mocl3 compile --kernel add --emit assembly kernel.cl -- -DN=64
  mocl3 compile --emit m3000-c -o kernel.c kernel.cl
  mocl3 compile --json kernel.cl | jq '.kernels[].private_memory'";

/// The value of `--emit` for a kernel's object file.
pub const OBJECT: &str = "object";

/// The value of `--emit` for a program binary.
pub const BINARY: &str = "binary";

/// The value of `--emit` for C of the machine's dialect, for m3cc.
pub const M3000_C: &str = "m3000-c";

/// The values of `--emit`: the compiler's stages but for the options, which are arguments, and three
/// results.
pub const EMITTED: &[&str] = &[
    "source",
    "front-end",
    "linked",
    "simplified",
    "regions",
    "work-group-function",
    "lanes",
    "timed",
    "optimised",
    "assembly",
    "resources",
    "remarks",
    OBJECT,
    BINARY,
    M3000_C,
];

/// The arguments of `mocl3 compile`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The OpenCL C file; `-` is standard input. For `--emit m3000-c` it may be a program binary, such as
    /// that of a captured launch.
    pub file: PathBuf,

    /// Show this kernel only.
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,

    /// Compile for work-groups of this size; sizes left out are 1. Without it, for the
    /// size a kernel requires, or else for all sizes at once.
    #[arg(long, value_name = "X,Y,Z", value_parser = local_size)]
    pub local_size: Option<[u64; 3]>,

    /// Write this stage instead of the report.
    #[arg(long, value_name = "STAGE", value_parser = PossibleValuesParser::new(EMITTED))]
    pub emit: Option<String>,

    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Print the report, diagnostics included, as JSON; with a file, write JSON into it and print
    /// the report as text.
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        conflicts_with = "emit"
    )]
    pub json: Option<Option<PathBuf>>,

    /// The machine for which cycles and memory are computed.
    #[command(flatten)]
    pub machine: MachineOptions,

    /// Build options, as for clBuildProgram.
    #[arg(last = true, value_name = "BUILD OPTIONS")]
    pub options: Vec<String>,
}

fn local_size(text: &str) -> Result<[u64; 3]> {
    let mut size = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > size.len() {
        bail!("there are three dimensions");
    }
    for (size, part) in size.iter_mut().zip(parts) {
        *size = part.trim().parse()?;
        if *size == 0 {
            bail!("a size is at least 1");
        }
    }
    Ok(size)
}
