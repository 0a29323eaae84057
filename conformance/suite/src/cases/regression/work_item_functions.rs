//! Functions, called by kernels, that query ids.

use crate::compare::{Tolerance, close, equal};
use anyhow::{Result, bail};
use harness::session::{Argument, Session};

const ITEMS: usize = 128;

/// Two functions, one of which calls the other, with ids, `sin` and `printf`.
pub fn run(session: &Session) -> Result<()> {
    let program = session.program(
        r#"void inner(global const float *numbers, global float *sines)
{
    const size_t here = get_global_id(0);
    sines[here] = sin(numbers[here]);
    printf("inner %u %g\n", (uint)here, numbers[here]);
}

uint outer(global const float *numbers, global float *sines)
{
    printf("outer %u %u\n", (uint)get_group_id(0), (uint)get_local_id(0));
    inner(numbers, sines);
    return get_group_id(0) * get_local_size(0) + get_local_id(0);
}

kernel void test(global const float *numbers, global float *sines, global uint *ids)
{
    ids[get_global_id(0)] = outer(numbers, sines);
}
"#,
        "",
    )?;
    let kernel = program.kernel("test")?;
    let numbers: Vec<f32> = (0..ITEMS).map(number).collect();
    let (there, sines) = (session.buffer(&numbers)?, session.zeros::<f32>(ITEMS)?);
    let ids = session.buffer(&[u32::MAX; ITEMS])?;
    let arguments: [&dyn Argument; 3] = [&there, &sines, &ids];
    session.run(&kernel, &[ITEMS], &[16], &arguments)?;
    let expected: Vec<u32> = (0..ITEMS as u32).collect();
    equal("ids", &session.read(&ids)?, &expected)?;
    let expected: Vec<f64> = numbers
        .iter()
        .map(|&number| f64::from(number).sin())
        .collect();
    // `sin` may be 4 ulp off (section 7.4): 2^-24 of results below 1.
    let within = Tolerance::absolute(4.0 * 2f64.powi(-24));
    close("sines", &session.read(&sines)?, &expected, within)
}

fn number(item: usize) -> f32 {
    100.0 + 0.75 * item as f32
}

/// Checks for both lines of every work-item, in any order.
pub fn printed(text: &str) -> Result<()> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    let mut expected: Vec<String> = (0..ITEMS)
        .flat_map(|item| {
            [
                format!("inner {item} {}", number(item)),
                format!("outer {} {}", item / 16, item % 16),
            ]
        })
        .collect();
    expected.sort_unstable();
    if let Some(line) = expected.iter().find(|line| !lines.contains(&line.as_str())) {
        bail!("no work-item printed {line:?}");
    }
    if lines.len() != expected.len() {
        bail!(
            "{} lines were printed, expected {}",
            lines.len(),
            expected.len()
        );
    }
    Ok(())
}
