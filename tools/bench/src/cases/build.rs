//! From source to the end of the first launch.

use super::{Case, Category, source};
use crate::opencl::{Local, Session};
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};
use growth::Shape;
use large_program::LargeProgram;
use std::time::{Instant, SystemTime};

mod growth;
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
    Case {
        name: "compile-ifs-500",
        what: "cold: a kernel of 500 conditional statements, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::Ifs, mode.size(500, 50)),
    },
    Case {
        name: "compile-ifs-5k",
        what: "cold: a kernel of 5,000 conditional statements, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::Ifs, mode.size(5_000, 50)),
    },
    Case {
        name: "compile-ifs-50k",
        what: "cold: a kernel of 50,000 conditional statements, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::Ifs, mode.size(50_000, 50)),
    },
    Case {
        name: "compile-statements-500",
        what: "cold: a kernel of 500 assignments, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::Statements, mode.size(500, 50)),
    },
    Case {
        name: "compile-statements-5k",
        what: "cold: a kernel of 5,000 assignments, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::Statements, mode.size(5_000, 50)),
    },
    Case {
        name: "compile-statements-50k",
        what: "cold: a kernel of 50,000 assignments, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::Statements, mode.size(50_000, 50)),
    },
    Case {
        name: "compile-else-ifs-500",
        what: "cold: a kernel of 500 branches in chains of at most 5,000, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::ElseIfs, mode.size(500, 50)),
    },
    Case {
        name: "compile-else-ifs-5k",
        what: "cold: a kernel of 5,000 branches in chains of at most 5,000, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::ElseIfs, mode.size(5_000, 50)),
    },
    Case {
        name: "compile-else-ifs-50k",
        what: "cold: a kernel of 50,000 branches in chains of at most 5,000, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::ElseIfs, mode.size(50_000, 50)),
    },
    Case {
        name: "compile-calls-500",
        what: "cold: a kernel of 500 functions, each called by the next, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::Calls, mode.size(500, 50)),
    },
    Case {
        name: "compile-calls-5k",
        what: "cold: a kernel of 5,000 functions, each called by the next, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::Calls, mode.size(5_000, 50)),
    },
    Case {
        name: "compile-calls-50k",
        what: "cold: a kernel of 50,000 functions, each called by the next, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::Calls, mode.size(50_000, 50)),
    },
    Case {
        name: "compile-barriers-500",
        what: "cold: a kernel of 500 lines with a barrier each, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::Barriers, mode.size(500, 50)),
    },
    Case {
        name: "compile-barriers-5k",
        what: "cold: a kernel of 5,000 lines with a barrier each, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::Barriers, mode.size(5_000, 50)),
    },
    Case {
        name: "compile-barriers-50k",
        what: "cold: a kernel of 50,000 lines with a barrier each, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::Barriers, mode.size(50_000, 50)),
    },
    Case {
        name: "compile-conditional-barriers-500",
        what: "cold: a kernel of 500 lines with a conditional barrier each, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::ConditionalBarriers, mode.size(500, 50)),
    },
    Case {
        name: "compile-conditional-barriers-5k",
        what: "cold: a kernel of 5,000 lines with a conditional barrier each, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::ConditionalBarriers, mode.size(5_000, 50)),
    },
    Case {
        name: "compile-conditional-barriers-50k",
        what: "cold: a kernel of 50,000 lines with a conditional barrier each, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::ConditionalBarriers, mode.size(50_000, 50)),
    },
    Case {
        name: "compile-switch-500",
        what: "cold: a kernel of 500 cases of a switch, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::Switch, mode.size(500, 50)),
    },
    Case {
        name: "compile-switch-5k",
        what: "cold: a kernel of 5,000 cases of a switch, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::Switch, mode.size(5_000, 50)),
    },
    Case {
        name: "compile-switch-50k",
        what: "cold: a kernel of 50,000 cases of a switch, to the end of the first launch",
        category: Category::Growth,
        measure: |mode| grown(Shape::Switch, mode.size(50_000, 50)),
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

fn grown(shape: Shape, lines: usize) -> Result<Measurement> {
    const LOCAL_SIZE: usize = 64;
    let session = Session::open()?;
    let numbers = session.buffer(&[0i32; LOCAL_SIZE])?;
    let source = unseen(&growth::source(shape, lines));
    let start = Instant::now();
    let kernel = session.kernel(&source, "grown")?;
    kernel.set(&[&numbers, &Local::new::<i32>(LOCAL_SIZE)])?;
    session.run(&kernel, &[LOCAL_SIZE], Some(&[LOCAL_SIZE]))?;
    Ok(Measurement::time(start.elapsed().as_nanos() as f64))
}
