//! Machine descriptions with changed numbers, types, keys and bytes. A platform that accepts one
//! must compute correctly.

use crate::input::{Input, Verdict};
use crate::mutation;
use anyhow::{Result, ensure};
use fastrand::Rng;
use harness::session::{Local, Session, Settings};
use std::path::{Path, PathBuf};

/// The description that is mutated.
const MT3000: &str = include_str!("../../../device-sim/machines/mt3000.toml");
/// Number of work-items of the kernel and of its group.
const ITEMS: usize = 64;
const GROUP: usize = 4;

const SOURCE: &str = "
kernel void turn(global int *numbers, local int *group)
{
    size_t last = get_local_size(0) - 1, item = get_local_id(0);
    group[item] = numbers[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    numbers[get_global_id(0)] = group[last - item] * 3;
}
";

/// Values that replace those of the description.
const VALUES: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "-1",
    "7",
    "64",
    "4096",
    "65_537",
    "1_000_000",
    "2147483647",
    "4294967295",
    "4294967296",
    "1099511627776",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "0.5",
    "1e400",
    "nan",
    "inf",
    "true",
    "\"\"",
    "\"am\"",
    "\"sm\"",
    "[]",
    "[1, 2]",
    "{}",
    "{ value = 1 }",
    "1979-05-27",
];

/// Passes a machine description to the platform.
pub struct Machines {
    folder: PathBuf,
}

impl Machines {
    /// The inputs of a process, which are written to the folder.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }
}

/// The description of the seed.
fn description(seed: u64) -> Vec<u8> {
    let mut random = mutation::random(seed);
    let mut lines: Vec<String> = MT3000.lines().map(str::to_owned).collect();
    // In every second description, all keys and types are valid.
    let kinds = if random.bool() { 1 } else { 12 };
    for _ in 0..1 << random.u32(0..4) {
        let place = random.usize(0..lines.len());
        match random.u32(0..kinds) {
            0..5 => change_number(&mut random, &mut lines),
            5 | 6 => change_value(&mut random, &mut lines),
            7 => drop(lines.remove(place)),
            8 => lines.insert(place, lines[place].clone()),
            9 => {
                let with = random.usize(0..lines.len());
                lines.swap(place, with);
            }
            10 => {
                let end = (place + random.usize(1..20)).min(lines.len());
                lines.drain(place..end);
            }
            _ => {
                let line = lines[place].clone();
                lines[place] = mutation::text(&mut random, &line, MT3000, VALUES);
            }
        }
        if lines.is_empty() {
            break;
        }
    }
    let mut bytes = lines.join("\n").into_bytes();
    if kinds > 1 && random.u32(0..4) == 0 {
        mutation::bytes(&mut random, &mut bytes, MT3000.as_bytes());
    }
    bytes
}

/// The number of a line with a value, and the first byte of the value.
fn value(random: &mut Rng, lines: &[String]) -> Option<(usize, usize)> {
    const KEY: &str = "value = ";
    let lines: Vec<(usize, usize)> = (lines.iter().enumerate())
        .filter_map(|(number, line)| Some((number, line.find(KEY)? + KEY.len())))
        .collect();
    lines.get(random.usize(0..lines.len().max(1))).copied()
}

fn change_value(random: &mut Rng, lines: &mut [String]) {
    let Some((number, start)) = value(random, lines) else {
        return;
    };
    let line = &mut lines[number];
    let end = line[start..].find([',', '}']).unwrap_or(0) + start;
    line.replace_range(start..end, VALUES[random.usize(0..VALUES.len())]);
}

fn change_number(random: &mut Rng, lines: &mut [String]) {
    let Some((number, start)) = value(random, lines) else {
        return;
    };
    let line = &mut lines[number];
    let end = line[start..].find([',', '}']).unwrap_or(0) + start;
    let old = line[start..end].trim().replace('_', "");
    let Ok(old) = old.parse::<i64>() else { return };
    let new = match random.u32(0..6) {
        0 => old.saturating_add(1),
        1 => old.saturating_sub(1),
        2 => old.saturating_mul(2),
        3 => old / 2,
        4 => old.saturating_mul(1 << random.u32(2..50)),
        _ => {
            let bits = random.u32(1..63);
            random.i64(0..1 << bits)
        }
    };
    line.replace_range(start..end, &new.to_string());
}

impl Input for Machines {
    fn run(&mut self, seed: u64) -> Result<Verdict> {
        let path = self.folder.join("input.toml");
        std::fs::write(&path, description(seed))?;
        // SAFETY: this process has no other threads yet, and the platform is not loaded.
        unsafe { std::env::set_var("MOCL3_MACHINE", &path) };
        let settings = Settings {
            platform: "MOCL3".to_owned(),
            ..Settings::default()
        };
        let Ok(session) = Session::open(&settings) else {
            return Ok(Verdict::Refused);
        };
        let numbers: Vec<i32> = (0..ITEMS as i32).collect();
        // Machines may have too little memory for these commands.
        let Ok(results) = turn(&session, &numbers) else {
            return Ok(Verdict::Refused);
        };
        let expected: Vec<i32> = (numbers.chunks(GROUP))
            .flat_map(|group| group.iter().rev().map(|number| number * 3))
            .collect();
        ensure!(results == expected, "wrong results: {results:?}");
        Ok(Verdict::Accepted)
    }
}

fn turn(session: &Session, numbers: &[i32]) -> Result<Vec<i32>> {
    let kernel = session.program(SOURCE, "")?.kernel("turn")?;
    let buffer = session.buffer(numbers)?;
    let local = Local::<i32>::new(GROUP);
    session.run(&kernel, &[ITEMS], &[GROUP], &[&buffer, &local])?;
    session.read(&buffer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_descriptions_are_still_machines_in_form() {
        let parses = |seed: &u64| {
            let bytes = description(*seed);
            std::str::from_utf8(&bytes).is_ok_and(|text| text.parse::<toml::Table>().is_ok())
        };
        let count = (0..200).filter(parses).count();
        assert!((100..190).contains(&count), "{count}");
    }
}
