//! Shortest paths in graphs.

use super::{Case, Category, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[Case {
    name: "floyd-warshall",
    what: "512 nodes, 512 launches of 16 x 16",
    category: Category::Kernel,
    measure: floyd_warshall,
}];

fn floyd_warshall(mode: Mode) -> Result<Measurement> {
    let nodes = mode.size(512, 32);
    let session = Session::open()?;
    let kernel = session.kernel(source!("floyd_warshall.cl"), "floyd_warshall")?;
    let mut random = fastrand::Rng::with_seed(1);
    let mut distances: Vec<i32> = (0..nodes * nodes)
        .map(|_| random.i32(1..1_000_000))
        .collect();
    for node in 0..nodes {
        distances[node * nodes + node] = 0;
    }
    let buffer = session.buffer(&distances)?;
    let time = mode.time_after(
        || session.write(&buffer, &distances),
        || {
            for k in 0..nodes {
                kernel.set(&[&buffer, &(nodes as i32), &(k as i32)])?;
                session.enqueue(&kernel, &[nodes, nodes], Some(&[16, 16]))?;
            }
            session.finish()
        },
    )?;
    for k in 0..nodes {
        let through: Vec<i32> = distances[k * nodes..][..nodes].to_vec();
        for row in distances.chunks_exact_mut(nodes) {
            let to_k = row[k];
            for (distance, through) in row.iter_mut().zip(&through) {
                *distance = (*distance).min(to_k + through);
            }
        }
    }
    ensure!(session.read(&buffer)? == distances, "wrong distances");
    Ok(time)
}
