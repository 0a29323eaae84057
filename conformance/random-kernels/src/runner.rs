//! Runs many kernels on a platform and reports failures.

use super::ast::{Program, Variable};
use super::generator::Profile;
use super::types::{Shape, Type};
use super::{generator, interpreter, minimise, source, threads};
use anyhow::{Context, Result, bail};
use harness::session::Session;
use harness::worker::{self, Answer, Argument, Request};
use harness::worker_process::{Failure, Process, Reply};
use std::fmt::Write as _;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A run of the fuzzer.
pub struct Plan {
    /// Part of the platform's name.
    pub platform: String,
    /// Seed of the first kernel; each further kernel has the next one.
    pub seed: u64,
    /// Number of kernels.
    pub kernels: u64,
    /// Maximum number of processes at a time.
    pub jobs: usize,
    /// Restrictions on the kernels.
    pub profile: Profile,
    /// Build options; each kernel runs once with each.
    pub options: Vec<String>,
}

/// Maximum time for minimising a failing kernel.
const MINIMISING: Duration = Duration::from_secs(180);
/// Runs the plan in processes made by `command` and returns the number of kernels that failed.
///
/// # Errors
/// No process can be started, or the platform is not there.
pub fn run(plan: &Plan, command: &(dyn Fn() -> Command + Sync)) -> Result<u64> {
    println!(
        "{} kernels from seed {} on {}",
        plan.kernels, plan.seed, plan.platform
    );
    let next = AtomicU64::new(0);
    let failed = AtomicU64::new(0);
    let report = Mutex::new(());
    let work = || -> Result<()> {
        let mut process = Process::new(command);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= plan.kernels {
                return Ok(());
            }
            let seed = plan.seed + number;
            for text in one_kernel(seed, plan, &mut process)? {
                failed.fetch_add(1, Ordering::Relaxed);
                let _one_at_a_time = report.lock();
                println!("{text}");
            }
            if (number + 1).is_multiple_of(500) {
                println!("{} kernels done", number + 1);
            }
        }
    };
    threads::run(plan.jobs, work)?
        .into_iter()
        .collect::<Result<()>>()?;
    let failed = failed.into_inner();
    println!(
        "{} kernels from seed {}: {failed} failed",
        plan.kernels, plan.seed
    );
    Ok(failed)
}

/// A kernel with its expected results.
///
/// # Panics
/// No attempt gave a kernel with a defined result.
pub fn kernel(seed: u64, profile: Profile) -> (Program, Vec<Vec<u8>>) {
    (0..100)
        .find_map(|attempt| {
            let program = generator::generate(seed, attempt, profile);
            let results = interpreter::run(&program).ok()?;
            Some((program, results))
        })
        .expect("most programs have a result")
}

/// Builds and runs one kernel in this process.
///
/// # Errors
/// The results are wrong; the error has the kernel's seed.
pub fn check(session: &Session, seed: u64, profile: Profile) -> Result<()> {
    // Interpreting nested expressions needs more stack than threads have by default.
    let made = threads::run(1, || kernel(seed, profile))?.pop();
    let (program, expected) = made.expect("one thread has one result");
    let answer = worker::run(session, &request(&program, "")?)?;
    if let Some(failure) = judge(&program, &expected, answer) {
        let geometry = &program.geometry;
        bail!(
            "the kernel of seed {seed}, global size {:?}, local size {:?}, offset {:?}: {failure}",
            geometry.global,
            geometry.local,
            geometry.offset
        );
    }
    Ok(())
}

