//! Forces of neighbours that lists name.

use super::{Case, Category, ensure_close, floats, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::Result;

pub const CASES: &[Case] = &[
    Case {
        name: "md-lj",
        what: "32 Ki atoms with 63 neighbours each in lists, cutoff",
        category: Category::Kernel,
        measure: lennard_jones,
    },
    Case {
        name: "lavamd",
        what: "216 boxes of 100 particles, up to 27 neighbours in lists, exp",
        category: Category::Kernel,
        measure: lavamd,
    },
];

const SOURCE: &str = source!("particles/lists.cl");

/// Places in a cube of `side` cells, and their indices.
fn cells(side: usize) -> impl Iterator<Item = [usize; 3]> + Clone {
    (0..side * side * side).map(move |i| [i % side, i / side % side, i / side / side])
}

fn index([x, y, z]: [usize; 3], side: usize) -> usize {
    (z * side + y) * side + x
}

fn lennard_jones(mode: Mode) -> Result<Measurement> {
    const CUTOFF: f32 = 5.0;
    const REPULSION: f32 = 1.5;
    const ATTRACTION: f32 = 2.0;
    let side = mode.size(32, 8);
    let atoms = side * side * side;
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "lennard_jones")?;
    // A lattice with some disorder. Neighbours beyond the edge are those at the other one, which
    // are not within the cutoff.
    let disorder = floats(1, 3 * atoms, -0.1..0.1);
    let positions: Vec<[f32; 4]> = cells(side)
        .zip(disorder.chunks_exact(3))
        .map(|([x, y, z], d)| [x as f32 + d[0], y as f32 + d[1], z as f32 + d[2], 0.0])
        .collect();
    let offsets: Vec<[usize; 3]> = cells(4).filter(|offset| *offset != [1, 1, 1]).collect();
    let neighbour = |cell: [usize; 3], offset: [usize; 3]| -> usize {
        let place = |axis: usize| (cell[axis] + offset[axis] + side - 1) % side;
        index([place(0), place(1), place(2)], side)
    };
    let lists: Vec<i32> = offsets
        .iter()
        .flat_map(|offset| cells(side).map(|cell| neighbour(cell, *offset) as i32))
        .collect();
    let (buffer, of_lists) = (session.buffer(&positions)?, session.buffer(&lists)?);
    let forces = session.unwritten::<[f32; 4]>(atoms)?;
    kernel.set(&[
        &buffer,
        &forces,
        &of_lists,
        &(offsets.len() as i32),
        &(atoms as i32),
        &CUTOFF,
        &REPULSION,
        &ATTRACTION,
    ])?;
    let time = mode.time(|| session.run(&kernel, &[atoms], Some(&[64])))?;
    let forces = session.read(&forces)?;
    for atom in (0..atoms).step_by(mode.size(17, 1)) {
        let mut force = [0.0f64; 3];
        for list in lists.chunks_exact(atoms) {
            let other = positions[list[atom] as usize];
            let d: [f64; 3] =
                std::array::from_fn(|i| f64::from(positions[atom][i]) - f64::from(other[i]));
            let squared: f64 = d.iter().map(|d| d * d).sum();
            if squared < f64::from(CUTOFF) {
                let sixth = squared.powi(-3);
                let strength =
                    sixth / squared * (f64::from(REPULSION) * sixth - f64::from(ATTRACTION));
                for (force, d) in force.iter_mut().zip(d) {
                    *force += d * strength;
                }
            }
        }
        for (result, expected) in forces[atom].into_iter().zip(force) {
            // Forces of single neighbours are of that order.
            ensure_close(result, expected, 10.0, 1e-5)?;
        }
    }
    Ok(time)
}

fn lavamd(mode: Mode) -> Result<Measurement> {
    const IN_BOX: usize = 100;
    const GROUP: usize = 128;
    const ALPHA: f32 = 0.5;
    let side = mode.size(6, 2);
    let boxes = side * side * side;
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "boxes")?;
    let places = floats(1, 3 * boxes * IN_BOX, 0.1..1.0);
    let positions: Vec<[f32; 4]> = places
        .chunks_exact(3)
        .map(|p| [p[0], p[1], p[2], 0.5 * p.iter().map(|x| x * x).sum::<f32>()])
        .collect();
    let charges = floats(2, positions.len(), 0.1..1.0);
    let (mut counts, mut lists) = (Vec::new(), Vec::new());
    for home in cells(side) {
        let near = |cell: &[usize; 3]| (0..3).all(|axis| cell[axis].abs_diff(home[axis]) <= 1);
        let neighbours: Vec<i32> = cells(side)
            .filter(near)
            .map(|cell| index(cell, side) as i32)
            .collect();
        counts.push(neighbours.len() as i32);
        lists.extend(neighbours);
        lists.resize(27 * counts.len(), -1);
    }
    let of_positions = session.buffer(&positions)?;
    let of_charges = session.buffer(&charges)?;
    let (of_counts, of_lists) = (session.buffer(&counts)?, session.buffer(&lists)?);
    let zeros = vec![[0.0f32; 4]; positions.len()];
    let results = session.buffer(&zeros)?;
    kernel.set(&[
        &of_positions,
        &of_charges,
        &of_counts,
        &of_lists,
        &results,
        &ALPHA,
    ])?;
    let time = mode.time_after(
        || session.write(&results, &zeros),
        || session.run(&kernel, &[boxes * GROUP], Some(&[GROUP])),
    )?;
    let results = session.read(&results)?;
    for particle in (0..positions.len()).step_by(29) {
        let home = particle / IN_BOX;
        let mut sum = [0.0f64; 4];
        for neighbour in &lists[27 * home..][..counts[home] as usize] {
            let first = *neighbour as usize * IN_BOX;
            let others = positions[first..].iter().zip(&charges[first..]);
            for (other, charge) in others.take(IN_BOX) {
                let [a, b] = [&positions[particle], other].map(|p| p.map(f64::from));
                let charge = f64::from(*charge);
                let product = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
                let potential = (-2.0 * f64::from(ALPHA) * (a[3] + b[3] - product)).exp();
                for axis in 0..3 {
                    sum[axis] += 2.0 * potential * charge * (a[axis] - b[axis]);
                }
                sum[3] += charge * potential;
            }
        }
        for (result, expected) in results[particle].into_iter().zip(sum) {
            // The sums of several hundred particles.
            ensure_close(result, expected, 100.0, 1e-5)?;
        }
    }
    Ok(time)
}
