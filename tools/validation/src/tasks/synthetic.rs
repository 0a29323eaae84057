//! The nine synthetic benchmarks of section VI.C of the HTS paper.

use super::builder::{Benchmark, Builder};

/// Tasks of each function.
const TASKS: usize = 16;

/// Tasks of a chain.
const CHAIN: usize = 4;

/// Writes the program of a benchmark on these functions.
type Write = fn(&mut Builder, &[&str]);

/// The benchmarks on the functions of table II.
pub fn all(functions: &[&str]) -> Vec<Benchmark> {
    let programs: [(&str, Write); 9] = [
        ("no dependency", no_dependency),
        ("same dependency", same_dependency),
        ("different dependency", different_dependency),
        ("random dependency", random_dependency),
        ("loop, no dependency", |builder, functions| {
            iterate(builder, functions, false)
        }),
        ("loop, dependency", |builder, functions| {
            iterate(builder, functions, true)
        }),
        ("branch taken, no dependency", |builder, functions| {
            branch(builder, functions, true, false);
        }),
        ("branch not taken, no dependency", |builder, functions| {
            branch(builder, functions, false, false);
        }),
        ("branch taken, dependency", |builder, functions| {
            branch(builder, functions, true, true);
        }),
    ];
    let programs = programs.into_iter().map(|(name, write)| {
        let mut builder = Builder::default();
        write(&mut builder, functions);
        Benchmark {
            name: name.to_owned(),
            source: builder.finish(),
        }
    });
    programs.collect()
}

fn no_dependency(builder: &mut Builder, functions: &[&str]) {
    for _ in 0..TASKS {
        for &function in functions {
            builder.independent(function);
        }
    }
}

/// Chains of tasks of one function.
fn same_dependency(builder: &mut Builder, functions: &[&str]) {
    for _ in 0..TASKS / CHAIN {
        for &function in functions {
            let mut region = builder.region();
            for _ in 0..CHAIN {
                region = builder.task(function, region);
            }
        }
    }
}

/// Chains of tasks of which neighbours have different functions.
fn different_dependency(builder: &mut Builder, functions: &[&str]) {
    for _ in 0..TASKS / CHAIN {
        for first in 0..functions.len() {
            let mut region = builder.region();
            for place in first..first + CHAIN {
                region = builder.task(functions[place % functions.len()], region);
            }
        }
    }
}

/// Each task reads a region of its own, or what one of the 16 tasks before it writes.
fn random_dependency(builder: &mut Builder, functions: &[&str]) {
    // The generator of MMIX by Knuth.
    let mut state: u64 = 1;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut outputs: Vec<u16> = Vec::new();
    for task in 0..TASKS * functions.len() {
        let function = functions[task % functions.len()];
        let near = outputs.len().min(16);
        let output = match random(2) {
            1 if near > 0 => {
                let place = outputs.len() - 1 - random(near);
                builder.task(function, outputs[place])
            }
            _ => builder.independent(function),
        };
        outputs.push(output);
    }
}

/// A loop over the functions. The first task of an iteration reads what a task in front of the loop
/// writes, or a region of its own.
fn iterate(builder: &mut Builder, functions: &[&str], is_dependent: bool) {
    const COUNTER: u8 = 4;
    let outside = builder.independent("complex_fir");
    builder.line(format_args!("mov 1 0 3 0 0 0 0 0"));
    builder.line(format_args!("mov {outside:x} 0 1 0 0 0 0 0"));
    // Regions that no other task uses: 32 for each function.
    for (place, _) in functions.iter().enumerate() {
        let register = 5 + place;
        let first = 0x1000 + 0x20 * place;
        builder.line(format_args!("mov {first:x} 0 {register:x} 0 0 0 0 0"));
    }
    builder.line(format_args!("mov 2000 0 f 0 0 0 0 0"));
    builder.line(format_args!("lbeg {TASKS:x} {COUNTER:x} 0 0 0 0 0 0"));
    // The input of an iteration.
    builder.line(format_args!("add f {COUNTER:x} 0 0 0 0 0 0"));
    for (place, function) in functions.iter().enumerate() {
        let register = 5 + place as u8;
        builder.line(format_args!("add {register:x} {COUNTER:x} 2 0 0 0 0 0"));
        let input = if is_dependent && place == 0 { 1 } else { 0 };
        builder.indirect(function, input, 2);
    }
    builder.line(format_args!("lend 0 {COUNTER:x} 0 0 0 0 0 0"));
}

/// Tasks, a branch, tasks that it jumps over, and tasks behind.
fn branch(builder: &mut Builder, functions: &[&str], is_taken: bool, is_dependent: bool) {
    let mut decides = builder.region();
    for round in 0..TASKS / 2 {
        for &function in functions {
            let output = builder.independent(function);
            if is_dependent && round == 0 && function == "correlation" {
                decides = output;
            }
        }
    }
    builder.branch(decides, is_dependent, is_taken, functions.len() as u16);
    for &function in functions {
        builder.independent(function);
    }
    for _ in 0..TASKS / 2 {
        for &function in functions {
            builder.independent(function);
        }
    }
}
