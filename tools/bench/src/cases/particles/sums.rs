//! Sums over all particles or those nearby.

use super::{Case, Category, ensure_close, ensure_each_close, floats, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};
use std::f64::consts::TAU;

pub const CASES: &[Case] = &[
    Case {
        name: "cutcp",
        what: "potentials at 64 x 64 x 64 points, atoms of 27 cells in local memory, cutoff",
        category: Category::Kernel,
        measure: cutoff_potential,
    },
    Case {
        name: "mri-q",
        what: "16 Ki points, 1024 samples in constant memory, sin and cos",
        category: Category::Kernel,
        measure: waves,
    },
    Case {
        name: "tpacf",
        what: "pairs of 3072 points, 32 bins by bisection, local atomics",
        category: Category::Kernel,
        measure: pair_histogram,
    },
];

const SOURCE: &str = source!("particles/sums.cl");

fn cutoff_potential(mode: Mode) -> Result<Measurement> {
    const SLOTS: usize = 8;
    const CELL: usize = 8;
    const SPACING: f64 = 0.5;
    let cells = mode.size(8, 2);
    let (row, width) = (cells + 2, cells * CELL);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "cutoff_potential")?;
    let mut random = fastrand::Rng::with_seed(1);
    let mut atoms = vec![[0.0f32; 4]; row * row * row * SLOTS];
    for (cell, slots) in atoms.chunks_exact_mut(SLOTS).enumerate() {
        let place = [cell % row, cell / row % row, cell / row / row];
        if place.iter().any(|i| *i == 0 || *i > cells) {
            continue;
        }
        for slot in &mut slots[..random.usize(4..=SLOTS)] {
            // Between points, so that no distance vanishes.
            let at = |axis: usize, point: usize| {
                ((place[axis] - 1) * CELL + point) as f32 * SPACING as f32 + 0.2
            };
            let points: [usize; 3] = std::array::from_fn(|_| random.usize(..CELL));
            let charge = 0.5 + random.f32();
            *slot = [at(0, points[0]), at(1, points[1]), at(2, points[2]), charge];
        }
    }
    let of_atoms = session.buffer(&atoms)?;
    let potential = session.unwritten::<f32>(width * width * width)?;
    let cutoff = CELL as f64 * SPACING;
    let inverse = 1.0 / (cutoff * cutoff);
    kernel.set(&[&of_atoms, &potential, &(cells as i32), &(inverse as f32)])?;
    let time = mode.time(|| session.run(&kernel, &[width, width, width / 4], Some(&[8, 8, 2])))?;
    ensure_each_close(&session.read(&potential)?, 613, (1.0, 1e-4), |point| {
        let place = [point % width, point / width % width, point / width / width];
        let terms = atoms.iter().map(|atom| {
            let squared: f64 = (0..3)
                .map(|axis| (f64::from(atom[axis]) - place[axis] as f64 * SPACING).powi(2))
                .sum();
            let rest = (1.0 - squared * inverse).max(0.0);
            f64::from(atom[3]) / squared.sqrt().max(0.1) * rest * rest
        });
        terms.sum()
    })?;
    Ok(time)
}

fn waves(mode: Mode) -> Result<Measurement> {
    let (points, count) = (mode.size(16 << 10, 256), mode.size(1024, 64));
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "waves")?;
    let places = [1, 2, 3].map(|seed| floats(seed, points, -1.0..1.0));
    let samples: Vec<[f32; 4]> = floats(4, 4 * count, -2.0..2.0)
        .chunks_exact(4)
        .map(|s| [s[0], s[1], s[2], s[3]])
        .collect();
    let inputs = places
        .iter()
        .map(|place| session.buffer(place))
        .collect::<Result<Vec<_>>>()?;
    let of_samples = session.buffer(&samples)?;
    let outputs = [session.unwritten(points)?, session.unwritten(points)?];
    kernel.set(&[
        &inputs[0],
        &inputs[1],
        &inputs[2],
        &of_samples,
        &outputs[0],
        &outputs[1],
        &(count as i32),
    ])?;
    let time = mode.time(|| session.run(&kernel, &[points], Some(&[128])))?;
    let (real, imaginary) = (session.read(&outputs[0])?, session.read(&outputs[1])?);
    for point in (0..points).step_by(mode.size(41, 1)) {
        let mut sum = [0.0f64; 2];
        for sample in &samples {
            let [x, y, z, magnitude] = sample.map(f64::from);
            let at = |axis: usize| f64::from(places[axis][point]);
            let phase = TAU * (x * at(0) + y * at(1) + z * at(2));
            sum[0] += magnitude * phase.cos();
            sum[1] += magnitude * phase.sin();
        }
        // Phases have errors of 1e-6.
        let scale = (count as f64).sqrt();
        ensure_close(real[point], sum[0], scale, 1e-4)?;
        ensure_close(imaginary[point], sum[1], scale, 1e-4)?;
    }
    Ok(time)
}

fn pair_histogram(mode: Mode) -> Result<Measurement> {
    const BINS: usize = 32;
    const GROUP: usize = 128;
    let points = mode.size(3072, 256);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "pair_histogram")?;
    let mut random = fastrand::Rng::with_seed(1);
    // Integers, so that the products are exact; the limits are between integers.
    let places = [(); 3].map(|()| -> Vec<f32> {
        (0..points)
            .map(|_| f32::from(random.i8(-100..=100)))
            .collect()
    });
    let limits: Vec<f32> = (0..BINS).map(|i| 15_000.5 - 1000.0 * i as f32).collect();
    let inputs = places
        .iter()
        .map(|place| session.buffer(place))
        .collect::<Result<Vec<_>>>()?;
    let of_limits = session.buffer(&limits)?;
    let counts = session.unwritten::<u32>(BINS)?;
    kernel.set(&[
        &inputs[0],
        &inputs[1],
        &inputs[2],
        &of_limits,
        &counts,
        &(points as i32),
    ])?;
    let time = mode.time_after(
        || session.write(&counts, &[0; BINS]),
        || session.run(&kernel, &[points], Some(&[GROUP])),
    )?;
    let mut expected = vec![0u32; BINS];
    for i in 0..points {
        for j in i + 1..points {
            let product: f32 = places.iter().map(|place| place[i] * place[j]).sum();
            // The last bin whose limit is above, or the first.
            let above = limits.partition_point(|limit| *limit > product);
            expected[above.max(1) - 1] += 1;
        }
    }
    ensure!(session.read(&counts)? == expected, "wrong counts");
    Ok(time)
}
