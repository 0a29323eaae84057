//! Sums of pixels.

use super::{Case, Category, bytes, ensure_each, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode, Work};
use anyhow::Result;

pub const CASES: &[Case] = &[
    Case {
        name: "sad",
        what: "352 x 288 bytes, differences of 4 x 4 blocks at 32 x 32 offsets",
        category: Category::Kernel,
        measure: block_differences,
    },
    Case {
        name: "integral-image",
        what: "2048 x 2048 bytes, a row, then a column per work-item",
        category: Category::Kernel,
        measure: integral,
    },
];

const SOURCE: &str = source!("pictures/blocks.cl");

fn block_differences(mode: Mode) -> Result<Measurement> {
    const WINDOW: usize = 32;
    const OFFSETS: usize = WINDOW * WINDOW;
    let (width, height) = (mode.size(352, 32), mode.size(288, 16));
    let (wide, blocks) = (width + WINDOW, width / 4 * (height / 4));
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "block_differences")?;
    let picture = bytes(1, width * height);
    let other = bytes(2, wide * (height + WINDOW));
    let (buffer, of_other) = (session.buffer(&picture)?, session.buffer(&other)?);
    let sums = session.unwritten::<u16>(blocks * OFFSETS)?;
    kernel.set(&[&buffer, &of_other, &sums, &(width as i32)])?;
    let time = mode.time(|| session.run(&kernel, &[OFFSETS, blocks], Some(&[64, 1])))?;
    ensure_each(&session.read(&sums)?, mode.size(7, 1), |i| {
        let (block, offset) = (i / OFFSETS, i % OFFSETS);
        let (x, y) = (block % (width / 4) * 4, block / (width / 4) * 4);
        let differences = (0..16).map(|pixel| {
            let (x, y) = (x + pixel % 4, y + pixel / 4);
            let shifted = (y + offset / WINDOW) * wide + x + offset % WINDOW;
            u16::from(picture[y * width + x].abs_diff(other[shifted]))
        });
        differences.sum()
    })?;
    Ok(time)
}

fn integral(mode: Mode) -> Result<Measurement> {
    let size = mode.size(2048, 128);
    let session = Session::open()?;
    let program = session.program(SOURCE, "")?;
    let (rows, columns) = (program.kernel("sum_rows")?, program.kernel("sum_columns")?);
    let picture = bytes(1, size * size);
    let buffer = session.buffer(&picture)?;
    let sums = session.unwritten::<u32>(size * size)?;
    rows.set(&[&buffer, &sums, &(size as i32)])?;
    columns.set(&[&sums, &(size as i32), &(size as i32)])?;
    let time = mode.time(|| {
        session.enqueue(&rows, &[size], Some(&[64]))?;
        session.run(&columns, &[size], Some(&[64]))
    })?;
    let mut expected = vec![0u32; size * size];
    for y in 0..size {
        let mut sum = 0;
        for x in 0..size {
            sum += u32::from(picture[y * size + x]);
            let above = if y > 0 {
                expected[(y - 1) * size + x]
            } else {
                0
            };
            expected[y * size + x] = sum + above;
        }
    }
    ensure_each(&session.read(&sums)?, 1, |i| expected[i])?;
    // A byte read and three sums read or written.
    Ok(time.with_work(Work::Bytes((13 * size * size) as f64)))
}
