//! Shortest paths between all pairs of nodes, against Dijkstra's algorithm from each node.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::Session;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const BLOCK: usize = 16;
const NODES: usize = 8 * BLOCK;
const NO_PATH: u32 = u32::MAX;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(25);
    let mut edges = vec![NO_PATH; NODES * NODES];
    for from in 0..NODES {
        edges[from * NODES + from] = 0;
        for _ in 0..random.below(4) {
            let to = random.below(NODES as u32) as usize;
            if to != from {
                edges[from * NODES + to] = 1 + random.below(1000);
            }
        }
    }
    let options = format!("-D BLOCK={BLOCK} -D NODES={NODES}");
    let program = session.program(include_str!("floyd_warshall.cl"), &options)?;
    let [pivot_block, row_and_column, others] =
        ["pivot_block", "row_and_column", "others"].map(|name| program.kernel(name));
    let (pivot_block, row_and_column, others) = (pivot_block?, row_and_column?, others?);
    let distances = session.buffer(&edges)?;
    let group = &[BLOCK, BLOCK];
    for pivot in 0..(NODES / BLOCK) as u32 {
        session.run(&pivot_block, group, group, &[&distances, &pivot])?;
        session.run(
            &row_and_column,
            &[NODES, 2 * BLOCK],
            group,
            &[&distances, &pivot],
        )?;
        session.run(&others, &[NODES, NODES], group, &[&distances, &pivot])?;
    }
    let expected: Vec<u32> = (0..NODES).flat_map(|from| dijkstra(&edges, from)).collect();
    equal("distances", &session.read(&distances)?, &expected)
}

fn dijkstra(edges: &[u32], from: usize) -> Vec<u32> {
    let mut distances = vec![NO_PATH; NODES];
    let mut queue = BinaryHeap::from([Reverse((0, from))]);
    while let Some(Reverse((distance, node))) = queue.pop() {
        if distances[node] != NO_PATH {
            continue;
        }
        distances[node] = distance;
        for to in 0..NODES {
            let edge = edges[node * NODES + to];
            if edge != NO_PATH && to != node {
                queue.push(Reverse((distance + edge, to)));
            }
        }
    }
    distances
}
