//! Measurements on the simulated machine. Each runs in its own process, since the machine file and
//! the placement of stack and code are fixed per process.

use crate::by_hand;
use crate::conditions::{ARRAYS, in_order};
use anyhow::{Context, Result, bail, ensure};
use bench::opencl::{Argument, Event, Kernel, Session};
use device_sim::machine::Machine;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::process::Command;

/// A measurement. Its results are simulated times, ns.
#[derive(Debug, Serialize, Deserialize)]
pub enum Measurement {
    /// A kernel of `gemm.cl`, from START to END.
    Gemm {
        kernel: String,
        size: usize,
        tile: Tile,
    },
    /// An empty kernel on 1 to 24 arrays, from SUBMIT to END.
    Launches,
    /// `vector_add.cl`, from START to END.
    VectorAdd,
    /// A kernel of `blocks.cl`, from START to END.
    Blocks { kernel: String },
    /// Writes of that many vectors of 256 bytes to a buffer, one after the other. Their times are
    /// those that `mocl3 stat` shows; none is returned.
    Writes { vectors: Vec<usize> },
    /// `sad.cl`, from START to END.
    AbsoluteDifferences,
    /// Products of square matrices of doubles on the accelerators of the machine `mma`, from the first START
    /// to the last END.
    Products { rows: usize, tasks: usize },
    /// The kernels of `by_hand.cl`, with the smaller or the larger number of what they count.
    ByHand { is_large: bool },
}

/// Sizes of the work-groups and tiles of a matrix product.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Tile {
    /// Columns of the product that a group computes.
    pub columns: usize,
    /// Its rows.
    pub rows: usize,
    /// Elements of each sum that are added from one pair of tiles.
    pub depth: usize,
}

impl Measurement {
    /// The arguments with which this program takes the measurement.
    ///
    /// # Errors
    /// The path of this program is unknown.
    pub fn arguments(&self) -> Result<[OsString; 3]> {
        Ok([
            std::env::current_exe()?.into(),
            "--measure".into(),
            serde_json::to_string(self)?.into(),
        ])
    }

    /// Takes the measurement in a new process with these environment variables.
    ///
    /// # Errors
    /// The process failed; the error contains its output.
    pub fn run(&self, variables: &[(&str, &str)]) -> Result<Vec<u64>> {
        let [program, arguments @ ..] = self.arguments()?;
        let mut command = Command::new(program);
        in_order(&mut command)
            .args(arguments)
            .envs(variables.iter().copied());
        let output = command.output()?;
        if !output.status.success() {
            bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
        }
        let text = String::from_utf8_lossy(&output.stdout);
        // A line per measurement shows the progress.
        eprintln!("{:?} ns: {}", self, text.trim());
        serde_json::from_str(&text).with_context(|| format!("no measurement: {text}"))
    }

    /// Takes the measurement in this process.
    ///
    /// # Errors
    /// The platform's errors, or wrong results.
    pub fn here(&self) -> Result<Vec<u64>> {
        let session = match self {
            Self::Products { .. } => Session::open_custom()?,
            _ => Session::open_profiled()?,
        };
        match self {
            Self::Products { rows, tasks } => Ok(vec![products(&session, *rows, *tasks)?]),
            Self::Gemm { kernel, size, tile } => Ok(vec![gemm(&session, kernel, *size, *tile)?]),
            Self::Launches => launches(&session),
            Self::VectorAdd => Ok(vec![vector_add(&session)?]),
            Self::Blocks { kernel } => Ok(vec![blocks(&session, kernel)?]),
            Self::Writes { vectors } => writes(&session, vectors),
            Self::AbsoluteDifferences => Ok(vec![absolute_differences(&session)?]),
            Self::ByHand { is_large } => by_hand(&session, *is_large),
        }
    }
}

/// Launches a kernel.
fn launch(
    session: &Session,
    kernel: &Kernel,
    arguments: &[&dyn Argument],
    global: &[usize],
    local: &[usize],
) -> Result<Event> {
    kernel.set(arguments)?;
    session.enqueue_after(None, kernel, global, Some(local))
}

/// The time from START to END, ns.
fn duration(event: &Event) -> Result<u64> {
    let times = event.times()?;
    Ok(times.end - times.start)
}

