//! What hthreads and libMT take to launch kernels, and where stack and code lie, with the program in
//! `examples/hthreads-overhead`.

use crate::conditions::{ARRAYS, profile};
use crate::figure::{Figure, Part, Tolerance, digits};
use crate::hthreads_program::build;
use anyhow::{Context, Result};
use std::path::Path;

/// Numbers of threads of the table.
const THREADS: [usize; 8] = [1, 2, 4, 8, 12, 16, 20, ARRAYS];

/// A column: its name, the kernel, and settings of `mocl3 stat`.
type Column = (&'static str, &'static str, &'static [&'static str]);

/// Launches of an empty kernel. `MT_WAIT_MODE` is the same as `launch.completion`.
const COLUMNS: [Column; 6] = [
    ("`hthread_group_exec`", "executed", &[]),
    ("and polled", "executed", &["launch.completion=polling"]),
    ("and direct", "executed", &["launch.synchronisation=direct"]),
    ("`hthread_group_create`", "created", &[]),
    (
        "`hthread_group_exec`, naive runtime",
        "executed",
        &["launch.start=fire", "launch.runtime=naive"],
    ),
    ("`mt_run` (libMT)", "fired", &[]),
];

/// The figures, with those of the paper.
///
/// # Errors
/// The program cannot be built or run, or computes something wrong.
pub fn part(mocl3: &Path) -> Result<Part> {
    let folder = tempfile::tempdir()?;
    build(mocl3, "hthreads-overhead", folder.path())?;
    let program = Program {
        mocl3,
        folder: folder.path(),
    };
    let mut columns = Vec::new();
    for (_, kernel, settings) in COLUMNS {
        let times = THREADS.map(|threads| program.time(kernel, threads, settings));
        columns.push(times.into_iter().collect::<Result<Vec<f64>>>()?);
    }
    let [execute, polled, _, create, _, low_level] = columns.as_slice() else {
        anyhow::bail!("not all columns were measured");
    };
    let last = THREADS.len() - 1;
    let saved = |at: usize| (create[at] - execute[at]) / create[at] * 100.0;
    let mut part = Part::new("Launches by hthreads and libMT");
    let calibrated = "MOCL3 paper; `launch.costs` are calibrated on it";
    let costs = "The launch costs of the machine file are calibrated on this figure, and do not give it any more.";
    let figure = |what, published, simulated, unit, tolerance| Figure {
        what,
        published,
        simulated,
        unit,
        tolerance,
        from: calibrated,
        why: costs,
    };
    part.figures = vec![
        figure(
            "libMT program: launch on 24 arrays",
            700.0,
            low_level[last],
            "us",
            Tolerance::Percent(5.0),
        ),
        figure(
            "hthreads program: launch on 24 arrays by `hthread_group_exec`",
            400.0,
            execute[last],
            "us",
            Tolerance::Percent(5.0),
        ),
        figure(
            "hthreads program: polling over hardware interrupts, 24 arrays",
            14.0,
            (polled[last] / execute[last] - 1.0) * 100.0,
            "%",
            Tolerance::Points(3.0),
        ),
        figure(
            "hthreads program: `hthread_group_exec` under `hthread_group_create`, at most",
            50.0,
            (0..=last).map(saved).fold(f64::MIN, f64::max),
            "%",
            Tolerance::Points(3.0),
        ),
    ];
    table(&mut part, &columns, saved);
    placement(&mut part, &program, execute[last])?;
    Ok(part)
}

/// Adds the times of all kinds of launches.
fn table(part: &mut Part, columns: &[Vec<f64>], saved: impl Fn(usize) -> f64) {
    part.say(format_args!(
        "`examples/hthreads-overhead`, a program for hthreads and libMT: an empty kernel, from the launch to the\n\
         host's knowledge of its end, as `mocl3 stat` shows it. Times in us:\n\n| threads |"
    ));
    for (name, ..) in COLUMNS {
        part.say(format_args!(" {name} |"));
    }
    let rule = " --- |".repeat(COLUMNS.len() + 2);
    part.say(format_args!(" saved by interrupts |\n|{rule}\n"));
    for (at, threads) in THREADS.iter().enumerate() {
        part.say(format_args!("| {threads} |"));
        for times in columns {
            part.say(format_args!(" {} |", digits(times[at])));
        }
        part.say(format_args!(" {:.1} % |\n", saved(at)));
    }
}

/// Adds the cost of placing stack and code in other memories, without the launch.
fn placement(part: &mut Part, program: &Program<'_>, launch: f64) -> Result<()> {
    let time = |stack, code| {
        let time = program.time("add_vector", ARRAYS, &[stack, code])?;
        anyhow::Ok(time - launch)
    };
    let (sm, ddr) = ("layout.stack=20%", "layout.stack=0%");
    let in_sm = time(sm, "layout.code=ddr")?;
    let in_ddr = time(ddr, "layout.code=ddr")?;
    let in_gsm = time(sm, "layout.code=gsm")?;
    let more = |time: f64, less: f64| (time / less - 1.0) * 100.0;
    part.figures.push(Figure {
        what: "hthreads program: extra time with the stack in DDR, sum of vectors",
        published: 14.0,
        simulated: more(in_ddr, in_sm),
        unit: "%",
        tolerance: Tolerance::Points(3.0),
        from: "MOCL3 paper",
        why: "The paper does not show its variant of vector addition. `array.access.stack_misses`, the part of a \
              stack's accesses that miss the data cache, is calibrated on the one in OpenCL.",
    });
    part.figures.push(Figure {
        what: "hthreads program: extra time with code in DDR instead of GSM",
        published: 5.0,
        simulated: more(in_sm, in_gsm),
        unit: "%",
        tolerance: Tolerance::AtMost,
        from: "MOCL3 paper",
        why: "The code does not stay in the program cache.",
    });
    part.say(format_args!(
        "\nIts sum of vectors with an array of 64 numbers on the stack of each of 24 threads takes, without the launch,\n\
         {} us with the stack in SM (`HT_MEM_LAYOUT_POS=.2`), {} us with it in DDR (`0`), and {} us with the stack in\n\
         SM and code in GSM (`HT_CODE_LAYOUT_POS=1`).\n",
        digits(in_sm),
        digits(in_ddr),
        digits(in_gsm)
    ));
    Ok(())
}

/// The program, built.
struct Program<'p> {
    mocl3: &'p Path,
    folder: &'p Path,
}

impl Program<'_> {
    /// Microseconds of a kernel's only launch on a machine with these settings.
    fn time(&self, kernel: &str, threads: usize, settings: &[&str]) -> Result<f64> {
        let mut options = Vec::new();
        for setting in settings {
            options.extend(["--set", setting]);
        }
        let command = [
            self.folder.join("overhead").into(),
            threads.to_string().into(),
            self.folder.join("overhead_kernel.dat").into(),
        ];
        let profile = profile(self.mocl3, &options, &command)?;
        let kernels = profile["kernels"].as_array();
        let found = kernels
            .and_then(|kernels| kernels.iter().find(|one| one["name"] == kernel))
            .with_context(|| format!("{kernel} did not run"))?;
        let time = found["time_ns"].as_f64().context("no time")?;
        Ok(time / 1e3)
    }
}
