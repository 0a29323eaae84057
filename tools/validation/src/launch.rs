//! Launch overhead in the modes that a machine file can select.

use crate::conditions::ARRAYS;
use crate::figure::{Figure, Part, Tolerance, digits};
use crate::measurement::Measurement;
use anyhow::{Context, Result};
use std::fs;

/// A mode: its name and the values of `start`, `completion`, `synchronisation` and `runtime` in
/// `[launch]`.
const MODES: [(&str, [&str; 4]); 4] = [
    (
        "interrupts (the default)",
        ["interrupt", "interrupt", "proxy", "resident"],
    ),
    ("polling", ["interrupt", "polling", "proxy", "resident"]),
    ("firing", ["fire", "interrupt", "proxy", "resident"]),
    (
        "firing, polling, direct (libMT)",
        ["fire", "polling", "direct", "naive"],
    ),
];

/// The figures on machines that differ from `description` in `[launch]` only.
///
/// # Errors
/// A measurement's.
pub fn part(description: &str) -> Result<Part> {
    let folder = tempfile::tempdir()?;
    let mut measured = Vec::new();
    for (number, (_, mode)) in MODES.iter().enumerate() {
        let path = folder.path().join(format!("{number}.toml"));
        fs::write(&path, with(description, mode)?)?;
        let path = path
            .to_str()
            .context("the temporary folder's name is no text")?;
        let times = Measurement::Launches.run(&[("MOCL3_MACHINE", path)])?;
        measured.push(times.iter().map(|time| *time as f64).collect::<Vec<f64>>());
    }
    let [interrupt, polling, fire, lib_mt] = measured.as_slice() else {
        anyhow::bail!("not all modes were measured");
    };
    let last = ARRAYS - 1;
    let saved = |at: usize| (fire[at] - interrupt[at]) / fire[at] * 100.0;
    let most = (0..ARRAYS).map(saved).fold(f64::MIN, f64::max);
    let mut part = Part::new("Launches");
    let figure = |what, published, simulated, unit, tolerance, from| Figure {
        what,
        published,
        simulated,
        unit,
        tolerance,
        from,
        why: "The launch costs of the machine file are calibrated on this figure, and do not \
              give it any more.",
    };
    let calibrated = "MOCL3 paper; `launch.costs` are calibrated on it";
    part.figures = vec![
        figure(
            "launch on 24 arrays, fired core by core, polled (libMT)",
            700.0,
            lib_mt[last] / 1e3,
            "us",
            Tolerance::Percent(5.0),
            calibrated,
        ),
        figure(
            "launch on 24 arrays, by interrupts",
            400.0,
            interrupt[last] / 1e3,
            "us",
            Tolerance::Percent(5.0),
            calibrated,
        ),
        figure(
            "polling over hardware interrupts, 24 arrays",
            14.0,
            (polling[last] / interrupt[last] - 1.0) * 100.0,
            "%",
            Tolerance::Points(3.0),
            calibrated,
        ),
        figure(
            "interrupts under firing, at most, 1 to 24 arrays",
            50.0,
            most,
            "%",
            Tolerance::Points(3.0),
            calibrated,
        ),
    ];
    table(&mut part, &measured, saved);
    Ok(part)
}

/// Adds a table with the times of all modes.
fn table(part: &mut Part, measured: &[Vec<f64>], saved: impl Fn(usize) -> f64) {
    part.say(format_args!(
        "An empty kernel with one work-item per array, from SUBMIT to END, on machine files that\n\
         differ in `[launch]` only. Times in us:\n\n| arrays |"
    ));
    for (name, _) in MODES {
        part.say(format_args!(" {name} |"));
    }
    part.say(format_args!(
        " saved by interrupts |\n|{}\n",
        " --- |".repeat(6)
    ));
    for at in [0, 1, 3, 7, 11, 15, 19, 23] {
        part.say(format_args!("| {} |", at + 1));
        for times in measured {
            part.say(format_args!(" {} |", digits(times[at] / 1e3)));
        }
        part.say(format_args!(" {:.1} % |\n", saved(at)));
    }
}

/// The machine description with another mode.
fn with(description: &str, mode: &[&str; 4]) -> Result<String> {
    let mut table: toml::Table = description.parse()?;
    let launch = table.get_mut("launch").and_then(toml::Value::as_table_mut);
    let launch = launch.context("the machine description has no [launch]")?;
    let keys = ["start", "completion", "synchronisation", "runtime"];
    for (key, value) in keys.into_iter().zip(mode) {
        launch.insert(key.to_owned(), (*value).into());
    }
    Ok(toml::to_string(&table)?)
}

#[cfg(test)]
mod tests {
    use super::{MODES, with};
    use device_sim::machine::{MT3000, Machine};

    #[test]
    fn machines_differ_in_their_launch_mode_only() {
        for (_, mode) in MODES {
            let mut machine = Machine::parse(&with(MT3000, &mode).unwrap()).unwrap();
            let start = format!("{:?}", machine.launch.start).to_lowercase();
            assert_eq!(start, mode[0]);
            machine.launch = Machine::mt3000().launch;
            assert_eq!(machine, Machine::mt3000());
        }
    }
}
