//! Clusters of points.

use super::{Case, Category, floats, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[Case {
    name: "kmeans",
    what: "2 Mi points of 8 features to 16 centres",
    category: Category::Kernel,
    measure: kmeans,
}];

const FEATURES: usize = 8;
const CLUSTERS: usize = 16;

fn kmeans(mode: Mode) -> Result<Measurement> {
    let count = mode.size(2 << 20, 1 << 12);
    let session = Session::open()?;
    let kernel = session.kernel(source!("kmeans.cl"), "kmeans")?;
    let points = floats(1, FEATURES * count, 0.0..1.0);
    let centres = floats(2, FEATURES * CLUSTERS, 0.0..1.0);
    let (of_points, of_centres) = (session.buffer(&points)?, session.buffer(&centres)?);
    let nearest = session.unwritten::<i32>(count)?;
    kernel.set(&[&of_points, &of_centres, &nearest, &(count as i32)])?;
    let time = mode.time(|| session.run(&kernel, &[count], Some(&[256])))?;
    for (point, cluster) in session.read(&nearest)?.into_iter().enumerate().step_by(61) {
        let distances: Vec<f64> = centres
            .chunks_exact(FEATURES)
            .map(|centre| {
                let of_point = (0..FEATURES).map(|feature| points[feature * count + point]);
                let differences = of_point.zip(centre).map(|(p, c)| f64::from(p - c));
                differences.map(|d| d * d).sum()
            })
            .collect();
        let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
        // Within rounding, two centres may be equally near.
        let found = usize::try_from(cluster).ok().and_then(|c| distances.get(c));
        ensure!(
            found.is_some_and(|found| *found <= least * (1.0 + 1e-5)),
            "point {point} is not nearest to {cluster}"
        );
    }
    Ok(time)
}