fn gemm(session: &Session, kernel: &str, n: usize, tile: Tile) -> Result<u64> {
    let source = include_str!("../kernels/gemm.cl");
    let Tile {
        columns,
        rows,
        depth,
    } = tile;
    let options = format!("-DCOLUMNS={columns} -DROWS={rows} -DDEPTH={depth}");
    let program = session.program(source, &options)?;
    let kernel = program.kernel(kernel)?;
    // Integers, so that all results are exact.
    let a = |row: usize, column: usize| ((row * 7 + column * 3) % 11) as f64 - 5.0;
    let b = |row: usize, column: usize| ((row * 5 + column * 2) % 13) as f64 - 6.0;
    let matrix = |of: &dyn Fn(usize, usize) -> f64| {
        let all: Vec<f64> = (0..n * n).map(|at| of(at / n, at % n)).collect();
        session.buffer(&all)
    };
    let (of_a, of_b) = (matrix(&a)?, matrix(&b)?);
    let of_c = session.unwritten::<f64>(n * n)?;
    let event = launch(
        session,
        &kernel,
        &[&i32::try_from(n)?, &of_a, &of_b, &of_c],
        &[n, n],
        &[columns, rows],
    )?;
    let time = duration(&event)?;
    let c = session.read(&of_c)?;
    // Each row and column is checked once.
    for i in 0..n {
        let (row, column) = (i, (i * 3 + 1) % n);
        let expected: f64 = (0..n).map(|k| a(row, k) * b(k, column)).sum();
        ensure!(
            c[row * n + column] == expected,
            "row {row}, column {column} of the product is wrong"
        );
    }
    Ok(time)
}

fn products(session: &Session, rows: usize, tasks: usize) -> Result<u64> {
    let kernel = session.built_in_kernel("matrix_multiply")?;
    // Whole numbers: products and sums are exact.
    let element = |matrix: usize, place: usize| ((matrix * 7919 + place * 31) % 17) as f64 - 8.0;
    let size = u32::try_from(rows)?;
    let mut started = Vec::new();
    for task in 0..tasks {
        let matrix = |number: usize| {
            let all: Vec<f64> = (0..rows * rows).map(|at| element(number, at)).collect();
            session.buffer(&all)
        };
        let (a, b) = (matrix(2 * task)?, matrix(2 * task + 1)?);
        let c = session.unwritten::<f64>(rows * rows)?;
        kernel.set(&[&a, &b, &c, &size, &size])?;
        let event = session.enqueue_after(None, &kernel, &[1], None)?;
        started.push((event, c));
    }
    session.finish()?;
    let mut during = [u64::MAX, 0];
    for (task, (event, c)) in started.iter().enumerate() {
        let times = event.times()?;
        during = [during[0].min(times.start), during[1].max(times.end)];
        let found = session.read(c)?;
        for row in 0..rows {
            let column = (row * 3 + 1) % rows;
            let product =
                |k| element(2 * task, row * rows + k) * element(2 * task + 1, k * rows + column);
            let expected: f64 = (0..rows).map(product).sum();
            ensure!(
                found[row * rows + column] == expected,
                "an element is wrong"
            );
        }
    }
    Ok(during[1] - during[0])
}

fn launches(session: &Session) -> Result<Vec<u64>> {
    let kernel = session.kernel(include_str!("../kernels/empty.cl"), "empty")?;
    (1..=ARRAYS)
        .map(|arrays| {
            let event = launch(session, &kernel, &[], &[arrays], &[1])?;
            let times = event.times()?;
            Ok(times.end - times.submit)
        })
        .collect()
}

fn vector_add(session: &Session) -> Result<u64> {
    const N: usize = ARRAYS * 64 * 1024;
    let kernel = session.kernel(include_str!("../kernels/vector_add.cl"), "vector_add")?;
    let a: Vec<f64> = (0..N).map(|i| i as f64).collect();
    let b: Vec<f64> = (0..N).map(|i| (i % 1000) as f64).collect();
    let (of_a, of_b) = (session.buffer(&a)?, session.buffer(&b)?);
    let of_c = session.unwritten::<f64>(N)?;
    let event = launch(
        session,
        &kernel,
        &[&i32::try_from(N)?, &of_a, &of_b, &of_c],
        &[ARRAYS],
        &[1],
    )?;
    let time = duration(&event)?;
    let c = session.read(&of_c)?;
    let mut sums = a.iter().zip(&b).map(|(a, b)| a + b);
    ensure!(c.iter().all(|c| sums.next() == Some(*c)), "a sum is wrong");
    Ok(time)
}

