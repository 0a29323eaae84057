//! From source to the end of the first launch.

use super::{Case, Category, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};
use large_program::LargeProgram;
use std::time::{Instant, SystemTime};

mod large_program;

pub const CASES: &[Case] = &[
    Case {
        name: "build",
        what: "cold: clBuildProgram to the end of the first launch",
        category: Category::ColdBuild,
        measure: |_| small(unseen),
    },
    Case {
        name: "build-again",
        what: "the same in a second process, caches on",
        category: Category::CachedBuild,
        measure: |_: Mode| small(str::to_owned),
    },
    Case {
        name: "build-large",
        what: "cold: 1,000 lines, 32 functions and 20 kernels, to the end of the first launch",
        category: Category::ColdBuild,
        measure: |_| large(unseen, 1),
    },
    Case {
        name: "build-large-again",
        what: "the same in a second process, caches on",
        category: Category::CachedBuild,
        measure: |_| large(str::to_owned, 1),
    },
    Case {
        name: "build-large-all",
        what: "cold: 1,000 lines, until each of the 20 kernels has been launched",
        category: Category::ColdBuild,
        measure: |_| large(unseen, LargeProgram::KERNELS),
    },
    Case {
        name: "build-large-all-again",
        what: "the same in a second process, caches on",
        category: Category::CachedBuild,
        measure: |_| large(str::to_owned, LargeProgram::KERNELS),
    },
];

/// A source that no cache has seen.
fn unseen(source: &str) -> String {
    let time = SystemTime::now();
    format!("// {time:?}\n{source}")
}

fn small(edit: fn(&str) -> String) -> Result<Measurement> {
    const COUNT: usize = 1024;
    let session = Session::open()?;
    let ones = session.buffer(&[1.0f32; COUNT])?;
    let sums = session.buffer(&[0.0f32; COUNT])?;
    let source = edit(source!("small.cl"));
    let start = Instant::now();
    let kernel = session.kernel(&source, "add")?;
    kernel.set(&[&ones, &ones, &sums])?;
    session.run(&kernel, &[COUNT], Some(&[64]))?;
    let time = start.elapsed().as_nanos() as f64;
    let sums = session.read(&sums)?;
    ensure!(sums.iter().all(|sum| *sum == 2.0), "wrong sums");
    Ok(Measurement::time(time))
}

fn large(edit: fn(&str) -> String, launched: usize) -> Result<Measurement> {
    const ROUNDS: u32 = 3;
    let session = Session::open()?;
    let program = LargeProgram::new();
    let input: Vec<u32> = (0..1024u32).map(|i| i.wrapping_mul(0x9E37_79B9)).collect();
    let from = session.buffer(&input)?;
    let outputs = (0..launched)
        .map(|_| session.unwritten::<u32>(input.len()))
        .collect::<Result<Vec<_>>>()?;
    let source = edit(&program.source());
    let start = Instant::now();
    let built = session.program(&source, "")?;
    for (number, to) in outputs.iter().enumerate() {
        let kernel = built.kernel(&LargeProgram::kernel_name(number))?;
        kernel.set(&[&from, to, &ROUNDS])?;
        session.enqueue(&kernel, &[input.len()], Some(&[LargeProgram::LOCAL_SIZE]))?;
    }
    session.finish()?;
    let time = start.elapsed().as_nanos() as f64;
    for (number, to) in outputs.iter().enumerate() {
        let expected = program.expected(number, &input, ROUNDS);
        ensure!(session.read(to)? == expected, "wrong output of {number}");
    }
    Ok(Measurement::time(time))
}
