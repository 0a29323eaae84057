//! Paths in graphs.

use super::{Case, Category, ensure_each, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};
use std::collections::VecDeque;

pub const CASES: &[Case] = &[
    Case {
        name: "floyd-warshall",
        what: "512 nodes, 512 launches of 16 x 16",
        category: Category::Kernel,
        measure: floyd_warshall,
    },
    Case {
        name: "bfs-frontier",
        what: "256 Ki nodes of 2 to 10 edges, 2 launches and a transfer for each level",
        category: Category::Kernel,
        measure: bfs,
    },
];

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

fn bfs(mode: Mode) -> Result<Measurement> {
    let nodes: usize = mode.size(256 << 10, 1 << 11);
    let session = Session::open()?;
    let program = session.program(source!("bfs.cl"), "")?;
    let (visit, advance) = (program.kernel("visit")?, program.kernel("advance")?);
    let mut random = fastrand::Rng::with_seed(1);
    let (mut starts, mut edges) = (vec![0i32], Vec::new());
    for _ in 0..nodes {
        edges.extend((0..random.usize(2..=10)).map(|_| random.usize(..nodes) as i32));
        starts.push(edges.len() as i32);
    }
    let mut first = vec![0u8; nodes];
    first[0] = 1;
    let mut levels = vec![-1i32; nodes];
    levels[0] = 0;
    let (of_starts, of_edges) = (session.buffer(&starts)?, session.buffer(&edges)?);
    let (frontier, visited) = (session.buffer(&first)?, session.buffer(&first)?);
    let reached = session.buffer(&vec![0u8; nodes])?;
    let (of_levels, more) = (session.buffer(&levels)?, session.buffer(&[0i32])?);
    let count = nodes as i32;
    visit.set(&[
        &of_starts, &of_edges, &frontier, &reached, &visited, &of_levels, &count,
    ])?;
    advance.set(&[&frontier, &reached, &visited, &more, &count])?;
    let time = mode.time_after(
        || {
            session.write(&frontier, &first)?;
            session.write(&visited, &first)?;
            session.write(&of_levels, &levels)
        },
        || {
            loop {
                session.write(&more, &[0])?;
                session.enqueue(&visit, &[nodes], Some(&[256]))?;
                session.enqueue(&advance, &[nodes], Some(&[256]))?;
                if session.read(&more)? == [0] {
                    return Ok(());
                }
            }
        },
    )?;
    let mut queue = VecDeque::from([0]);
    while let Some(node) = queue.pop_front() {
        for edge in starts[node]..starts[node + 1] {
            let next = edges[edge as usize] as usize;
            if levels[next] < 0 {
                levels[next] = levels[node] + 1;
                queue.push_back(next);
            }
        }
    }
    ensure_each(&session.read(&of_levels)?, 1, |node| levels[node])?;
    Ok(time)
}
