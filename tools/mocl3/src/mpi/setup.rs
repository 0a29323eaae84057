//! What smpirun needs: files of the network and of the ranks' places, and settings.

use super::platform_file::{self, Shape};
use super::settings::{self, Purpose};
use super::simgrid;
use anyhow::{Context, Result};
use device_sim::machine::Network;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The files, and what they are made of.
pub struct Setup {
    /// Number of nodes that have ranks.
    pub nodes: u32,
    pub shape: Shape,
    network: Network,
    ranks: u32,
    smpirun: PathBuf,
    /// SimGrid's settings of the user's.
    settings: Vec<String>,
    /// Where the platform and host files are.
    files: PathBuf,
    temporary: TempDir,
}

impl Setup {
    /// Writes the files for that many ranks and ranks on each node, into the folder or a temporary one.
    ///
    /// # Errors
    /// SimGrid is missing, or a file cannot be written.
    pub fn new(
        network: Network,
        settings: &[String],
        folder: Option<&Path>,
        (ranks, ranks_per_node): (u32, u32),
    ) -> Result<Self> {
        let smpirun = simgrid::find_smpirun()?;
        let nodes = ranks.div_ceil(ranks_per_node);
        let shape = Shape::new(&network, nodes);
        let temporary = TempDir::new().context("cannot create a folder for SimGrid's files")?;
        let files = folder.unwrap_or(temporary.path()).to_owned();
        fs::create_dir_all(&files).with_context(|| format!("cannot create {}", files.display()))?;
        let setup = Self {
            nodes,
            shape,
            network,
            ranks,
            smpirun,
            settings: settings.to_vec(),
            files,
            temporary,
        };
        let platform = platform_file::platform(&setup.network, &setup.shape, ranks_per_node);
        write(&setup.platform(), &platform)?;
        write(&setup.hosts(), &platform_file::hosts(ranks, ranks_per_node))?;
        Ok(setup)
    }

    /// A folder that is removed at the end.
    pub fn temporary(&self) -> &Path {
        self.temporary.path()
    }

    /// smpirun with the files and settings, without a program.
    pub fn smpirun(&self, purpose: Purpose) -> Command {
        let mut command = Command::new(&self.smpirun);
        command
            .args(["-np", &self.ranks.to_string()])
            .arg("-platform")
            .arg(self.platform())
            .arg("-hostfile")
            .arg(self.hosts())
            .args(settings::arguments(&self.network, &self.settings, purpose))
            .args(["-quiet", "--log=root.thresh:warning"]);
        command
    }

    fn platform(&self) -> PathBuf {
        self.files.join("platform.xml")
    }

    fn hosts(&self) -> PathBuf {
        self.files.join("hosts.txt")
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
