//! Lid-driven cavity by the lattice Boltzmann method, against the same method in doubles
//! that pushes instead of pulling.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use harness::session::Session;

const WIDTH: usize = 96;
const HEIGHT: usize = 40;
const STEPS: usize = 60;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Flow {
    width: i32,
    height: i32,
    omega: f32,
    lid: f32,
}

pub fn run(session: &Session) -> Result<()> {
    let flow = Flow {
        width: WIDTH as i32,
        height: HEIGHT as i32,
        omega: 1.25,
        lid: 0.0625,
    };
    let program = session.program(include_str!("lattice_boltzmann.cl"), "")?;
    let mut from = session.zeros::<f32>(9 * WIDTH * HEIGHT)?;
    let mut to = session.zeros::<f32>(9 * WIDTH * HEIGHT)?;
    let speed = session.zeros::<f32>(WIDTH * HEIGHT)?;
    let grid = &[WIDTH, HEIGHT];
    session.run(&program.kernel("at_rest")?, grid, &[], &[&from, &flow])?;
    let step = program.kernel("advance")?;
    for _ in 0..STEPS {
        session.run(&step, grid, &[16, 8], &[&from, &to, &flow, &speed])?;
        std::mem::swap(&mut from, &mut to);
    }
    // Velocities stay below the lid's 1/16. Each step rounds populations of up to 4/9 to
    // 2^-24 of that, some 3e-8, and the errors of 60 steps and 9 directions add up to at
    // most 60 * 9 * 3e-8 = 2e-5.
    let expected = speeds(f64::from(flow.omega), f64::from(flow.lid));
    close(
        "speed",
        &session.read(&speed)?,
        &expected,
        Tolerance::absolute(2e-5),
    )
}

/// Speeds before the last relaxation, which keeps them.
fn speeds(omega: f64, lid: f64) -> Vec<f64> {
    let mut moves = Vec::new();
    for y in -1i32..=1 {
        for x in -1i32..=1 {
            let weight = [4.0 / 9.0, 1.0 / 9.0, 1.0 / 36.0][(x.abs() + y.abs()) as usize];
            moves.push((x, y, weight));
        }
    }
    let cell = |x: usize, y: usize, q: usize| (y * WIDTH + x) * 9 + q;
    let mut now = vec![0.0; 9 * WIDTH * HEIGHT];
    for (index, population) in now.iter_mut().enumerate() {
        *population = moves[index % 9].2;
    }
    let mut speeds = vec![0.0; WIDTH * HEIGHT];
    for _ in 0..STEPS {
        let mut next = vec![0.0; now.len()];
        for (y, x) in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (y, x))) {
            for (q, &(dx, dy, weight)) in moves.iter().enumerate() {
                let (to_x, to_y) = (x as i32 + dx, y as i32 + dy);
                let population = now[cell(x, y, q)];
                let inside =
                    (0..WIDTH as i32).contains(&to_x) && (0..HEIGHT as i32).contains(&to_y);
                if inside {
                    next[cell(to_x as usize, to_y as usize, q)] = population;
                } else {
                    // Moves are listed so that the opposite one is at 8 - q.
                    let pushed = if to_y >= HEIGHT as i32 {
                        6.0 * weight * f64::from(dx) * lid
                    } else {
                        0.0
                    };
                    next[cell(x, y, 8 - q)] = population - pushed;
                }
            }
        }
        for (place, populations) in next.chunks_mut(9).enumerate() {
            let density: f64 = populations.iter().sum();
            let along = |pick: fn(&(i32, i32, f64)) -> i32| -> f64 {
                let sum = populations.iter().zip(&moves);
                sum.map(|(p, m)| p * f64::from(pick(m))).sum::<f64>() / density
            };
            let (u, v) = (along(|m| m.0), along(|m| m.1));
            speeds[place] = u.hypot(v);
            for (population, &(dx, dy, weight)) in populations.iter_mut().zip(&moves) {
                let e = f64::from(dx) * u + f64::from(dy) * v;
                let square = u * u + v * v;
                let rest = weight * density * (1.0 + 3.0 * e + 4.5 * e * e - 1.5 * square);
                *population += omega * (rest - *population);
            }
        }
        now = next;
    }
    speeds
}