/// The reports of a kernel's failures, at most one.
fn one_kernel(seed: u64, plan: &Plan, process: &mut Process<'_>) -> Result<Vec<String>> {
    let (program, expected) = kernel(seed, plan.profile);
    for options in &plan.options {
        let Some(failure) = attempt(&program, &expected, options, process)? else {
            continue;
        };
        let mut text = format!(
            "\n==== seed {seed}, options \"{options}\": {failure}\n{}",
            describe(&program)
        );
        let mut broken = None;
        let small = minimise::minimise(program, Instant::now() + MINIMISING, &mut |candidate| {
            let Ok(expected) = interpreter::run(candidate) else {
                return false;
            };
            match attempt(candidate, &expected, options, process) {
                Ok(Some(other)) => other.alike(&failure),
                Ok(None) => false,
                Err(error) => {
                    broken = Some(error);
                    false
                }
            }
        });
        if let Some(error) = broken {
            return Err(error);
        }
        let expected = interpreter::run(&small).unwrap_or_default();
        let failure = attempt(&small, &expected, options, process)?.unwrap_or(failure);
        write!(
            text,
            "---- seed {seed} made smaller, options \"{options}\": {failure}\n{}",
            describe(&small)
        )?;
        return Ok(vec![text]);
    }
    Ok(Vec::new())
}

/// The source, its arguments and its index space.
pub(crate) fn describe(program: &Program) -> String {
    let geometry = &program.geometry;
    let mut text = source::text(program);
    let _ = writeln!(
        text,
        "global size {:?}, local size {:?}, offset {:?}",
        geometry.global, geometry.local, geometry.offset
    );
    for buffer in &program.buffers {
        let shown = buffer.elements.len().min(16);
        let _ = writeln!(
            text,
            "v{}: {} elements {:?}",
            buffer.variable,
            buffer.elements.len(),
            &buffer.elements[..shown]
        );
    }
    for (variable, value) in &program.values {
        let _ = writeln!(text, "v{variable}: {value:?}");
    }
    for (variable, elements) in &program.local_parameters {
        let _ = writeln!(text, "v{variable}: local memory of {elements} elements");
    }
    text
}

fn element_type(program: &Program, variable: usize) -> Option<Type> {
    match &program.variables[variable] {
        Variable::Pointer {
            element: Shape::Value(ty),
            ..
        }
        | Variable::Object {
            shape: Shape::Value(ty),
            ..
        } => Some(*ty),
        _ => None,
    }
}

pub(crate) fn request(program: &Program, options: &str) -> Result<Request> {
    let mut arguments = Vec::new();
    for &parameter in &program.kernel.parameters {
        let bytes = |elements: &[Vec<i128>]| {
            let ty = element_type(program, parameter).context("a parameter of values")?;
            anyhow::Ok(interpreter::bytes_of(ty, elements))
        };
        if let Some(buffer) = program.buffers.iter().find(|b| b.variable == parameter) {
            arguments.push(Argument::Buffer(bytes(&buffer.elements)?));
        } else if let Some((_, value)) = program.values.iter().find(|v| v.0 == parameter) {
            arguments.push(Argument::Value(bytes(std::slice::from_ref(value))?));
        } else if let Some((_, count)) = program.local_parameters.iter().find(|l| l.0 == parameter)
        {
            let Variable::Pointer { element, .. } = &program.variables[parameter] else {
                anyhow::bail!("a parameter for local memory is a pointer");
            };
            let size = super::types::layout(element, &program.structs).0;
            arguments.push(Argument::Local(size * count));
        }
    }
    Ok(Request {
        source: source::text(program),
        options: options.to_owned(),
        kernel: source::KERNEL.to_owned(),
        arguments,
        global: program.geometry.global.clone(),
        local: program.geometry.local.clone(),
        offset: program.geometry.offset.clone(),
    })
}

/// Runs a program on the platform and compares the results.
fn attempt(
    program: &Program,
    expected: &[Vec<u8>],
    options: &str,
    process: &mut Process<'_>,
) -> Result<Option<Failure>> {
    let request = request(program, options)?;
    Ok(match process.ask(&request)? {
        Reply::Failed(failure) => Some(failure),
        Reply::Answered(answer) => judge(program, expected, answer),
    })
}

/// The failure of an answer, if it is wrong.
fn judge(program: &Program, expected: &[Vec<u8>], answer: Answer) -> Option<Failure> {
    match answer {
        Answer::BuildFailed(log) => Some(Failure::BuildFailed(log)),
        Answer::Failed(error) => Some(Failure::CallFailed(error)),
        Answer::Ran(results) => {
            // The answer has the buffers in the order of the parameters.
            let buffers = program.kernel.parameters.iter().filter_map(|&parameter| {
                program.buffers.iter().position(|b| b.variable == parameter)
            });
            buffers.zip(results).find_map(|(buffer, got)| {
                let variable = program.buffers[buffer].variable;
                let ty = element_type(program, variable)?;
                difference(variable, ty, &expected[buffer], &got).map(Failure::Wrong)
            })
        }
    }
}

