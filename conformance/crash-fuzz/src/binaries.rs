//! Program binaries of all kinds, mutated, with the old hash or with one recomputed after the
//! mutation.
//!
//! The container (`kernel-compiler/src/program/container.rs`) is a magic number, the kind of
//! program, the length and name of the maker, a BLAKE3 hash of all the rest, and the program.

use super::builds::{Program, judge};
use crate::input::{Input, Verdict};
use crate::{corpus, mutation};
use anyhow::{Context as _, Result, bail, ensure};
use harness::session::{Session, Settings};
use opencl3::program::{build_program, create_program_with_binary};
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

/// Offset of the maker's name, in bytes.
const HEAD: usize = 10;
/// Offset of the length of the maker's name, in bytes.
const MAKER_LENGTH: usize = 9;
/// Size of a hash, in bytes.
const HASH: usize = 32;
/// Number of sources of the binaries in a process; each source gives one binary of each kind.
const SOURCES: usize = 6;

/// Loads binaries into one context.
pub struct Binaries {
    session: Session,
    folder: PathBuf,
    /// The valid binaries that inputs are mutated from.
    whole: Vec<Vec<u8>>,
}

impl Binaries {
    /// Creates the inputs of a process, which are written to the folder.
    ///
    /// # Errors
    /// The platform is not there, a program cannot be built, or a container has another form.
    pub fn new(folder: &Path) -> Result<Self> {
        let settings = Settings {
            platform: "MOCL3".to_owned(),
            ..Settings::default()
        };
        let session = Session::open(&settings)?;
        let mut whole = Vec::new();
        // The sources are evenly distributed over the list and the same in each process, so that an
        // input is determined by its seed.
        for number in 0..SOURCES {
            let source = corpus::PROGRAMS[number * corpus::PROGRAMS.len() / SOURCES];
            let compiled = session.compile(source, corpus::DEFINITIONS, ("unused.h", "\n"))?;
            whole.push(compiled.binary()?);
            whole.push(session.link(&[&compiled], "-create-library")?.binary()?);
            let options = format!("{} -cl-kernel-arg-info", corpus::DEFINITIONS);
            whole.push(session.program(source, &options)?.binary()?);
        }
        for binary in &whole {
            let mut again = binary.clone();
            hash_again(&mut again).context("a binary is too short")?;
            ensure!(
                *binary == again,
                "the container of binaries has another form"
            );
        }
        Ok(Self {
            session,
            folder: folder.to_owned(),
            whole,
        })
    }
}

/// Recomputes the hash. Returns `None` if the binary is too short for one.
fn hash_again(binary: &mut [u8]) -> Option<()> {
    let place = HEAD + usize::from(*binary.get(MAKER_LENGTH)?);
    let payload = binary.get(place + HASH..)?;
    let hash = blake3::Hasher::new()
        .update(&binary[..place])
        .update(payload)
        .finalize();
    binary[place..place + HASH].copy_from_slice(hash.as_bytes());
    Some(())
}

impl Input for Binaries {
    fn run(&mut self, seed: u64) -> Result<Verdict> {
        let mut random = mutation::random(seed);
        let whole = &self.whole[random.usize(0..self.whole.len())];
        let other = &self.whole[random.usize(0..self.whole.len())];
        let mut binary = whole.clone();
        // Three of four inputs are mutated and have a correct hash.
        let forged = !seed.is_multiple_of(4);
        if forged {
            let place = (HEAD + usize::from(whole[MAKER_LENGTH]) + HASH).min(whole.len());
            let mut payload = binary.split_off(place);
            mutation::bytes(&mut random, &mut payload, &other[place.min(other.len())..]);
            if random.u32(0..8) == 0 {
                // The kind of another program than the payload's.
                binary[HEAD - 2] = [1, 2, 4, 0, 3][random.usize(0..5)];
            }
            binary.append(&mut payload);
            hash_again(&mut binary).context("the head is whole")?;
        } else {
            mutation::bytes(&mut random, &mut binary, other);
        }
        std::fs::write(self.folder.join("input.bin"), &binary)?;
        let session = &self.session;
        let devices = session.context.devices();
        // SAFETY: device and binary are valid during the call.
        let program =
            unsafe { create_program_with_binary(session.context.get(), devices, &[&binary]) };
        let Ok(program) = program else {
            return Ok(Verdict::Refused);
        };
        let program = Program(program);
        if !forged && !self.whole.contains(&binary) {
            bail!("a damaged binary of {} bytes is taken", binary.len());
        }
        let built = build_program(program.0, devices, c"", None, null_mut()).is_ok();
        judge(session, &program, built)
    }
}
