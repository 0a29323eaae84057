//! Blocking transfers of a whole buffer between device and host memory that the host has written
//! before.

use super::{Case, Category};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode, Work};
use anyhow::{Result, ensure};

/// The cases of one size: name, description, bytes.
macro_rules! cases {
    ($($size:literal $bytes:expr;)*) => {
        &[$(
            Case {
                name: concat!("write-", $size),
                what: concat!("clEnqueueWriteBuffer, blocking, ", $size),
                category: Category::Transfer,
                measure: |mode| write(mode, mode.size($bytes, 4 << 10)),
            },
            Case {
                name: concat!("read-", $size),
                what: concat!("clEnqueueReadBuffer, blocking, ", $size),
                category: Category::Transfer,
                measure: |mode| read(mode, mode.size($bytes, 4 << 10)),
            },
            Case {
                name: concat!("map-", $size),
                what: concat!("map for reading and writing, unmap, clFinish, ", $size),
                category: Category::Transfer,
                measure: |mode| map(mode, mode.size($bytes, 4 << 10)),
            },
        )*]
    };
}

pub const CASES: &[Case] = cases! {
    "4KiB" 4 << 10;
    "64KiB" 64 << 10;
    "1MiB" 1 << 20;
    "4MiB" 4 << 20;
    "16MiB" 16 << 20;
    "64MiB" 64 << 20;
    "256MiB" 256 << 20;
};

fn pattern(bytes: usize) -> Vec<u32> {
    (0..bytes / size_of::<u32>())
        .map(|i| (i as u32).wrapping_mul(2_654_435_761))
        .collect()
}

/// Times a transfer. A sample of small transfers is the mean of up to 100 calls.
fn repeated(mode: Mode, bytes: usize, mut call: impl FnMut() -> Result<()>) -> Result<Measurement> {
    let times = mode.size(((4 << 20) / bytes).clamp(1, 100), 1);
    let time = mode.time(|| (0..times).try_for_each(|_| call()))?;
    Ok(time
        .of_each(times)
        .with_work(Work::Bytes(2.0 * bytes as f64)))
}

fn write(mode: Mode, bytes: usize) -> Result<Measurement> {
    let session = Session::open()?;
    let sent = pattern(bytes);
    let buffer = session.unwritten::<u32>(sent.len())?;
    let time = repeated(mode, bytes, || session.write(&buffer, &sent))?;
    ensure!(session.read(&buffer)? == sent, "other bytes arrived");
    Ok(time)
}

fn read(mode: Mode, bytes: usize) -> Result<Measurement> {
    let session = Session::open()?;
    let kept = pattern(bytes);
    let buffer = session.buffer(&kept)?;
    let mut received = vec![1u32; kept.len()];
    let time = repeated(mode, bytes, || session.read_into(&buffer, &mut received))?;
    ensure!(received == kept, "other bytes arrived");
    Ok(time)
}

fn map(mode: Mode, bytes: usize) -> Result<Measurement> {
    let session = Session::open()?;
    let kept = pattern(bytes);
    let buffer = session.buffer(&kept)?;
    let time = repeated(mode, bytes, || {
        let last = session.map(&buffer, |mapped| mapped.last().copied())?;
        session.finish()?;
        ensure!(last == kept.last().copied(), "other bytes are mapped");
        Ok(())
    })?;
    // Most of the bytes move nowhere.
    Ok(Measurement { work: None, ..time })
}
