//! Runs one work-item and parses its output.

use anyhow::{Result, bail, ensure};
use harness::session::Session;

/// Checks that the output consists of these lines.
pub fn lines(printed: &str, expected: &[String]) -> Result<()> {
    let mut lines = printed.split('\n');
    for (number, expected) in expected.iter().enumerate() {
        let Some(line) = lines.next() else {
            bail!("{number} lines were printed, expected {}", expected.len());
        };
        ensure!(
            line == expected,
            "line {number} is {line:?}, expected {expected:?}"
        );
    }
    let rest: Vec<&str> = lines.collect();
    ensure!(rest == [""], "{rest:?} was printed behind the last line");
    Ok(())
}

/// Runs a kernel `test` without arguments as one work-item.
pub fn run_alone(session: &Session, body: &str, options: &str) -> Result<()> {
    let source = format!("kernel void test(void)\n{{\n{body}}}\n");
    let kernel = session.program(&source, options)?.kernel("test")?;
    session.run(&kernel, &[1], &[1], &[])
}
