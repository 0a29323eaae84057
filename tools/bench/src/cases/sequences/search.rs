//! Searches.

use super::{Case, Category, ensure_each, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[
    Case {
        name: "string-search",
        what: "a pattern of 6 letters in 8 MiB of 4 letters",
        category: Category::Kernel,
        measure: find,
    },
    Case {
        name: "knn",
        what: "8 nearest of 4096 points for 2048 queries, sorted in private arrays",
        category: Category::Kernel,
        measure: nearest,
    },
];

const SOURCE: &str = source!("sequences/search.cl");

fn find(mode: Mode) -> Result<Measurement> {
    const PATTERN: &[u8] = b"cabbad";
    let count = mode.size(8 << 20, 1 << 15);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "find")?;
    let mut random = fastrand::Rng::with_seed(1);
    // No place begins so near the end that the pattern would exceed the text.
    let text: Vec<u8> = (0..count + PATTERN.len())
        .map(|_| random.u8(b'a'..=b'd'))
        .collect();
    let (buffer, pattern) = (session.buffer(&text)?, session.buffer(PATTERN)?);
    let (places, found) = (
        session.unwritten::<i32>(count)?,
        session.unwritten::<i32>(1)?,
    );
    let length = PATTERN.len() as i32;
    kernel.set(&[&buffer, &pattern, &length, &places, &found])?;
    let time = mode.time_after(
        || session.write(&found, &[0]),
        || session.run(&kernel, &[count], Some(&[256])),
    )?;
    let windows = text[..count + PATTERN.len() - 1].windows(PATTERN.len());
    let expected: Vec<i32> = (0..count as i32)
        .zip(windows)
        .filter(|(_, window)| *window == PATTERN)
        .map(|(place, _)| place)
        .collect();
    ensure!(
        session.read(&found)? == [expected.len() as i32],
        "wrong number of places"
    );
    let mut places = session.read(&places)?;
    places.truncate(expected.len());
    places.sort_unstable();
    ensure!(places == expected, "wrong places");
    Ok(time)
}

fn nearest(mode: Mode) -> Result<Measurement> {
    const NEAREST: usize = 8;
    let (queries, count) = (mode.size(2048, 128), mode.size(4096, 256));
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "nearest")?;
    let mut random = fastrand::Rng::with_seed(1);
    // Integers, so that the distances are exact.
    let mut points = |count: usize| -> Vec<[f32; 4]> {
        let mut coordinate = |_| f32::from(random.i16(-500..=500));
        (0..count)
            .map(|_| std::array::from_fn(&mut coordinate))
            .collect()
    };
    let (from, to) = (points(queries), points(count));
    let (of_queries, of_points) = (session.buffer(&from)?, session.buffer(&to)?);
    let distances = session.unwritten::<f32>(queries * NEAREST)?;
    let indices = session.unwritten::<i32>(queries * NEAREST)?;
    let points = count as i32;
    kernel.set(&[&of_queries, &of_points, &points, &distances, &indices])?;
    let time = mode.time(|| session.run(&kernel, &[queries], Some(&[64])))?;
    let (distances, indices) = (session.read(&distances)?, session.read(&indices)?);
    for query in (0..queries).step_by(mode.size(3, 1)) {
        let distance = |point: &[f32; 4]| -> f32 {
            let squares = point
                .iter()
                .zip(&from[query])
                .map(|(x, y)| (x - y) * (x - y));
            squares.sum()
        };
        let mut expected: Vec<(f32, i32)> = to.iter().map(distance).zip(0..).collect();
        expected.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        ensure_each(&distances[query * NEAREST..][..NEAREST], 1, |i| {
            expected[i].0
        })?;
        ensure_each(&indices[query * NEAREST..][..NEAREST], 1, |i| expected[i].1)?;
    }
    Ok(time)
}
