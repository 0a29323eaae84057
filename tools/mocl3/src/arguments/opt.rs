//! The arguments of `mocl3 opt`.

use std::path::PathBuf;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 opt --list
  mocl3 opt --pass safe_division division.ll
  mocl3 compile --emit linked kernel.cl | mocl3 opt --pass uniformity -";

/// The arguments of `mocl3 opt`.
#[derive(clap::Args)]
pub struct Arguments {
    /// LLVM IR in textual form; `-` is standard input.
    #[arg(required_unless_present = "list")]
    pub file: Option<PathBuf>,
    /// The pass to run, one that `--list` shows.
    #[arg(short, long, value_name = "NAME", required_unless_present = "list")]
    pub pass: Option<String>,
    /// List the passes, in the order in which the compiler runs them.
    #[arg(long, exclusive = true)]
    pub list: bool,
}
