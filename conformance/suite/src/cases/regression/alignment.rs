//! The alignment of private arrays if the compiler does not know the local size, and of vectors.

use crate::compare::equal;
use anyhow::Result;
use harness::session::{Argument, Session};

/// The description of the cases that run [`sizes`].
pub const WHAT: &str = "private and local arrays of odd sizes, aligned in groups of all sizes";

/// Arrays with the sizes in three orders. One build is launched with all local sizes.
pub fn sizes<const X: usize, const Y: usize, const Z: usize>(session: &Session) -> Result<()> {
    for [x, y, z] in [[X, Y, Z], [Y, Z, X], [Z, X, Y]] {
        private_arrays(session, x, y, z)?;
    }
    Ok(())
}

fn private_arrays(session: &Session, x: usize, y: usize, z: usize) -> Result<()> {
    let program = session.program(
        include_str!("alignment.cl"),
        &format!("-D X={x} -D Y={y} -D Z={z}"),
    )?;
    program.binary()?;
    let kernel = program.kernel("test")?;
    let trials: Vec<u32> = (0..z as u32).map(|i| 3 * i + 1).collect();
    let trials_sum: u32 = trials.iter().sum();
    let there = session.buffer(&trials)?;
    // The kernel's local array has room for X work-items.
    for local in 1..=x {
        for groups in [1, 5] {
            let items = local * groups;
            let result = session.zeros::<[u32; 2]>(items)?;
            let arguments: [&dyn Argument; 2] = [&there, &result];
            session.run(&kernel, &[items], &[local], &arguments)?;
            // Work-item k adds 4 (k + 1) times each trial in each of Y rows.
            let factors: u32 = (1..=local as u32).sum();
            let sum = 4 * factors * trials_sum * y as u32;
            let expected: Vec<[u32; 2]> = (0..items)
                .map(|item| [sum, 10 * (item as u32) * y as u32 * z as u32])
                .collect();
            equal(
                &format!("{x} x {y} x {z}, {groups} groups of {local}: sums"),
                &session.read(&result)?,
                &expected,
            )?;
        }
    }
    Ok(())
}

/// Arrays of three elements in three dimensions, two of them of extent one.
pub fn extents_of_one(session: &Session) -> Result<()> {
    let program = session.program(
        r"kernel void evaluate(global const float *in, global float *out)
{
    const size_t element = get_global_id(1);
    float trial[1], integral[3][1][1];
    for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 1; ++j)
            integral[i][j][j] = element;
    trial[0] = 1.5f;
    for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 1; ++j)
            integral[i][j][j] += in[i] * trial[j];
    for (size_t i = 0; i < 3; ++i)
        out[3 * element + i] = integral[i][0][0];
}
",
        "",
    )?;
    program.binary()?;
    let kernel = program.kernel("evaluate")?;
    let input = session.buffer(&[2.0f32, 4.0, -6.0])?;
    for (elements, local) in [(2, 1), (12, 4), (35, 5), (64, 32)] {
        let out = session.zeros::<f32>(3 * elements)?;
        session.run(&kernel, &[1, elements], &[1, local], &[&input, &out])?;
        let expected: Vec<f32> = (0..3 * elements)
            .map(|i| (i / 3) as f32 + [3.0, 6.0, -9.0][i % 3])
            .collect();
        equal(
            &format!("{elements} elements in groups of {local}"),
            &session.read(&out)?,
            &expected,
        )?;
    }
    Ok(())
}

/// Reads only those planes of an array that were set.
pub fn set_in_part(session: &Session) -> Result<()> {
    let program = session.program(
        r"kernel void test(global float *out)
{
    const size_t column = get_global_id(0), row = get_global_id(1);
    float results[3][3][2];
    for (size_t i = 0; i < 3; ++i) {
        results[i][0][0] = 1.0f;
        results[i][0][1] = 2.0f + row;
        results[i][1][0] = 4.0f;
        results[i][1][1] = 8.0f * (i + 1) + column;
        results[i][2][1] = 16.0f;
    }
    const size_t here = row * get_global_size(0) + column;
    out[2 * here] = results[1][1][1];
    out[2 * here + 1] = results[row % 3][0][1] + results[2][2][1];
}
",
        "",
    )?;
    let kernel = program.kernel("test")?;
    for (global, local) in [([1, 4], [1, 4]), ([6, 10], [3, 5]), ([16, 6], [16, 1])] {
        let [columns, rows] = global;
        let out = session.zeros::<f32>(2 * columns * rows)?;
        session.run(&kernel, &global, &local, &[&out])?;
        let expected: Vec<f32> = (0..columns * rows)
            .flat_map(|here| {
                [
                    16.0 + (here % columns) as f32,
                    18.0 + (here / columns) as f32,
                ]
            })
            .collect();
        equal(
            &format!("global size {global:?}, local size {local:?}"),
            &session.read(&out)?,
            &expected,
        )?;
    }
    Ok(())
}

/// A vector is aligned to its size (section 6.1.5); a vector of three components has the size and
/// alignment of four. The host's `cl_` types agree. Checks private, local and member variables
/// after a `char`.
pub fn of_vectors(session: &Session) -> Result<()> {
    let mut types: Vec<(&str, u32)> = vec![
        ("char", 1),
        ("uchar", 1),
        ("short", 2),
        ("ushort", 2),
        ("int", 4),
        ("uint", 4),
        ("long", 8),
        ("ulong", 8),
        ("float", 4),
    ];
    if session.has(harness::feature::DOUBLES)? {
        types.push(("double", 8));
    }
    let (mut local, mut checks) = (String::new(), String::new());
    let (mut names, mut expected) = (Vec::new(), Vec::new());
    for (scalar, size) in types {
        for width in [2, 3, 4, 8, 16] {
            let (at, name) = (names.len(), format!("{scalar}{width}"));
            local += &format!("    LOCAL({at}, {name})\n");
            checks += &format!("    CHECK({at}, {name})\n");
            let alignment = size * if width == 3 { 4 } else { width };
            expected.push([alignment, alignment, 0, 0]);
            names.push(name);
        }
    }
    let source = format!(
        r"#define LOCAL(at, type) local char before_##at; local type shared_##at[2];
#define CHECK(at, type) {{ \
        struct {{ char before; type vector; }} whole; \
        volatile char before = 1; \
        type own[2] = {{(type)(before), (type)(1)}}; \
        before_##at = 1; \
        shared_##at[0] = own[before]; \
        result[at] = (uint4)(__alignof__(type), (uint)((char *)&whole.vector - (char *)&whole), \
                             (ulong)&own[0] % sizeof(type), \
                             (ulong)&shared_##at[0] % sizeof(type)); }}

kernel void alignments(global uint4 *result)
{{
{local}{checks}}}
"
    );
    let program = session.program(&source, "")?;
    let kernel = program.kernel("alignments")?;
    let result = session.zeros::<[u32; 4]>(expected.len())?;
    session.run(&kernel, &[1], &[1], &[&result])?;
    for ((name, got), expected) in names.iter().zip(session.read(&result)?).zip(expected) {
        equal(
            &format!("{name}: __alignof__, offset in a struct, misalignment private and local"),
            &got,
            &expected,
        )?;
    }
    Ok(())
}
