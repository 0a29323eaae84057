//! The benchmarks of the HTS paper on its system for signal processing.

mod audio;
mod builder;
mod synthetic;

use crate::figure::{Figure, Part, Tolerance};
use anyhow::{Context, Result};
use builder::Benchmark;
use device_sim::machine::{Description, Entry, Scheduling, Shipped};
use task_isa::Program;
use task_scheduler::{Settings, run};

/// The numbers of accelerators of each function.
const UNITS: [usize; 5] = [1, 2, 4, 8, 16];

/// The cycles of a benchmark with one number of accelerators.
struct Row {
    name: String,
    units: usize,
    /// By [`Scheduling::ALL`].
    cycles: [u64; 5],
    mispredicted: u64,
}

impl Row {
    fn naive(&self) -> f64 {
        self.cycles[0] as f64
    }

    fn hardware(&self) -> f64 {
        self.cycles[2] as f64
    }

    fn speculative(&self) -> f64 {
        self.cycles[3] as f64
    }
}

/// The system for signal processing and its benchmarks.
///
/// # Errors
/// A program is wrong.
pub fn part() -> Result<Part> {
    let description = Description::select(Shipped::DSP)?;
    let settings = Settings::new(&description.machine()?)?;
    let mut rows = Vec::new();
    let functions = settings.functions.iter();
    let functions: Vec<&str> = functions.map(|one| one.name.as_str()).collect();
    for benchmark in synthetic::all(&functions).into_iter().chain(audio::all()) {
        let program = assemble(&benchmark, &settings)?;
        for units in UNITS {
            rows.push(row(&benchmark.name, &program, &settings, units)?);
        }
    }
    let mut part = Part::new("Hardware task scheduler");
    part.figures = table_ii(&settings)?;
    part.figures.extend(headlines(&rows));
    describe(&mut part, &rows, &description)?;
    Ok(part)
}

fn assemble(benchmark: &Benchmark, settings: &Settings) -> Result<Program> {
    task_isa::assemble(&benchmark.source, &settings.names()?)
        .with_context(|| format!("the program of {}", benchmark.name))
}

fn row(name: &str, program: &Program, settings: &Settings, units: usize) -> Result<Row> {
    let mut cycles = [0; 5];
    let mut mispredicted = 0;
    for (cycles, scheduling) in cycles.iter_mut().zip(Scheduling::ALL) {
        let settings = settings.clone().with_units(units);
        let outcome = run(program, &settings.with_scheduling(scheduling))?;
        *cycles = outcome.cycles;
        mispredicted = mispredicted.max(outcome.mispredicted);
    }
    Ok(Row {
        name: name.to_owned(),
        units,
        cycles,
        mispredicted,
    })
}

/// Table II of the paper: functions and cycles.
const TABLE_II: [(&str, &str, f64); 10] = [
    ("real_fir", "cycles of a real FIR", 921.0),
    ("complex_fir", "cycles of a complex FIR", 3696.0),
    ("adaptive_fir", "cycles of an adaptive FIR", 4384.0),
    ("iir", "cycles of an IIR", 2450.0),
    ("vector_dot", "cycles of a vector dot product", 53.0),
    ("vector_add", "cycles of a vector addition", 131.0),
    ("vector_max", "cycles of a vector maximum", 55.0),
    ("fft_256", "cycles of a 256-point FFT", 18673.0),
    ("dct_64", "cycles of a 64-point DCT", 874.0),
    ("correlation", "cycles of a correlation", 753.0),
];

/// The cycles for which a task occupies its accelerator.
fn table_ii(settings: &Settings) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (function, what, published) in TABLE_II {
        let benchmark = Benchmark {
            name: function.to_owned(),
            source: format!("{function} 0 1 1 1 0 0 0 0"),
        };
        let program = assemble(&benchmark, settings)?;
        let outcome = run(&program, &settings.clone().with_units(1))?;
        figures.push(Figure {
            what,
            published,
            simulated: outcome.units.iter().map(|unit| unit.busy).sum::<u64>() as f64,
            unit: "cycles",
            tolerance: Tolerance::Percent(0.0),
            from: "HTS paper, table II; the machine file has it",
            why: "The machine file has another number.",
        });
    }
    Ok(figures)
}

/// What the paper says of its figures, whose values are not in its text.
fn headlines(rows: &[Row]) -> [Figure; 2] {
    let speedups = rows.iter().map(|row| row.naive() / row.speculative());
    let costs = rows.iter().filter(|row| row.mispredicted > 0);
    let costs = costs.map(|row| (row.speculative() / row.hardware() - 1.0) * 100.0);
    [
        Figure {
            what: "largest speedup over sequential scheduling, 1 to 16 accelerators of a function",
            published: 12.0,
            simulated: speedups.fold(0.0, f64::max),
            unit: "times",
            tolerance: Tolerance::AtLeast,
            from: "HTS paper, abstract",
            why: "The largest speedup of these programs is smaller.",
        },
        Figure {
            what: "cost of a wrong prediction, at most",
            published: 1.0,
            simulated: costs.fold(0.0, f64::max),
            unit: "%",
            tolerance: Tolerance::AtMost,
            from: "HTS paper, section VI.C: \"minimal difference\", taken as 1 %",
            why: "Removing tasks after a branch costs more.",
        },
    ]
}

fn describe(part: &mut Part, rows: &[Row], machine: &Description) -> Result<()> {
    part.say(format_args!(
        "Programs after the descriptions in the HTS paper, on the accelerators of its table II\n\
         ([task-scheduler.md](../task-scheduler.md)). The paper prints neither its programs nor the values\n\
         of its figures 7 to 10, nor the numbers of accelerators. *managed* is the task queue manager, which the\n\
         paper does not have. Cycles; *units* is the number of accelerators of each function, *speedup* that of\n\
         the last column over the first:\n\n\
         | benchmark | units | naive | software | managed | hardware | with speculation | speedup |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n"
    ));
    for row in rows {
        let [naive, software, hardware, speculative, managed] = row.cycles;
        part.say(format_args!(
            "| {} | {} | {naive} | {software} | {managed} | {hardware} | {speculative} | {:.2} |\n",
            row.name,
            row.units,
            row.naive() / row.speculative(),
        ));
    }
    part.say(format_args!(
        "\nNumbers of the scheduler:\n\n\
         | number | value | unit | source | note |\n| --- | --- | --- | --- | --- |\n"
    ));
    for (name, entry) in machine.entries()? {
        let Entry::Number(number) = entry else {
            continue;
        };
        if !name.starts_with("task_scheduler.") {
            continue;
        }
        part.say(format_args!(
            "| `{name}` | {} | {} | {} | {} |\n",
            number.value, number.unit, number.source, number.note
        ));
    }
    Ok(())
}