/// The first element that differs. The padding of vectors of 3 is not compared.
fn difference(variable: usize, ty: Type, expected: &[u8], got: &[u8]) -> Option<String> {
    if expected.len() != got.len() {
        return Some(format!("{} bytes, not {}", got.len(), expected.len()));
    }
    let used = ty.width * ty.scalar.bits() as usize / 8;
    let bits = |bytes: &[u8]| -> Vec<u64> {
        bytes[..used]
            .chunks(ty.scalar.bits() as usize / 8)
            .map(|bytes| {
                let mut whole = [0; 8];
                whole[..bytes.len()].copy_from_slice(bytes);
                u64::from_le_bytes(whole)
            })
            .collect()
    };
    let elements = expected.chunks(ty.bytes()).zip(got.chunks(ty.bytes()));
    let mut different = elements.enumerate().filter(|(_, (expected, got))| {
        let (expected, got) = (bits(expected), bits(got));
        let mut pairs = expected.into_iter().zip(got);
        pairs.any(|(expected, got)| !ty.scalar.same(expected, got))
    });
    let (index, (right, wrong)) = different.next()?;
    let numbers = |bytes: &[u8]| {
        let numbers: Vec<String> = (bits(bytes).into_iter())
            .map(|bits| ty.scalar.shown(bits))
            .collect();
        numbers.join(", ")
    };
    Some(format!(
        "v{variable}[{index}] ({}): expected [{}], got [{}]; {} further elements differ",
        ty.name(),
        numbers(right),
        numbers(wrong),
        different.count()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Scalar;

    #[test]
    fn differences_are_found_but_not_in_what_fills_up_a_vector_of_3() {
        let char3 = Type::new(Scalar::Char, 3);
        assert_eq!(difference(1, char3, &[1, 2, 3, 0], &[1, 2, 3, 9]), None);
        let text = difference(
            1,
            char3,
            &[1, 2, 3, 0, 4, 5, 6, 0],
            &[1, 2, 3, 0, 4, 5, 255, 0],
        );
        assert_eq!(
            text.unwrap(),
            "v1[1] (char3): expected [4, 5, 6], got [4, 5, -1]; 0 further elements differ"
        );
        assert!(difference(1, char3, &[0; 4], &[]).is_some());
    }

    #[test]
    fn a_process_that_dies_is_reported_and_started_again() {
        let command = || {
            let mut command = Command::new("sh");
            command.args(["-c", "echo ouch >&2; exit 3"]);
            command
        };
        let mut process = Process::new(&command);
        let (program, _) = kernel(0, Profile::default());
        let request = request(&program, "").unwrap();
        for _ in 0..2 {
            let Reply::Failed(failure) = process.ask(&request).unwrap() else {
                panic!("the process is dead");
            };
            let text = failure.to_string();
            assert!(
                text.contains("exit status: 3") && text.contains("ouch"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_kernel_with_wrong_results_is_reported_made_smaller() {
        // A worker that reports a result of one byte for each buffer.
        let command = || {
            let mut command = Command::new("sh");
            command.args(["-c", r#"while read -r line; do echo '{"Ran":[[1]]}'; done"#]);
            command
        };
        let mut process = Process::new(&command);
        let plan = Plan {
            platform: String::new(),
            seed: 0,
            kernels: 1,
            jobs: 1,
            profile: Profile::default(),
            options: vec![String::new()],
        };
        let reports = one_kernel(0, &plan, &mut process).unwrap();
        let text = &reports[0];
        assert!(
            text.contains("seed 0, options \"\": wrong result"),
            "{text}"
        );
        let small = text.split("made smaller").nth(1).unwrap();
        assert!(
            small.contains("__kernel") && small.contains("global size [1"),
            "{text}"
        );
        assert!(small.len() < 1000, "{small}");
    }
}
