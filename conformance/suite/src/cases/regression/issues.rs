//! Programs of bug reports, rewritten.

use super::guarded::{Guard, Guarded};
use crate::compare::{Tolerance, close, equal};
use anyhow::{Result, bail, ensure};
use harness::session::{Argument, Session};
use opencl3::program::{
    CL_BUILD_ERROR, CL_PROGRAM_BUILD_LOG, CL_PROGRAM_BUILD_STATUS, build_program, compile_program,
    get_program_build_info,
};
use opencl3::types::{cl_device_id, cl_int, cl_program};
use std::ptr::null_mut;

const CL_BUILD_PROGRAM_FAILURE: cl_int = -11;
const CL_COMPILE_PROGRAM_FAILURE: cl_int = -15;

/// Builds or compiles a program for devices.
type Call = fn(cl_program, &[cl_device_id]) -> Result<(), cl_int>;

/// Inclusive prefix sums of intervals, 16 elements at a time, with the carried sum.
pub fn scan_of_intervals(session: &Session) -> Result<()> {
    let program = session.program(include_str!("scan_of_intervals.cl"), "")?;
    let kernel = program.kernel("scan_intervals")?;
    let mut random = session.random();
    for (elements, interval) in [(1, 16), (16, 16), (250, 64), (1000, 256)] {
        let input = random.words(elements);
        let there = session.buffer(&input)?;
        let groups = elements.div_ceil(interval);
        let (output, totals) = (
            session.zeros::<u32>(elements)?,
            session.zeros::<u32>(groups)?,
        );
        let numbers = (elements as u32, interval as u32);
        let arguments: [&dyn Argument; 5] = [&there, &output, &numbers.0, &numbers.1, &totals];
        session.run(&kernel, &[groups * 16], &[16], &arguments)?;
        let mut expected = input.clone();
        for part in expected.chunks_mut(interval) {
            for i in 1..part.len() {
                part[i] = part[i].wrapping_add(part[i - 1]);
            }
        }
        let expected_totals: Vec<u32> = expected
            .chunks(interval)
            .map(|part| part[part.len() - 1])
            .collect();
        let what = format!("{elements} elements in intervals of {interval}");
        equal(&what, &session.read(&output)?, &expected)?;
        equal("totals", &session.read(&totals)?, &expected_totals)?;
    }
    Ok(())
}