fn writes(session: &Session, vectors: &[usize]) -> Result<Vec<u64>> {
    /// Elements of a vector of the ConnexArray.
    const ELEMENTS: usize = 128;
    for &count in vectors {
        let elements: Vec<u16> = (0..count * ELEMENTS).map(|i| i as u16).collect();
        let buffer = session.unwritten::<u16>(elements.len())?;
        session.write(&buffer, &elements)?;
        ensure!(session.read(&buffer)? == elements, "a vector is wrong");
    }
    Ok(Vec::new())
}

fn absolute_differences(session: &Session) -> Result<u64> {
    /// Elements of a vector, vectors in the local store, and how often these are compared.
    const ELEMENTS: usize = 128;
    const VECTORS: usize = 30;
    const ROUNDS: usize = 100_000;
    let kernel = session.kernel(include_str!("../kernels/sad.cl"), "sad")?;
    let place = |i: usize| (i * 7919 % 10_007) as u16;
    let points: Vec<u16> = (0..ELEMENTS * VECTORS).map(place).collect();
    let of_points = session.buffer(&points)?;
    let of_sums = session.unwritten::<u16>(ELEMENTS)?;
    let event = launch(
        session,
        &kernel,
        &[&of_points, &of_sums, &i32::try_from(ROUNDS)?],
        &[ELEMENTS],
        &[ELEMENTS],
    )?;
    let time = duration(&event)?;
    let sums = session.read(&of_sums)?;
    for (lane, sum) in sums.iter().enumerate() {
        let mut expected = 0_u16;
        for round in 0..ROUNDS {
            let differences =
                (0..VECTORS).map(|vector| points[vector * ELEMENTS + lane].abs_diff(round as u16));
            expected = differences.fold(expected, u16::wrapping_add);
        }
        ensure!(*sum == expected, "the sum of lane {lane} is wrong");
    }
    Ok(time)
}

fn by_hand(session: &Session, is_large: bool) -> Result<Vec<u64>> {
    /// Bytes of the largest accesses.
    const BYTES: usize = 1 << 20;
    // A cycle of indices below 16, which all kernels may read as places.
    let places: Vec<u32> = (0..BYTES as u32 / 4)
        .map(|place| (place + 1) % 16)
        .collect();
    let program = session.program(include_str!("../kernels/by_hand.cl"), "")?;
    let machine = Machine::mt3000();
    let launches = by_hand::launches(&machine, is_large);
    let time = |launched: by_hand::Launch| {
        let kernel = program.kernel(launched.kernel)?;
        let buffer = session.buffer(&places)?;
        let event = launch(
            session,
            &kernel,
            &[&buffer, &i32::try_from(launched.n)?],
            &[launched.groups * launched.items],
            &[launched.items],
        )?;
        duration(&event)
    };
    launches.map(time).collect()
}

fn blocks(session: &Session, kernel: &str) -> Result<u64> {
    const BLOCK: usize = 256;
    const N: usize = ARRAYS * BLOCK * 256;
    let kernel = session.kernel(include_str!("../kernels/blocks.cl"), kernel)?;
    let x: Vec<f64> = (0..N).map(|i| (i % 997) as f64 / 997.0).collect();
    let of_x = session.buffer(&x)?;
    let of_y = session.unwritten::<f64>(N)?;
    let event = launch(
        session,
        &kernel,
        &[&i32::try_from(N)?, &of_x, &of_y],
        &[ARRAYS * BLOCK],
        &[BLOCK],
    )?;
    let time = duration(&event)?;
    let y = session.read(&of_y)?;
    let wrong = x.iter().zip(&y).find(|(x, y)| {
        let expected = series(**x);
        (**y - expected).abs() > 1e-12 * expected
    });
    ensure!(wrong.is_none(), "{wrong:?} is no pair of x and f(x)");
    Ok(time)
}

/// The host's version of `f` in `blocks.cl`.
fn series(mut x: f64) -> f64 {
    for _ in 0..20 {
        let mut sum = 1.0 / 40320.0;
        for divisor in [5040.0, 720.0, 120.0, 24.0, 6.0, 2.0, 1.0, 1.0] {
            sum = sum * x + 1.0 / divisor;
        }
        x = sum * 0.1;
    }
    x
}
