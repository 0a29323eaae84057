//! Breadth-first search of a graph against a queue on the host.

use crate::compare::equal;
use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use harness::random::Random;
use harness::session::{Argument, Session};
use std::collections::VecDeque;

const NODES: usize = 5000;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Node {
    first_edge: u32,
    edges: u32,
}

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(16);
    // Most edges lead to near neighbours, so that there are many levels; some nodes have no edges.
    let neighbours: Vec<Vec<u32>> = (0..NODES as u32)
        .map(|node| {
            let edges = random.below(4);
            let mut near = || (node + 1 + random.below(300)) % NODES as u32;
            (0..edges).map(|_| near()).collect()
        })
        .collect();
    let mut nodes = Vec::new();
    let mut first_edge = 0;
    for list in &neighbours {
        let edges = list.len() as u32;
        nodes.push(Node { first_edge, edges });
        first_edge += edges;
    }
    let source = neighbours
        .iter()
        .position(|list| list.len() == 3)
        .unwrap_or(0);
    let mut marks = vec![0u8; NODES];
    marks[source] = 1;
    let mut levels = vec![-1i32; NODES];
    levels[source] = 0;

    let program = session.program(include_str!("bfs.cl"), "-cl-mad-enable -cl-no-signed-zeros")?;
    let (expand, advance) = (program.kernel("expand")?, program.kernel("advance")?);
    let nodes = session.buffer(&nodes)?;
    let targets = session.buffer(&neighbours.concat())?;
    let (frontier, visited) = (session.buffer(&marks)?, session.buffer(&marks)?);
    let reached = session.zeros::<u8>(NODES)?;
    let levels_there = session.buffer(&levels)?;
    let mut found = session.zeros::<u32>(1)?;
    let items = &[NODES.next_multiple_of(64)];
    let count = NODES as u32;
    loop {
        session.write(&mut found, &[0])?;
        let arguments: [&dyn Argument; 7] = [
            &nodes,
            &targets,
            &frontier,
            &reached,
            &visited,
            &levels_there,
            &count,
        ];
        session.run(&expand, items, &[64], &arguments)?;
        let arguments: [&dyn Argument; 5] = [&frontier, &reached, &visited, &found, &count];
        session.run(&advance, items, &[64], &arguments)?;
        if session.read(&found)?[0] == 0 {
            break;
        }
    }

    let mut queue = VecDeque::from([source]);
    while let Some(node) = queue.pop_front() {
        for &there in &neighbours[node] {
            if levels[there as usize] < 0 {
                levels[there as usize] = levels[node] + 1;
                queue.push_back(there as usize);
            }
        }
    }
    equal("levels", &session.read(&levels_there)?, &levels)
}
