//! A chemical reaction in three dimensions, against doubles.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use harness::random::Random;
use harness::session::{Float2, Session};

const SIZE: [usize; 3] = [24, 20, 10];
const CELLS: usize = SIZE[0] * SIZE[1] * SIZE[2];
const STEPS: usize = 12;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(16))]
struct Reaction {
    size: [u32; 4],
    diffusion: [f32; 2],
    feed: f32,
    kill: f32,
    time_step: f32,
    unused: [u32; 3],
}

const REACTION: Reaction = Reaction {
    size: [SIZE[0] as u32, SIZE[1] as u32, SIZE[2] as u32, 0],
    diffusion: [0.125, 0.0625],
    feed: 0.035,
    kill: 0.06,
    time_step: 0.75,
    unused: [0; 3],
};

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(46);
    let start: Vec<Float2> = (0..CELLS)
        .map(|_| Float2([random.float(0.5, 1.0), random.float(0.0, 0.5)]))
        .collect();
    let program = session.program(include_str!("reaction_diffusion.cl"), "")?;
    let kernel = program.kernel("react")?;
    let reaction = session.buffer(&[REACTION])?;
    let mut from = session.buffer(&start)?;
    let mut to = session.zeros::<Float2>(CELLS)?;
    for _ in 0..STEPS {
        session.run(&kernel, &SIZE, &[8, 4, 2], &[&from, &to, &reaction])?;
        std::mem::swap(&mut from, &mut to);
    }

    let mut cells: Vec<[f64; 2]> = start.iter().map(|cell| cell.0.map(f64::from)).collect();
    let [width, height, depth] = SIZE;
    for _ in 0..STEPS {
        let mut next = Vec::with_capacity(CELLS);
        for place in 0..CELLS {
            let (x, y, z) = (
                place % width,
                place / width % height,
                place / width / height,
            );
            let at = |x: usize, y: usize, z: usize| {
                cells[(z % depth * height + y % height) * width + x % width]
            };
            let neighbours = [
                at(x + 1, y, z),
                at(x + width - 1, y, z),
                at(x, y + 1, z),
                at(x, y + height - 1, z),
                at(x, y, z + 1),
                at(x, y, z + depth - 1),
            ];
            let [u, v] = cells[place];
            let spread = |which: usize| {
                let sum: f64 = neighbours.iter().map(|cell| cell[which]).sum();
                f64::from(REACTION.diffusion[which]) * (sum - 6.0 * cells[place][which])
            };
            let (feed, kill) = (f64::from(REACTION.feed), f64::from(REACTION.kill));
            let step = f64::from(REACTION.time_step);
            next.push([
                u + step * (spread(0) + feed * (1.0 - u) - u * v * v),
                v + step * (spread(1) + u * v * v - (feed + kill) * v),
            ]);
        }
        cells = next;
    }
    let got: Vec<f32> = session
        .read(&from)?
        .iter()
        .flat_map(|cell| cell.0)
        .collect();
    // Ten roundings a step of values up to 6, weighted by 1/8: 12 * 10 * 6 / 8 * 2^-24,
    // and the reaction makes an error at most 1.75 times as large in a step, most of which
    // diffusion takes back; 4 times in all is ample for 12.
    close("cells", &got, &cells.concat(), Tolerance::absolute(2.2e-5))
}
