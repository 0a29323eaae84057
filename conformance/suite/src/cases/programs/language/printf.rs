//! The output of a kernel, compared with the host's.

use crate::compare::equal;
use anyhow::Result;
use harness::session::Session;
use std::fmt::Write as _;

const FIRST: u32 = 990;
const LINES: u32 = 30;

pub fn run(session: &Session) -> Result<()> {
    let program = session.program(include_str!("printf.cl"), "")?;
    session.run(&program.kernel("report")?, &[1], &[1], &[&FIRST, &LINES])
}

/// Checks standard output.
pub fn check(printed: &str) -> Result<()> {
    let mut expected = String::from("factors|number|root     |\n");
    for i in 0..LINES {
        let number = FIRST + i;
        let letter = char::from(b'a' + (i % 26) as u8);
        let root = format!("{:.4}", f64::from(number).sqrt());
        let sign = if i == 0 {
            "+0".to_owned()
        } else {
            format!("-{i}")
        };
        write!(expected, "{letter}|{number:6}|{root:9}|{number:#x}|{sign}|")?;
        let mut rest = number;
        for factor in 2..=number {
            while rest.is_multiple_of(factor) {
                write!(expected, " {factor}")?;
                rest /= factor;
            }
        }
        expected.push('\n');
    }
    expected.push_str("vector 1,-2,300,-4000, 1,fffffffe,12c,fffff060\ndone 100%\n");
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<String>>();
    equal("lines", &lines(printed), &lines(&expected))
}
