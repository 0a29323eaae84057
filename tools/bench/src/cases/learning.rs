//! Networks and clusters.

use super::{Case, Category, ensure_each, ensure_each_close, floats, integers, source};
use crate::opencl::{Local, Session};
use crate::timing::{Measurement, Mode, Work};
use anyhow::Result;

pub const CASES: &[Case] = &[
    Case {
        name: "backprop",
        what: "a layer of 512 Ki inputs and 16 outputs, tree in local memory, 2 launches",
        category: Category::Kernel,
        measure: backprop,
    },
    Case {
        name: "streamcluster",
        what: "gain of a centre for 256 Ki points of 32 dimensions",
        category: Category::Kernel,
        measure: streamcluster,
    },
];

const SOURCE: &str = source!("learning/layers.cl");

fn backprop(mode: Mode) -> Result<Measurement> {
    const SIDE: usize = 16;
    const ROW: usize = SIDE + 1;
    const RATE: f32 = 0.25;
    const MOMENTUM: f32 = 0.5;
    let count = mode.size(512 << 10, 256);
    let session = Session::open()?;
    let program = session.program(SOURCE, "")?;
    let (forward, adjust) = (program.kernel("forward")?, program.kernel("adjust")?);
    // Integers and powers of two, so that the results are exact.
    let (inputs, errors) = (integers(1, count + 1), integers(2, ROW));
    let (weights, steps) = (
        integers(3, (count + 1) * ROW),
        integers(4, (count + 1) * ROW),
    );
    let (of_inputs, of_errors) = (session.buffer(&inputs)?, session.buffer(&errors)?);
    let (of_weights, of_steps) = (session.buffer(&weights)?, session.buffer(&steps)?);
    let sums = session.unwritten::<f32>(count)?;
    forward.set(&[&of_inputs, &of_weights, &sums])?;
    adjust.set(&[
        &of_errors,
        &of_inputs,
        &of_weights,
        &of_steps,
        &RATE,
        &MOMENTUM,
    ])?;
    let time = mode.time_after(
        || {
            session.write(&of_weights, &weights)?;
            session.write(&of_steps, &steps)
        },
        || {
            session.enqueue(&forward, &[SIDE, count], Some(&[SIDE, SIDE]))?;
            session.run(&adjust, &[SIDE, count], Some(&[SIDE, SIDE]))
        },
    )?;
    ensure_each(&session.read(&sums)?, 1, |i| {
        let (group, x) = (i / SIDE, i % SIDE);
        let rows = group * SIDE + 1..=(group + 1) * SIDE;
        rows.map(|row| weights[row * ROW + x + 1] * inputs[row])
            .sum()
    })?;
    ensure_each(&session.read(&of_weights)?, 1, |i| {
        match (i / ROW, i % ROW) {
            (_, 0) => weights[i],
            (0, x) => weights[i] + RATE * errors[x] + MOMENTUM * steps[i],
            (row, x) => weights[i] + RATE * errors[x] * inputs[row] + MOMENTUM * steps[i],
        }
    })?;
    // Weights three times, steps twice.
    Ok(time.with_work(Work::Bytes((5 * size_of_val(&*weights)) as f64)))
}

fn streamcluster(mode: Mode) -> Result<Measurement> {
    const DIMENSIONS: usize = 32;
    const CENTRES: usize = 8;
    const WIDTH: usize = CENTRES + 1;
    let points = mode.size(256 << 10, 1 << 10);
    let chosen = points / 3;
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "gain")?;
    let coordinates = floats(1, DIMENSIONS * points, 0.0..1.0);
    let (weights, costs) = (floats(2, points, 0.5..2.0), floats(3, points, 0.0..10.0));
    let centres: Vec<i32> = (0..points).map(|i| (i * i % CENTRES) as i32 * 5).collect();
    let columns: Vec<i32> = (0..CENTRES as i32 * 5).map(|i| i / 5).collect();
    let (buffer, of_weights) = (session.buffer(&coordinates)?, session.buffer(&weights)?);
    let (of_costs, of_centres) = (session.buffer(&costs)?, session.buffer(&centres)?);
    let of_columns = session.buffer(&columns)?;
    let (no_gains, unmoved) = (vec![0.0f32; points * WIDTH], vec![0u8; points]);
    let (table, moved) = (session.buffer(&no_gains)?, session.buffer(&unmoved)?);
    kernel.set(&[
        &buffer,
        &of_weights,
        &of_costs,
        &of_centres,
        &of_columns,
        &table,
        &moved,
        &Local::new::<f32>(DIMENSIONS),
        &(points as i32),
        &(DIMENSIONS as i32),
        &(chosen as i32),
        &(WIDTH as i32),
    ])?;
    let time = mode.time_after(
        || {
            session.write(&table, &no_gains)?;
            session.write(&moved, &unmoved)
        },
        || session.run(&kernel, &[points], Some(&[256])),
    )?;
    let gains: Vec<f64> = (0..points)
        .map(|point| {
            let places = (0..DIMENSIONS).map(|i| &coordinates[i * points..][..points]);
            let squares = places.map(|p| (f64::from(p[point]) - f64::from(p[chosen])).powi(2));
            squares.sum::<f64>() * f64::from(weights[point]) - f64::from(costs[point])
        })
        .collect();
    ensure_each(&session.read(&moved)?, 1, |i| u8::from(gains[i] < 0.0))?;
    ensure_each_close(&session.read(&table)?, 1, (1.0, 1e-5), |i| {
        let (point, column) = (i / WIDTH, i % WIDTH);
        let own = match gains[point] < 0.0 {
            true => CENTRES,
            false => columns[centres[point] as usize] as usize,
        };
        if own != column {
            return 0.0;
        }
        if own == CENTRES {
            gains[point]
        } else {
            -gains[point]
        }
    })?;
    Ok(time.with_work(Work::Bytes(size_of_val(&*coordinates) as f64)))
}
