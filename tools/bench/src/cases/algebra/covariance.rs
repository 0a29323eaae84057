//! Covariances and correlations of a matrix's columns.

use super::{Case, Category, ensure_each_close, floats, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode, Work};
use anyhow::Result;

pub const CASES: &[Case] = &[
    Case {
        name: "covariance",
        what: "512 columns of 512 floats, 3 launches, a row of the result per work-item",
        category: Category::Kernel,
        measure: covariance,
    },
    Case {
        name: "correlation",
        what: "512 columns of 512 floats, 4 launches, 32 x 8",
        category: Category::Kernel,
        measure: correlation,
    },
];

const SOURCE: &str = source!("algebra/covariance.cl");
const SMALL: f32 = 0.005;

fn covariance(mode: Mode) -> Result<Measurement> {
    let size = mode.size(512, 64);
    let session = Session::open()?;
    let program = session.program(SOURCE, "")?;
    let (mean, centre) = (program.kernel("mean")?, program.kernel("centre")?);
    let covariance = program.kernel("covariance")?;
    let data = floats(1, size * size, -1.0..3.0);
    let buffer = session.buffer(&data)?;
    let means = session.unwritten::<f32>(size)?;
    let result = session.unwritten::<f32>(size * size)?;
    let side = size as i32;
    mean.set(&[&buffer, &means, &side, &side])?;
    centre.set(&[&buffer, &means, &side, &side])?;
    covariance.set(&[&buffer, &result, &side, &side])?;
    let time = mode.time_after(
        || session.write(&buffer, &data),
        || {
            session.enqueue(&mean, &[size], Some(&[32]))?;
            session.enqueue(&centre, &[size, size], Some(&[32, 8]))?;
            session.run(&covariance, &[size], Some(&[32]))
        },
    )?;
    let columns = centred_columns(&data, size);
    ensure_each_close(&session.read(&result)?, 37, (1.0, 1e-5), |element| {
        dot(&columns[element / size], &columns[element % size]) / (size as f64 - 1.0)
    })?;
    // The products of each pair of columns once.
    Ok(time.with_work(Work::Float((size * size * (size + 1)) as f64)))
}

fn correlation(mode: Mode) -> Result<Measurement> {
    let size = mode.size(512, 64);
    let session = Session::open()?;
    let program = session.program(SOURCE, "")?;
    let (mean, deviation) = (program.kernel("mean")?, program.kernel("deviation")?);
    let standardise = program.kernel("standardise")?;
    let correlation = program.kernel("correlation")?;
    let data = floats(1, size * size, -1.0..3.0);
    let buffer = session.buffer(&data)?;
    let means = session.unwritten::<f32>(size)?;
    let deviations = session.unwritten::<f32>(size)?;
    let result = session.unwritten::<f32>(size * size)?;
    let side = size as i32;
    mean.set(&[&buffer, &means, &side, &side])?;
    deviation.set(&[&buffer, &means, &deviations, &SMALL, &side, &side])?;
    standardise.set(&[&buffer, &means, &deviations, &side, &side])?;
    correlation.set(&[&buffer, &result, &side, &side])?;
    let time = mode.time_after(
        || session.write(&buffer, &data),
        || {
            session.enqueue(&mean, &[size], Some(&[32]))?;
            session.enqueue(&deviation, &[size], Some(&[32]))?;
            session.enqueue(&standardise, &[size, size], Some(&[32, 8]))?;
            session.run(&correlation, &[size, size], Some(&[32, 8]))
        },
    )?;
    let columns = centred_columns(&data, size);
    ensure_each_close(&session.read(&result)?, 37, (1.0, 1e-5), |element| {
        let (x, y) = (&columns[element / size], &columns[element % size]);
        dot(x, y) / (dot(x, x) * dot(y, y)).sqrt()
    })?;
    Ok(time.with_work(Work::Float(2.0 * (size as f64).powi(3))))
}

/// The columns without their means.
fn centred_columns(data: &[f32], size: usize) -> Vec<Vec<f64>> {
    (0..size)
        .map(|column| {
            let column = data[column..].iter().step_by(size);
            let mean = column.clone().map(|x| f64::from(*x)).sum::<f64>() / size as f64;
            column.map(|x| f64::from(*x) - mean).collect()
        })
        .collect()
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}
