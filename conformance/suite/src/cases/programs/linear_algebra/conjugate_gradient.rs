//! Conjugate gradients on a Poisson problem whose solution is known.

use crate::compare::{Tolerance, close};
use anyhow::{Result, ensure};
use bytemuck::{Pod, Zeroable};
use harness::random::Random;
use harness::session::{Argument, Session};

const WIDTH: usize = 48;
const ROWS: usize = WIDTH * WIDTH;
const GROUP: usize = 64;
const PARTS: usize = ROWS / GROUP;
const ITERATIONS: usize = 200;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Scalars {
    residual: f64,
    alpha: f64,
    beta: f64,
}

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(30);
    let solution: Vec<f64> = (0..ROWS).map(|_| random.double(-1.0, 1.0)).collect();
    // Five diagonals of -1, 4 and a bit, -1; column -1 where there is no neighbour.
    let (mut columns, mut values) = (vec![-1i32; 5 * ROWS], vec![0.0f64; 5 * ROWS]);
    let mut right_side = vec![0.0; ROWS];
    for row in 0..ROWS {
        let (x, y) = (row % WIDTH, row / WIDTH);
        let neighbours = [
            Some(row),
            (x > 0).then(|| row - 1),
            (x + 1 < WIDTH).then(|| row + 1),
            (y > 0).then(|| row - WIDTH),
            (y + 1 < WIDTH).then(|| row + WIDTH),
        ];
        for (i, neighbour) in neighbours.into_iter().enumerate() {
            let Some(column) = neighbour else { continue };
            let value = if i == 0 { 4.125 } else { -1.0 };
            columns[i * ROWS + row] = column as i32;
            values[i * ROWS + row] = value;
            right_side[row] += value * solution[column];
        }
    }
    let options = format!("-D GROUP={GROUP} -D WIDE=5");
    let program = session.program(include_str!("conjugate_gradient.cl"), &options)?;
    let (multiply, improve) = (program.kernel("multiply")?, program.kernel("improve")?);
    let (set_alpha, set_beta) = (program.kernel("set_alpha")?, program.kernel("set_beta")?);
    let turn = program.kernel("turn")?;
    let (columns, values) = (session.buffer(&columns)?, session.buffer(&values)?);
    let (r, p) = (session.buffer(&right_side)?, session.buffer(&right_side)?);
    let (x, q) = (session.zeros::<f64>(ROWS)?, session.zeros::<f64>(ROWS)?);
    let parts = session.zeros::<f64>(PARTS)?;
    let scalars = session.buffer(&[Scalars {
        residual: right_side.iter().map(|value| value * value).sum(),
        alpha: 0.0,
        beta: 0.0,
    }])?;
    let (rows, group, count) = (&[ROWS], &[GROUP], PARTS as u32);
    for _ in 0..ITERATIONS {
        let arguments: [&dyn Argument; 5] = [&columns, &values, &p, &q, &parts];
        session.run(&multiply, rows, group, &arguments)?;
        session.run(&set_alpha, group, group, &[&parts, &count, &scalars])?;
        let arguments: [&dyn Argument; 6] = [&scalars, &p, &q, &x, &r, &parts];
        session.run(&improve, rows, group, &arguments)?;
        session.run(&set_beta, group, group, &[&parts, &count, &scalars])?;
        session.run(&turn, rows, group, &[&scalars, &r, &p])?;
        if session.read(&scalars)?[0].residual < 1e-24 {
            break;
        }
    }
    let residual = session.read(&scalars)?[0].residual;
    ensure!(residual < 1e-24, "the residual is still {residual:e}");
    // The smallest eigenvalue is above 1/8, so an error is at most 8 times the residual,
    // 8 * 1e-12, and its rounding.
    close(
        "solution",
        &session.read(&x)?,
        &solution,
        Tolerance::absolute(1e-11),
    )
}
