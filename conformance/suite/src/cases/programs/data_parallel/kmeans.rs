//! k-means on integer coordinates, so that every platform must find the same clusters.

use crate::compare::equal;
use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use harness::random::Random;
use harness::session::{Argument, Session};

const POINTS: usize = 10_000;
const CLUSTERS: usize = 12;
const ROUNDS: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C, align(8))]
struct Centroid {
    place: [i32; 2],
    points: u32,
    unused: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Total {
    x: i64,
    y: i64,
    points: u64,
}

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(11);
    let points: Vec<[i16; 2]> = (0..POINTS)
        .map(|_| {
            let spread = |r: &mut Random| (r.below(1500) + r.below(1500)) as i16 - 1500;
            let middle = [[-2000, 700], [1500, -900], [300, 2500]][random.below(3) as usize];
            [0, 1].map(|axis| middle[axis] + spread(&mut random))
        })
        .collect();
    let start: Vec<Centroid> = (0..CLUSTERS)
        .map(|index| Centroid {
            place: points[index * 37].map(|coordinate| i32::from(coordinate) * 16),
            points: 0,
            unused: 0,
        })
        .collect();

    let program = session.program(include_str!("kmeans.cl"), &format!("-D K={CLUSTERS}"))?;
    let (assign, move_centroids) = (program.kernel("assign")?, program.kernel("move_centroids")?);
    let points_there = session.buffer(&points)?;
    let centroids = session.buffer(&start)?;
    let nearest = session.zeros::<u8>(POINTS)?;
    let totals = session.zeros::<Total>(CLUSTERS)?;
    for _ in 0..ROUNDS {
        let count = POINTS as u32;
        let arguments: [&dyn Argument; 5] = [&points_there, &count, &centroids, &nearest, &totals];
        session.run(&assign, &[POINTS.next_multiple_of(100)], &[100], &arguments)?;
        session.run(&move_centroids, &[CLUSTERS], &[], &[&centroids, &totals])?;
    }

    let (expected_nearest, expected) = clusters(&points, start);
    equal("nearest", &session.read(&nearest)?, &expected_nearest)?;
    equal("centroids", &session.read(&centroids)?, &expected)
}

fn clusters(points: &[[i16; 2]], mut centroids: Vec<Centroid>) -> (Vec<u8>, Vec<Centroid>) {
    let mut nearest = Vec::new();
    for _ in 0..ROUNDS {
        nearest = points
            .iter()
            .map(|point| {
                let distance = |index: &usize| -> i64 {
                    let place = centroids[*index].place;
                    (0..2)
                        .map(|axis| (i64::from(point[axis]) * 16 - i64::from(place[axis])).pow(2))
                        .sum()
                };
                (0..CLUSTERS).min_by_key(distance).unwrap_or(0) as u8
            })
            .collect();
        for (index, centroid) in centroids.iter_mut().enumerate() {
            let members: Vec<&[i16; 2]> = points
                .iter()
                .zip(&nearest)
                .filter(|(_, cluster)| usize::from(**cluster) == index)
                .map(|(point, _)| point)
                .collect();
            centroid.points = members.len() as u32;
            for axis in 0..2 {
                let sum: i64 = members.iter().map(|point| i64::from(point[axis])).sum();
                if !members.is_empty() {
                    centroid.place[axis] = (sum * 16 / members.len() as i64) as i32;
                }
            }
        }
    }
    (nearest, centroids)
}
