//! Elements that go where prefix sums point.

use super::{Case, Category, ensure_each, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::Result;

pub const CASES: &[Case] = &[
    Case {
        name: "compact-scatter",
        what: "2 Mi ints, a third is kept in order, scans of 256 in local memory",
        category: Category::Kernel,
        measure: compact,
    },
    Case {
        name: "radix-sort-pass",
        what: "512 Ki keys by 4 bits, splits and scans of 256 in local memory",
        category: Category::Kernel,
        measure: radix_pass,
    },
];

const SOURCE: &str = source!("sequences/scatter.cl");
const GROUP: usize = 256;

fn compact(mode: Mode) -> Result<Measurement> {
    const THRESHOLD: i32 = i32::MAX / 3;
    let count = mode.size(2 << 20, 1 << 13);
    let session = Session::open()?;
    let program = session.program(SOURCE, "")?;
    let count_kept = program.kernel("count_kept")?;
    let (scan, keep) = (program.kernel("scan_counts")?, program.kernel("keep")?);
    let mut random = fastrand::Rng::with_seed(1);
    let values: Vec<i32> = (0..count).map(|_| random.i32(..)).collect();
    let (buffer, kept) = (session.buffer(&values)?, session.unwritten::<i32>(count)?);
    let counts = session.unwritten::<u32>(count / GROUP)?;
    count_kept.set(&[&buffer, &counts, &THRESHOLD])?;
    scan.set(&[&counts, &((count / GROUP) as u32)])?;
    keep.set(&[&buffer, &counts, &kept, &THRESHOLD])?;
    let time = mode.time(|| {
        session.enqueue(&count_kept, &[count], Some(&[GROUP]))?;
        session.enqueue(&scan, &[GROUP], Some(&[GROUP]))?;
        session.run(&keep, &[count], Some(&[GROUP]))
    })?;
    let expected: Vec<i32> = values.into_iter().filter(|v| *v > THRESHOLD).collect();
    let kept = session.read(&kept)?;
    ensure_each(&kept[..expected.len()], 1, |i| expected[i])?;
    Ok(time)
}

fn radix_pass(mode: Mode) -> Result<Measurement> {
    const SHIFT: u32 = 8;
    const DIGITS: usize = 16;
    let count = mode.size(512 << 10, 1 << 12);
    let session = Session::open()?;
    let program = session.program(SOURCE, "")?;
    let count_digits = program.kernel("count_digits")?;
    let (scan, to_places) = (
        program.kernel("scan_counts")?,
        program.kernel("move_digits")?,
    );
    let mut random = fastrand::Rng::with_seed(1);
    let mut keys: Vec<u32> = (0..count).map(|_| random.u32(..)).collect();
    let (buffer, sorted) = (session.buffer(&keys)?, session.unwritten::<u32>(count)?);
    let lengths = DIGITS * count / GROUP;
    let counts = session.unwritten::<u32>(lengths)?;
    count_digits.set(&[&buffer, &counts, &SHIFT])?;
    scan.set(&[&counts, &(lengths as u32)])?;
    to_places.set(&[&buffer, &counts, &sorted, &SHIFT])?;
    let time = mode.time(|| {
        session.enqueue(&count_digits, &[count], Some(&[GROUP]))?;
        session.enqueue(&scan, &[GROUP], Some(&[GROUP]))?;
        session.run(&to_places, &[count], Some(&[GROUP]))
    })?;
    // Keys with the same digit keep their order.
    keys.sort_by_key(|key| key >> SHIFT & 15);
    ensure_each(&session.read(&sorted)?, 1, |i| keys[i])?;
    Ok(time)
}
