//! Hash functions.

use super::{Case, Category, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};
use sha2::{Digest, Sha256};

pub const CASES: &[Case] = &[Case {
    name: "sha256",
    what: "256 Ki messages of 64 bytes",
    category: Category::Kernel,
    measure: sha256,
}];

fn sha256(mode: Mode) -> Result<Measurement> {
    const BYTES: usize = 64;
    let count = mode.size(256 << 10, 1 << 10);
    let session = Session::open()?;
    let kernel = session.kernel(source!("sha256.cl"), "sha256")?;
    let mut messages = vec![0u8; BYTES * count];
    fastrand::Rng::with_seed(1).fill(&mut messages);
    let buffer = session.buffer(&messages)?;
    let digests = session.unwritten::<[u8; 32]>(count)?;
    kernel.set(&[&buffer, &digests])?;
    let time = mode.time(|| session.run(&kernel, &[count], Some(&[64])))?;
    let pairs = messages.chunks_exact(BYTES).zip(session.read(&digests)?);
    for (message, digest) in pairs.step_by(count / 1000 + 1) {
        ensure!(Sha256::digest(message)[..] == digest, "wrong digest");
    }
    Ok(time)
}