/// Each work-item changes its copy of an array whose initial values the compiler knows.
pub fn private_array(session: &Session) -> Result<()> {
    let program = session.program(
        r"kernel void private_array(global int *restrict out)
{
    int numbers[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const size_t here = get_global_id(0);
    numbers[here % 9] += 100 * here;
    barrier(CLK_GLOBAL_MEM_FENCE);
#pragma nounroll
    for (int i = 0; i < 9; ++i)
        out[here * 9 + i] = numbers[i];
}
",
        "",
    )?;
    let kernel = program.kernel("private_array")?;
    for (items, local) in [(1, 1), (64, 64), (150, 15)] {
        let out = session.zeros::<i32>(items * 9)?;
        session.run(&kernel, &[items], &[local], &[&out])?;
        let expected: Vec<i32> = (0..items as i32)
            .flat_map(|here| {
                (0..9).map(move |i| i + 1 + if here % 9 == i { 100 * here } else { 0 })
            })
            .collect();
        equal(
            &format!("{items} work-items in groups of {local}"),
            &session.read(&out)?,
            &expected,
        )?;
    }
    Ok(())
}

/// `clBuildProgram` and `clCompileProgram`, twice each, with an invalid program. Checks status and
/// log each time.
pub fn wrong_program_twice(session: &Session) -> Result<()> {
    let wrong = session.source("kernel void wrong(global int *data)\n{\n    !@#$%^&*();\n}\n")?;
    let devices = session.context.devices();
    let calls: [(&str, cl_int, Call); 2] = [
        (
            "clBuildProgram",
            CL_BUILD_PROGRAM_FAILURE,
            |program, devices| build_program(program, devices, c"", None, null_mut()),
        ),
        (
            "clCompileProgram",
            CL_COMPILE_PROGRAM_FAILURE,
            |program, devices| compile_program(program, devices, c"", &[], &[], None, null_mut()),
        ),
    ];
    for (name, failure, call) in calls {
        for time in ["first", "second"] {
            let result = call(wrong.get(), devices);
            ensure!(
                result == Err(failure),
                "{name} of a wrong program gave {result:?} the {time} time, expected {failure}"
            );
            let about = |what| get_program_build_info(wrong.get(), session.device.id(), what);
            let status = about(CL_PROGRAM_BUILD_STATUS).map(i32::from);
            ensure!(
                status == Ok(CL_BUILD_ERROR),
                "the status after {name} the {time} time is {status:?}, expected CL_BUILD_ERROR"
            );
            let log = about(CL_PROGRAM_BUILD_LOG).map(String::from);
            ensure!(
                log.as_ref()
                    .is_ok_and(|log| !log.trim_matches(['\0', '\n', ' ']).is_empty()),
                "the build log after {name} the {time} time is {log:?}"
            );
        }
    }
    builds(session)
}

/// Recursion, direct or indirect, is not supported (section 6.9). The build must fail without a
/// crash.
pub fn recursion(session: &Session) -> Result<()> {
    for source in [
        r"uint fibonacci(uint n)
{
    if (n < 2)
        return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}
kernel void test(global uint *out) { out[0] = fibonacci(6 + get_global_id(0)); }
",
        r"uint odd(uint n);
uint even(uint n) { return n == 0 ? 1 : odd(n - 1); }
uint odd(uint n) { return n == 0 ? 0 : 3 * even(n - 1) + n; }
kernel void test(global uint *out) { out[0] = even(6 + get_global_id(0)); }
",
    ] {
        let program = session.source(source)?;
        let devices = session.context.devices();
        let result = build_program(program.get(), devices, c"", None, null_mut());
        if result != Err(CL_BUILD_PROGRAM_FAILURE) {
            bail!(
                "clBuildProgram of a recursive function gave {result:?}, \
                 expected CL_BUILD_PROGRAM_FAILURE"
            );
        }
    }
    builds(session)
}

/// The platform still builds and runs a valid program.
fn builds(session: &Session) -> Result<()> {
    let program = session.program("kernel void right(global int *out) { out[0] = 7; }\n", "")?;
    let out = session.zeros::<i32>(1)?;
    session.run(&program.kernel("right")?, &[1], &[], &[&out])?;
    equal("after the failures", &session.read(&out)?, &[7])
}

/// A copy of a few doubles by large groups, with a bounds check. Elements beyond them are neither
/// changed nor read: inaccessible pages are adjacent to the buffers.
pub fn guarded_copy(session: &Session) -> Result<()> {
    let program = session.program(
        r"#define lid(N) ((int)get_local_id(N))
#define gid(N) ((int)get_group_id(N))

kernel void __attribute__((reqd_work_group_size(128, 1, 1))) assign(
    int const n, global double *restrict to, int const to_offset,
    global double const *restrict from, int const from_offset)
{
    if (-1 + -128 * gid(0) + -1 * lid(0) + n >= 0)
        to[to_offset + 128 * gid(0) + lid(0)] = from[from_offset + 128 * gid(0) + lid(0)];
}
",
        "",
    )?;
    let kernel = program.kernel("assign")?;
    for n in [0usize, 1, 2, 7, 8, 9, 63, 64, 127, 128, 129, 250] {
        for (to_offset, from_offset, behind) in [(0, 0, 0), (3, 1, 0), (1, 5, 9)] {
            let from: Vec<f64> = (0..(n + from_offset).max(1))
                .map(|i| i as f64 + 1.5)
                .collect();
            let before = vec![-1.0; (n + to_offset + behind).max(1)];
            let numbers = [n as i32, to_offset as i32, from_offset as i32];
            let groups = n.div_ceil(128).max(1);
            let mut expected = before.clone();
            expected[to_offset..to_offset + n].copy_from_slice(&from[from_offset..from_offset + n]);
            for guard in [Guard::Before, Guard::After] {
                let from_there = Guarded::new(session, &from, guard)?;
                let to = Guarded::new(session, &before, guard)?;
                let arguments: [&dyn Argument; 5] =
                    [&numbers[0], &to, &numbers[1], &from_there, &numbers[2]];
                session.run(&kernel, &[groups * 128], &[128], &arguments)?;
                equal(
                    &format!("{n} elements from {from_offset} to {to_offset}"),
                    &to.read(session)?,
                    &expected,
                )?;
            }
        }
    }
    Ok(())
}

/// Private arrays of 128 bytes across a barrier, in groups of the kernel's maximum size; some
/// work-items of the last group are out of bounds.
pub fn sixteen_longs(session: &Session) -> Result<()> {
    let moves = |line: fn(usize) -> String| (0..16).map(line).collect::<String>();
    let loads = moves(|i| format!("    if (i + {i} < END) a[{i}] = input[i + {i}];\n"));
    let stores = moves(|i| format!("    if (i + {i} < END) output[i + {i}] = a[{i}];\n"));
    let program = session.program(
        &format!(
            "kernel void test(global long *output, global long *input)\n{{\n    \
             const size_t i = get_global_id(0) * 16;\n    long a[16];\n{loads}    \
             barrier(CLK_LOCAL_MEM_FENCE);\n{stores}}}\n"
        ),
        "-D END=16385",
    )?;
    let kernel = program.kernel("test")?;
    let largest = kernel.get_work_group_size(session.device.id())?;
    ensure!(largest > 0, "CL_KERNEL_WORK_GROUP_SIZE is 0");
    let input: Vec<i64> = (0..16_385).map(|i: i64| i * i * 1_000_003 - i).collect();
    for local in [2048, 1024, 64, 37, 1].map(|local: usize| local.min(largest)) {
        let (there, output) = (session.buffer(&input)?, session.zeros::<i64>(input.len())?);
        let global = 1025usize.next_multiple_of(local);
        session.run(&kernel, &[global], &[local], &[&output, &there])?;
        equal(
            &format!("groups of {local}"),
            &session.read(&output)?,
            &input,
        )?;
    }
    Ok(())
}

/// A dot product by 64 work-items with vectors of four, strides of both signs, and a reduction in
/// six steps. It is built with `-g`, as in the bug report.
pub fn dot_product(session: &Session) -> Result<()> {
    let program = session.program(include_str!("dot_product.cl"), "-g")?;
    ensure!(!program.binary()?.is_empty(), "the binary has no bytes");
    let kernel = program.kernel("dot")?;
    let mut random = session.random();
    for (length, stride_x, stride_y, groups) in [
        (0usize, 1i32, 1i32, 1usize),
        (3, 1, -1, 1),
        (255, 1, 1, 1),
        (256, 2, 3, 1),
        (1003, -2, 1, 2),
        (5000, 1, -3, 3),
    ] {
        let (first_x, first_y) = (5usize, 2usize);
        let extent = |stride: i32| length * stride.unsigned_abs() as usize;
        // Sums of small integers are exact in any order.
        let mut integers = |count: usize| -> Vec<f32> {
            (0..count).map(|_| random.below(9) as f32 - 4.0).collect()
        };
        let x = integers(first_x + extent(stride_x) + 1);
        let y = integers(first_y + extent(stride_y) + 1);
        let (x_there, y_there) = (session.buffer(&x)?, session.buffer(&y)?);
        let sums = session.zeros::<f32>(groups)?;
        let numbers = (length as u32, first_x as u32, first_y as u32);
        let arguments: [&dyn Argument; 8] = [
            &x_there, &y_there, &sums, &numbers.0, &numbers.1, &stride_x, &numbers.2, &stride_y,
        ];
        session.run(&kernel, &[groups * 64], &[64], &arguments)?;
        let at = |i: usize, stride: i32| {
            let from_start = if stride < 0 { length - 1 - i } else { i };
            from_start * stride.unsigned_abs() as usize
        };
        let expected: f64 = (0..length)
            .map(|i| f64::from(x[first_x + at(i, stride_x)] * y[first_y + at(i, stride_y)]))
            .sum();
        let got: f64 = session.read(&sums)?.into_iter().map(f64::from).sum();
        close(
            &format!("{length} elements, strides {stride_x} and {stride_y}, {groups} groups"),
            &[got],
            &[expected],
            Tolerance::absolute(0.0),
        )?;
    }
    Ok(())
}
